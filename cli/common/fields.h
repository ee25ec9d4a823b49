/*
 * Declares the columns of a table once, and writes its rows as csv or as JSON from the same cells:
 *
 *	enum { WHAT, CPU, FIELDS };
 *	static const struct field fields[FIELDS] = {[WHAT] = {"what", 1}, [CPU] = {"cpu", 2}};
 *	...
 *	struct field_rows rows = {.fields = fields, .n = FIELDS};
 *
 *	fields_open(&rows, out, format);
 *	fields_row(&rows, (struct table_cell[FIELDS]){cell_text(name), cell_int(cpu)});
 *	fields_close(&rows);
 */
#ifndef GLIMPSE_CLI_COMMON_FIELDS_H
#define GLIMPSE_CLI_COMMON_FIELDS_H

#include "base/json.h"
#include "cli/common/command.h"
#include "trace/stream/losses.h"

/* The key in JSON, in whose order the fields are declared. */
struct field {
	const char *key;
	unsigned column; /* of csv, from 1: the head has the same name; 0: csv has it not */
};

enum { MOST_FIELDS = 32 };
/* The bits of the fields from one to another, both included. */
#define FIELDS_FROM(first, last) ((2u << (last)) - (1u << (first)))

/*
 * A value. csv has nothing and JSON null where it is not known; JSON has not even the key of what
 * is left out.
 */
struct table_cell {
	enum {
		CELL_LEFT_OUT,
		CELL_UNKNOWN,
		CELL_TEXT,
		CELL_INT,
		CELL_UINT,
		CELL_REAL,
		CELL_BOOL
	} kind;
	union {
		const char *text;
		int64_t integer;
		uint64_t count;
		double real;
		bool truth;
	} value;
	const char *digits; /* csv's format of a real number; NULL: as print_real() */
	bool only_csv;
};

struct table_cell cell_left_out(void);
/* NULL: not known. */
struct table_cell cell_text(const char *text);
struct table_cell cell_int(int64_t value);
struct table_cell cell_known(bool known, int64_t value);
struct table_cell cell_uint(uint64_t value);
/* NaN, infinity: not known. */
struct table_cell cell_real(double value);
/* csv has fewer digits of the number than JSON. */
struct table_cell cell_rounded(double value, const char *digits);
/* csv has 1 or 0. */
struct table_cell cell_bool(bool value);
/* JSON has no such key, or one with another value. */
struct table_cell cell_only_csv(struct table_cell cell);

struct field_rows {
	const struct field *fields;
	size_t n;                    /* at most MOST_FIELDS */
	uint32_t without;            /* bits of fields that the table does not have this time */
	const struct losses *losses; /* at the end of each object of JSON; NULL: there are none */
	FILE *csv;
	struct json *json; /* NULL: the rows are csv */
	struct json whole;
};

/* Begins rows that are all of a document, or end it. */
void fields_open(struct field_rows *r, FILE *out, enum format format);
void fields_close(struct field_rows *r);
/* Begins rows in an array of JSON that the caller opens and closes. json NULL: csv, with a head. */
void fields_begin(struct field_rows *r, FILE *csv, struct json *json);
/* Writes a row: cells has one for each field. */
void fields_row(struct field_rows *r, const struct table_cell *cells);

#endif
