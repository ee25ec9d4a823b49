/*
 * The one printer of diagnostics:
 *
 *	messages.spec:4:31: error: Sendmsg has no attribute 'sequ'; did you mean 'seq'?
 *	    4 | interval T [ s:Sendmsg -> r:Recvmsg ] { s.sequ == r.seq };
 *	      |                                           ^~~~~~
 *
 * A message without a place (span.source == NULL) is printed as "PROGRAM: error: ...".
 */
#ifndef GLIMPSE_GRAMMAR_DIAG_H
#define GLIMPSE_GRAMMAR_DIAG_H

#include "grammar/source.h"
#include <stdbool.h>
#include <stdio.h>

struct diag {
	FILE *out;                  /* where messages go; NULL: nowhere, only counted */
	const char *program;        /* for messages without a place */
	unsigned errors, warnings;
	const char *const *muted;   /* names of warnings not to print, NULL-terminated, or NULL */
	bool warnings_are_errors;
	bool mute_notes;            /* the message before was muted, and so are its notes */
};

#define DIAG_NOWHERE ((struct span){NULL, 0, 0})

__attribute__((format(printf, 3, 4)))
void diag_error(struct diag *d, struct span where, const char *format, ...);

/* name: what -Wno-NAME mutes; printed as [-WNAME] after the message */
__attribute__((format(printf, 4, 5)))
void diag_warning(struct diag *d, const char *name, struct span where, const char *format, ...);

/* Points at another place that the message before it speaks of. */
__attribute__((format(printf, 3, 4)))
void diag_note(struct diag *d, struct span where, const char *format, ...);

/*
 * The one of n names that is nearest to name, or NULL when none is near (edit distance <= a third).
 */
const char *diag_nearest(const char *name, const char *const *names, size_t n);

#endif
