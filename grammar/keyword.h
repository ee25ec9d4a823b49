/* The words that the grammar gives a meaning to. */
#ifndef GLIMPSE_GRAMMAR_KEYWORD_H
#define GLIMPSE_GRAMMAR_KEYWORD_H

#include <stdbool.h>

/* The token of a word: TOKEN_NAME when it is no keyword. Keywords are lower case or capitalised. */
int keyword_token(const char *word);
/* Whether a block begins with the word: behind "end" it is no name. */
bool keyword_begins_block(const char *word);

#endif
