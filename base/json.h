/*
 * Writes JSON as a stream. It adds commas, quotes and escapes; the caller opens and closes:
 *
 *	struct json j = json_begin(stdout, 2);
 *	json_object(&j, NULL);
 *	json_string(&j, "name", "Sendmsg");
 *	json_array(&j, "seq");
 *	json_int(&j, NULL, 1);
 *	json_close(&j);
 *	json_close(&j);
 *
 * The key is NULL for what stands in an array or alone. Errors stay in the stream: see ferror().
 */
#ifndef GLIMPSE_BASE_JSON_H
#define GLIMPSE_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 32 };

struct json {
	FILE *out;
	unsigned lines; /* containers nested deeper than this are printed on one line */
	unsigned depth;
	bool filled[JSON_DEPTH + 1];
	char closing[JSON_DEPTH + 1];
};

/*
 * Begins JSON. lines = 0: everything on one line; 1: each member of the outermost container on its
 * own line; ... It may be changed between two containers, for those that are to come.
 */
struct json json_begin(FILE *out, unsigned lines);

/* Open a container, at most JSON_DEPTH deep; json_close() closes the innermost one. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
/* Closes the innermost container, the outermost one with a newline. */
void json_close(struct json *j);

/*
 * Print a string; NULL as null. Bytes that are not UTF-8 become U+FFFD, for JSON cannot hold them;
 * hidden characters (base/visible.h) are \uNNNN.
 */
void json_string(struct json *j, const char *key, const char *text);
void json_bytes(struct json *j, const char *key, const char *bytes, size_t length);
void json_int(struct json *j, const char *key, int64_t number);
void json_uint(struct json *j, const char *key, uint64_t number);
/* Prints the shortest form that reads back the same; null for NaN and infinities. */
void json_real(struct json *j, const char *key, double number);
void json_bool(struct json *j, const char *key, bool truth);
void json_null(struct json *j, const char *key);

#endif
