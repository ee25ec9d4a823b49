/*
 * JSON from a file, part by part: memory is what one part needs. yajl parses it.
 */
#ifndef GLIMPSE_FORMATS_JSON_READ_H
#define GLIMPSE_FORMATS_JSON_READ_H

#include "formats/import.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

struct json_value {
	enum json_kind kind;
	bool truth;       /* JSON_BOOL */
	const char *key;  /* in an object; else NULL */
	const char *text; /* JSON_TEXT: its bytes; JSON_NUMBER: as it is written; a NUL follows */
	size_t length;
	const struct json_value *first, *next; /* the first in it; the next one beside it */
};

/*
 * Is given a part: where it is (the key of the container that it is in, "" for those directly in
 * the root), and its value with its own key. Returns false after a report; then nothing more is
 * read. The value is valid during the call.
 */
typedef bool json_take(void *context, const char *where, const struct json_value *v);

/*
 * Reads a file. The parts are: if the root is an array, its items; if it is an object, the members
 * of its members that are containers, and its other members. Several values may follow each other,
 * as in JSON lines: then each of them is one part, if `lines`. *open: the file ends within the
 * root, behind a part; NULL: that is an error. Returns false after a report.
 */
bool json_read(struct import_input *in, bool lines, json_take *take, void *context, bool *open);

/* Returns the member of a key in an object, or NULL. */
const struct json_value *json_member(const struct json_value *v, const char *key);
/* Return a value as a number; otherwise if it is none (NULL, too). Texts of digits count. */
int64_t json_integer_of(const struct json_value *v, int64_t otherwise);
double json_real_of(const struct json_value *v, double otherwise);
/* Returns the integer nearest to a number, and to [-most, most]; 0 for NaN. most: at most 1e18. */
int64_t json_nearest(double number, double most);
/* Returns a text, or otherwise if it is none. */
const char *json_text_of(const struct json_value *v, const char *otherwise);
/*
 * Returns a value as one to be logged; of containers their JSON, which stays valid as long as the
 * value.
 */
struct logs_value json_logs_value(const struct json_value *v, char **made);

#endif
