/* RFC 1950 (zlib) and RFC 1951 (deflate), as short as they can be told. */
#include <zlib.h>
#include <setjmp.h>
#include <string.h>

enum { BITS_MOST = 15, LENGTHS = 288, DISTANCES = 32 };

uLong crc32(uLong crc, const Bytef *bytes, uInt size)
{
	crc = ~crc & 0xffffffff;
	for (uInt i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc & 0xffffffff;
}

int deflateInit2(z_stream *z, int level, int method, int bits, int memory, int strategy)
{
	(void)z, (void)level, (void)method, (void)bits, (void)memory, (void)strategy;
	return Z_OK;
}

int deflate(z_stream *z, int flush)
{
	(void)z, (void)flush;
	return Z_BUF_ERROR;
}

int deflateEnd(z_stream *z)
{
	(void)z;
	return Z_OK;
}

struct inflating {
	const Bytef *at, *end;
	Bytef *start, *to, *limit;
	unsigned bits, nbits;
	jmp_buf damaged;
};

/* counts[n]: how many codes have n bits; symbols: in the order of their codes. */
struct codes {
	unsigned short counts[BITS_MOST + 1], symbols[LENGTHS];
};

static unsigned bits_take(struct inflating *s, unsigned n)
{
	unsigned value;

	for (; s->nbits < n; s->nbits += 8) {
		if (s->at == s->end)
			longjmp(s->damaged, 1);
		s->bits |= (unsigned)*s->at++ << s->nbits;
	}
	value = s->bits & ((1u << n) - 1);
	s->bits >>= n;
	s->nbits -= n;
	return value;
}

static void codes_make(struct codes *c, const Bytef *lengths, unsigned n)
{
	unsigned short next[BITS_MOST + 2] = {0};

	memset(c->counts, 0, sizeof c->counts);
	for (unsigned i = 0; i < n; i++)
		c->counts[lengths[i]]++;
	c->counts[0] = 0;
	for (unsigned i = 1; i <= BITS_MOST; i++)
		next[i + 1] = (unsigned short)(next[i] + c->counts[i]);
	for (unsigned i = 0; i < n; i++)
		if (lengths[i])
			c->symbols[next[lengths[i]]++] = (unsigned short)i;
}

static unsigned symbol_take(struct inflating *s, const struct codes *c)
{
	unsigned code = 0, first = 0, index = 0;

	for (unsigned n = 1; n <= BITS_MOST; n++) {
		code |= bits_take(s, 1);
		if (code - first < c->counts[n])
			return c->symbols[index + code - first];
		index += c->counts[n];
		first = (first + c->counts[n]) << 1;
		code <<= 1;
	}
	longjmp(s->damaged, 1);
}

static void room_need(struct inflating *s, unsigned n)
{
	if ((unsigned long)(s->limit - s->to) < n)
		longjmp(s->damaged, 1);
}

static void stored_read(struct inflating *s)
{
	unsigned n;

	s->bits = s->nbits = 0;
	n = bits_take(s, 16);
	bits_take(s, 16);
	room_need(s, n);
	if ((unsigned long)(s->end - s->at) < n)
		longjmp(s->damaged, 1);
	memcpy(s->to, s->at, n);
	s->at += n;
	s->to += n;
}

/* Bits beyond the code of a length or a distance, which come in groups of 4 and of 2. */
static unsigned range_take(struct inflating *s, unsigned symbol, unsigned group)
{
	unsigned extra, sum = 0;

	for (unsigned i = 0; i < symbol; i++)
		sum += 1u << (i < 2 * group ? 0 : i / group - 1);
	extra = symbol < 2 * group ? 0 : symbol / group - 1;
	return sum + bits_take(s, extra);
}

static void coded_read(struct inflating *s, const struct codes *lengths,
		       const struct codes *distances)
{
	for (unsigned symbol; (symbol = symbol_take(s, lengths)) != 256;) {
		unsigned length, distance;

		if (symbol < 256) {
			room_need(s, 1);
			*s->to++ = (Bytef)symbol;
			continue;
		}
		length = symbol == 285 ? 258 : 3 + range_take(s, symbol - 257, 4);
		distance = 1 + range_take(s, symbol_take(s, distances), 2);
		room_need(s, length);
		if (distance > (unsigned long)(s->to - s->start))
			longjmp(s->damaged, 1);
		for (; length; length--, s->to++)
			*s->to = s->to[-(long)distance];
	}
}

static void fixed_read(struct inflating *s)
{
	Bytef of[LENGTHS];
	struct codes lengths, distances;

	for (unsigned i = 0; i < LENGTHS; i++)
		of[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	codes_make(&lengths, of, LENGTHS);
	memset(of, 5, DISTANCES);
	codes_make(&distances, of, DISTANCES);
	coded_read(s, &lengths, &distances);
}

static void dynamic_read(struct inflating *s)
{
	static const Bytef order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	Bytef of[LENGTHS + DISTANCES + 138] = {0};
	unsigned nlengths = 257 + bits_take(s, 5), n = nlengths + 1 + bits_take(s, 5);
	unsigned nlevels = 4 + bits_take(s, 4), at = 0;
	struct codes lengths, distances;

	for (unsigned i = 0; i < nlevels; i++)
		of[order[i]] = (Bytef)bits_take(s, 3);
	codes_make(&lengths, of, 19);
	memset(of, 0, sizeof of);
	while (at < n) {
		unsigned symbol = symbol_take(s, &lengths), repeat;
		Bytef value = symbol == 16 && at ? of[at - 1] : 0;

		if (symbol < 16) {
			of[at++] = (Bytef)symbol;
			continue;
		}
		repeat = symbol == 16 ? 3 + bits_take(s, 2)
			 : symbol == 17 ? 3 + bits_take(s, 3) : 11 + bits_take(s, 7);
		memset(of + at, value, repeat);
		at += repeat;
	}
	codes_make(&distances, of + nlengths, n - nlengths);
	codes_make(&lengths, of, nlengths);
	coded_read(s, &lengths, &distances);
}

int uncompress(Bytef *to, uLongf *room, const Bytef *from, uLong size)
{
	struct inflating s = {.at = from + 2, .end = from + size, .start = to, .to = to,
			      .limit = to + *room};
	static void (*const read[])(struct inflating *) = {stored_read, fixed_read, dynamic_read};
	unsigned last = 0;

	if (size < 2 || setjmp(s.damaged))
		return Z_DATA_ERROR;
	while (!last) {
		unsigned kind;

		last = bits_take(&s, 1);
		kind = bits_take(&s, 2);
		if (kind == 3)
			return Z_DATA_ERROR;
		read[kind](&s);
	}
	*room = (uLongf)(s.to - s.start);
	return Z_OK;
}
