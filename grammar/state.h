/* Declares the state that scanner, parser and their helpers share while one source is parsed. */
#ifndef GLIMPSE_GRAMMAR_STATE_H
#define GLIMPSE_GRAMMAR_STATE_H

#include "grammar/ast.h"
#include "grammar/diag.h"

struct parser {
	struct ast *tree;
	struct diag *diag;
	void *scanner;
	int first;           /* the token that chooses the start symbol; then 0 */
	size_t offset;       /* of the next byte to scan */
	int last[2];         /* the last two tokens; [1] is the newer */
	size_t ends[2];      /* of these two tokens */
	bool in_ends;        /* between the brackets of an interval, where "<-" is an arrow */
	struct span comment; /* the comment that ends on the line before, or empty */
	bool too_deep;       /* an expression nests too deeply, and that was reported */
};

/* A linked list that is being made, with both its ends. */
#define LIST(type) \
	struct { \
		type *first, *last; \
	}

/* Appends an item to a list; ignores NULL, which an error leaves. */
#define LIST_APPEND(list, item) \
	do { \
		__typeof__((list).first) item_ = (item); \
		if (!item_) \
			break; \
		if ((list).last) \
			(list).last->next = item_; \
		else \
			(list).first = item_; \
		(list).last = item_; \
		while ((list).last->next) \
			(list).last = (list).last->next; \
	} while (0)

#endif
