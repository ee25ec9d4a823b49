#include "analysis/why/cost.h"
#include "analysis/why/span_walk.h"
#include "base/search.h"
#include <stdlib.h>

struct costing {
	const struct evidence *evidence;
	const struct focus *focus;
	struct cost *cost;
	bool of_ready; /* it is about threads that are ready, and nothing else */
	bool of_able;  /* it is about another state */
	/* what threads did after waits with a cause: they gain no more */
	double caused_work;
	moment_ranges ready, caused;
};

/* The pieces of a span in which its thread is on the critical path. */
static void path_pieces(struct costing *c, const struct span_of_time *s, bool ready)
{
	const struct span_subset *p = c->evidence->on_path;
	int64_t from = later(s->from, c->focus->from), to = sooner(s->to, c->focus->to);
	size_t end = p->first[s->thread + 1];
	size_t i = lower_bound(k, p->first[s->thread], end, p->spans.at[k].to <= from);

	for (; i < end && p->spans.at[i].from < to; i++) {
		struct moment_range r = {later(from, p->spans.at[i].from),
					 sooner(to, p->spans.at[i].to)};

		ranges_add(ready ? &c->ready : &c->cost->ranges, r);
	}
}

static void span_cost(struct costing *c, const struct span_of_time *s)
{
	const struct span_class *p = place_class(c->evidence, s->place);
	int64_t from = later(s->from, c->focus->from), to = sooner(s->to, c->focus->to);

	if (from >= to)
		return;
	if (!s->wait || !s->wait->by_thread) {
		path_pieces(
		    c, s, c->of_ready && !p->role && class_state(c->evidence, p) == ACTIVITY_READY);
		return;
	}
	from = later(from, s->from + s->wait->delay);
	if (from < to)
		ranges_add(&c->caused, (struct moment_range){from, to});
	if (!s->wait->again)
		c->caused_work += (double)s->wait->work;
}

/* Returns a time of the run alone (idle_alone()) on the scale of the focus's time. */
static double on_scale(const struct idle *l, const struct focus *f, double alone)
{
	return part_of(alone * (double)(f->to - f->from), idle_alone(l, f->from, f->to));
}

double ranges_unused(const struct idle *l, const struct focus *f, const struct moment_range *r,
		     size_t n)
{
	struct idle_cursor at = {0};
	double time = 0;

	for (size_t i = 0; i < n; i++)
		time += idle_alone_unused_next(l, r[i].from, r[i].to, &at);
	return on_scale(l, f, time);
}

/*
 * Returns what processors have nothing to do while threads run alone that other programs delayed:
 * at most so much of what running alone costs is not the program's own.
 */
static double late_alone(const struct idle *l, const struct focus *f)
{
	return on_scale(l, f, l->owed * (1 - 1.0 / l->processors));
}

static void cost_sum(struct costing *c)
{
	const struct idle *l = c->evidence->idle;
	struct cost *cost = c->cost;
	const struct focus *f = c->focus;
	double caused, path, work, all, late;
	bool both;

	c->caused.n = ranges_join(c->caused.at, c->caused.n);
	c->ready.n = ranges_join(c->ready.at, c->ready.n);
	cost->ranges.n = ranges_join(cost->ranges.at, cost->ranges.n);
	caused = ranges_unused(l, f, c->caused.at, c->caused.n);
	path = ranges_unused(l, f, cost->ranges.at, cost->ranges.n);
	both = c->caused.n && cost->ranges.n;
	ranges_take(&cost->ranges, &c->caused);
	all = both ? ranges_unused(l, f, cost->ranges.at, cost->ranges.n) : caused + path;
	work = on_scale(l, f, c->caused_work);
	cost->time = path + (caused < work ? caused : work);
	if (cost->time > all)
		cost->time = all;
	late = c->of_able ? late_alone(l, f) : 0;
	cost->time = cost->time > late ? cost->time - late : 0;
	for (size_t i = 0; i < c->ready.n; i++)
		cost->time += idle_ready(l, c->ready.at[i].from, c->ready.at[i].to);
	cost->ready = c->ready.n > 0 && cost->ranges.n == 0;
	ranges_take(&cost->ranges, &c->ready);
}

void cost_of(const struct evidence *g, const struct focus *f, const struct test_measure *m,
	     struct cost *cost)
{
	struct costing c = {.evidence = g,
			    .focus = f,
			    .cost = cost,
			    .of_ready = m->state && strcmp(m->state, "ready") == 0};
	bool *places = test_places(g, m);
	struct span_of_time s;

	c.of_able = m->state && !c.of_ready;
	*cost = (struct cost){0};
	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);)
		span_cost(&c, &s);
	cost_sum(&c);
	free(places);
	free(c.ready.at);
	free(c.caused.at);
}

moment_ranges moments_of(const struct evidence *g, const struct focus *f, const bool *places)
{
	moment_ranges moments = {0};
	struct span_of_time s;

	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		struct moment_range r = {later(s.from, f->from), sooner(s.to, f->to)};

		if (r.from < r.to)
			ranges_add(&moments, r);
	}
	moments.n = ranges_join(moments.at, moments.n);
	return moments;
}

void cost_free(struct cost *c)
{
	free(c->ranges.at);
}
