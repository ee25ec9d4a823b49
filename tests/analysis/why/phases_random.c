/*
 * The phases of random programs against a plain search for them, and where phases were planted: a short first
 * and last one, too. Prints its seed; SEED=N in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES programs (CASES=1000): phases, and a plain search for
 * them.
 */
#include "analysis/why/change_points.h"
#include "analysis/why/phases.h"
#include "tests/random.h"
#include "tests/tap.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 7, GROUPS = 6, WAITS = 6, LENGTH = 60000, BINS = 512, CHOSEN = 4, MOST_PARTS = 4, SPANS = 4 };
enum { MEASURES = 1 + 2 * CHOSEN };

static struct random numbers;

static int64_t dice(int64_t n)
{
	return random_below(&numbers, (unsigned)n);
}

/* ---- a program ---- */

/* What each thread does for most of a part of the run. */
struct plan {
	int n;
	bool all;                       /* threads live as long as the run, and groups are those of three parts */
	int64_t ends[MOST_PARTS];
	struct stretch most[MOST_PARTS][THREADS];
};

static struct stretch something(void)
{
	struct stretch s = {.cause_thread = NO_THREAD, .role = NO_ROLE, .activity = (unsigned)dice(NACTIVITIES)};

	if (s.activity == ACTIVITY_WAITING)
		s.role = (unsigned)dice(WAITS);
	return s;
}

static void plan_make(struct plan *p)
{
	p->n = 1 + (int)dice(MOST_PARTS);
	p->all = false;
	for (int i = 0; i < p->n; i++) {
		p->ends[i] = i + 1 == p->n ? LENGTH : dice(LENGTH);
		for (int k = i; k > 0 && p->ends[k] < p->ends[k - 1]; k--) {
			int64_t end = p->ends[k];

			p->ends[k] = p->ends[k - 1];
			p->ends[k - 1] = end;
		}
		for (int t = 0; t < THREADS; t++)
			p->most[i][t] = something();
	}
}

static void thread_make(struct evidence *g, uint32_t t, const struct plan *p)
{
	struct timeline *l = &g->graph->threads[t];
	int64_t now = p->all || dice(3) ? 0 : dice(LENGTH / 2);
	int64_t end = p->all || dice(3) ? LENGTH : now + 1 + dice(LENGTH - now);
	VECTOR(struct stretch) stretches = {0};

	*l = (struct timeline){.begin = now, .end = end, .creator = NO_THREAD};
	for (int part = 0; now < end;) {
		struct stretch s = something();

		for (; p->ends[part] <= now; part++)
			;
		if (dice(5))
			s = p->most[part][t];
		s.from = now;
		*vector_add(&stretches) = s;
		now += 1 + dice(200);
		now = now < p->ends[part] ? now : p->ends[part];
	}
	l->stretches = stretches.at;
	l->n = stretches.n;
}

static struct interval intervals[2] = {{.name = "Solve"}, {.name = "Read", .style = {.label = "reading"}}};
static struct role roles[2];
/* Phases, and what is none. */
static struct span_class classes[3] = {{.role = &roles[0]}, {.role = &roles[1]}};

static VECTOR(struct span_of_time) spans;       /* for the plain search */

static void spans_make(struct evidence *g, struct instance_set *set)
{
	int64_t from = 0;

	for (int i = 0; i < 2; i++)
		roles[i] = (struct role){.interval = &intervals[i], .kind = KIND_PHASE};
	set->classes.at = classes;
	set->classes.n = 3;
	for (int64_t n = dice(2) ? dice(SPANS) : 0; n > 0; n--) {
		int64_t to;
		uint32_t place;

		from += 1 + dice(LENGTH / 3);
		to = from + dice(LENGTH);
		place = (uint32_t)dice(3);
		to = to < g->graph->threads[0].end ? to : g->graph->threads[0].end;
		if (to <= from)
			break;
		*vector_add(&spans) = (struct span_of_time){.from = from, .to = to, .place = place};
		*vector_add(&set->lists[SPANS_OTHER * THREADS]) = (struct instance_span){from, to, place};
	}
}

static struct evidence *evidence_make(struct trace *t, const struct plan *p)
{
	struct evidence *g = array_zero(1, sizeof *g);
	struct instance_set *set = array_zero(1, sizeof *set);

	t->nthreads = THREADS;
	g->trace = t;
	g->set = set;
	set->trace = t;
	set->lists = array_zero(NSPAN_SORTS * THREADS, sizeof *set->lists);
	spans.n = 0;
	g->graph = array_zero(1, sizeof *g->graph);
	g->graph->trace = t;
	g->graph->threads = array_zero(THREADS, sizeof *g->graph->threads);
	g->groups = array_new(THREADS, sizeof *g->groups);
	for (uint32_t i = 0; i < THREADS; i++) {
		g->groups[i] = p->all ? i % 3 : dice(GROUPS);
		thread_make(g, i, p);
	}
	if (!p->all)
		spans_make(g, set);
	g->idle = idle_of(g->graph, g->set, p->all ? 3 : 1 + (unsigned)dice(THREADS));
	return g;
}

static void evidence_end(struct evidence *g)
{
	idle_free_all(g->idle);
	graph_free(g->graph);
	free(g->groups);
	free(g->set->lists[SPANS_OTHER * THREADS].at);
	free(g->set->lists);
	free((struct instance_set *)g->set);
	free(g);
}

/* ---- the plain search ---- */

static int64_t common(int64_t a, int64_t b, int64_t c, int64_t d)
{
	int64_t from = a > c ? a : c, to = b < d ? b : d;

	return from < to ? to - from : 0;
}

/* Whether a thread's stretch is of a kind of doing: -1: ready; a group's number; behind those, a wait's. */
static bool is_doing(const struct evidence *g, uint32_t t, const struct stretch *s, int what)
{
	if (what < 0)
		return s->activity == ACTIVITY_READY;
	if (what < GROUPS)
		return s->activity == ACTIVITY_RUNNING && g->groups[t] == what;
	return s->activity == ACTIVITY_WAITING && s->role == (unsigned)(what - GROUPS);
}

/* How long threads do it between two times, in each of n parts. */
static void doing_times(const struct evidence *g, int what, int64_t from, int64_t to, double *parts, int n)
{
	for (int i = 0; i < n; i++)
		parts[i] = 0;
	for (uint32_t t = 0; t < THREADS; t++)
		for (size_t i = 0; i < g->graph->threads[t].n; i++) {
			const struct timeline *l = &g->graph->threads[t];
			double begin = (double)l->stretches[i].from, end = (double)stretch_end(l, i);

			if (!is_doing(g, t, &l->stretches[i], what) || end <= (double)from || begin >= (double)to)
				continue;
			for (int k = 0; k < n; k++) {
				double a = (double)from + (double)(to - from) * k / n;
				double b = (double)from + (double)(to - from) * (k + 1) / n;

				parts[k] += fmax(0, fmin(b, end) - fmax(a, begin));
			}
		}
}

/* Those of `n` doings from `first` on with most time; the rest is set to -2. */
static void doings_choose(const struct evidence *g, int first, int n, int64_t from, int64_t to, int *chosen)
{
	double times[GROUPS + WAITS];

	for (int i = 0; i < n; i++)
		doing_times(g, first + i, from, to, &times[i], 1);
	for (int k = 0; k < CHOSEN; k++) {
		int best = 0;

		for (int i = 1; i < n; i++)
			best = times[i] > times[best] ? i : best;
		chosen[k] = times[best] > 0 ? first + best : -2;
		times[best] = 0;
	}
}

static void plain_changes(const struct evidence *g, int64_t from, int64_t to, int64_t least, change_points *changes)
{
	static double values[BINS * MEASURES], parts[BINS];
	int doings[MEASURES] = {-1};
	struct change_rule rule = {(size_t)((double)least * BINS / (double)(to - from)) + 1, 0.2, 0.01};

	doings_choose(g, 0, GROUPS, from, to, doings + 1);
	doings_choose(g, GROUPS, WAITS, from, to, doings + 1 + CHOSEN);
	for (int m = 0; m < MEASURES; m++) {
		double whole = (double)(to - from) / BINS * g->idle->processors;

		if (doings[m] > -2)
			doing_times(g, doings[m], from, to, parts, BINS);
		for (int i = 0; i < BINS; i++)
			values[i * MEASURES + m] = doings[m] > -2 ? fmin(1, parts[i] / whole) : 0;
	}
	change_points_find(values, BINS, MEASURES, &rule, changes);
}

static void plain_add(phase_list *phases, size_t within, const char *name, int64_t from, int64_t to)
{
	unsigned number = 1;

	for (size_t i = 0; i < phases->n; i++)
		if (phases->at[i].within == within && phases->at[i].name == name)
			number++;
	*vector_add(phases) = (struct phase){name, number, from, to, within,
					     within == NO_PHASE ? 0 : phases->at[within].depth + 1};
}

static void plain_parts(phase_list *phases, const struct evidence *g, size_t within, int64_t from, int64_t to, int64_t least)
{
	change_points changes = {0};

	if (to - from >= 10 * least)
		plain_changes(g, from, to, least, &changes);
	for (size_t i = 0; changes.n && i <= changes.n; i++) {
		double length = (double)(to - from);
		int64_t a = i ? from + (int64_t)(length * (double)changes.at[i - 1] / BINS) : from;
		int64_t b = i < changes.n ? from + (int64_t)(length * (double)changes.at[i] / BINS) : to;
		size_t phase = phases->n;

		plain_add(phases, within, NULL, a, b);
		plain_parts(phases, g, phase, a, b, least);
	}
	free(changes.at);
}

static void plain_find(phase_list *phases, const struct evidence *g, int64_t from, int64_t to)
{
	int64_t least = (int64_t)(0.05 * (double)(to - from));
	size_t named;

	for (size_t i = 0; i < spans.n; i++) {
		const struct span_of_time *s = &spans.at[i];
		size_t within = NO_PHASE;
		int64_t a = s->from > from ? s->from : from, b = s->to < to ? s->to : to;

		for (size_t k = 0; k < phases->n; k++)
			if (phases->at[k].from <= a && b <= phases->at[k].to)
				within = k;
		if (s->place < 2 && common(s->from, s->to, from, to) >= least)
			plain_add(phases, within, s->place ? "reading" : intervals[0].name, a, b);
	}
	named = phases->n;
	for (size_t i = 0; i < named; i++)
		plain_parts(phases, g, i, phases->at[i].from, phases->at[i].to, least);
	plain_parts(phases, g, NO_PHASE, from, to, least);
}

/* ---- cases ---- */

static bool same_phase(const struct phase *a, const struct phase *b)
{
	return a->name == b->name && a->number == b->number && a->from == b->from && a->to == b->to &&
	       a->within == b->within && a->depth == b->depth;
}

static void phases_print(const char *what, const phase_list *phases)
{
	for (size_t i = 0; i < phases->n; i++) {
		const struct phase *p = &phases->at[i];

		printf("# %s: %s %u in %zd, from %lld to %lld\n", what, p->name ? p->name : "found", p->number,
		       (ssize_t)p->within, (long long)p->from, (long long)p->to);
	}
}

static bool case_agrees(uint64_t seed, size_t *found)
{
	struct trace trace = {0};
	phase_list phases = {0}, plain = {0};
	struct plan plan;
	struct evidence *g;
	int64_t from, to;
	bool same;

	numbers.state = seed;
	plan_make(&plan);
	g = evidence_make(&trace, &plan);
	from = dice(2) ? 0 : dice(LENGTH / 3);
	to = dice(2) ? LENGTH : LENGTH - dice(LENGTH / 3);
	phases_find(&phases, g, from, to);
	plain_find(&plain, g, from, to);
	same = phases.n == plain.n;
	for (size_t i = 0; same && i < phases.n; i++)
		same = same_phase(&phases.at[i], &plain.at[i]);
	if (!same) {
		phases_print("is", &phases);
		phases_print("plain", &plain);
	}
	*found += phases.n;
	free(phases.at);
	free(plain.at);
	evidence_end(g);
	return same;
}

/* ---- what is planted ---- */

/* A first, a middle, and a last part, in each of which one group of threads runs; they are a twentieth or more. */
static void ends_plan(struct plan *p)
{
	enum { LEAST = LENGTH / 20 + 2 * LENGTH / BINS };

	*p = (struct plan){
	    .n = 3, .all = true, .ends = {LEAST + dice(LENGTH / 8), LENGTH - LEAST - dice(LENGTH / 8), LENGTH}};
	for (uint32_t part = 0; part < 3; part++)
		for (uint32_t i = 0; i < THREADS; i++)
			p->most[part][i] = (struct stretch){
			    .cause_thread = NO_THREAD, .role = NO_ROLE,
			    .activity = i % 3 == part ? ACTIVITY_RUNNING : ACTIVITY_BLOCKED};
}

static bool planted_found(uint64_t seed)
{
	struct trace trace = {0};
	phase_list phases = {0};
	struct plan plan;
	struct evidence *g;
	bool right = true;
	int n = 0;

	numbers.state = seed;
	ends_plan(&plan);
	g = evidence_make(&trace, &plan);
	phases_find(&phases, g, 0, LENGTH);
	for (size_t i = 0; i < phases.n; i++)
		if (phases.at[i].depth == 0 && n++ < 3)
			right &= llabs(phases.at[i].to - plan.ends[n - 1]) <= 3 * LENGTH / BINS;
	if (!right || n != 3) {
		printf("# planted to %lld, and to %lld\n", (long long)plan.ends[0], (long long)plan.ends[1]);
		phases_print("is", &phases);
	}
	free(phases.at);
	evidence_end(g);
	return right && n == 3;
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(void)
{
	uint64_t seed = number_of("SEED", (uint64_t)time(NULL)), cases = number_of("CASES", 20), i = seed;
	size_t found = 0;

	printf("# SEED=%llu CASES=%llu\n", (unsigned long long)seed, (unsigned long long)cases);
	while (i < seed + cases && case_agrees(i, &found))
		i++;
	if (!ok(i == seed + cases, "the phases are those of a plain search"))
		printf("# SEED=%llu\n", (unsigned long long)i);
	ok(found > cases, "there are some");
	for (i = seed; i < seed + cases && planted_found(i);)
		i++;
	if (!ok(i == seed + cases, "a short first and last phase end where they do"))
		printf("# SEED=%llu\n", (unsigned long long)i);
	return tap_end();
}
