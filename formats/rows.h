/*
 * Events from rows of named fields: lines of csv, JSON lines, logfmt.
 *
 * A field "event" names the event of a row. Without it, a row is the first event of the user's
 * specification whose attributes it has; without a specification, an event named like the file. The
 * types of such events are those that fit the first ROWS_KEPT rows.
 */
#ifndef GLIMPSE_FORMATS_ROWS_H
#define GLIMPSE_FORMATS_ROWS_H

#include "formats/lines.h"

enum { ROWS_KEPT = 256, FIELDS_MOST = 1000 };

struct row_field {
	struct line_text name, text;
	bool is_text; /* it is no number, although it may look like one */
	bool cut;     /* it is the beginning of a longer text */
};

/*
 * Where the fields that all events have are apart from the attributes, two lists; else twice the
 * same.
 */
struct row {
	const struct row_field *common, *attributes;
	size_t ncommon, nattributes;
};

static inline struct row row_of(const struct row_field *fields, size_t n)
{
	return (struct row){fields, fields, n, n};
}

struct rows {
	struct lines lines;
	/*
	 * The rows are those of our own export: times are ns since the trace began, threads have
	 * the numbers that they had in the trace.
	 */
	bool own;
	bool known; /* the specification of its events was added to the logs */
	/* Private: */
	bool dated;
	VECTOR(struct row_type *) types; /* of events */
	VECTOR(struct logs_thread *) threads;
	struct hash_table by_number;
	VECTOR(struct kept_row *) kept; /* rows before the types are known */
	bool settled;                   /* now they are */
	VECTOR(struct logs_value) values;
};

bool rows_begin(struct rows *r, struct import_input *in, struct logs *logs);
/* Logs the event of a row. Returns false after a report. */
bool rows_take(struct rows *r, const struct row *row);
/*
 * Logs what is left, and warns of what did not fit; good: all could be read. Returns whether all is
 * good.
 */
bool rows_end(struct rows *r, bool good);

/* ---- for rows of our own export ---- */

/* Replaces the escapes of our own csv and logfmt in place. */
void rows_unescape(struct row_field *field);
/*
 * Takes the specification that was exported with the rows, unless the user has another one. Returns
 * false after a report.
 */
bool rows_own(struct rows *r, struct line_text specification);
/* Says which thread rows mean by its number in the trace. */
void rows_thread(struct rows *r, uint64_t number, struct logs_thread *thread);
/* Returns the text of a field. */
struct line_text rows_field(const struct row_field *fields, size_t n, const char *name);

#endif
