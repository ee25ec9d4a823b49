/* Warns about specifications; doc/language.md lists the warnings. */
#ifndef GLIMPSE_SPEC_LINT_H
#define GLIMPSE_SPEC_LINT_H

#include "grammar/diag.h"
#include "spec/spec.h"

struct warning {
	const char *name; /* -Wno-NAME mutes it; the name in diag_warning() */
	const char *meaning;
};

/* All warnings that a specification can get; the last entry has the name NULL. */
extern const struct warning warnings[];

/* Warns of what is allowed and probably wrong. Only for specifications without errors. */
void spec_lint(const struct spec *s, struct diag *diag);

#endif
