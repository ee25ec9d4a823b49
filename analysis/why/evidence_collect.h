/* Collects the evidence of a run: evidence.h. */
#ifndef GLIMPSE_ANALYSIS_WHY_EVIDENCE_COLLECT_H
#define GLIMPSE_ANALYSIS_WHY_EVIDENCE_COLLECT_H

#include "analysis/why/evidence.h"

/*
 * processors: 0: found from the trace. The set has SPANS_ALL and SPANS_NAMED, and the conditions
 * that it was asked; both are needed as long as the evidence.
 */
struct evidence *evidence_of(const struct instance_set *set, unsigned processors,
			     const struct span_condition *conditions, unsigned n);
/* Announces the events that it needs beside the set's. */
void evidence_announce(struct trace *t);
void evidence_free(struct evidence *g);

#endif
