/*
 * Searches a trace by name: threads, objects, intervals, functions and events, by the words that
 * legend, bars and tables use, in any case, and by parts of them.
 */
#ifndef GLIMPSE_GORGE_QUERY_SEARCH_H
#define GLIMPSE_GORGE_QUERY_SEARCH_H

#include "base/array.h"
#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/* In the order in which equally good ones are listed. */
enum thing_found { FOUND_THREAD, FOUND_OBJECT, FOUND_INTERVAL, FOUND_FUNCTION, FOUND_EVENT };

struct found_thing {
	enum thing_found kind;
	unsigned grade;    /* 3: the whole name, 2: its begin, 1: a part of it */
	const char *name;  /* what the page asks for it by; the trace or an index keeps both */
	const char *label; /* what it is called */
	uint64_t number;   /* of a thread; the node of a function */
	uint64_t count;    /* events of a thread or a type; waits for an object */
	int64_t time;      /* nanoseconds waited for an object, or spent in a function; else 0 */
};

struct text_search {
	const char *text;
	bool pending; /* functions or objects are still being found */
	VECTOR(struct found_thing) things;
};

/* Returns how well a name fits the text, 0: not at all; NULL fits nothing. */
unsigned search_grade(const char *text, const char *name);
/* Adds a thing if its grade is not 0. */
void search_add(struct text_search *s, const struct found_thing *thing);
/*
 * Adds the functions that fit, of calls and of samples. (viewers/gorge/server, viewers/gorge/wasm)
 */
void search_functions(struct text_search *s, struct trace_index *t);

/* Searches for all of them, the best ones first. The text and the index must outlive the result. */
struct text_search search_new(struct trace_index *t, const char *text);
void search_clear(struct text_search *s);
/*
 * Writes the members "things" and, if some are still being found, "pending" of the open object;
 * without the interval of that name (or NULL).
 */
void search_write(const struct text_search *s, const struct interval *without, struct json *j);

#endif
