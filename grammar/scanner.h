/* Declares the interface of the scanner, which is generated from spec.l. */
#ifndef GLIMPSE_GRAMMAR_SCANNER_H
#define GLIMPSE_GRAMMAR_SCANNER_H

#include "grammar/parser.h"
#include "grammar/state.h"

/* Returns false if there is no memory, or the source is too large. */
bool scanner_open(struct parser *p);
void scanner_close(struct parser *p);

/* Returns the next token and sets its value and place; returns 0 at the end. */
int grammar_lex(GRAMMAR_STYPE *value, struct span *where, struct parser *p);

#endif
