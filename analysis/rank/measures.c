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

/* Of one thread that runs all the time before a moment. */
static double npt_at(const struct measures *m, int64_t time)
{
	size_t next = lower_bound(i, 0, m->nchanges, m->changes[i].time < time);
	const struct running_change *c;

	if (!next)
		return 0;
	c = &m->changes[next - 1];
	return c->npt + (c->running ? (double)(time - c->time) / c->running : 0);
}

static double span_npt(const struct measures *m, const struct part_span *s, int64_t until)
{
	return npt_at(m, until < s->to ? until : s->to) - npt_at(m, s->from);
}

static void npt_make(struct measures *m, uint32_t nthreads)
{
	const struct part *p = m->running;

	m->npt_before = array_new(p->spans.n, sizeof *m->npt_before);
	for (uint32_t t = 0; t < nthreads; t++) {
		double before = 0;

		for (size_t i = p->first[t]; i < p->first[t + 1]; i++) {
			m->npt_before[i] = before;
			before += span_npt(m, &p->spans.at[i], p->spans.at[i].to);
		}
	}
}

/* Of a thread before a moment. */
static double npt_until(const struct measures *m, uint32_t thread, int64_t time)
{
	const struct part *p = m->running;
	size_t begin = p->first[thread];
	size_t next = lower_bound(i, begin, p->first[thread + 1], p->spans.at[i].from < time);

	if (next == begin)
		return 0;
	return m->npt_before[next - 1] + span_npt(m, &p->spans.at[next - 1], time);
}

/* ---- parts ---- */

static struct part *running_of(const struct graph *g)
{
	struct part *p = part_new(g->trace->nthreads);

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];

		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity == ACTIVITY_RUNNING)
				part_add(p, t, l->stretches[i].from, stretch_end(l, i));
	}
	part_close(p);
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

void measures_add(const struct measures *m, struct worth *w, uint32_t thread, int64_t from, int64_t to)
{
	w->time += to - from;
	w->cpu += part_until(m->running, thread, to) - part_until(m->running, thread, from);
	w->npt += npt_until(m, thread, to) - npt_until(m, thread, from);
	w->path += part_until(m->path, thread, to) - part_until(m->path, thread, from);
}

int64_t measures_busy(const struct measures *m)
{
	int64_t busy = 0;

	for (size_t i = 0; i + 1 < m->nchanges; i++)
		if (m->changes[i].running)
			busy += m->changes[i + 1].time - m->changes[i].time;
	return busy;
}

void measures_free(struct measures *m)
{
	part_free(m->running);
	part_free(m->path);
	free(m->npt_before);
	free(m->changes);
	free(m);
}
