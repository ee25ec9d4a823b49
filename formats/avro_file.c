#include "formats/avro_file.h"
#include "base/sha256.h"
#include "formats/deflated.h"
#include "trace/format/bytes.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 128 << 10 }; /* bytes of a block before it is compressed */

/* ---- numbers and bytes ---- */

void avro_long(struct avro_file *f, int64_t value)
{
	unsigned char bytes[VARINT_MOST];

	vector_append(&f->block, bytes,
		      (size_t)(varint_write(bytes, zigzag_encode((uint64_t)value)) - bytes));
}

void avro_double(struct avro_file *f, double value)
{
	unsigned char bytes[sizeof value];
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	write_little_64(bytes, word);
	vector_append(&f->block, bytes, sizeof bytes);
}

void avro_boolean(struct avro_file *f, bool value)
{
	*vector_add(&f->block) = value;
}

void avro_bytes(struct avro_file *f, const void *bytes, size_t n)
{
	avro_long(f, (int64_t)n);
	vector_append(&f->block, (const unsigned char *)bytes, n);
}

void avro_string(struct avro_file *f, const char *text)
{
	avro_bytes(f, text, strlen(text));
}

/* ---- the file ---- */

static void file_append(struct avro_file *f, const char *mode, const void *head, size_t nhead,
			const void *data, size_t ndata)
{
	FILE *out;
	bool good;

	if (f->error)
		return;
	out = fopen(f->path, mode);
	good = out && fwrite(head, 1, nhead, out) == nhead &&
	       fwrite(data, 1, ndata, out) == ndata &&
	       fwrite(f->sync, 1, AVRO_SYNC, out) == AVRO_SYNC && fflush(out) == 0;
	if (!good)
		f->error = errno;
	if (out && fclose(out) != 0 && good)
		f->error = errno;
}

static void block_write(struct avro_file *f)
{
	unsigned char head[2 * VARINT_MOST], *at = head, *packed;
	size_t size;

	if (!f->records)
		return;
	packed = deflated(f->block.at, f->block.n, DEFLATED_RAW, &size);
	at = varint_write(at, zigzag_encode((uint64_t)f->records));
	at = varint_write(at, zigzag_encode(size));
	file_append(f, "ab", head, (size_t)(at - head), packed, size);
	free(packed);
	f->block.n = 0;
	f->records = 0;
}

void avro_record_end(struct avro_file *f)
{
	f->records++;
	if (f->block.n >= BLOCK)
		block_write(f);
}

/*
 * The mark between blocks only has to be rare: made from the schema, the same trace gives the same
 * file.
 */
void avro_begin(struct avro_file *f, char *path, const char *schema)
{
	static const char magic[] = {'O', 'b', 'j', 1};
	unsigned char hash[SHA256_BYTES];

	*f = (struct avro_file){.path = path};
	sha256_compute(hash, schema, strlen(schema));
	memcpy(f->sync, hash, AVRO_SYNC);
	avro_long(f, 2);
	avro_string(f, "avro.codec");
	avro_string(f, "deflate");
	avro_string(f, "avro.schema");
	avro_string(f, schema);
	avro_long(f, 0);
	file_append(f, "wbx", magic, sizeof magic, f->block.at, f->block.n);
	f->block.n = 0;
}

void avro_end(struct avro_file *f)
{
	block_write(f);
	free(f->block.at);
	f->block.at = NULL;
}
