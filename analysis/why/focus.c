#include "analysis/why/focus.h"
#include "analysis/activity/span_text.h"
#include "analysis/why/axis_keys.h"
#include "analysis/why/instance_conditions.h"
#include "analysis/why/span_walk.h"
#include "spec/measure.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* ---- the focus ---- */

static bool *bools_copy(const bool *from, size_t n)
{
	bool *to = from ? array_new(n, sizeof *to) : NULL;

	if (from)
		memcpy(to, from, n * sizeof *to);
	return to;
}

struct focus focus_all(const struct evidence *g, int64_t from, int64_t to)
{
	struct focus f = {.from = from, .to = to, .holder = NO_KEY};

	f.measured = array_zero(1, sizeof *f.measured);
	f.threads = array_new(g->trace->nthreads, sizeof *f.threads);
	memset(f.threads, true, g->trace->nthreads);
	return f;
}

struct focus focus_copy(const struct evidence *g, const struct focus *f)
{
	struct focus c = *f;

	c.threads = bools_copy(f->threads, g->trace->nthreads);
	c.places = bools_copy(f->places, evidence_places(g));
	c.only_threads = bools_copy(f->only_threads, g->trace->nthreads);
	c.measured = array_zero(1, sizeof *c.measured);
	return c;
}

void focus_free(struct focus *f)
{
	free(f->threads);
	free(f->places);
	free(f->only_threads);
	free(f->measured->all.at);
	free(f->measured);
}

/* ---- its spans ---- */

static unsigned sort_of_place(const struct evidence *g, size_t place)
{
	const struct role *r = place_class(g, place)->role;

	return r ? span_sort_of(r) : NSPAN_SORTS;
}

struct span_walk span_walk_begin(const struct evidence *g, const struct focus *f,
				 const bool *places)
{
	struct span_walk w = {.evidence = g, .focus = f, .places = places, .sort = (unsigned)-1};

	for (size_t i = 0; i < evidence_places(g); i++)
		if (span_walk_wants(&w, (uint32_t)i))
			w.sorts |= 1u << sort_of_place(g, i);
	span_walk_list_next(&w);
	return w;
}

bool span_walk_picks(const struct span_walk *w, const struct span_of_time *s)
{
	const struct focus *f = w->focus;

	return (!f->deadlocked || (s->wait && s->wait->deadlocked)) &&
	       (f->holder == NO_KEY || axis_key(w->evidence, AXIS_HOLDER, s) == f->holder) &&
	       (!f->of_pair ||
		(s->thread == f->pair_thread && s->wait && s->wait->blocker == f->pair_blocker));
}

int64_t focus_lives(const struct evidence *g, const struct focus *f)
{
	int64_t lives = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->graph->threads[t];
		int64_t from = later(l->begin, f->from), to = sooner(l->end, f->to);

		if (f->threads[t] && l->n && from < to)
			lives += to - from;
	}
	return lives;
}

/* ---- what a measure selects ---- */

static bool is_like(const char *pattern, const char *text)
{
	return !pattern || (text && fnmatch(pattern, text, 0) == 0);
}

/* Whether a measure selects a role, but for its label and object. */
static bool selects_interval(const struct test_measure *m, const struct role *r)
{
	/* Who only waits for work is not slow. */
	if (r->interval->idle && !m->exact && !m->interval && !m->label)
		return false;
	if ((m->exact && strcmp(m->exact->name, r->interval->name)) ||
	    (m->kind && m->kind != r->kind))
		return false;
	return is_like(m->interval, r->interval->name);
}

bool test_selects_role(const struct test_measure *m, const struct role *r)
{
	return selects_interval(m, r) && is_like(m->label, r->interval->style.label) &&
	       is_like(m->object, r->start.object < 0
				      ? NULL
				      : r->start.event->attributes[r->start.object].name);
}

/* Returns whether a measure selects the spans of a place. */
static bool test_selects(const struct evidence *g, const struct test_measure *m,
			 const struct span_class *p)
{
	static const char *const states[NACTIVITIES] = {"running", "ready", "", "blocked"};
	bool able = m->state && strcmp(m->state, "able") == 0;
	bool anything = !m->kind && !m->label && !m->object && !m->interval && !m->exact;
	const struct role *r = p->role;

	if (m->condition && !(p->conditions & condition_bit(g->conditions, g->nconditions, m)))
		return false;
	if (anything && !m->state)
		return !r && (!measure_is_of_running(m) || class_state(g, p) == ACTIVITY_RUNNING);
	if (m->state)
		return !r && (able ? class_state(g, p) <= ACTIVITY_READY
				   : strcmp(m->state, states[class_state(g, p)]) == 0);
	return r && role_takes_time(r) && selects_interval(m, r) &&
	       is_like(m->label, class_style_label(p)) && is_like(m->object, class_object_word(p));
}

bool *test_places(const struct evidence *g, const struct test_measure *m)
{
	bool *places = array_new(evidence_places(g), sizeof *places);

	for (size_t i = 0; i < evidence_places(g); i++)
		places[i] = test_selects(g, m, place_class(g, i));
	return places;
}
