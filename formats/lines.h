/*
 * What the imports of text share: the user's specification; values, times and threads from texts;
 * and the warnings of what does not fit, with the line of the first.
 */
#ifndef GLIMPSE_FORMATS_LINES_H
#define GLIMPSE_FORMATS_LINES_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/import.h"
#include "formats/time_text.h"

/* A part of a line. bytes == NULL: there is none. */
struct line_text {
	const char *bytes;
	size_t length;
};

/* What went wrong with lines: how often, and the first one. */
struct line_loss {
	uint64_t n, line;
	char *path, *text, *what;
};

struct lines {
	struct import_input *in;
	struct logs *logs;
	struct spec *spec; /* of -s; NULL: there is none */
	int64_t latest;    /* for times without a year */
	struct line_loss unmatched, untimed, misfits;
	/*
	 * Private: the process that lines belong to which name none; threads by the texts that name
	 * them
	 */
	char *program;
	VECTOR(struct line_owner *) owners;
	struct hash_table by_name;
};

/* Reads the specification of -s and adds it to the logs. Returns false after a report. */
bool lines_begin(struct lines *l, struct import_input *in, struct logs *logs);
/* Warns of what did not fit. */
void lines_end(struct lines *l);

/*
 * Returns what an attribute gets of a text; "-", "" and no text are 0 for numbers. Notes a text
 * that does not fit.
 */
struct logs_value lines_value(struct lines *l, const struct attribute *a, struct line_text text);
/*
 * Returns the thread that texts name, by numbers or names; a piece without bytes names the one that
 * there is.
 */
struct logs_thread *lines_thread(struct lines *l, struct line_text process,
				 struct line_text thread);
/* Reads a time. Returns false, and notes it, where the text is none. */
bool lines_time(struct lines *l, struct time_reader *reader, struct line_text text, int64_t *time);

/* Returns the time of an event that may be earlier than its line, by one of its values. */
int64_t lines_earlier(const struct event_type *e, const struct logs_value *values, int64_t time);

/* Notes a line that something is wrong with; the format prints what of the first, with its text. */
void lines_note(struct lines *l, struct line_loss *loss, struct line_text text, const char *what);

/* Returns whether a text is a whole number that fits 64 bits, and which. */
bool piece_whole(struct line_text text, struct logs_value *value);
/* Returns whether a text is a number with a fraction or an exponent, nan or inf. */
bool piece_real(struct line_text text, struct logs_value *value);

#endif
