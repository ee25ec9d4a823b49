/*
 * order DIR...: the columns of gorge's logical order against happens-before by brute force: numbers are raised
 * until each event is above the one before it and above all that led to it. The same with pairs by lot that no clock
 * has seen, which may lead in circles. SEED=N repeats a run. Prints TAP.
 */
#include "match/join/match.h"
#include "tests/tap.h"
#include "viewers/gorge/index/logical.h"
#include "viewers/gorge/index/trace_index.h"
#include <stdlib.h>

struct plain {
	VECTOR(struct logical_event) events;    /* thread by thread */
	VECTOR(uint32_t) numbers;
};

static unsigned lot(unsigned n)
{
	return (unsigned)random() % n;
}

static struct plain plain_of(const struct event_index *x)
{
	struct plain p = {0};
	struct event_walk w;

	for (unsigned t = 0; t < event_index_trace(x)->nthreads; t++) {
		event_walk_begin(&w, x, t, NULL);
		for (event_walk_to_unit(&w, 0); !w.ended; event_walk_step(&w)) {
			*vector_add(&p.events) = (struct logical_event){event_id_make(t, w.at.unit), w.at.seq};
			*vector_add(&p.numbers) = 0;
		}
	}
	return p;
}

static size_t place_of(const struct plain *p, event_id id)
{
	size_t i = 0;

	return lower_bound(k, i, p->events.n, p->events.at[k].id < id);
}

/* Raises numbers until they fit. Returns false if they would rise for ever. */
static bool raise(struct plain *p, const struct logical_pair *pairs, size_t npairs)
{
	uint32_t *n = p->numbers.at;
	bool changed = true;

	memset(n, 0, p->numbers.n * sizeof *n);
	for (size_t pass = 0; changed; pass++) {
		if (pass > p->events.n + 1)
			return false;
		changed = false;
		for (size_t i = 1; i < p->events.n; i++)
			if (event_id_thread(p->events.at[i].id) == event_id_thread(p->events.at[i - 1].id) &&
			    n[i] <= n[i - 1]) {
				n[i] = n[i - 1] + 1;
				changed = true;
			}
		for (size_t i = 0; i < npairs; i++) {
			size_t early = place_of(p, pairs[i].early.id), late = place_of(p, pairs[i].late.id);
			if (pairs[i].against || n[late] > n[early])
				continue;
			n[late] = n[early] + 1;
			changed = true;
		}
	}
	return true;
}

static bool same_numbers(const struct plain *p, const struct logical_order *o)
{
	for (size_t i = 0; i < p->events.n; i++) {
		const struct logical_event *e = &p->events.at[i];
		int64_t time = logical_time(o, event_id_thread(e->id), e->seq);
		if (time == (int64_t)p->numbers.at[i] * LOGICAL_STEP)
			continue;
		printf("# thread %u unit %u: column %lld, not %u\n", event_id_thread(e->id), event_id_unit(e->id),
		       (long long)(time / LOGICAL_STEP), p->numbers.at[i]);
		return false;
	}
	return true;
}

/* ---- of a trace ---- */

static bool leads(const struct spec *s, const struct interval *interval)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i]->connection || s->intervals[i]->kind == KIND_CAUSE)
			return interval->connection || interval->kind == KIND_CAUSE;
	return true;
}

static size_t count_pairs(struct trace *t)
{
	size_t n = 0;

	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		struct matches *m = match_interval(t, t->spec->intervals[i]);
		struct instance at;
		for (size_t a = 0; a < m->count && leads(t->spec, t->spec->intervals[i]); a++) {
			matches_get(m, a, &at);
			n += at.partner.record && at.anchor.thread != at.partner.thread;
		}
		matches_free(m);
	}
	return n;
}

/* The walks of the index have these times, wherever they begin. */
static bool walks_agree(const struct plain *p, const struct event_index *x)
{
	for (int i = 0; i < 300; i++) {
		size_t at = lot((unsigned)p->events.n);
		event_id id = p->events.at[at].id, beside;
		int64_t time = event_index_time(x, id);
		bool first = at == 0 || event_id_thread(p->events.at[at - 1].id) != event_id_thread(id);
		if (time != (int64_t)p->numbers.at[at] * LOGICAL_STEP ||
		    event_index_seek(x, event_id_thread(id), time) != event_id_unit(id) ||
		    event_index_before(x, id, &beside) != !first || (!first && beside != p->events.at[at - 1].id))
			return false;
	}
	return true;
}

static bool lengths_agree(struct trace_index *m, const struct event_index *x)
{
	const struct spec *s = m->trace->spec;
	bool good = true;

	for (unsigned i = 0; i < s->nintervals; i++) {
		struct instances *n = trace_index_use(m, s->intervals[i]);
		for (size_t k = 0; k < n->across.n; k++)
			for (size_t a = 0; a < n->across.at[k].n; a++) {
				const struct spans *spans = &n->across.at[k];
				int64_t from = event_index_time(x, spans_earlier(spans, a)),
					to = event_index_time(x, spans_later(spans, a));
				good &= spans_length(spans, a) == (to > from ? to - from : 0) &&
					(to > from || !leads(s, s->intervals[i]));
			}
		trace_index_used();
	}
	return good;
}

static void try_trace(const char *name, struct trace_index *clocks)
{
	struct trace_index *m = trace_index_logical(clocks);
	const struct logical_order *o = event_index_order(m->events);
	struct plain p = plain_of(clocks->events);
	char text[200];

	snprintf(text, sizeof text, "%s: all pairs that lead from thread to thread", name);
	ok(o->pairs.n == count_pairs(m->trace) && o->against == 0, text);
	snprintf(text, sizeof text, "%s: the columns of all %zu events", name, p.events.n);
	ok(raise(&p, o->pairs.at, o->pairs.n) && same_numbers(&p, o), text);
	snprintf(text, sizeof text, "%s: the index has these times", name);
	ok(walks_agree(&p, m->events) && lengths_agree(m, m->events), text);
	free(p.events.at);
	free(p.numbers.at);
	trace_index_free(m);
}

/* ---- pairs by lot ---- */

static struct logical_order *order_by_lot(const struct trace *t, const struct plain *p, unsigned npairs, unsigned far)
{
	struct logical_order *o = array_zero(1, sizeof *o);

	o->nthreads = t->nthreads;
	o->threads = array_zero(t->nthreads, sizeof *o->threads);
	while (o->pairs.n < npairs) {
		size_t a = lot((unsigned)p->events.n), b = lot((unsigned)p->events.n);
		unsigned ta = event_id_thread(p->events.at[a].id), tb = event_id_thread(p->events.at[b].id);
		/* most pairs go on, so that not all are circles */
		if (ta == tb || (lot(far) && p->events.at[a].seq >= p->events.at[b].seq))
			continue;
		*vector_add(&o->pairs) = (struct logical_pair){p->events.at[a], p->events.at[b], 0, false};
	}
	return o;
}

static bool try_lot(const struct event_index *x, struct plain *p, unsigned *circles)
{
	struct logical_order *o = order_by_lot(event_index_trace(x), p, 1 + lot(40), 1 + lot(60));
	bool possible = raise(p, o->pairs.at, o->pairs.n), good;

	logical_order_number(o, x);
	*circles += !possible;
	good = possible == (o->against == 0) && raise(p, o->pairs.at, o->pairs.n) && same_numbers(p, o);
	logical_order_free(o);
	return good;
}

static void try_lots(const char *name, const struct event_index *x)
{
	struct plain p = plain_of(x);
	unsigned good = 0, circles = 0;
	char text[200];

	for (int i = 0; i < 400; i++)
		good += try_lot(x, &p, &circles);
	snprintf(text, sizeof text, "%s: 400 orders by lot, some of them with circles", name);
	ok(good == 400 && circles > 10 && circles < 390, text);
	if (good < 400)
		printf("# %u good, %u circles\n", good, circles);
	free(p.events.at);
	free(p.numbers.at);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("SEED");
	unsigned lots = seed ? (unsigned)atoi(seed) : 1;

	srandom(lots);
	printf("# SEED=%u\n", lots);
	for (int i = 1; i < argc; i++) {
		const char *directory = argv[i];
		struct diag diag = {.program = "order"};
		struct trace *t = trace_open(&directory, 1, NULL, &diag);
		struct trace_index *m = t ? trace_index_new(t, &diag) : NULL;

		if (!m)
			return 2;
		try_trace(argv[i], m);
		if (t->events < 500 && t->events > 40 && t->nthreads > 2)
			try_lots(argv[i], m->events);
		trace_index_free(m);
	}
	return tap_end();
}
