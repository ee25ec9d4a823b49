#include "analysis/rank/measures.h"
#include "base/search.h"
#include "base/sort.h"
#include <stdlib.h>

/* ---- how many run ---- */

static void change_add(struct measures *m, int64_t time, uint32_t running)
{
	struct running_change *last = m->nchanges ? &m->changes[m->nchanges - 1] : NULL;
	double npt = last ? last->npt : 0;

	if (last && last->time == time) {
		last->running = running;
		return;
	}
	if (last && last->running)
		npt += (double)(time - last->time) / last->running;
	m->changes[m->nchanges++] = (struct running_change){time, running, npt};
}

static void changes_make(struct measures *m)
{
	size_t n = m->running->spans.n, begun = 0, ended = 0;
	int64_t *begins = array_new(n, sizeof *begins), *ends = array_new(n, sizeof *ends);

	for (size_t i = 0; i < n; i++) {
		begins[i] = m->running->spans.at[i].from;
		ends[i] = m->running->spans.at[i].to;
	}
	sort_words(begins, n);
	sort_words(ends, n);
	m->changes = array_new(2 * n + 1, sizeof *m->changes);
	while (ended < n) {
		if (begun < n && begins[begun] < ends[ended]) {
			begun++;
			change_add(m, begins[begun - 1], (uint32_t)(begun - ended));
		} else {
			ended++;
			change_add(m, ends[ended - 1], (uint32_t)(begun - ended));
		}
	}
	free(begins);
	free(ends);
}

/* How many steps from the last place are looked at before the rest is searched. */
enum { NEAR = 8 };

/* Sets *at to the first span of a part, up to one before `end`, that begins at a time or later. */
static void spans_reach(const struct span_subset *p, size_t end, int64_t time, size_t *at)
{
	size_t steps = 0;

	while (*at < end && p->spans.at[*at].from < time && steps++ < NEAR)
		++*at;
	if (*at < end && p->spans.at[*at].from < time)
		*at = lower_bound(i, *at, end, p->spans.at[i].from < time);
}

/* Of one thread that runs all the time before a moment. *at: behind a change before it. */
static double npt_at(const struct measures *m, int64_t time, size_t *at)
{
	const struct running_change *c;
	size_t steps = 0;

	while (*at < m->nchanges && m->changes[*at].time < time && steps++ < NEAR)
		++*at;
	if (*at < m->nchanges && m->changes[*at].time < time)
		*at = lower_bound(i, *at, m->nchanges, m->changes[i].time < time);
	if (!*at)
		return 0;
	c = &m->changes[*at - 1];
	return c->npt + (c->running ? (double)(time - c->time) / c->running : 0);
}

/* What a thread that runs from a span's beginning on has, less what one has that always ran. */
static void npt_make(struct measures *m, uint32_t nthreads)
{
	const struct span_subset *p = m->running;

	m->npt_before = array_new(p->spans.n, sizeof *m->npt_before);
	for (uint32_t t = 0; t < nthreads; t++) {
		double before = 0;
		size_t at = 0;

		for (size_t i = p->first[t]; i < p->first[t + 1]; i++) {
			m->npt_before[i] = before - npt_at(m, p->spans.at[i].from, &at);
			before = m->npt_before[i] + npt_at(m, p->spans.at[i].to, &at);
		}
	}
}

/* ---- parts ---- */

static struct span_subset *running_of(const struct graph *g)
{
	struct span_subset *p = span_subset_new(g->trace->nthreads);

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];

		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity == ACTIVITY_RUNNING)
				span_subset_add(p, t, l->stretches[i].from, stretch_end(l, i));
	}
	span_subset_close(p);
	return p;
}

struct measures *measures_of(const struct graph *g, const struct critical_path *p)
{
	struct measures *m = array_zero(1, sizeof *m);

	m->running = running_of(g);
	m->path = critical_path_part(p, g->trace->nthreads);
	changes_make(m);
	npt_make(m, g->trace->nthreads);
	return m;
}

/* The measures of all of a thread's time before a moment. */
struct sums {
	int64_t cpu, path;
	double npt;
};

static int64_t part_before(const struct span_subset *p, uint32_t thread, int64_t time, size_t *at)
{
	const struct subset_span *s;

	spans_reach(p, p->first[thread + 1], time, at);
	if (*at == p->first[thread])
		return 0;
	s = &p->spans.at[*at - 1];
	return s->before + (time < s->to ? time : s->to) - s->from;
}

static struct sums sums_at(const struct measures *m, struct measure_cursor *c, int64_t time)
{
	struct sums sums = {.path = part_before(m->path, c->thread, time, &c->path),
			    .cpu = part_before(m->running, c->thread, time, &c->running)};

	if (c->running > m->running->first[c->thread]) {
		int64_t to = m->running->spans.at[c->running - 1].to;

		sums.npt =
		    m->npt_before[c->running - 1] + npt_at(m, time < to ? time : to, &c->change);
	}
	return sums;
}

void measures_add(const struct measures *m, struct worth *w, struct measure_cursor *c,
		  uint32_t thread, int64_t from, int64_t to)
{
	struct sums before, after;

	if (c->thread != thread || !c->moved)
		*c = (struct measure_cursor){thread, true, m->running->first[thread],
					     m->path->first[thread], 0};
	before = sums_at(m, c, from);
	after = sums_at(m, c, to);
	w->time += to - from;
	w->cpu += after.cpu - before.cpu;
	w->npt += after.npt - before.npt;
	w->path += after.path - before.path;
}

int64_t measures_busy(const struct measures *m, int64_t from, int64_t to)
{
	int64_t busy = 0;

	for (size_t i = 0; i + 1 < m->nchanges; i++) {
		int64_t a = m->changes[i].time > from ? m->changes[i].time : from;
		int64_t b = m->changes[i + 1].time < to ? m->changes[i + 1].time : to;

		if (m->changes[i].running && a < b)
			busy += b - a;
	}
	return busy;
}

void measures_free(struct measures *m)
{
	span_subset_free(m->running);
	span_subset_free(m->path);
	free(m->npt_before);
	free(m->changes);
	free(m);
}
