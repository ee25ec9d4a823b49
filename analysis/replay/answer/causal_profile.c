#include "analysis/replay/answer/causal_profile.h"
#include "analysis/graph/critical_path.h"
#include "analysis/replay/answer/plan.h"
#include "analysis/replay/answer/prediction_fork.h"
#include "analysis/replay/answer/subject_fix.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include <math.h>
#include <stdlib.h>

const double profile_factors[PROFILE_FACTORS] = {1.25, 1.5, 2, 4, INFINITY};

const char *profile_kind_name(enum profile_kind kind)
{
	static const char *const names[] = {"function",  "interval", "I/O",
					    "call site", "lock",     "processors"};

	return names[kind];
}

char *profile_row_name(const struct profile_row *row)
{
	return text_format(row->kind == PROFILE_FUNCTION ? "own(%s)" : "%s", row->what);
}

/* What may be changed, and what that gained. */
struct candidate {
	struct profile_row row;
	struct gain gain; /* what is faster; not of processors */
	size_t number;    /* in the order of the rank */
};

struct profiling {
	struct prediction *p;
	struct rank *rank;
	VECTOR(struct candidate) candidates;
	/*
	 * So much longer than the unchanged replay is one without any change; and one that is asked
	 * for processors, so that it places threads anew.
	 */
	int64_t anew, placed_anew;
	struct prediction **forks; /* by worker */
	pthread_mutex_t mutex;     /* of what follows, and of the trace's names */
	uint64_t replayed, planned;
};

/* ---- candidates ---- */

static enum profile_kind kind_of(const struct rank_row *row, unsigned kinds)
{
	if (row->subject.kind == SUBJECT_FUNCTION)
		return PROFILE_FUNCTION;
	if (row->subject.kind == SUBJECT_LOCK)
		return PROFILE_LOCK;
	if (kinds == 1u << KIND_IO)
		return PROFILE_IO;
	return row->subject.kind == SUBJECT_SITE ? PROFILE_SITE : PROFILE_INTERVAL;
}

/*
 * Functions and locks are candidates by themselves, not all of them together. Nobody can change all
 * that ends a wait.
 */
static bool is_candidate(const struct rank_row *row, unsigned kinds)
{
	const unsigned together =
	    1u << KIND_CALL | 1u << KIND_HOLD | 1u << KIND_STATE | 1u << KIND_LIFE;

	if (row->fix == FIX_BLOCKERS)
		return false;
	return row->subject.kind != SUBJECT_INTERVAL || (kinds & ~together);
}

static void candidate_add(struct profiling *g, struct rank_row *row)
{
	unsigned kinds;
	struct gain gain = subject_fix_of(g->p->model, &row->subject, &row->fix, &kinds);

	free((bool *)gain.threads);
	gain.threads = NULL;
	if (is_candidate(row, kinds))
		*vector_add(&g->candidates) = (struct candidate){
		    .row = {.kind = kind_of(row, kinds), .what = row->subject.name},
		    .gain = gain,
		    .number = g->candidates.n};
}

/* What has the most time on the critical path. */
static void candidates_find(struct profiling *g, size_t most)
{
	const struct model *m = g->p->model;
	struct critical_path *path = critical_path_of(m->graph);

	g->rank = rank_of(m->set, m->graph, path,
			  1u << SUBJECT_FUNCTION | 1u << SUBJECT_INTERVAL | 1u << SUBJECT_LOCK |
			      1u << SUBJECT_SITE,
			  false);
	if (g->p->cores)
		*vector_add(&g->candidates) =
		    (struct candidate){.row = {.kind = PROFILE_PROCESSORS, .what = "processors"}};
	for (size_t i = 0; i < g->rank->n && g->candidates.n < most; i++)
		if (g->rank->rows[i].worth.path)
			candidate_add(g, &g->rank->rows[i]);
	critical_path_free(path);
}

/* ---- replays ---- */

/* Replays with a change; returns its point. */
static struct predicted_time point_of(struct profiling *g, struct prediction *p, struct changes *c)
{
	const char *unknown;
	struct predicted_time point = {0};
	int64_t anew = c->cores_given ? g->placed_anew : g->anew;

	c->only = NOT_CHANGED;
	c->one_of_many = true;
	if (prediction_change(p, c, &unknown) && !p->changed->stuck && !prediction_is_unknown(p))
		point = (struct predicted_time){.known = true,
						.predicted = p->changed->duration - anew,
						.low = p->low - anew,
						.high = p->high - anew};
	pthread_mutex_lock(&g->mutex);
	progress_step(++g->replayed, g->planned);
	pthread_mutex_unlock(&g->mutex);
	return point;
}

/* Only a whole number of processors has a meaning. */
static struct predicted_time processors_point(struct profiling *g, struct prediction *p,
					      double factor)
{
	double cores = isinf(factor) ? 0 : p->cores * factor;
	struct changes c = {.cores_given = true, .cores = (unsigned)cores};

	return cores == floor(cores) ? point_of(g, p, &c) : (struct predicted_time){0};
}

static struct predicted_time lock_removed_point(struct profiling *g, struct prediction *p,
						const struct subject *lock)
{
	struct lock_change none = {.subject = lock, .discipline = DISCIPLINE_NONE};
	struct changes c = {.locks = &none, .nlocks = 1};

	return point_of(g, p, &c);
}

static bool choose(struct profiling *g, struct prediction *p, const struct changes *c)
{
	const char *unknown;
	bool chosen;

	pthread_mutex_lock(&g->mutex);
	chosen = prediction_choose(p, c, &unknown);
	pthread_mutex_unlock(&g->mutex);
	return chosen;
}

/* Finds the points of a candidate for the factors of `which`, bits. */
static void candidate_try(struct profiling *g, struct prediction *p, struct candidate *candidate,
			  unsigned which)
{
	struct profile_row *row = &candidate->row;
	struct span_change change = gain_change(&candidate->gain);
	struct changes c = {.spans = &change, .nspans = 1};

	if (row->kind != PROFILE_PROCESSORS && !choose(g, p, &c))
		return;
	for (unsigned i = 0; i < PROFILE_FACTORS; i++) {
		change.factor = profile_factors[i];
		if (!(which >> i & 1))
			continue;
		if (row->kind == PROFILE_PROCESSORS)
			row->points[i] = processors_point(g, p, change.factor);
		else
			row->points[i] = point_of(g, p, &c);
	}
}

static void twice_try(void *context, size_t i, unsigned worker)
{
	struct profiling *g = context;

	candidate_try(g, g->forks[worker], &g->candidates.at[i], 1u << PROFILE_TWICE);
}

static void others_try(void *context, size_t i, unsigned worker)
{
	const unsigned others = ((1u << PROFILE_FACTORS) - 1) & ~(1u << PROFILE_TWICE);
	struct profiling *g = context;
	struct profile_row *row = &g->candidates.at[i].row;

	candidate_try(g, g->forks[worker], &g->candidates.at[i], others);
	if (row->kind == PROFILE_LOCK)
		row->removed = lock_removed_point(g, g->forks[worker], g->candidates.at[i].gain.of);
	predicted_times_order(row->points, PROFILE_FACTORS, &g->p->base->duration, false);
}

/* What the changed replay makes different without a change. */
static int64_t anew_of(struct prediction *p, bool cores_given)
{
	struct changes none = {.only = NOT_CHANGED,
			       .cores_given = cores_given,
			       .cores = p->cores,
			       .one_of_many = true};
	const char *unknown;

	if (!prediction_change(p, &none, &unknown) || p->changed->stuck)
		return 0;
	return p->changed->duration - p->base->duration;
}

/* ---- all ---- */

static int by_gain(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	const struct predicted_time *p = &x->row.points[PROFILE_TWICE],
				    *q = &y->row.points[PROFILE_TWICE];

	if (p->known != q->known)
		return q->known - p->known;
	if (p->known && p->predicted != q->predicted)
		return p->predicted < q->predicted ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static uint64_t replays_of(size_t tried, size_t rows)
{
	return tried + (PROFILE_FACTORS - 1) * (rows < tried ? rows : tried);
}

size_t profile_tried(size_t n, uint64_t steps)
{
	size_t most = replays_within(REPLAYS_OF_ANSWER, steps, SIZE_MAX);

	while (n > LEAST_REPLAYS && replays_of(n, PROFILE_ROWS) > most)
		n--;
	return n;
}

static void forks_make(struct profiling *g)
{
	unsigned n = parallel_workers();

	g->forks = array_new(n, sizeof *g->forks);
	g->forks[0] = g->p;
	for (unsigned i = 1; i < n; i++)
		g->forks[i] = prediction_fork(g->p);
	pthread_mutex_init(&g->mutex, NULL);
}

static void forks_free(struct profiling *g)
{
	for (unsigned i = 1; i < parallel_workers(); i++)
		prediction_fork_free(g->forks[i]);
	free(g->forks);
	pthread_mutex_destroy(&g->mutex);
}

/* Tries the candidates, and keeps the best of them as rows, with all of their points. */
static void rows_find(struct profiling *g, struct causal_profile *result, size_t most)
{
	parallel_for(result->tried, twice_try, g);
	if (result->tried)
		qsort(g->candidates.at, result->tried, sizeof *g->candidates.at, by_gain);
	result->n = result->tried < most ? result->tried : most;
	parallel_for(result->n, others_try, g);
	result->rows = array_new(result->n, sizeof *result->rows);
	for (size_t i = 0; i < result->n; i++)
		result->rows[i] = g->candidates.at[i].row;
}

struct causal_profile *causal_profile_of(struct prediction *p, size_t rows)
{
	struct causal_profile *result = array_zero(1, sizeof *result);
	struct profiling g = {.p = p};
	size_t most = rows ? rows : PROFILE_ROWS;

	candidates_find(&g, rows > PROFILE_TRIED ? rows : PROFILE_TRIED);
	result->candidates = g.candidates.n;
	result->tried = profile_tried(g.candidates.n, prediction_steps(p));
	if (result->tried < rows)
		result->tried = rows < g.candidates.n ? rows : g.candidates.n;
	g.planned = replays_of(result->tried, most);
	progress_begin("replaying");
	/* forks share what is known after a first change */
	g.placed_anew = anew_of(p, true);
	g.anew = anew_of(p, false);
	result->before = p->base->duration;
	forks_make(&g);
	rows_find(&g, result, most);
	forks_free(&g);
	progress_end();
	rank_free(g.rank);
	free(g.candidates.at);
	return result;
}

void causal_profile_free(struct causal_profile *c)
{
	free(c->rows);
	free(c);
}
