#include "formats/proto_read.h"
#include "trace/format/bytes.h"

enum { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

bool proto_varint(struct proto *p, uint64_t *number)
{
	enum { SIZE_MOST = 10 };

	/* most numbers have one byte */
	if (__builtin_expect(p->n && p->at[0] < 0x80, 1)) {
		*number = *p->at++;
		p->n--;
		return true;
	}
	*number = 0;
	for (size_t i = 0; i < p->n && i < SIZE_MOST; i++) {
		*number |= (uint64_t)(p->at[i] & 0x7f) << 7 * i;
		if (p->at[i] & 0x80)
			continue;
		p->at += i + 1;
		p->n -= i + 1;
		return true;
	}
	return false;
}

static bool fixed_take(struct proto *p, size_t size, uint64_t *word)
{
	if (p->n < size)
		return false;
	*word = size == 8 ? read_little_64(p->at) : read_little_32(p->at);
	p->at += size;
	p->n -= size;
	return true;
}

static bool bytes_take(struct proto *p, struct proto *bytes)
{
	uint64_t length;

	if (!proto_varint(p, &length) || length > p->n)
		return false;
	*bytes = (struct proto){p->at, (size_t)length};
	p->at += length;
	p->n -= (size_t)length;
	return true;
}

static bool value_take(struct proto *p, unsigned wire, struct proto_field *f)
{
	f->is_bytes = wire == WIRE_BYTES;
	f->word = 0;
	switch (wire) {
	case WIRE_VARINT:
		return proto_varint(p, &f->word);
	case WIRE_64:
		return fixed_take(p, 8, &f->word);
	case WIRE_BYTES:
		return bytes_take(p, &f->bytes);
	case WIRE_32:
		return fixed_take(p, 4, &f->word);
	default:
		return false;
	}
}

bool proto_next(struct proto *p, struct proto_field *f)
{
	struct proto rest = *p;
	uint64_t tag;

	if (!rest.n || !proto_varint(&rest, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX >> 3)
		return false;
	f->number = (uint32_t)(tag >> 3);
	if (!value_take(&rest, tag & 7, f))
		return false;
	*p = rest;
	return true;
}

uint64_t proto_word(struct proto p, uint32_t number, uint64_t otherwise)
{
	struct proto_field f;

	while (proto_next(&p, &f))
		if (f.number == number && !f.is_bytes)
			otherwise = f.word;
	return otherwise;
}

struct proto proto_bytes(struct proto p, uint32_t number)
{
	struct proto found = {NULL, 0};
	struct proto_field f;

	while (proto_next(&p, &f))
		if (f.number == number && f.is_bytes)
			found = f.bytes;
	return found;
}

bool proto_number(struct proto_field *f, bool fixed, uint64_t *number)
{
	if (f->is_bytes)
		return f->bytes.n &&
		       (fixed ? fixed_take(&f->bytes, 8, number) : proto_varint(&f->bytes, number));
	*number = f->word;
	f->is_bytes = true;
	f->bytes.n = 0;
	return true;
}
