#include "formats/thrift.h"
#include "trace/format/bytes.h"

enum { TRUE_TYPE = 1, FALSE_TYPE = 2 };

static void byte_put(struct thrift *t, unsigned byte)
{
	*vector_add(&t->out) = (unsigned char)byte;
}

static void varint_put(struct thrift *t, uint64_t value)
{
	unsigned char bytes[VARINT_MOST];

	vector_append(&t->out, bytes, (size_t)(varint_write(bytes, value) - bytes));
}

/*
 * The ids of neighbours mostly differ by less than 16: then the difference is in the byte of the
 * type.
 */
static void field_begin(struct thrift *t, int id, unsigned type)
{
	int step = id - t->last[t->depth];

	if (step > 0 && step < 16) {
		byte_put(t, (unsigned)step << 4 | type);
	} else {
		byte_put(t, type);
		varint_put(t, zigzag_encode((uint64_t)(int64_t)id));
	}
	t->last[t->depth] = id;
}

static void binary_put(struct thrift *t, const void *bytes, size_t n)
{
	varint_put(t, n);
	vector_append(&t->out, (const unsigned char *)bytes, n);
}

void thrift_integer(struct thrift *t, int id, enum thrift_type type, int64_t value)
{
	field_begin(t, id, type);
	if (type == THRIFT_BYTE)
		byte_put(t, (unsigned char)value);
	else
		thrift_item_integer(t, value);
}

void thrift_truth(struct thrift *t, int id, bool value)
{
	field_begin(t, id, value ? TRUE_TYPE : FALSE_TYPE);
}

void thrift_binary(struct thrift *t, int id, const void *bytes, size_t n)
{
	field_begin(t, id, THRIFT_BINARY);
	binary_put(t, bytes, n);
}

void thrift_text(struct thrift *t, int id, const char *text)
{
	thrift_binary(t, id, text, strlen(text));
}

void thrift_struct(struct thrift *t, int id)
{
	field_begin(t, id, THRIFT_STRUCT);
	thrift_item(t);
}

void thrift_end(struct thrift *t)
{
	byte_put(t, 0);
	if (t->depth)
		t->depth--;
}

void thrift_list(struct thrift *t, int id, enum thrift_type type, size_t n)
{
	field_begin(t, id, THRIFT_LIST);
	byte_put(t, (unsigned)(n < 15 ? n : 15) << 4 | type);
	if (n >= 15)
		varint_put(t, n);
}

void thrift_item(struct thrift *t)
{
	t->last[++t->depth] = 0;
}

void thrift_item_integer(struct thrift *t, int64_t value)
{
	varint_put(t, zigzag_encode((uint64_t)value));
}

void thrift_item_text(struct thrift *t, const char *text)
{
	binary_put(t, text, strlen(text));
}
