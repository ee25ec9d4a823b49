/*
 * The text of a recipe: lines of words. A word may hold quoted parts ("like \"this\"\n\x00") with C's escapes, and
 * '#' begins a comment where a word could begin.
 */
#ifndef GLIMPSE_TESTS_TRACE_RECIPE_H
#define GLIMPSE_TESTS_TRACE_RECIPE_H

#include <stddef.h>
#include <stdint.h>

struct word {
	char *text; /* NUL-terminated, and may contain NULs */
	size_t length;
};

struct line {
	struct word *words;
	unsigned nwords;
};

/* Where in which recipe we are, for messages. */
extern const char *recipe_name;
extern unsigned recipe_line;

__attribute__((format(printf, 1, 2), noreturn))
void recipe_fail(const char *format, ...);

/* Splits a line; the words live in text, which is changed. */
void line_split(struct line *l, char *text);
void line_free(struct line *l);

/* Returns the i-th word; if there is none, fails and says what was expected. */
const struct word *line_word(const struct line *l, unsigned i, const char *expected);
/* Returns the value after "key=", or NULL if the line has no such word. */
const struct word *line_find(const struct line *l, const char *key, struct word *value);
const char *line_text(const struct line *l, const char *key, const char *otherwise);
uint64_t line_number(const struct line *l, const char *key, uint64_t otherwise);

/* A whole number of any base C knows, negative ones in two's complement; fails on anything else. */
uint64_t word_number(const struct word *w);

#endif
