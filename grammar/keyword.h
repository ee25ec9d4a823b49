/* Finds keywords. They are written in lower case or capitalised. */
#ifndef GLIMPSE_GRAMMAR_KEYWORD_H
#define GLIMPSE_GRAMMAR_KEYWORD_H

#include <stdbool.h>

/* Returns the token of a word: TOKEN_NAME if it is no keyword. */
int keyword_token(const char *word);
/* Returns whether a block begins with the word, which then is no name after "end". */
bool keyword_begins_block(const char *word);

#endif
