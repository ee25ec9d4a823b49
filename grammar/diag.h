/*
 * Prints diagnostics in one form:
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

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

struct diag_message {
	enum diag_severity severity;
	struct span where;
	const char *text;     /* all visible */
	const char *category; /* a warning's name, also where it is an error; or NULL */
};

struct diag {
	FILE *out; /* for messages; NULL: they are only counted */
	/* Gets messages instead of `out`, unless NULL. Their sources may be freed afterwards. */
	void (*take)(void *context, const struct diag_message *m);
	void *context;
	const char *program; /* for messages without a place */
	unsigned errors, warnings;
	const char *const *muted; /* names of warnings not to print, NULL-terminated, or NULL */
	bool warnings_are_errors;
	bool mute_notes; /* the last message was muted, and its notes are */
};

#define DIAG_NOWHERE ((struct span){NULL, 0, 0})

/* Prints an error. */
__attribute__((format(printf, 3, 4))) void diag_error(struct diag *d, struct span where,
						      const char *format, ...);

/* Prints a warning unless -Wno-NAME muted it; [-WNAME] follows the message. */
__attribute__((format(printf, 4, 5))) void diag_warning(struct diag *d, const char *name,
							struct span where, const char *format, ...);

/* Prints a note that points at another place of the last message. */
__attribute__((format(printf, 3, 4))) void diag_note(struct diag *d, struct span where,
						     const char *format, ...);

/* Reports to a struct diag that a file cannot be written, with the cause of errno: for outputs. */
void diag_write_failed(void *diag, const char *path);

/* Prints an error about a name that does not exist; suggests the name `near` unless it is NULL. */
__attribute__((format(printf, 4, 5))) void diag_unknown(struct diag *d, struct span where,
							const char *near, const char *format, ...);

#endif
