#include "formats/parquet_file.h"
#include "config.h"
#include "formats/deflated.h"
#include "formats/thrift.h"
#include "trace/format/bytes.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP_ROWS = 1 << 20, PAGE_ROWS = 1 << 16 };

/* Numbers of parquet.thrift. */
enum { TYPE_WORD = 2, TYPE_REAL = 5, TYPE_BYTES = 6 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, ENCODING_DELTA = 5, ENCODING_DICTIONARY = 8 };
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { CODEC_NONE = 0, CODEC_GZIP = 2 };
enum { CONVERTED_UTF8 = 0, CONVERTED_UINT_64 = 14 };
enum { LOGICAL_STRING = 1, LOGICAL_INTEGER = 10 };

/* Where a column of a row group is in the file. */
struct parquet_chunk {
	uint64_t dictionary, data; /* offsets of the first pages; dictionary 0: there is none */
	uint64_t packed, unpacked; /* bytes of all pages, with their headers */
	uint64_t least, most;      /* of whole numbers */
	unsigned encodings;        /* bits */
	int codec;
};

static const char magic[] = {'P', 'A', 'R', '1'};

/* ---- values ---- */

static struct parquet_values *values_next(struct parquet_file *f)
{
	struct parquet_values *v = &f->values[f->column++];

	v->n++;
	f->bytes += sizeof *v->words.at;
	return v;
}

static void integer_put(void *file, uint64_t value)
{
	struct parquet_values *v = values_next(file);

	*vector_add(&v->words) = value;
}

static void double_put(void *file, double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	integer_put(file, word);
}

static void string_put(void *file, const void *bytes, size_t n)
{
	struct parquet_file *f = file;
	struct parquet_values *v = values_next(f);

	vector_append(&v->bytes, (const unsigned char *)bytes, n);
	*vector_add(&v->words) = v->bytes.n;
	f->bytes += n;
}

static void row_end(void *file)
{
	struct parquet_file *f = file;

	f->column = 0;
	f->rows++;
	if (f->rows == GROUP_ROWS)
		parquet_flush(f);
}

const struct table_writer parquet_writer = {integer_put, double_put, string_put, row_end};

static void values_empty(struct parquet_file *f)
{
	for (size_t i = 0; i < f->columns->n; i++) {
		struct parquet_values *v = &f->values[i];

		free(v->words.at);
		free(v->bytes.at);
		*v = (struct parquet_values){.strings = table_column_is_string(&f->columns->at[i])};
	}
	f->rows = 0;
	f->bytes = 0;
}

/* ---- pages ---- */

static void file_write(struct parquet_file *f, FILE *out, const void *bytes, size_t n)
{
	if (fwrite(bytes, 1, n, out) != n && !f->error)
		f->error = errno;
	f->size += n;
}

/* The caller frees the result. */
static unsigned char *gzip(const struct parquet_bytes *bytes, size_t *size)
{
	return deflated(bytes->at, bytes->n, DEFLATED_GZIP, size);
}

static void page_head(struct thrift *t, const struct parquet_bytes *bytes, size_t packed, int kind,
		      size_t n, int encoding)
{
	thrift_integer(t, 1, THRIFT_I32, kind);
	thrift_integer(t, 2, THRIFT_I32, (int64_t)bytes->n);
	thrift_integer(t, 3, THRIFT_I32, (int64_t)packed);
	thrift_struct(t, kind == PAGE_DICTIONARY ? 7 : 5);
	thrift_integer(t, 1, THRIFT_I32, (int64_t)n);
	thrift_integer(t, 2, THRIFT_I32, encoding);
	if (kind == PAGE_DATA) { /* of levels, which columns without NULL have not */
		thrift_integer(t, 3, THRIFT_I32, ENCODING_RLE);
		thrift_integer(t, 4, THRIFT_I32, ENCODING_RLE);
	}
	thrift_end(t);
	thrift_end(t);
}

static void page_put(struct parquet_file *f, FILE *out, struct parquet_chunk *c,
		     const struct thrift *head, const void *bytes, size_t n)
{
	file_write(f, out, head->out.at, head->out.n);
	file_write(f, out, bytes, n);
	c->packed += head->out.n + n;
}

/* Writes a page of n values, and empties the bytes. */
static void page_write(struct parquet_file *f, FILE *out, struct parquet_chunk *c,
		       struct parquet_bytes *bytes, int kind, size_t n, int encoding)
{
	struct thrift head = {0};
	size_t size = bytes->n;
	unsigned char *packed = c->codec == CODEC_GZIP ? gzip(bytes, &size) : NULL;

	page_head(&head, bytes, size, kind, n, encoding);
	page_put(f, out, c, &head, packed ? packed : bytes->at, size);
	c->unpacked += head.out.n + bytes->n;
	c->encodings |= 1U << encoding;
	free(head.out.at);
	free(packed);
	bytes->n = 0;
}

/* ---- columns of a row group ---- */

static void chunk_measure(struct parquet_chunk *c, const struct parquet_values *v,
			  enum column_type type)
{
	uint64_t flip = type == COLUMN_INTEGER ? UINT64_C(1) << 63 : 0;

	c->least = c->most = v->words.at[0];
	for (size_t i = 1; i < v->n; i++) {
		uint64_t word = v->words.at[i];

		c->least = (word ^ flip) < (c->least ^ flip) ? word : c->least;
		c->most = (word ^ flip) > (c->most ^ flip) ? word : c->most;
	}
}

/*
 * Encodes rows without a dictionary; returns the encoding. Differences of some numbers need more
 * than they.
 */
static int rows_encode(struct parquet_bytes *bytes, const struct parquet_values *v,
		       enum column_type type, size_t from, size_t to)
{
	if (table_type_is_whole(type)) {
		parquet_delta(bytes, v->words.at + from, to - from);
		if (bytes->n < (to - from) * sizeof *v->words.at)
			return ENCODING_DELTA;
		bytes->n = 0;
	}
	parquet_plain(bytes, v, from, to);
	return ENCODING_PLAIN;
}

/* Appends the rows of a page; returns their encoding. */
static int page_encode(struct parquet_bytes *bytes, const struct parquet_values *v,
		       const struct parquet_dictionary *d, enum column_type type, size_t from,
		       size_t to)
{
	if (!d)
		return rows_encode(bytes, v, type, from, to);
	parquet_indices(bytes, d, from, to);
	return ENCODING_DICTIONARY;
}

static size_t page_end(const struct parquet_values *v, size_t from)
{
	return v->n - from < PAGE_ROWS ? v->n : from + PAGE_ROWS;
}

/*
 * Most encoded numbers have no more to compress, which would cost the writer and the readers time.
 */
static int codec_choose(const struct parquet_values *v, const struct parquet_dictionary *d,
			enum column_type type)
{
	struct parquet_bytes bytes = {0};
	size_t size;
	bool shrinks;

	page_encode(&bytes, v, d, type, 0, page_end(v, 0));
	free(gzip(&bytes, &size));
	shrinks = size < bytes.n - bytes.n / 8;
	free(bytes.at);
	return shrinks ? CODEC_GZIP : CODEC_NONE;
}

static void pages_write(struct parquet_file *f, FILE *out, struct parquet_chunk *c,
			const struct parquet_values *v, const struct parquet_dictionary *d,
			enum column_type type)
{
	struct parquet_bytes bytes = {0};

	if (d) {
		c->dictionary = f->size;
		parquet_dictionary_put(&bytes, d, v);
		page_write(f, out, c, &bytes, PAGE_DICTIONARY, d->first.n, ENCODING_PLAIN);
	}
	c->data = f->size;
	for (size_t from = 0, to; from < v->n; from = to) {
		to = page_end(v, from);
		page_write(f, out, c, &bytes, PAGE_DATA, to - from,
			   page_encode(&bytes, v, d, type, from, to));
	}
	free(bytes.at);
}

static void column_write(struct parquet_file *f, FILE *out, const struct table_column *column,
			 const struct parquet_values *v)
{
	struct parquet_chunk c = {.encodings = 1U << ENCODING_RLE};
	struct parquet_dictionary d;
	bool repeats = !column->ascends && parquet_dictionary_make(&d, v);

	if (table_type_is_whole(column->type))
		chunk_measure(&c, v, column->type);
	c.codec = codec_choose(v, repeats ? &d : NULL, column->type);
	pages_write(f, out, &c, v, repeats ? &d : NULL, column->type);
	if (repeats)
		parquet_dictionary_free(&d);
	*vector_add(&f->chunks) = c;
}

static FILE *file_open(struct parquet_file *f)
{
	FILE *out = f->error ? NULL : fopen(f->path, f->size ? "ab" : "wbx");

	if (!out && !f->error)
		f->error = errno;
	if (out && !f->size)
		file_write(f, out, magic, sizeof magic);
	return out;
}

static void file_close(struct parquet_file *f, FILE *out)
{
	if (fclose(out) != 0 && !f->error)
		f->error = errno;
}

void parquet_flush(struct parquet_file *f)
{
	FILE *out = f->rows ? file_open(f) : NULL;

	if (out) {
		for (size_t i = 0; i < f->columns->n; i++)
			column_write(f, out, &f->columns->at[i], &f->values[i]);
		*vector_add(&f->group_rows) = f->rows;
		f->all_rows += (int64_t)f->rows;
		file_close(f, out);
	}
	values_empty(f);
}

/* ---- the footer ---- */

static int physical_type(enum column_type type)
{
	return table_type_is_whole(type) ? TYPE_WORD
	       : type == COLUMN_DOUBLE   ? TYPE_REAL
					 : TYPE_BYTES;
}

static void logical_put(struct thrift *t, enum column_type type)
{
	if (type == COLUMN_TEXT) {
		thrift_integer(t, 6, THRIFT_I32, CONVERTED_UTF8);
		thrift_struct(t, 10);
		thrift_struct(t, LOGICAL_STRING);
	} else if (type == COLUMN_UNSIGNED) {
		thrift_integer(t, 6, THRIFT_I32, CONVERTED_UINT_64);
		thrift_struct(t, 10);
		thrift_struct(t, LOGICAL_INTEGER);
		thrift_integer(t, 1, THRIFT_BYTE, 64);
		thrift_truth(t, 2, false); /* signed */
	} else {
		return;
	}
	thrift_end(t);
	thrift_end(t);
}

static void schema_put(struct thrift *t, const struct table_columns *columns)
{
	thrift_list(t, 2, THRIFT_STRUCT, columns->n + 1);
	thrift_item(t);
	thrift_text(t, 4, "schema");
	thrift_integer(t, 5, THRIFT_I32, (int64_t)columns->n);
	thrift_end(t);
	for (size_t i = 0; i < columns->n; i++) {
		thrift_item(t);
		thrift_integer(t, 1, THRIFT_I32, physical_type(columns->at[i].type));
		thrift_integer(t, 3, THRIFT_I32, 0); /* required */
		thrift_text(t, 4, columns->at[i].name);
		logical_put(t, columns->at[i].type);
		thrift_end(t);
	}
}

static void statistics_put(struct thrift *t, const struct parquet_chunk *c, enum column_type type)
{
	unsigned char number[8];

	thrift_struct(t, 12);
	thrift_integer(t, 3, THRIFT_I64, 0); /* how many are NULL */
	if (table_type_is_whole(type)) {
		write_little_64(number, c->most);
		thrift_binary(t, 5, number, sizeof number);
		write_little_64(number, c->least);
		thrift_binary(t, 6, number, sizeof number);
	}
	thrift_end(t);
}

static void encodings_put(struct thrift *t, unsigned encodings)
{
	thrift_list(t, 2, THRIFT_I32, (size_t)__builtin_popcount(encodings));
	for (int i = 0; encodings >> i; i++)
		if (encodings >> i & 1)
			thrift_item_integer(t, i);
}

static void chunk_put(struct thrift *t, const struct parquet_chunk *c,
		      const struct table_column *column, size_t rows)
{
	thrift_item(t);
	thrift_integer(t, 2, THRIFT_I64, (int64_t)(c->dictionary ? c->dictionary : c->data));
	thrift_struct(t, 3);
	thrift_integer(t, 1, THRIFT_I32, physical_type(column->type));
	encodings_put(t, c->encodings);
	thrift_list(t, 3, THRIFT_BINARY, 1);
	thrift_item_text(t, column->name);
	thrift_integer(t, 4, THRIFT_I32, c->codec);
	thrift_integer(t, 5, THRIFT_I64, (int64_t)rows);
	thrift_integer(t, 6, THRIFT_I64, (int64_t)c->unpacked);
	thrift_integer(t, 7, THRIFT_I64, (int64_t)c->packed);
	thrift_integer(t, 9, THRIFT_I64, (int64_t)c->data);
	if (c->dictionary)
		thrift_integer(t, 11, THRIFT_I64, (int64_t)c->dictionary);
	statistics_put(t, c, column->type);
	thrift_end(t);
	thrift_end(t);
}

static void group_put(struct thrift *t, const struct parquet_file *f, size_t group)
{
	const struct parquet_chunk *chunks = f->chunks.at + group * f->columns->n;
	uint64_t unpacked = 0, packed = 0;

	thrift_item(t);
	thrift_list(t, 1, THRIFT_STRUCT, f->columns->n);
	for (size_t i = 0; i < f->columns->n; i++) {
		chunk_put(t, &chunks[i], &f->columns->at[i], f->group_rows.at[group]);
		unpacked += chunks[i].unpacked;
		packed += chunks[i].packed;
	}
	thrift_integer(t, 2, THRIFT_I64, (int64_t)unpacked);
	thrift_integer(t, 3, THRIFT_I64, (int64_t)f->group_rows.at[group]);
	thrift_integer(t, 6, THRIFT_I64, (int64_t)packed);
	thrift_end(t);
}

/*
 * Minima and maxima count only where the order is said that they are of: the one of the column's
 * type.
 */
static void orders_put(struct thrift *t, size_t columns)
{
	thrift_list(t, 7, THRIFT_STRUCT, columns);
	for (size_t i = 0; i < columns; i++) {
		thrift_item(t);
		thrift_struct(t, 1);
		thrift_end(t);
		thrift_end(t);
	}
}

static void footer_put(struct thrift *t, const struct parquet_file *f)
{
	thrift_integer(t, 1, THRIFT_I32, 2); /* version */
	schema_put(t, f->columns);
	thrift_integer(t, 3, THRIFT_I64, f->all_rows);
	thrift_list(t, 4, THRIFT_STRUCT, f->group_rows.n);
	for (size_t i = 0; i < f->group_rows.n; i++)
		group_put(t, f, i);
	thrift_text(t, 6, PACKAGE_NAME " version " PACKAGE_VERSION);
	orders_put(t, f->columns->n);
	thrift_end(t);
}

static void footer_write(struct parquet_file *f)
{
	struct thrift footer = {0};
	unsigned char size[4];
	FILE *out = file_open(f);

	if (!out)
		return;
	footer_put(&footer, f);
	write_little_32(size, (uint32_t)footer.out.n);
	file_write(f, out, footer.out.at, footer.out.n);
	file_write(f, out, size, sizeof size);
	file_write(f, out, magic, sizeof magic);
	file_close(f, out);
	free(footer.out.at);
}

/* ---- the file ---- */

void parquet_begin(struct parquet_file *f, char *path, const struct table_columns *columns)
{
	*f = (struct parquet_file){
	    .path = path, .columns = columns, .values = array_zero(columns->n, sizeof *f->values)};
	values_empty(f);
}

void parquet_end(struct parquet_file *f)
{
	parquet_flush(f);
	footer_write(f);
	free(f->values);
	free(f->chunks.at);
	free(f->group_rows.at);
}
