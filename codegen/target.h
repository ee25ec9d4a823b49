/*
 * The languages that stubs are generated for. A language fills one struct target; it prints from
 * the layout that spec/ has worked out and computes none of its own.
 */
#ifndef GLIMPSE_CODEGEN_TARGET_H
#define GLIMPSE_CODEGEN_TARGET_H

#include "base/output.h"
#include "spec/spec.h"

struct target {
	const char *name;               /* as -l has it */
	const char *alias;              /* another name for it, or NULL */
	const char *description;        /* for --help */
	/* Tells diag of every name that the language cannot take. Nothing has been written yet. */
	void (*check)(const struct spec *s, struct diag *d);
	/* Writes the stubs of one specification. A failure shows in output_commit(). */
	void (*emit)(const struct spec *s, struct output *o);
};

extern const struct target target_c;
extern const struct target target_fortran;
extern const struct target target_java;

/* Every language, NULL-terminated. */
extern const struct target *const targets[];

/* NULL: there is none of that name. */
const struct target *target_find(const char *name);

#endif
