/*
 * Declares the columns of a table once, and writes its rows as csv and as JSON from the same cells:
 *
 *	enum { WHAT, CPU, FIELDS };
 *	static const struct field fields[FIELDS] = {[WHAT] = {"what", 1}, [CPU] = {"cpu", 2}};
 *	...
 *	fields_csv_head(out, fields, FIELDS);
 *	fields_csv_row(out, fields, FIELDS, (struct table_cell[FIELDS]){cell_text(name), cell_int(cpu)});
 */
#ifndef GLIMPSE_CLI_COMMON_FIELDS_H
#define GLIMPSE_CLI_COMMON_FIELDS_H

#include "base/json.h"

/* The key in JSON, in whose order the fields are declared. */
struct field {
	const char *key;
	unsigned column; /* of csv, from 1: the head has the same name; 0: csv has it not */
};

enum { MOST_FIELDS = 32 };

/*
 * A value. csv has nothing and JSON null where it is not known; JSON has not even the key of what
 * is left out.
 */
struct table_cell {
	enum { CELL_LEFT_OUT, CELL_UNKNOWN, CELL_TEXT, CELL_INT, CELL_UINT, CELL_REAL } kind;
	union {
		const char *text;
		int64_t integer;
		uint64_t count;
		double real;
	} value;
};

struct table_cell cell_left_out(void);
/* NULL: not known. */
struct table_cell cell_text(const char *text);
struct table_cell cell_int(int64_t value);
struct table_cell cell_known(bool known, int64_t value);
struct table_cell cell_uint(uint64_t value);
/* NaN: not known. */
struct table_cell cell_real(double value);

/* n: at most MOST_FIELDS; their columns are 1, 2, ... without a gap. */
void fields_csv_head(FILE *out, const struct field *fields, size_t n);
void fields_csv_row(FILE *out, const struct field *fields, size_t n,
		    const struct table_cell *cells);
/* Writes the members of an object that the caller opens and closes. */
void fields_json_row(struct json *j, const struct field *fields, size_t n,
		     const struct table_cell *cells);

#endif
