/*
 * A trace while it is looked at: what was found in it once is kept for the pictures to come.
 */
#ifndef GLIMPSE_GORGE_QUERY_MODEL_H
#define GLIMPSE_GORGE_QUERY_MODEL_H

#include "match/join/match.h"
#include <stdatomic.h>
#include <stdbool.h>

struct age;
struct pyramid;
struct violations;

struct model {
	struct trace *trace;
	atomic_uint holders;
	struct pyramid *pyramid;        /* has the trace, too */
	struct violations *violations;  /* NULL: nobody asked for them */
	struct matches **matches;       /* by interval.index; NULL: not found yet */
};

/*
 * Takes the trace, which is closed with the model. The model goes when all who hold it, at first the
 * caller, let it go. Returns NULL, and diag is told, if the trace is too large.
 */
struct model *model_new(struct trace *trace, struct diag *diag);
/*
 * Of the same events under other definitions, which it takes; what is defined as it was is not looked
 * for again. NULL, and they are not taken: the events are others.
 */
struct model *model_retell(struct model *m, struct spec *spec);
/* Begins to look for the intervals that are shown at first, before somebody asks for them. */
void model_search(struct model *m);
/*
 * While nobody else uses it: the trace has grown, whose new age it takes; what was found before is shown until it
 * is found anew.
 */
void model_grow(struct model *m, struct age *a);
/* The same: shows what was found anew. */
void model_renew(struct model *m);
struct model *model_hold(struct model *m);
void model_free(struct model *m);

/* Gives the matches of an interval of the trace, which stay as long as the model is what it is. */
const struct matches *model_matches(struct model *m, const struct interval *interval);

/* What breaks the specification's assertions; pictures made from then on show it. */
struct violations *model_violations(struct model *m);

#endif
