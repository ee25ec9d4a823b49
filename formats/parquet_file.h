/*
 * Apache Parquet files: rows of columns without NULL, as row groups, which are compressed. Many
 * files may be written at a time: each keeps the rows of one group in memory, and is open only
 * while it gets them.
 */
#ifndef GLIMPSE_FORMATS_PARQUET_FILE_H
#define GLIMPSE_FORMATS_PARQUET_FILE_H

#include "formats/event_tables.h"
#include "formats/parquet_encode.h"

struct parquet_chunk;

struct parquet_file {
	char *path;
	const struct table_columns *columns;
	struct parquet_values *values; /* of each column, in the row group */
	size_t column;                 /* that gets the next value */
	size_t rows, bytes;            /* of the row group: in memory */
	int64_t all_rows;
	VECTOR(struct parquet_chunk) chunks; /* of all row groups: each one's columns */
	VECTOR(size_t) group_rows;
	uint64_t size; /* of what is written */
	int error;     /* errno of what failed; 0: nothing has */
};

/* Makes a file of columns, which must exist until its end. The file takes over the path. */
void parquet_begin(struct parquet_file *f, char *path, const struct table_columns *columns);
/* Writes the rest; f->error tells whether all succeeded. Frees all but f->path. */
void parquet_end(struct parquet_file *f);
/* Writes the rows that are in memory, as a row group. */
void parquet_flush(struct parquet_file *f);

/* Puts rows into a struct parquet_file, which writes them when they are a large row group. */
extern const struct table_writer parquet_writer;

#endif
