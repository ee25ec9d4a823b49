#include "analysis/replay/answer/paces.h"
#include <math.h>

static bool is_made(const struct changes *c, unsigned i)
{
	return c->only == NOT_CHANGED || c->only == i;
}

static bool is_of_thread(const struct changes *c, unsigned i)
{
	return is_made(c, i) && change_is_of_thread(&c->spans[i]);
}

/* Whether two changes are about one thread. */
static bool overlap(const struct changes *c, const struct trace *t)
{
	for (uint32_t i = 0; i < t->nthreads; i++) {
		unsigned n = 0;

		for (unsigned k = 0; k < c->nspans; k++)
			n += is_of_thread(c, k) && change_is_about_thread(&c->spans[k], t, i);
		if (n > 1)
			return true;
	}
	return false;
}

const char *paces_refuse(const struct changes *c, const struct trace *t)
{
	unsigned threads = 0, others = 0;

	if (c->written)
		return "the predicted run is written (-o)";
	if (c->moments)
		return "latencies are asked for (--interval)";
	for (unsigned i = 0; i < c->nspans; i++) {
		threads += is_of_thread(c, i);
		others += is_made(c, i) && !is_of_thread(c, i);
		if (is_of_thread(c, i) &&
		    (c->spans[i].kind >= SPAN_TIME || isinf(c->spans[i].factor)))
			return "this change gives the thread no speed";
	}
	if (!c->multiply && ((others && threads) || overlap(c, t)))
		return "only the innermost of several changes applies, and one of them is for a "
		       "thread (see --multiply)";
	return NULL;
}

void paces_set(struct operations *o, const struct model *m, const struct hand_out *h,
	       const struct changes *c)
{
	bool any = false;

	for (unsigned i = 0; i < c->nspans; i++)
		any |= is_of_thread(c, i);
	if (!any)
		return;
	o->pace = array_new(o->nthreads, sizeof *o->pace);
	for (uint32_t t = 0; t < o->nthreads; t++) {
		o->pace[t] = 1;
		for (unsigned i = 0; i < c->nspans; i++)
			if (is_of_thread(c, i) && change_is_about_thread(&c->spans[i], m->trace, t))
				o->pace[t] /= c->spans[i].factor;
	}
	for (size_t i = 0; i < o->pieces.n; i++) {
		struct operation *p = o->all.at + o->pieces.at[i].first;
		double pace = o->pace[h->items.at[i].thread];

		do
			p->work = (int64_t)((double)p->work / pace + 0.5);
		while (p++->kind != OPERATION_BACK);
	}
}
