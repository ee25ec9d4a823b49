/* The words that the grammar gives a meaning to. */
#ifndef GLIMPSE_GRAMMAR_KEYWORD_H
#define GLIMPSE_GRAMMAR_KEYWORD_H

/* The token of a word: TOKEN_NAME when it is no keyword. Keywords are lower case or capitalised. */
int keyword_token(const char *word);

#endif
