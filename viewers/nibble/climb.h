/* The steps of one source, piece by piece: where it rises by one, and, of open(), where it falls. */
#ifndef GLIMPSE_NIBBLE_CLIMB_H
#define GLIMPSE_NIBBLE_CLIMB_H

#include "viewers/nibble/evaluate.h"

#include <math.h>

/* More than a picture has pixels across. */
enum { CLIMB_PIECES = 1 << 14 };

struct climb;

/* Of count, open or unmatched, from its tally if it has one. */
struct climb *climb_new(struct evaluation *v, const struct node *n);
void climb_free(struct climb *c);
/* Its value before the range. */
double climb_before(const struct climb *c);

/* On the way through one piece. */
struct footing {
	const double *rises, *falls; /* those to come, in order of time */
	size_t nrises, nfalls;
	double value;
	double next; /* the time of its next step; INFINITY: there is none in this piece */
};

/* At the beginning of a piece; it holds until the worker's next one. */
struct footing climb_piece(struct climb *c, size_t piece, unsigned worker);

static inline void footing_look(struct footing *f)
{
	double rise = f->nrises ? f->rises[0] : INFINITY, fall = f->nfalls ? f->falls[0] : INFINITY;

	f->next = rise < fall ? rise : fall;
}

/* Takes the steps of its next time; the value after them. */
static inline double footing_step(struct footing *f)
{
	for (; f->nrises && f->rises[0] <= f->next; f->rises++, f->nrises--)
		f->value++;
	for (; f->nfalls && f->falls[0] <= f->next; f->falls++, f->nfalls--)
		f->value--;
	footing_look(f);
	return f->value;
}

#endif
