#include "trace/pack/block.h"
#include "base/array.h"
#include <stdlib.h>
#include <zlib.h>

/*
 * Columns put numbers of one kind side by side, and the next kind has other ones. So deflate gets
 * little memory for symbols, which makes it begin new codes often, and looks for no short matches,
 * which are chance.
 */
enum { LEVEL = 6, MEMORY_OF_COLUMNS = 5, MEMORY = 8 };

/* A fuzzer cannot guess checksums: for it nothing is deflated, and every block is intact. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define FUZZED true
#else
#define FUZZED false
#endif

/* More than any column needs: a block that claims more is damaged. */
static uint64_t plain_most(const struct pack_block *b)
{
	return 4 * (uint64_t)b->size + 65536;
}

/* ---- header ---- */

static void block_header_write(const struct pack_block *b, unsigned char *to)
{
	write_little_32(to, BLOCK_MAGIC);
	write_little_32(to + 8, b->member);
	write_little_32(to + 12, b->codec);
	write_little_32(to + 16, b->size);
	write_little_32(to + 20, b->plain);
	write_little_32(to + 24, b->stored);
	write_little_64(to + 28, b->offset);
	write_little_64(to + 36, b->upper);
	write_little_64(to + 44, b->seq);
	write_little_32(to + 4, (uint32_t)crc32(0, to + 8, BLOCK_HEADER - 8 + b->stored));
}

bool block_read(struct pack_block *b, const unsigned char *file, uint64_t size, uint64_t at)
{
	const unsigned char *from;

	if (at > size || size - at < BLOCK_HEADER)
		return false;
	from = file + at;
	if (read_little_32(from) != BLOCK_MAGIC)
		return false;
	*b = (struct pack_block){
	    .at = at,
	    .member = read_little_32(from + 8),
	    .codec = read_little_32(from + 12),
	    .size = read_little_32(from + 16),
	    .plain = read_little_32(from + 20),
	    .stored = read_little_32(from + 24),
	    .offset = read_little_64(from + 28),
	    .upper = read_little_64(from + 36),
	    .seq = read_little_64(from + 44),
	};
	return PACK_CODEC(b->codec) <= PACK_COLUMNS_BIG && b->size && b->plain &&
	       b->size <= BLOCK_MOST && b->plain <= plain_most(b) &&
	       b->stored <= size - at - BLOCK_HEADER;
}

bool block_intact(const struct pack_block *b, const unsigned char *file)
{
	const unsigned char *at = file + b->at;

	if (FUZZED)
		return true;
	return crc32(0, at + 8, (uInt)(BLOCK_HEADER - 8 + b->stored)) == read_little_32(at + 4);
}

/* ---- packing ---- */

/* Deflates into a place that has room for as many bytes. Returns 0 if the room is too small. */
static size_t deflate_into(unsigned char *to, const unsigned char *bytes, size_t size, bool columns)
{
	z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)size};
	int ended;

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, MAX_WBITS, columns ? MEMORY_OF_COLUMNS : MEMORY,
			 columns ? Z_FILTERED : Z_DEFAULT_STRATEGY) != Z_OK)
		array_exhausted();
	z.next_out = to;
	z.avail_out = (uInt)size;
	ended = deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return ended == Z_STREAM_END ? z.total_out : 0;
}

/* Appends a block of these bytes; stores them as they are if deflate gains nothing. */
static void deflate_bytes(struct byte_buffer *to, struct pack_block *b, const unsigned char *bytes,
			  size_t size)
{
	unsigned char *at = buffer_reserve(to, BLOCK_HEADER + size);
	bool columns = PACK_CODEC(b->codec) != PACK_RAW;
	size_t stored = deflate_into(at + BLOCK_HEADER, bytes, size, columns);

	if (stored == 0 || stored >= size || FUZZED) {
		stored = size;
		memcpy(at + BLOCK_HEADER, bytes, size);
	}
	b->plain = (uint32_t)size;
	b->stored = (uint32_t)stored;
	block_header_write(b, at);
	to->size += BLOCK_HEADER + stored;
}

/* Returns whether the columns in scratch->plain restore these bytes. */
static bool columns_hold(const struct pack_block *b, const unsigned char *bytes,
			 struct block_scratch *scratch)
{
	struct byte_view from = byte_view_of(&scratch->plain);
	unsigned char *check = buffer_reserve(&scratch->check, b->size);

	return scratch->plain.size <= plain_most(b) &&
	       records_join(&from, b->upper, false, check, b->size, &scratch->records) &&
	       memcmp(check, bytes, b->size) == 0;
}

void block_pack(struct byte_buffer *to, struct pack_block *b, const unsigned char *bytes,
		const struct record_layouts *layouts, struct block_scratch *scratch)
{
	uint32_t flags = b->codec & ~UINT32_C(0xff);

	scratch->plain.size = 0;
	if (layouts)
		records_split(&scratch->plain, layouts, bytes, bytes + b->size, b->upper,
			      &scratch->records);
	if (layouts && columns_hold(b, bytes, scratch)) {
		b->codec = flags | PACK_COLUMNS_NATIVE;
		deflate_bytes(to, b, scratch->plain.bytes, scratch->plain.size);
	} else {
		b->codec = flags | PACK_RAW;
		deflate_bytes(to, b, bytes, b->size);
	}
}

/* ---- unpacking ---- */

static bool inflate_bytes(const struct pack_block *b, const unsigned char *file, unsigned char *to)
{
	uLongf size = b->plain;

	if (b->stored == b->plain) {
		memcpy(to, file + b->at + BLOCK_HEADER, size);
		return true;
	}
	return uncompress(to, &size, file + b->at + BLOCK_HEADER, b->stored) == Z_OK &&
	       size == b->plain;
}

bool block_unpack(const struct pack_block *b, const unsigned char *file, unsigned char *to,
		  struct block_scratch *scratch)
{
	unsigned char *plain;
	struct byte_view from;

	if (!block_intact(b, file))
		return false;
	if (PACK_CODEC(b->codec) == PACK_RAW)
		return b->plain == b->size && inflate_bytes(b, file, to);
	scratch->plain.size = 0;
	plain = buffer_reserve(&scratch->plain, b->plain);
	from = (struct byte_view){plain, plain + b->plain, false};
	return inflate_bytes(b, file, plain) &&
	       records_join(&from, b->upper, PACK_CODEC(b->codec) != PACK_COLUMNS_NATIVE, to,
			    b->size, &scratch->records);
}

void block_scratch_free(struct block_scratch *s)
{
	records_scratch_free(&s->records);
	free(s->plain.bytes);
	free(s->check.bytes);
}
