#include "viewers/gorge/index/rows.h"
#include <stdlib.h>

static const struct within *within_of(const struct tiers *s, unsigned thread, unsigned key)
{
	const struct within *w = s->keys[key] ? &s->keys[key]->within[thread] : NULL;

	return w && w->rows.n ? w : NULL;
}

/* set: what there is of the keys. */
static void tier_thread(struct tiers *s, unsigned thread, struct instances *const *set, unsigned n)
{
	unsigned *depth = &s->depths[thread];
	bool together = stacks_agree(set, n, thread, s->rows), any = false;

	for (unsigned key = 0; key < s->nkeys; key++) {
		const struct within *w = within_of(s, thread, key);
		if (!w || (together && any))
			continue;
		any = true;
		s->apart[key] |= !together;
		s->firsts[thread * s->nkeys + key] = *depth;
		*depth += w->depth;
		s->deep += w->deep;
	}
}

struct tiers *tiers_new(const struct trace *t, struct instances **keys, unsigned nkeys)
{
	struct tiers *s = array_zero(1, sizeof *s);
	struct instances **set = array_zero(nkeys, sizeof *set);
	unsigned n = 0;

	*s = (struct tiers){
	    .nthreads = t->nthreads,
	    .rows = stacks_rows(t),
	    .nkeys = nkeys,
	    .keys = keys,
	    .depths = array_zero(t->nthreads, sizeof *s->depths),
	    .apart = array_zero(nkeys, sizeof *s->apart),
	    .firsts = array_zero((size_t)t->nthreads * nkeys, sizeof *s->firsts),
	};
	for (unsigned key = 0; key < nkeys; key++)
		if (keys[key])
			set[n++] = keys[key];
	stacks_hold();
	for (unsigned thread = 0; thread < t->nthreads; thread++)
		tier_thread(s, thread, set, n);
	free(set);
	return s;
}

void tiers_free(struct tiers *s)
{
	if (!s)
		return;
	stacks_release();
	free(s->keys);
	free(s->depths);
	free(s->firsts);
	free(s->apart);
	free(s);
}

const struct sheaf *tiers_row(const struct tiers *s, unsigned thread, unsigned row, unsigned key)
{
	const struct within *w = within_of(s, thread, key);
	unsigned first = s->firsts[thread * s->nkeys + key];

	for (size_t i = 0; w && i < w->rows.n; i++)
		if (first + w->rows.at[i].row == row)
			return &w->rows.at[i];
	return NULL;
}

bool tiers_have(const struct tiers *s, unsigned key)
{
	for (unsigned t = 0; t < s->nthreads; t++)
		if (within_of(s, t, key))
			return true;
	return false;
}
