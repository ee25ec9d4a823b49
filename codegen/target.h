/*
 * Lists the languages for which stubs are generated. A language fills in one struct target. It
 * prints the layout that spec/ computes, and computes none itself.
 */
#ifndef GLIMPSE_CODEGEN_TARGET_H
#define GLIMPSE_CODEGEN_TARGET_H

#include "base/output.h"
#include "spec/spec.h"

struct target {
	const char *name;        /* for -l */
	const char *alias;       /* another name for it, or NULL */
	const char *description; /* for --help */
	/* Reports every name that the language cannot have, before anything is written. */
	void (*check)(const struct spec *s, struct diag *d);
	/* Writes the stubs of a specification. output_commit() reports failures. */
	void (*emit)(const struct spec *s, struct output *o);
};

extern const struct target target_c;
extern const struct target target_fortran;
extern const struct target target_java;

/* All languages, NULL-terminated. */
extern const struct target *const targets[];

/* Returns the language of a name, or NULL. */
const struct target *target_find(const char *name);

#endif
