/* Finds the comment before an event or interval, and its text. */
#ifndef GLIMPSE_GRAMMAR_COMMENT_H
#define GLIMPSE_GRAMMAR_COMMENT_H

#include "grammar/state.h"

/* Adds a scanned comment. Comments on lines of their own, one below the other, become one. */
void comment_add(struct parser *p, struct span where);
/* Returns the comment before a scanned token, or an empty span, and forgets the comment. */
struct span comment_take(struct parser *p, size_t token_start);
/* Returns a comment without its marks, its lines separated by '\n'; NULL if it is empty. */
const char *comment_text(struct arena *a, struct span where);

#endif
