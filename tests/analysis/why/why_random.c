/*
 * What is idle, and what the measures of the search are, against a count of each nanosecond of random
 * small programs. Prints its seed; SEED=N in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, cases programs (CASES=100000): the measures of the search,
 * and a count of each nanosecond.
 */
#include "analysis/why/focus.h"
#include "analysis/why/measures.h"
#include "analysis/why/switches.h"
#include "tests/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, STRETCHES = 6, LENGTH = 12, END = STRETCHES * LENGTH + LENGTH + 1 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* ---- a program ---- */

static struct role lock_role = {.kind = KIND_WAIT}, hold_role = {.kind = KIND_HOLD};
static struct interval lock_interval = {.name = "LockWait"}, state_interval = {.name = "State"};
static struct role ready_role = {.kind = KIND_STATE, .state = STATE_READY, .interval = &state_interval};
static struct role running_role = {.kind = KIND_STATE, .state = STATE_RUNNING, .interval = &state_interval};
/* Of spans: WAIT, HOLD, and the states in which a thread is ready, or runs on one of some processors. */
static struct span_class classes[] = {{.role = &lock_role},
				      {.role = &hold_role},
				      {.role = &ready_role},
				      {.role = &running_role, .processor = 0},
				      {.role = &running_role, .processor = 1},
				      {.role = &running_role, .processor = -1}};
enum { CLASS_READY = 2, CLASS_RUNNING, RUNNING_CLASSES = 3 };
static struct event_type lock_event = {.name = "LockBusy"};

/* Places: a wait for a lock, and having it; then the states. */
enum { WAIT, HOLD, NCLASSES = sizeof classes / sizeof *classes, HOLDS = 4 };

static uint32_t place_of(enum activity a)
{
	return a == ACTIVITY_WAITING ? WAIT : NCLASSES + a;
}

/* All spans, for the count. */
static VECTOR(struct span_of_time) spans;

static void roles_set(void)
{
	hold_role.interval = &lock_interval;
	hold_role.start = (struct role_end){.event = &lock_event, .object = -1};
	lock_role.interval = &lock_interval;
	lock_role.start.event = &lock_event;
	lock_role.start.object = -1;
}

static span_vector *list_of(const struct evidence *g, enum span_sort sort, uint32_t thread)
{
	return &g->set->lists[sort * THREADS + thread];
}

static int by_start(const void *a, const void *b)
{
	const struct instance_span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void holds_random(struct evidence *g, uint32_t t)
{
	const struct timeline *l = &g->graph->threads[t];
	span_vector *list = list_of(g, SPANS_HOLD, t);

	for (unsigned n = dice(HOLDS); n > 0; n--) {
		int64_t from = l->begin + dice((unsigned)(l->end - l->begin)), to = from + 1 + dice(LENGTH);

		*vector_add(list) = (struct instance_span){from, to < l->end ? to : l->end, HOLD};
	}
	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_start);
	for (size_t i = 0; i < list->n; i++)
		*vector_add(&spans) = (struct span_of_time){.from = list->at[i].start, .to = list->at[i].end,
							    .thread = t, .place = HOLD};
}

static const struct wait_fact no_fact = {.blocker = NO_THREAD};

/* The count asks each span, also those that are no waits. */
static const struct wait_fact *fact_of(const struct span_of_time *s)
{
	return s->wait ? s->wait : &no_fact;
}

static void thread_random(struct evidence *g, uint32_t t)
{
	struct timeline *l = &g->graph->threads[t];
	int64_t now = dice(LENGTH);
	size_t nready = 0;

	*l = (struct timeline){.begin = now, .creator = NO_THREAD};
	l->n = 1 + dice(STRETCHES);
	l->stretches = array_zero(l->n, sizeof *l->stretches);
	g->waits[t] = array_zero(l->n, sizeof *g->waits[t]);
	g->queued[t] = array_zero(l->n, sizeof *g->queued[t]);
	for (size_t i = 0; i < l->n; i++) {
		enum activity a = dice(NACTIVITIES);
		int64_t length = 1 + dice(LENGTH);
		struct span_of_time *s = vector_add(&spans);
		struct wait_fact *fact = NULL;

		l->stretches[i] = (struct stretch){.from = now, .cause_thread = NO_THREAD,
						   .role = NO_ROLE, .activity = a};
		if (a == ACTIVITY_WAITING) {
			fact = &g->waits[t][list_of(g, SPANS_WAIT, t)->n];
			*fact = no_fact;
			*vector_add(list_of(g, SPANS_WAIT, t)) = (struct instance_span){now, now + length, WAIT};
			if (dice(2))
				*vector_add(list_of(g, SPANS_STATE, t)) = (struct instance_span){
				    now + dice((unsigned)length), dice(4) ? now + length : INT64_MAX, CLASS_READY};
		}
		*s = (struct span_of_time){.from = now, .to = now + length, .thread = t, .place = place_of(a),
					   .wait = fact};
		if (a == ACTIVITY_RUNNING)
			*vector_add(list_of(g, SPANS_STATE, t)) = (struct instance_span){
			    now, now + length, CLASS_RUNNING + dice(RUNNING_CLASSES)};
		if (a == ACTIVITY_READY)
			s->queued = g->queued[t][nready++] = dice((unsigned)length + 1);
		if (fact && dice(3)) {
			fact->blocker = (t + 1 + dice(THREADS - 1)) % THREADS;
			fact->blocked_until = now + dice((unsigned)length + 1);
			fact->delay = dice(4) ? 0 : dice(LENGTH);
			fact->work = dice(2 * LENGTH);
			fact->again = dice(4) == 0;
			l->stretches[i].cause_thread = fact->blocker;
			l->stretches[i].cause_time = fact->blocked_until;
		} else if (fact && dice(2)) {
			fact->blocked_until = now + length;
			fact->work = dice(2 * LENGTH);
		}
		if (fact)
			fact->by_thread = fact->blocker != NO_THREAD || fact->work;
		now += length;
	}
	l->end = now;
}

/* Turns whose ends are in no order with the timeline: what counts them looks at nothing else. */
static struct switches *switches_random(void)
{
	struct switches *s = array_zero(1, sizeof *s);

	s->nthreads = THREADS;
	s->threads = array_zero(THREADS, sizeof *s->threads);
	s->cost = 1 + dice(3);
	for (uint32_t t = 0; t < THREADS; t++) {
		int64_t now = dice(LENGTH);

		for (unsigned n = dice(STRETCHES); n > 0; n--) {
			int64_t to = now + 1 + dice(LENGTH);

			*vector_add(&s->threads[t]) = (struct thread_turn){now, to, dice(3)};
			now = to + dice(3);
		}
	}
	return s;
}

static struct span_subset *path_part(const struct critical_path *path)
{
	struct span_subset *p = span_subset_new(THREADS);

	for (uint32_t t = 0; t < THREADS; t++)
		for (size_t i = 0; i < path->n; i++)
			if (path->pieces[i].kind == PATH_STRETCH && path->pieces[i].thread == t)
				span_subset_add(p, t, path->pieces[i].from, path->pieces[i].to);
	span_subset_close(p);
	return p;
}

static struct evidence *evidence_random(struct trace *t)
{
	struct evidence *g = array_zero(1, sizeof *g);
	struct instance_set *set = array_zero(1, sizeof *set);

	t->nthreads = THREADS;
	g->trace = t;
	g->set = set;
	set->trace = t;
	set->lists = array_zero(NSPAN_SORTS * THREADS, sizeof *set->lists);
	set->classes.at = classes;
	set->classes.n = NCLASSES;
	g->waits = array_new(THREADS, sizeof *g->waits);
	g->queued = array_new(THREADS, sizeof *g->queued);
	spans.n = 0;
	g->graph = array_zero(1, sizeof *g->graph);
	g->graph->trace = t;
	g->graph->threads = array_zero(THREADS, sizeof *g->graph->threads);
	roles_set();
	g->groups = array_new(THREADS, sizeof *g->groups);
	for (uint32_t i = 0; i < THREADS; i++)
		g->groups[i] = i % 2;
	g->teams = g->groups;
	for (uint32_t i = 0; i < THREADS; i++)
		thread_random(g, i);
	for (uint32_t i = 0; i < THREADS; i++)
		holds_random(g, i);
	g->path = critical_path_of(g->graph);
	g->on_path = path_part(g->path);
	g->idle = idle_of(g->graph, set, 1 + dice(THREADS));
	g->switches = switches_random();
	g->nprocessors = dice(4) ? 2 : 0;
	return g;
}

static void evidence_end(struct evidence *g)
{
	span_subset_free(g->on_path);
	idle_free_all(g->idle);
	switches_free(g->switches);
	critical_path_free(g->path);
	graph_free(g->graph);
	for (uint32_t t = 0; t < THREADS; t++) {
		free(list_of(g, SPANS_WAIT, t)->at);
		free(list_of(g, SPANS_HOLD, t)->at);
		free(list_of(g, SPANS_STATE, t)->at);
		free(g->waits[t]);
		free(g->queued[t]);
	}
	free(g->waits);
	free(g->queued);
	free(g->set->lists);
	free((struct instance_set *)g->set);
	free(g->groups);
	free(g->throttled.at);
	free(g);
}

/* ---- each nanosecond ---- */

static enum activity activity_at(const struct evidence *g, uint32_t t, int64_t now)
{
	const struct timeline *l = &g->graph->threads[t];

	if (now < l->begin || now >= l->end)
		return NACTIVITIES;
	for (size_t i = 0; i < l->n; i++)
		if (now < stretch_end(l, i))
			return l->stretches[i].activity;
	return NACTIVITIES;
}

static unsigned how_many(const struct evidence *g, enum activity a, int64_t now)
{
	unsigned n = 0;

	for (uint32_t t = 0; t < THREADS; t++)
		n += activity_at(g, t, now) == a;
	return n;
}

/* What is free while a thread is ready. */
static double free_at(const struct evidence *g, int64_t now)
{
	double running = how_many(g, ACTIVITY_RUNNING, now), all = g->idle->processors;

	if (running >= all || !how_many(g, ACTIVITY_READY, now))
		return 0;
	return 1 - running / all;
}

/* Whether a thread waits in the timeline and is ready, by a state that began within the wait. */
static bool is_woken(const struct evidence *g, uint32_t t, int64_t now)
{
	const span_vector *states = list_of(g, SPANS_STATE, t), *waits = list_of(g, SPANS_WAIT, t);

	for (size_t i = 0; i < states->n; i++)
		for (size_t k = 0; k < waits->n; k++)
			if (states->at[i].start <= now && now < states->at[i].end && now < waits->at[k].end &&
			    waits->at[k].start <= states->at[i].start && states->at[i].start < waits->at[k].end)
				return true;
	return false;
}

/* How many threads can run. */
static double able_at(const struct evidence *g, int64_t now)
{
	double n = how_many(g, ACTIVITY_RUNNING, now) + how_many(g, ACTIVITY_READY, now);

	for (uint32_t t = 0; t < THREADS; t++)
		n += is_woken(g, t, now);
	return n;
}

/* How fast the time of the run alone passes, and what the processors would have nothing to do then. */
static double alone_at(const struct evidence *g, int64_t now, double *unused)
{
	double running = how_many(g, ACTIVITY_RUNNING, now), all = g->idle->processors;
	double would = fmin(able_at(g, now), all), speed = 1;

	if (running < would)
		speed = running / would;
	*unused = speed * (1 - would / all);
	return speed;
}

static bool on_path_at(const struct evidence *g, uint32_t t, int64_t now)
{
	for (size_t i = 0; i < g->path->n; i++) {
		const struct path_piece *p = &g->path->pieces[i];

		if (p->kind == PATH_STRETCH && p->thread == t && p->from <= now && now < p->to)
			return true;
	}
	return false;
}

static bool covers(const struct span_of_time *s, int64_t now)
{
	return s->from <= now && now < s->to;
}

/* What threads ran less than their share while other programs had processors, of all that did. */
static double owed_counted(const struct evidence *g)
{
	double owed = 0;
	int64_t end = 0;

	for (uint32_t t = 0; t < THREADS; t++)
		end = g->graph->threads[t].end > end ? g->graph->threads[t].end : end;
	for (uint32_t t = 0; t < THREADS; t++) {
		double own = 0;

		for (int64_t now = 0; now < end; now++) {
			double running = how_many(g, ACTIVITY_RUNNING, now), able = able_at(g, now);
			enum activity a = activity_at(g, t, now);

			if (running >= fmin(able, g->idle->processors))
				continue;
			if (a == ACTIVITY_RUNNING || a == ACTIVITY_READY || is_woken(g, t, now))
				own += running / able;
			own -= a == ACTIVITY_RUNNING;
		}
		owed += own > 0 ? own : 0;
	}
	return owed;
}

/* Of the selected spans, whose time it is: of some on the path, and of waits that had a cause. */
static double cost_counted(const struct evidence *g, const struct focus *f, const bool *places, const char *state)
{
	bool of_ready = state && !strcmp(state, "ready");
	double path = 0, caused = 0, both = 0, work = 0, ready = 0, alone = 0, scale;

	for (int64_t now = f->from; now < f->to; now++) {
		bool by_path = false, by_cause = false, by_ready = false;
		double unused;

		alone += alone_at(g, now, &unused);
		for (size_t i = 0; i < spans.n; i++) {
			const struct span_of_time *s = &spans.at[i];

			if (!places[s->place] || !covers(s, now))
				continue;
			if (fact_of(s)->by_thread)
				by_cause |= now >= s->from + fact_of(s)->delay;
			else if (on_path_at(g, s->thread, now))
				*(of_ready ? &by_ready : &by_path) = true;
		}
		path += by_path ? unused : 0;
		caused += by_cause ? unused : 0;
		both += by_path || by_cause ? unused : 0;
		ready += by_ready ? free_at(g, now) : 0;
	}
	for (size_t i = 0; i < spans.n; i++) {
		const struct span_of_time *s = &spans.at[i];

		if (places[s->place] && fact_of(s)->by_thread && !fact_of(s)->again && s->from < f->to &&
		    s->to > f->from)
			work += (double)fact_of(s)->work;
	}
	scale = alone > 0 ? (double)(f->to - f->from) / alone : 0;
	path = scale * fmin(both, path + fmin(caused, work)) + ready;
	if (state && !of_ready)
		path = fmax(0, path - scale * owed_counted(g) * (1 - 1.0 / g->idle->processors));
	return path;
}

static double share_counted(const struct evidence *g, const struct focus *f, const bool *places, bool crowd)
{
	double lives = 0, selected = 0;

	for (int64_t now = f->from; now < f->to; now++)
		for (uint32_t t = 0; t < THREADS; t++) {
			enum activity a = activity_at(g, t, now);
			unsigned able = how_many(g, ACTIVITY_RUNNING, now) +
					how_many(g, ACTIVITY_READY, now);

			lives += a < NACTIVITIES;
			selected += a < NACTIVITIES && places[place_of(a)] &&
				    (!crowd || able > g->idle->processors);
		}
	return lives > 0 ? selected / lives : 0;
}

static double during_counted(const struct focus *f, const bool *places)
{
	double during = 0;

	for (int64_t now = f->from; now < f->to; now++)
		for (size_t i = 0; i < spans.n; i++)
			if (places[spans.at[i].place] && spans.at[i].from <= now && now < spans.at[i].to) {
				during++;
				break;
			}
	return during / (double)(f->to - f->from);
}

static double queued_counted(const struct evidence *g, const struct focus *f, const bool *places)
{
	double lives = 0, queued = 0;

	for (int64_t now = f->from; now < f->to; now++) {
		for (uint32_t t = 0; t < THREADS; t++)
			lives += activity_at(g, t, now) < NACTIVITIES;
		for (size_t i = 0; i < spans.n; i++)
			if (places[spans.at[i].place] && spans.at[i].from <= now && now < spans.at[i].to)
				queued += (double)spans.at[i].queued / (double)(spans.at[i].to - spans.at[i].from);
	}
	return lives > 0 ? queued / lives : 0;
}

static double surplus_counted(const struct evidence *g, const struct focus *f, const bool *places)
{
	double lives = 0, surplus = 0;

	for (int64_t now = f->from; now < f->to; now++)
		for (uint32_t t = 0; t < THREADS; t++) {
			enum activity a = activity_at(g, t, now);
			double able = how_many(g, ACTIVITY_RUNNING, now) + how_many(g, ACTIVITY_READY, now);

			lives += a < NACTIVITIES;
			if (a < NACTIVITIES && places[place_of(a)] && able > g->idle->processors)
				surplus += (able - g->idle->processors) / able;
		}
	return lives > 0 ? surplus / lives : 0;
}

static double switching_counted(const struct evidence *g, const struct focus *f)
{
	double ran = 0, switches = 0;

	for (int64_t now = f->from; now <= f->to; now++)
		for (uint32_t t = 0; t < THREADS; t++)
			for (size_t i = 0; i < g->switches->threads[t].n; i++) {
				const struct thread_turn *x = &g->switches->threads[t].at[i];

				ran += now < f->to && x->from <= now && now < x->to;
				switches += now > f->from && x->to == now && x->end == TURN_CUT;
			}
	return ran > 0 ? switches * (double)g->switches->cost / ran : 0;
}

/* The processor on which a thread ran last before a time; -1: none is known. */
static int processor_before(const struct evidence *g, uint32_t t, int64_t time)
{
	int processor = -1;

	for (int64_t now = 0; now < time; now++)
		for (size_t i = 0; i < list_of(g, SPANS_STATE, t)->n; i++) {
			const struct instance_span *s = &list_of(g, SPANS_STATE, t)->at[i];

			if (s->class >= CLASS_RUNNING && s->start == now && classes[s->class].processor >= 0)
				processor = classes[s->class].processor;
		}
	return processor;
}

static double migrations_counted(const struct evidence *g, const struct focus *f)
{
	double n = 0;

	for (int64_t now = f->from; now <= f->to; now++)
		for (uint32_t t = 0; t < THREADS; t++) {
			int before = processor_before(g, t, now), after = processor_before(g, t, now + 1);

			n += before >= 0 && before != after;
		}
	return g->nprocessors ? n : NAN;
}

/* Of the run: of all processors, or of the thread that loses most. */
static double switched_counted(const struct evidence *g, const struct focus *f)
{
	double all = 0, most = 0;

	for (uint32_t t = 0; t < THREADS; t++) {
		double own = 0;

		for (size_t i = 0; i < g->switches->threads[t].n; i++) {
			const struct thread_turn *x = &g->switches->threads[t].at[i];

			own += f->from < x->to && x->to <= f->to && x->end == TURN_CUT;
		}
		all += own;
		most = own > most ? own : most;
	}
	all /= g->idle->processors;
	return (all > most ? all : most) * (double)g->switches->cost / (double)(f->to - f->from);
}

/* Of the time before who ended the wait let go, while that one did not wait so itself. */
static double holder_counted(const struct evidence *g, const struct focus *f, const bool *waits,
			     const bool *places)
{
	double all = 0, part = 0;

	(void)f;
	for (size_t i = 0; i < spans.n; i++) {
		const struct span_of_time *s = &spans.at[i];

		if (!waits[s->place] || fact_of(s)->blocker == NO_THREAD || s->from >= f->to || s->to < f->from)
			continue;
		for (int64_t now = s->from; now < fact_of(s)->blocked_until; now++) {
			enum activity a = activity_at(g, fact_of(s)->blocker, now);

			all += a == NACTIVITIES || !waits[place_of(a)];
			part += a < NACTIVITIES && places[place_of(a)];
		}
	}
	return all > 0 ? part / all : 0;
}

/* Of the time of threads that wait: so, while who ends it is ready, and more can run than there are processors. */
static double preempted_counted(const struct evidence *g, const struct focus *f, const bool *waits)
{
	double lives = 0, part = 0;
	bool waiting[THREADS] = {false};

	for (size_t i = 0; i < spans.n; i++) {
		const struct span_of_time *s = &spans.at[i];

		if (!waits[s->place] || s->from >= f->to || s->to < f->from)
			continue;
		waiting[s->thread] = true;
		for (int64_t now = f->from; now < f->to && fact_of(s)->blocker != NO_THREAD; now++)
			part += s->from <= now && now < fact_of(s)->blocked_until &&
				activity_at(g, fact_of(s)->blocker, now) == ACTIVITY_READY &&
				how_many(g, ACTIVITY_RUNNING, now) + how_many(g, ACTIVITY_READY, now) > g->idle->processors;
	}
	for (int64_t now = f->from; now < f->to; now++)
		for (uint32_t t = 0; t < THREADS; t++)
			lives += waiting[t] && activity_at(g, t, now) < NACTIVITIES;
	return lives > 0 ? part / lives : 0;
}

/* How many others have the lock at a time that took it after a wait began; two: two at once. */
static unsigned later_holders(const struct span_of_time *w, int64_t now)
{
	bool has[THREADS] = {false};
	unsigned n = 0;

	for (size_t i = 0; i < spans.n; i++) {
		const struct span_of_time *s = &spans.at[i];

		if (s->place == HOLD && s->thread != w->thread && s->from > w->from && s->from < w->to && covers(s, now))
			has[s->thread] = true;
	}
	for (uint32_t t = 0; t < THREADS; t++)
		n += has[t];
	return n;
}

static double overtaken_counted(const struct focus *f, const bool *waits)
{
	double all = 0, part = 0;

	for (size_t i = 0; i < spans.n; i++) {
		const struct span_of_time *s = &spans.at[i];
		double taken = 0;
		bool shared = false;

		if (!waits[s->place] || s->from >= f->to || s->to < f->from)
			continue;
		for (int64_t now = s->from; now < END + 2 * LENGTH; now++) {
			unsigned n = later_holders(s, now);

			all += now < s->to;
			taken += now < s->to && n > 0;
			shared |= n > 1;
		}
		part += shared ? taken : 0;
	}
	return all > 0 ? part / all : 0;
}

/* Of the larger of two groups, the even and the odd threads; of those as large, the first. */
static double uneven_counted(const struct evidence *g, const struct focus *f, const bool *places)
{
	double dearest = 0, uneven = 0;

	for (uint32_t group = 0; group < 2; group++) {
		double all = 0, most = 0, n = 0;

		for (uint32_t t = group; t < THREADS; t += 2) {
			const struct timeline *l = &g->graph->threads[t];
			double time = 0;

			if (l->begin >= f->to || l->end <= f->from)
				continue;
			n++;

			for (int64_t now = f->from; now < f->to; now++) {
				enum activity a = activity_at(g, t, now);

				time += a < NACTIVITIES && places[place_of(a)];
			}
			all += time;
			most = fmax(most, time);
		}
		if (all <= dearest)
			continue;
		dearest = all;
		uneven = n < 2 ? 0 : 1 - all / (n * most);
	}
	return uneven;
}

/* Of each event's time, that in which no thread runs and some could: at most what was withheld. */
static double throttled_counted(const struct evidence *g, const struct focus *f)
{
	double time = 0;

	for (size_t i = 0; i < g->throttled.n; i++) {
		const struct throttled *w = &g->throttled.at[i];
		double all = 0, inside = 0;

		for (int64_t now = w->from; now < w->to; now++) {
			unsigned run = 0, could = 0;

			for (uint32_t t = 0; t < THREADS; t++) {
				enum activity a = activity_at(g, t, now);

				run += a == ACTIVITY_RUNNING;
				could += a == ACTIVITY_READY || is_woken(g, t, now);
			}
			all += !run && could;
			inside += !run && could && now >= f->from && now < f->to;
		}
		time += all > 0 ? fmin(1, (double)w->withheld / all) * inside : 0;
	}
	return time / (double)(f->to - f->from);
}

static void throttled_random(struct evidence *g)
{
	int64_t from = 0;

	for (unsigned n = dice(4); n > 0 && from < END; n--) {
		int64_t to = from + 1 + dice(END / 2);

		*vector_add(&g->throttled) = (struct throttled){from, to, 1 + dice(END / 4)};
		from = to;
	}
}

/* ---- cases ---- */

static bool is_near(double is, double wanted, const char *what)
{
	if ((isnan(is) && isnan(wanted)) || fabs(is - wanted) <= 1e-9 * (1 + fabs(wanted)))
		return true;
	printf("# %s: %.12g, counted %.12g\n", what, is, wanted);
	return false;
}

static bool measure_agrees(const struct evidence *g, const struct focus *f, struct test_measure m)
{
	bool *places = test_places(g, &m);
	struct test_measure about = {.kind = KIND_WAIT};
	bool *waits = test_places(g, &about);
	double run = (double)(f->to - f->from);
	bool good;

	m.function = TEST_COST;
	good = is_near(focus_measure(g, f, &m, NULL),
		       cost_counted(g, f, places, m.state) / run, "cost");
	m.function = TEST_SHARE;
	good &= is_near(focus_measure(g, f, &m, NULL), share_counted(g, f, places, false), "share");
	m.function = TEST_CROWD;
	good &= is_near(focus_measure(g, f, &m, NULL), share_counted(g, f, places, true), "crowd");
	m.function = TEST_SURPLUS;
	good &= is_near(focus_measure(g, f, &m, NULL), surplus_counted(g, f, places), "surplus");
	m.function = TEST_QUEUED;
	good &= is_near(focus_measure(g, f, &m, NULL), queued_counted(g, f, places), "queued");
	m.function = TEST_DURING;
	good &= is_near(focus_measure(g, f, &m, NULL), during_counted(f, places), "during");
	m.function = TEST_SWITCHING;
	good &= is_near(focus_measure(g, f, &m, NULL), switching_counted(g, f), "switching");
	m.function = TEST_SWITCHED;
	good &= is_near(focus_measure(g, f, &m, NULL), switched_counted(g, f), "switched");
	m.function = TEST_MIGRATIONS;
	good &= is_near(focus_measure(g, f, &m, NULL), migrations_counted(g, f), "migrations");
	m.function = TEST_THROTTLED;
	good &= is_near(focus_measure(g, f, &m, NULL), throttled_counted(g, f), "throttled");
	m.function = TEST_HOLDER;
	good &= is_near(focus_measure(g, f, &m, &about), holder_counted(g, f, waits, places), "holder");
	m.function = TEST_UNEVEN;
	good &= is_near(focus_measure(g, f, &m, NULL), uneven_counted(g, f, places), "uneven");
	m.function = TEST_PREEMPTED;
	good &= is_near(focus_measure(g, f, &m, NULL), preempted_counted(g, f, places), "preempted");
	m.function = TEST_OVERTAKEN;
	good &= is_near(focus_measure(g, f, &m, NULL), overtaken_counted(f, places), "overtaken");
	free(places);
	free(waits);
	return good;
}

/* Threads that are ready while the program's threads do not have all processors. */
static double behind_others_counted(const struct evidence *g, int64_t from, int64_t to)
{
	double sum = 0;

	for (int64_t now = from; now < to; now++)
		if (how_many(g, ACTIVITY_RUNNING, now) < g->idle->processors)
			sum += how_many(g, ACTIVITY_READY, now);
	return sum;
}

static bool case_agrees(uint64_t seed)
{
	static char running[] = "running", ready[] = "ready", blocked[] = "blocked", able[] = "able";
	struct trace trace = {0};
	struct evidence *g;
	struct focus f;
	int64_t from;
	bool good;

	numbers.state = seed;
	g = evidence_random(&trace);
	throttled_random(g);
	from = dice(2) ? 0 : dice(END / 2);
	f = focus_all(g, from, dice(2) ? END : from + 1 + dice(END / 2));
	good = measure_agrees(g, &f, (struct test_measure){.kind = KIND_WAIT}) &
	       measure_agrees(g, &f, (struct test_measure){.state = running}) &
	       measure_agrees(g, &f, (struct test_measure){.state = ready}) &
	       measure_agrees(g, &f, (struct test_measure){.state = blocked}) &
	       measure_agrees(g, &f, (struct test_measure){.state = able}) &
	       is_near(idle_ready_behind_others(g->idle, f.from, f.to),
		       behind_others_counted(g, f.from, f.to), "ready behind other programs");
	focus_free(&f);
	evidence_end(g);
	return good;
}

int main(void)
{
	const char *seed_text = getenv("SEED"), *cases_text = getenv("CASES");
	uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
	uint64_t cases = cases_text ? strtoull(cases_text, NULL, 10) : 3000;

	printf("# SEED=%llu CASES=%llu\n", (unsigned long long)seed, (unsigned long long)cases);
	for (uint64_t i = seed; i < seed + cases; i++)
		if (!case_agrees(i)) {
			printf("not ok 1 - measures are those counted, SEED=%llu\n1..1\n",
			       (unsigned long long)i);
			return 1;
		}
	puts("ok 1 - measures are those counted\n1..1");
	return 0;
}
