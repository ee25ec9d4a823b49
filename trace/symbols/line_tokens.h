/*
 * Splits lines of the files `modules` and `objects` of a log directory into tokens. The text at the
 * end of a line may have blanks; in it \ooo, in octal, stands for a byte.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_LINE_TOKENS_H
#define GLIMPSE_TRACE_SYMBOLS_LINE_TOKENS_H

#include "trace/symbols/build_id.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rest of a line. */
struct line_tokens {
	const char *at, *end;
};

/* Reads the next token and the blank after it; returns false if there is no more. */
bool token_next(struct line_tokens *t, const char **token, size_t *n);
/*
 * Reads a number of that base, up to 16; returns false if the token is not a number, or too large.
 */
bool number_next(struct line_tokens *t, unsigned base, uint64_t *number);
/* Reads a build id, or `-`, which is of no bytes. */
bool build_id_next(struct line_tokens *t, struct build_id *id);
/* Takes all that is left as a text, which the caller frees; NULL if it is too long. */
char *text_rest(struct line_tokens *t);

/* Returns the value of a hexadecimal digit; 16: it is none. */
int digit_value(char c);

#endif
