/*
 * Avro object container files, version 1: records, written one after the other into blocks, which
 * are compressed. Many files may be written at a time: each is open only while it gets a block.
 */
#ifndef GLIMPSE_FORMATS_AVRO_FILE_H
#define GLIMPSE_FORMATS_AVRO_FILE_H

#include "base/array.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AVRO_SYNC = 16 };

struct avro_file {
	char *path;
	VECTOR(unsigned char) block;
	int64_t records; /* in the block */
	unsigned char sync[AVRO_SYNC];
	int error; /* errno of what failed; 0: nothing has */
};

/* Makes a file of records with a schema (JSON). The file takes over the path. */
void avro_begin(struct avro_file *f, char *path, const char *schema);
/* Puts all into the file; f->error tells whether that succeeded. Frees all but f->path. */
void avro_end(struct avro_file *f);

/* The fields of a record, in their order, and its end. */
void avro_long(struct avro_file *f, int64_t value);
void avro_double(struct avro_file *f, double value);
void avro_boolean(struct avro_file *f, bool value);
void avro_bytes(struct avro_file *f, const void *bytes, size_t n);
void avro_string(struct avro_file *f, const char *text);
void avro_record_end(struct avro_file *f);

#endif
