#include "analysis/why/fixes.h"
#include "analysis/samples/spinning.h"
#include "analysis/why/finding.h"
#include "analysis/why/measures.h"
#include "analysis/why/paging.h"
#include "analysis/why/span_walk.h"
#include "analysis/why/switches.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

/* Of the run: what gains less is no advice. */
const double fix_least_gain = 0.01;
/* Of what a finding costs, what half of it gains, where nothing is replayed. */
static const double half = 0.5;

double fix_gain(const struct rank_row *row)
{
	if (rank_is_removal(row))
		return (double)row->removal;
	return row->replayed ? (double)row->whatif : row->found ? row->zeroing : 0;
}

bool fix_is_removal(const struct rank_row *row)
{
	return rank_is_removal(row) ||
	       (row->replayed && row->removed && row->removal >= row->whatif &&
		(double)row->removal >= fix_least_gain * (double)row->known);
}

const struct finding *fix_first(const struct search *s)
{
	for (size_t i = 0; i < s->findings.n; i++)
		if (s->findings.at[i].hypothesis->about->function != TEST_PROBE)
			return &s->findings.at[i];
	return NULL;
}

/* Whether a place is a hold of an object at a site; NO_KEY: of any. */
static bool is_hold_at(const struct span_class *p, int64_t site, int64_t object)
{
	return p->role->kind == KIND_HOLD && p->site == site &&
	       (object == NO_KEY || p->object == object);
}

/* Whether a call site takes locks, and waits for nothing else, such as a condition. */
static bool is_hold_site(const struct evidence *g, int64_t site)
{
	bool holds = false;

	for (size_t i = 0; i < g->set->classes.n; i++) {
		const struct span_class *p = place_class(g, i);
		bool of_lock = p->role->kind == KIND_CALL || p->role->kind == KIND_HOLD;

		holds |= is_hold_at(p, site, NO_KEY);
		for (size_t k = 0; p->site == site && !of_lock && k < g->set->classes.n; k++)
			of_lock =
			    p->object != NO_KEY && is_hold_at(place_class(g, k), site, p->object);
		if (p->site == site && !of_lock)
			return false;
	}
	return holds;
}

bool is_hold_row(const struct evidence *g, const struct rank_row *row)
{
	if (row->subject.kind == SUBJECT_SITE)
		return is_hold_site(g, row->subject.key);
	for (size_t i = 0; i < g->set->classes.n && row->subject.kind == SUBJECT_INTERVAL; i++)
		if (place_class(g, i)->role->kind == KIND_HOLD &&
		    subject_has_class(g->set, &row->subject, place_class(g, i)))
			return true;
	return false;
}

bool is_queue_wait(const struct finding *f)
{
	const char *label = f->hypothesis->about->label;

	return f->hypothesis->about->function == TEST_COST && label &&
	       (strcmp(label, LABEL_CONDITION) == 0 || strcmp(label, LABEL_SEMAPHORE) == 0);
}

/* ---- what a finding waits for ---- */

struct waited_for {
	bool *threads; /* by index: those that let it wait, and those that let these wait */
	bool *classes; /* of the set: what these threads do */
};

static bool is_lock_wait(const struct finding *f)
{
	const char *object = f->hypothesis->about->object;

	return object && strcmp(object, NAME_LOCK) == 0;
}

/* Adds the threads that end waits of the ones known so far, until there are no more. */
static void blockers_close(const struct evidence *g, bool *threads)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t t = 0; t < g->trace->nthreads; t++)
			for (size_t i = 0;
			     threads[t] && i < instance_spans(g->set, SPANS_WAIT, t)->n; i++) {
				uint32_t blocker = g->waits[t][i].blocker;

				if (blocker == NO_THREAD || threads[blocker])
					continue;
				threads[blocker] = more = true;
			}
	}
}

static void classes_mark(const struct evidence *g, struct waited_for *w)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct sampled_calls *calls = instance_sampled(g->set, t);

		for (enum span_sort k = 0; w->threads[t] && k < NSPAN_SORTS; k++) {
			const span_vector *spans = instance_spans(g->set, k, t);

			for (size_t i = 0; i < spans->n; i++)
				w->classes[spans->at[i].class] = true;
		}
		for (size_t i = 1; calls && w->threads[t] && i < calls->nodes.n; i++)
			w->classes[calls->nodes.at[i].class] = true;
	}
}

static struct waited_for waited_for_of(const struct evidence *g, const struct finding *f)
{
	struct waited_for w = {array_zero(g->trace->nthreads, sizeof *w.threads),
			       array_zero(g->set->classes.n, sizeof *w.classes)};
	bool *places = test_places(g, f->hypothesis->about);
	struct span_of_time s;

	for (struct span_walk walk = span_walk_begin(g, &f->focus, places);
	     span_walk_next(&walk, &s);)
		if (s.wait && s.wait->blocker != NO_THREAD)
			w.threads[s.wait->blocker] = true;
	if (!is_lock_wait(f)) {
		blockers_close(g, w.threads);
		classes_mark(g, &w);
	}
	free(places);
	return w;
}

/*
 * Whether a row is what threads that are waited for do, or input and output of a finding's; places:
 * its own.
 */
static bool is_waited_for(const struct evidence *g, const struct waited_for *w, const bool *places,
			  const struct rank_row *row)
{
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (w->threads[t] && subject_has_thread(g->trace, &row->subject, t))
			return true;
	for (size_t i = 0; i < g->set->classes.n; i++) {
		const struct span_class *c = &g->set->classes.at[i];
		bool asked = row->subject.kind == SUBJECT_INTERVAL
				 ? places[i] && c->role->kind == KIND_IO
				 : w->classes[i];

		if (asked && subject_has_class(g->set, &row->subject, c))
			return true;
	}
	return false;
}

static bool is_named(const parts_named *parts, const struct rank_row *row)
{
	for (size_t i = 0; i < parts->n; i++)
		if (parts->at[i].key == row->subject.key)
			return true;
	return false;
}

/* Whether a row is named in what is said of a finding. */
static bool is_of_finding(const struct finding *f, const struct rank_row *row)
{
	switch (row->subject.kind) {
	case SUBJECT_LOCK:
		return is_named(&f->objects, row);
	case SUBJECT_SITE:
		return is_named(&f->code, row) || is_named(&f->holder_code, row);
	case SUBJECT_FUNCTION:
		return is_named(&f->functions, row);
	case SUBJECT_THREAD:
		return f->holders.n ? is_named(&f->holders, row) : is_named(&f->threads, row);
	default:
		return false;
	}
}

bool is_of_waits_moments(const struct test_measure *m)
{
	return measure_subject(m) == OF_MOMENTS && m->kind == KIND_WAIT;
}

/* Faster code switches, faults and is recorded as often. */
static bool is_fixed_by_speed(const struct test_measure *m)
{
	enum measure_subject subject = measure_subject(m);

	return !m->event && (subject == OF_SPANS || subject == OF_HANG || is_of_waits_moments(m));
}

/* The place of the waiter is no cause. */
static bool may_be_fixed(const struct evidence *g, const struct finding *f,
			 const struct rank_row *row)
{
	return row->fix != FIX_BLOCKERS && fix_gain(row) >= fix_least_gain * (double)row->known &&
	       (is_lock_wait(f) || !is_hold_row(g, row));
}

/*
 * Where nothing was replayed: the row of the lock that a finding is about, in place of that of a
 * call site at which it is held or waited for.
 */
static const struct rank_row *lock_row(const struct evidence *g, const struct finding *f,
				       const struct rank *rank)
{
	if (f->fix->replayed || !is_lock_wait(f) ||
	    (f->fix->subject.kind != SUBJECT_SITE && f->fix->subject.kind != SUBJECT_INTERVAL))
		return f->fix;
	if (!is_hold_row(g, f->fix) && !is_named(&f->code, f->fix))
		return f->fix;
	for (size_t i = 0; i < rank->n; i++)
		if (rank->rows[i].subject.kind == SUBJECT_LOCK &&
		    is_named(&f->objects, &rank->rows[i]) && may_be_fixed(g, f, &rank->rows[i]))
			return &rank->rows[i];
	return f->fix;
}

static void fix_set(const struct search *s, struct finding *f, const struct rank *rank)
{
	struct waited_for w = waited_for_of(s->evidence, f);
	bool *places = test_places(s->evidence, f->hypothesis->about);

	f->fix = NULL;
	for (size_t i = 0; i < rank->n && !f->fix && is_fixed_by_speed(f->hypothesis->about); i++) {
		const struct rank_row *row = &rank->rows[i];

		if (may_be_fixed(s->evidence, f, row) &&
		    (is_of_finding(f, row) || is_waited_for(s->evidence, &w, places, row)))
			f->fix = row;
	}
	if (f->fix)
		f->fix = lock_row(s->evidence, f, rank);
	free(places);
	free(w.threads);
	free(w.classes);
}

/* ---- order ---- */

static double gain_of(const struct finding *f)
{
	if (measure_subject(f->hypothesis->about) == OF_SWITCHES || is_throttled(f))
		return f->cost.time;
	return f->fix && (f->fix->replayed || f->fix->removed) ? fix_gain(f->fix)
							       : half * f->cost.time;
}

static bool is_before(const struct finding *a, const struct finding *b)
{
	if (is_hang(a) || is_hang(b))
		return is_hang(a) && !is_hang(b);
	if (a->fix && b->fix && a->fix->replayed && b->fix->replayed && a->fix != b->fix)
		return a->fix < b->fix;
	return gain_of(a) > gain_of(b);
}

static void findings_sort(struct search *s)
{
	for (size_t i = 1; i < s->findings.n; i++)
		for (size_t k = i; k > 0 && is_before(&s->findings.at[k], &s->findings.at[k - 1]);
		     k--) {
			struct finding f = s->findings.at[k];

			s->findings.at[k] = s->findings.at[k - 1];
			s->findings.at[k - 1] = f;
		}
}

/* The finding before, with the same fix, that a wait at a queue is a part of; NULL: none. */
static struct finding *same_before(struct search *s, size_t n, const struct finding *f)
{
	for (size_t i = 0; i < n && f->fix; i++)
		if (s->findings.at[i].fix == f->fix)
			return &s->findings.at[i];
	return NULL;
}

/* Drops the waits at queues that say nothing of their own. */
static void queue_waits_drop(struct search *s, bool replayed)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->findings.n; i++) {
		struct finding f = s->findings.at[i];
		struct finding *same = is_queue_wait(&f) ? same_before(s, kept, &f) : NULL;

		if (!same && !(is_queue_wait(&f) && replayed && !f.fix)) {
			s->findings.at[kept++] = f;
			continue;
		}
		if (same)
			*vector_add(&same->joined) = f.hypothesis->name;
		s->history.at[f.node].finding = NO_PARENT;
		finding_free(&f);
	}
	s->findings.n = kept;
}

/* Whether the threads of a finding, in its time, mostly wait by spinning. */
static bool is_spinning(const struct evidence *g, const struct focus *f)
{
	uint64_t all = 0, spinning = 0;

	for (uint32_t t = 0; g->spins && t < g->trace->nthreads; t++) {
		const struct thread_samples *list = &g->set->samples->threads[t];

		for (size_t i = 0; f->threads[t] && i < list->list.n; i++) {
			int64_t taken = stack_sample_taken(&list->list.at[i]);

			if (taken < f->from || taken > f->to || list->list.at[i].blocked)
				continue;
			all++;
			spinning += g->spins[list->list.at[i].stack];
		}
	}
	return mostly_spins(spinning, all);
}

/* Drops what says that threads compute alone, if they wait: no one can distribute that. */
static void spinning_drop(struct search *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->findings.n; i++) {
		struct finding f = s->findings.at[i];
		const struct test_measure *about = f.hypothesis->about;

		if (about->function != TEST_COST || !about->state ||
		    !is_spinning(s->evidence, &f.focus)) {
			s->findings.at[kept++] = f;
			continue;
		}
		s->history.at[f.node].finding = NO_PARENT;
		finding_free(&f);
	}
	s->findings.n = kept;
}

static bool is_replayed(const struct rank *rank)
{
	for (size_t i = 0; i < rank->n; i++)
		if (rank->rows[i].replayed)
			return true;
	return false;
}

void fixes_find(struct search *s, const struct rank *rank)
{
	for (size_t i = 0; i < s->findings.n; i++)
		fix_set(s, &s->findings.at[i], rank);
	findings_sort(s);
	queue_waits_drop(s, is_replayed(rank));
	spinning_drop(s);
	for (size_t i = 0; i < s->findings.n; i++)
		s->history.at[s->findings.at[i].node].finding = i;
}
