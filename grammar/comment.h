/* Which comment stands before an event or interval, and its text. */
#ifndef GLIMPSE_GRAMMAR_COMMENT_H
#define GLIMPSE_GRAMMAR_COMMENT_H

#include "grammar/state.h"

/* The scanner met a comment: comments on lines of their own, one below the other, are one. */
void comment_add(struct parser *p, struct span where);
/* The scanner met a token: the comment that belongs to it, or an empty span; it is used up. */
struct span comment_take(struct parser *p, size_t token_start);
/* The comment without its marks, lines parted by '\n'; NULL if nothing is left. */
const char *comment_text(struct arena *a, struct span where);

#endif
