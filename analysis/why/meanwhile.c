#include "analysis/why/meanwhile.h"
#include "base/search.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

enum { MOST_FUNCTIONS = 3, MOST_WAITS = 2 };
/* What has less of the time is not named. */
static const double least = 0.01;

/* ---- running ---- */

/* How long a thread ran until the beginning of each of its stretches; one more for its end. */
static int64_t *ran_until(const struct timeline *l)
{
	int64_t *ran = array_new(l->n + 1, sizeof *ran), sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		ran[i] = sum;
		if (l->stretches[i].activity == ACTIVITY_RUNNING)
			sum += stretch_end(l, i) - l->stretches[i].from;
	}
	ran[l->n] = sum;
	return ran;
}

static int64_t ran_at(const struct timeline *l, const int64_t *ran, int64_t time)
{
	size_t i = lower_bound(k, (size_t)0, l->n, l->stretches[k].from <= time);
	int64_t within;

	if (!i)
		return 0;
	within = time - l->stretches[i - 1].from;
	return ran[i - 1] + (within < ran[i] - ran[i - 1] ? within : ran[i] - ran[i - 1]);
}

struct reading {
	struct meanwhile *sums;
	const struct evidence *g;
	const struct timeline *l;
	const int64_t *ran;
	const struct moment_range *ranges;
	size_t n, at; /* at: ranges before it end before what comes */
};

/* A function had the processor, or would have had it, in a time; times come in their order. */
static void own_time(struct reading *r, uint32_t class, int64_t from, int64_t to)
{
	int64_t key = r->g->places.at[class].function;

	while (r->at < r->n && r->ranges[r->at].to <= from)
		r->at++;
	for (size_t i = r->at; i < r->n && r->ranges[i].from < to; i++) {
		int64_t a = from > r->ranges[i].from ? from : r->ranges[i].from;
		int64_t b = to < r->ranges[i].to ? to : r->ranges[i].to;
		int64_t time = ran_at(r->l, r->ran, b) - ran_at(r->l, r->ran, a);

		if (time > 0)
			axis_sums_add(&r->sums->runs, key, time);
	}
}

/* Gives each time to the innermost call. */
static void calls_read(struct reading *r, const span_vector *calls)
{
	VECTOR(struct instance_span) open = {0};
	int64_t now = INT64_MIN;
	size_t i = 0;

	while (i < calls->n || open.n) {
		const struct instance_span *top = open.n ? &open.at[open.n - 1] : NULL;
		int64_t begins = i < calls->n ? calls->at[i].start : INT64_MAX;
		int64_t ends = top ? (top->end < r->l->end ? top->end : r->l->end) : INT64_MAX;
		int64_t next = begins < ends ? begins : ends;

		if (top && next > now)
			own_time(r, top->class, now, next);
		now = next > now ? next : now;
		if (begins < ends)
			*vector_add(&open) = calls->at[i++];
		else
			open.n--;
	}
	free(open.at);
}

/* ---- waiting ---- */

/* Where a wait is, or what it is. */
static int64_t wait_key(const struct evidence *g, uint32_t class)
{
	const struct place *p = &g->places.at[class];

	return p->site != NO_KEY ? p->site : symbols_number(g->trace, p->role->interval->name);
}

static void waits_read(struct reading *r, const span_vector *waits)
{
	size_t at = 0;
	int64_t until = INT64_MIN;

	for (size_t i = 0; i < waits->n; i++) {
		const struct instance_span *w = &waits->at[i];
		int64_t from = w->start > until ? w->start : until,
			to = w->end < r->l->end ? w->end : r->l->end;

		while (at < r->n && r->ranges[at].to <= from)
			at++;
		for (size_t k = at; k < r->n && r->ranges[k].from < to; k++) {
			int64_t a = from > r->ranges[k].from ? from : r->ranges[k].from;
			int64_t b = to < r->ranges[k].to ? to : r->ranges[k].to;
			int64_t time = b - a - (ran_at(r->l, r->ran, b) - ran_at(r->l, r->ran, a));

			if (a < b && time > 0)
				axis_sums_add(&r->sums->waits, wait_key(r->g, w->class), time);
		}
		until = to > until ? to : until;
	}
}

static int64_t ready_within(const struct timeline *l, const struct moment_range *range)
{
	size_t i = lower_bound(k, (size_t)0, l->n, stretch_end(l, k) <= range->from);
	int64_t sum = 0;

	for (; i < l->n && l->stretches[i].from < range->to; i++) {
		int64_t from =
		    l->stretches[i].from > range->from ? l->stretches[i].from : range->from;
		int64_t to = stretch_end(l, i) < range->to ? stretch_end(l, i) : range->to;

		if (l->stretches[i].activity == ACTIVITY_READY)
			sum += to - from;
	}
	return sum;
}

/* ---- all ---- */

void meanwhile_add(struct meanwhile *m, const struct evidence *g, uint32_t thread,
		   const struct moment_range *ranges, size_t n)
{
	const span_vector *calls = instance_spans(g->set, SPANS_CALL, thread);
	struct reading r = {
	    .sums = m, .g = g, .l = &g->graph->threads[thread], .ranges = ranges, .n = n};
	int64_t *ran = ran_until(r.l);

	r.ran = ran;
	for (size_t i = 0; i < n; i++) {
		m->time += ranges[i].to - ranges[i].from;
		m->ready += ready_within(r.l, &ranges[i]);
	}
	m->functions |= calls->n > 0;
	calls_read(&r, calls);
	r.at = 0;
	waits_read(&r, instance_spans(g->set, SPANS_WAIT, thread));
	free(ran);
}

static char *text_add(char *text, const char *between, double share, const char *what)
{
	char *longer = text_format("%s%s%.1f %% %s", text, between, 100 * share, what);

	free(text);
	return longer;
}

static char *parts_add(char *text, const struct meanwhile *m, const struct evidence *g,
		       axis_values values, size_t most, const char *begin)
{
	for (size_t i = 0; i < values.n && i < most; i++) {
		double share = (double)values.at[i].time / (double)m->time;
		char *in;

		if (share < least)
			break;
		in = text_format("in %s", evidence_text(g, values.at[i].key));
		text = text_add(text, i ? ", " : begin, share, in);
		free(in);
	}
	free(values.at);
	return text;
}

char *meanwhile_text(struct meanwhile *m, const struct evidence *g)
{
	axis_values runs = axis_sums_end(&m->runs), waits = axis_sums_end(&m->waits);
	char *text = text_format("%s", "");

	if (m->time > 0 && m->functions) {
		text = parts_add(text, m, g, runs, MOST_FUNCTIONS, "");
		text = parts_add(text, m, g, waits, MOST_WAITS, *text ? "; waits " : "waits ");
		if ((double)m->ready >= least * (double)m->time)
			text = text_add(text, *text ? ", " : "", (double)m->ready / (double)m->time,
					"without a processor");
	} else {
		free(runs.at);
		free(waits.at);
	}
	if (*text)
		return text;
	free(text);
	return NULL;
}
