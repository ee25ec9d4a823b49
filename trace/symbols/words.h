/*
 * Lines of words: the files `modules` and `objects` of a log directory. What comes last in a line
 * may have blanks; in it \ooo, in octal, stands for a byte.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_WORDS_H
#define GLIMPSE_TRACE_SYMBOLS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a line. */
struct words {
	const char *at, *end;
};

/* Takes the next word, and the blank behind it; returns false if there is none. */
bool word_next(struct words *w, const char **word, size_t *n);
/* Takes a number of that base, up to 16; returns false if the word is none, or too large. */
bool number_next(struct words *w, unsigned base, uint64_t *number);
/* Takes all that is left as a text, which the caller frees; NULL if it is too long. */
char *text_rest(struct words *w);

/* Returns the value of a hexadecimal digit; 16: it is none. */
int digit_value(char c);

#endif
