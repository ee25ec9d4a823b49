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
struct subset;

struct model {
	struct trace *trace;
	atomic_uint holders;
	bool keep;                      /* the intervals' instances, for more than one picture */
	struct pyramid *pyramid;        /* NULL unless they are kept; it has them, too */
	struct violations *violations;  /* NULL: nobody asked for them */
	struct subset *picked;          /* the newest pick, and of what it is */
	const struct interval *picked_of;
	int64_t picked_least, picked_most;
	struct matches **matches;       /* by interval.index; NULL: not found yet, or not kept */
};

/* The trace is closed with the model, which goes when all who hold it, at first the caller, let it go. */
struct model *model_new(struct trace *trace, bool keep);
/*
 * Of the same events under other definitions, which it takes; what is defined as it was is not looked for again. NULL, and
 * they are not taken: the events are others, or the model keeps nothing.
 */
struct model *model_retell(struct model *m, struct spec *spec);
/* Begins to look for the intervals that are shown at first, before somebody asks for them. */
void model_search(struct model *m);
/*
 * While nobody else uses it: the trace has grown, whose new age it takes; what was found before is shown until it
 * is found anew. Only of a model with a pyramid.
 */
void model_grow(struct model *m, struct age *a);
/* The same: shows what was found anew. */
void model_renew(struct model *m);
struct model *model_hold(struct model *m);
void model_free(struct model *m);

/* Instances of an interval of the trace; those that nobody needs any more go with model_done(). */
const struct matches *model_matches(struct model *m, const struct interval *interval);
void model_done(struct model *m, const struct interval *interval);


/* Of a model without a pyramid: instances that take at least and at most so long; they hold until others are asked for. */
const struct subset *model_pick(struct model *m, const struct interval *interval, int64_t least,
				int64_t most);

/* What breaks the specification's assertions; pictures made from then on show it. */
struct violations *model_violations(struct model *m);

#endif
