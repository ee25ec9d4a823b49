/* The scanner as the parser sees it; spec.l becomes scanner.c. */
#ifndef GLIMPSE_GRAMMAR_SCANNER_H
#define GLIMPSE_GRAMMAR_SCANNER_H

#include "grammar/parser.h"
#include "grammar/state.h"

/* False: no memory, or the source is too large. */
bool scanner_open(struct parser *p);
void scanner_close(struct parser *p);

/* The next token with its value and place; 0 at the end. */
int grammar_lex(GRAMMAR_STYPE *value, struct span *where, struct parser *p);

#endif
