/* The hypotheses of a trace: those of its specification, and those that are always there. */
#ifndef GLIMPSE_ANALYSIS_WHY_WHY_H
#define GLIMPSE_ANALYSIS_WHY_WHY_H

#include "base/array.h"
#include "spec/spec.h"

struct hypotheses {
	VECTOR(const struct hypothesis *) all;
	struct spec *ready_made;        /* owned */
};

/*
 * Of hypotheses with one name, that of the trace's specification counts. file: has those that are
 * otherwise always there; NULL: why.spec. Returns false after a report to diag.
 */
bool hypotheses_read(struct hypotheses *h, const struct spec *spec, const char *file,
		     struct diag *diag);
void hypotheses_free(struct hypotheses *h);

/*
 * Reads measures as a hypothesis has them, joined by &&, into a specification with one hypothesis; NULL
 * after a report to diag.
 */
struct spec *measures_read(const struct spec *spec, const char *text, struct diag *diag);

#endif
