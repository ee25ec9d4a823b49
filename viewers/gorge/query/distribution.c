#include "viewers/gorge/query/distribution.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/search.h"
#include "base/task.h"
#include <math.h>
#include <stdlib.h>

/* ---- the lengths of instances ---- */

struct lengths_walk {
	const struct event_index *events;
	const struct duration_query *query;
	VECTOR(struct instance_lengths) chunks;
	VECTOR(uint32_t) low, high; /* of the instances that are cut */
	lengths_take take;
	void *context;
};

/* The most lengths of a chunk. */
enum { CHUNK = 1 << 16 };

static void add_lengths(struct lengths_walk *w, const uint32_t *low, const uint32_t *high, size_t n)
{
	for (size_t i = 0; i < n; i += CHUNK)
		*vector_add(&w->chunks) =
		    (struct instance_lengths){.n = n - i < CHUNK ? n - i : CHUNK,
					      .low = low + i,
					      .high = high ? high + i : NULL};
}

static void add_whole(struct lengths_walk *w, const struct spans *s, size_t i, size_t n)
{
	add_lengths(w, s->length + i, s->length_high ? s->length_high + i : NULL, n);
}

/* Adds what an instance has in the window. */
static void add_cut(struct lengths_walk *w, const struct spans *s, size_t i, int64_t start)
{
	const struct window *window = w->query->window;
	int64_t end = start + spans_length(s, i);
	int64_t from = start > window->from ? start : window->from;
	uint64_t length = (uint64_t)((end < window->to ? end : window->to) - from);

	*vector_add(&w->low) = (uint32_t)length;
	*vector_add(&w->high) = (uint32_t)(length >> 32);
}

static void take_chunk(void *context, size_t i, unsigned worker)
{
	struct lengths_walk *w = context;
	const struct instance_lengths *chunk = &w->chunks.at[i];

	if (task_step(chunk->n))
		w->take(w->context, chunk, worker);
}

static void take_chunks(struct lengths_walk *w)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->chunks.n; i++)
		n += w->chunks.at[i].n;
	task_plan(n);
	parallel_for(w->chunks.n, take_chunk, w);
	free(w->chunks.at);
}

static bool touches(const struct lengths_walk *w, const struct spans *s, size_t i)
{
	const bool *threads = w->query->threads;

	return !threads || threads[s->from] || threads[spans_to(s, i)];
}

static void add_reaching(void *context, const struct spans *s, size_t i, int64_t start)
{
	struct lengths_walk *w = context;

	if (!touches(w, s, i))
		return;
	if (w->query->cut)
		add_cut(w, s, i, start);
	else
		add_whole(w, s, i, 1);
}

/* Adds runs of spans that touch the threads; those of a fan end in any. */
static void add_run(struct lengths_walk *w, const struct spans *s, size_t i, size_t end)
{
	for (size_t from; s->tos && i < end; i++) {
		for (from = i; i < end && touches(w, s, i); i++)
			;
		add_whole(w, s, from, i - from);
	}
	if (i < end)
		add_whole(w, s, i, end - i);
}

static struct spans_moment moment_of(const struct lengths_walk *w, const struct spans *s,
				     int64_t time)
{
	return (struct spans_moment){time, event_index_seek(w->events, s->to, time)};
}

/* Adds the spans that begin in the window, and cuts those that end after it. */
struct cut_run {
	struct lengths_walk *walk;
	size_t next;
};

static void add_until(void *context, const struct spans *s, size_t i, int64_t start)
{
	struct cut_run *run = context;

	if (i < run->next)
		return;
	add_run(run->walk, s, run->next, i);
	add_reaching(run->walk, s, i, start);
	run->next = i + 1;
}

static void distribution_add_spans(void *context, const struct spans *s)
{
	struct lengths_walk *w = context;
	const struct duration_query *q = w->query;
	struct cut_run run = {.walk = w};
	size_t end;

	if (!s->tos && q->threads && !q->threads[s->from] && !q->threads[s->to])
		return;
	run.next = spans_find(s, event_index_seek(w->events, s->from, q->window->from));
	end = spans_seek(s, run.next, event_index_seek(w->events, s->from, q->window->to + 1));
	spans_reaching(s, w->events, run.next, moment_of(w, s, q->window->from), add_reaching, w);
	if (q->cut)
		spans_reaching(s, w->events, end, moment_of(w, s, q->window->to + 1), add_until,
			       &run);
	add_run(w, s, run.next, end);
}

void distribution_lengths(const struct trace_index *t, const struct interval *interval,
			  const struct duration_query *query, lengths_take take, void *context)
{
	struct lengths_walk walk = {
	    .events = t->events, .query = query, .take = take, .context = context};

	instances_each(trace_index_use(t, interval), distribution_add_spans, &walk);
	add_lengths(&walk, walk.low.at, walk.high.at, walk.low.n);
	take_chunks(&walk);
	free(walk.low.at);
	free(walk.high.at);
	trace_index_used();
}

/* ---- classes of durations ---- */

static inline unsigned class_of(int64_t duration)
{
	uint64_t bits = (uint64_t)duration | OCTAVE;
	unsigned shift = 63 - (unsigned)__builtin_clzll(bits) - CLASS_BITS;

	return shift * OCTAVE + (unsigned)((uint64_t)duration >> shift);
}

/* Returns how many bits differ within a class. */
static unsigned class_width(unsigned class)
{
	return class < 2 * OCTAVE ? 0 : class / OCTAVE - 1;
}

static int64_t class_begin(unsigned class)
{
	return (int64_t)((uint64_t)(class - class_width(class) * OCTAVE) << class_width(class));
}

static int64_t class_last(unsigned class)
{
	return class_begin(class) + (int64_t)((UINT64_C(1) << class_width(class)) - 1);
}

static void each_length(const struct duration_histogram *s, lengths_take take, void *context)
{
	distribution_lengths(s->index, s->interval, s->query, take, context);
}

/* Makes the parts in which each worker counts apart from the others. */
static void *distribution_parts_new(size_t size)
{
	return array_zero(parallel_workers(), size);
}

static void add_up(void *context, const struct instance_lengths *l, unsigned worker)
{
	struct duration_histogram *s = (struct duration_histogram *)context + worker;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		s->shortest = length < s->shortest ? length : s->shortest;
		s->longest = length > s->longest ? length : s->longest;
		s->total += (uint64_t)length;
		s->classes[class_of(length)]++;
	}
	s->n += l->n;
}

static void add_part(struct duration_histogram *s, const struct duration_histogram *part)
{
	s->n += part->n;
	s->total += part->total;
	s->shortest = part->shortest < s->shortest ? part->shortest : s->shortest;
	s->longest = part->longest > s->longest ? part->longest : s->longest;
	for (unsigned class = 0; class < CLASSES; class ++)
		s->classes[class] += part->classes[class];
}

struct duration_histogram *distribution_new(struct trace_index *m, const struct interval *interval,
					    const struct duration_query *query)
{
	struct duration_histogram *parts = distribution_parts_new(sizeof *parts),
				  *s = array_zero(1, sizeof *s);
	unsigned workers = parallel_workers();

	for (unsigned i = 0; i < workers; i++) {
		parts[i].shortest = INT64_MAX;
		parts[i].longest = INT64_MIN;
	}
	*s = parts[0];
	s->index = m;
	s->interval = interval;
	s->query = query;
	each_length(s, add_up, parts);
	for (unsigned i = 0; i < workers; i++)
		add_part(s, &parts[i]);
	free(parts);
	return s;
}

/* ---- quantiles ---- */

/* Bins near the quantile; place: how many durations in the bins are less than the quantile. */
struct quantile_range {
	struct quantile_bins bins;
	size_t place;
};

static void narrow_to_class(const struct duration_histogram *s, double q, struct quantile_range *n)
{
	unsigned class = 0;

	n->place = quantile_place(s->n, q);
	for (; n->place >= s->classes[class]; class ++)
		n->place -= s->classes[class];
	quantile_bins_set(&n->bins, class_begin(class), (UINT64_C(1) << class_width(class)) - 1);
}

static inline void count_near(struct quantile_range *n, int64_t length)
{
	size_t bin = quantile_bin(&n->bins, length);

	if (bin < QUANTILE_BINS)
		n->bins.count[bin]++;
}

/* ---- a closer look ---- */

struct closer {
	const struct duration_histogram *distribution;
	bool flagged[CLASSES];
	struct quantile_range quantiles[QUANTILES];
	const struct distribution_bins *bins; /* NULL: not wanted */
	uint64_t counts[DISTRIBUTION_BINS];   /* of the bins */
	uint64_t selected;
};

static bool is_selected(const struct closer *c, int64_t duration)
{
	const struct duration_query *query = c->distribution->query;

	return duration >= query->least && duration <= query->most;
}

static int distribution_bin_of(const struct closer *c, int64_t duration)
{
	return (int)lower_bound(i, 1, DISTRIBUTION_BINS, c->bins->edges[i] <= duration) - 1;
}

/* Returns whether all durations of a class are alike for what is asked. */
static bool is_decided(const struct closer *c, unsigned class)
{
	int64_t first = class_begin(class), last = class_last(class);
	const struct duration_query *query = c->distribution->query;

	for (int q = 0; q < QUANTILES; q++)
		if (c->quantiles[q].bins.span && c->quantiles[q].bins.low == first)
			return false;
	return (query->least <= first || query->least > last) &&
	       (query->most < first || query->most >= last) &&
	       (!c->bins || distribution_bin_of(c, first) == distribution_bin_of(c, last));
}

static void decide_classes(struct closer *c)
{
	for (unsigned class = 0; class < CLASSES; class ++) {
		uint64_t n = c->distribution->classes[class];
		if (n == 0)
			continue;
		c->flagged[class] = !is_decided(c, class);
		if (c->flagged[class])
			continue;
		c->selected += is_selected(c, class_begin(class)) ? n : 0;
		if (c->bins)
			c->counts[distribution_bin_of(c, class_begin(class))] += n;
	}
}

static void look_closer(void *context, const struct instance_lengths *l, unsigned worker)
{
	struct closer *c = (struct closer *)context + worker;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		if (!c->flagged[class_of(length)])
			continue;
		for (int q = 0; q < QUANTILES; q++)
			count_near(&c->quantiles[q], length);
		c->selected += is_selected(c, length);
		if (c->bins)
			c->counts[distribution_bin_of(c, length)]++;
	}
}

static void look_near(void *context, const struct instance_lengths *l, unsigned worker)
{
	struct closer *c = (struct closer *)context + worker;

	for (size_t i = 0; i < l->n; i++)
		for (int q = 0; q < QUANTILES; q++)
			count_near(&c->quantiles[q], length_at(l, i));
}

/* Counts on all processors, for the same bins. */
static void distribution_pass(struct closer *c, lengths_take take)
{
	struct closer *parts = distribution_parts_new(sizeof *parts);
	unsigned workers = parallel_workers();

	for (unsigned i = 0; i < workers; i++) {
		parts[i] = *c;
		parts[i].selected = 0;
		memset(parts[i].counts, 0, sizeof parts[i].counts);
	}
	each_length(c->distribution, take, parts);
	for (unsigned i = 0; i < workers; i++) {
		c->selected += parts[i].selected;
		for (int k = 0; k < DISTRIBUTION_BINS; k++)
			c->counts[k] += parts[i].counts[k];
		for (int q = 0; q < QUANTILES; q++)
			quantile_bins_add(&c->quantiles[q].bins, &parts[i].quantiles[q].bins);
	}
	free(parts);
}

static bool narrow_all(struct closer *c)
{
	bool narrow = true;

	for (int q = 0; q < QUANTILES; q++) {
		struct quantile_range *n = &c->quantiles[q];

		if (n->bins.span)
			quantile_bins_narrow(&n->bins, quantile_bin_at(&n->bins, &n->place));
		narrow &= n->bins.span == 0;
	}
	return narrow;
}

void distribution_look(const struct duration_histogram *s, const double *q, int64_t *quantiles,
		       uint64_t *selected, struct distribution_bins *bins)
{
	struct closer *c = array_zero(1, sizeof *c);

	c->distribution = s;
	c->bins = bins;
	for (int i = 0; i < QUANTILES; i++)
		narrow_to_class(s, q[i], &c->quantiles[i]);
	decide_classes(c);
	distribution_pass(c, look_closer);
	while (!task_stopped() && !narrow_all(c))
		distribution_pass(c, look_near);
	for (int i = 0; i < QUANTILES; i++)
		quantiles[i] = c->quantiles[i].bins.low;
	*selected = c->selected;
	if (bins)
		memcpy(bins->counts, c->counts, sizeof bins->counts);
	free(c);
}

/* ---- for the page ---- */

/* Bins grow where the longest duration is this many times the shortest. */
enum { GROWING = 30 };

/*
 * Returns the start of bin i, in whole nanoseconds, so that a range of bins is a range of
 * durations.
 */
static int64_t bin_edge(const struct duration_histogram *s, int i)
{
	double first = (double)s->shortest, end = (double)s->longest + 1,
	       part = (double)i / DISTRIBUTION_BINS;
	double base = fmax(first, 1);

	if (i == DISTRIBUTION_BINS)
		return s->longest + 1;
	if (i == 0 || end < base * GROWING)
		return s->shortest + (int64_t)((end - first) * part);
	return (int64_t)(base * pow(end / base, part));
}

static void write_bins(const struct distribution_bins *b, struct json *j)
{
	json_array(j, "bins");
	for (int i = 0; i < DISTRIBUTION_BINS; i++) {
		/* short durations have fewer values than there are bins */
		if (b->edges[i] == b->edges[i + 1])
			continue;
		json_array(j, NULL);
		json_int(j, NULL, b->edges[i]);
		json_int(j, NULL, b->edges[i + 1]);
		json_uint(j, NULL, b->counts[i]);
		json_close(j);
	}
	json_close(j);
}

/* Returns how many are selected. */
static uint64_t write_numbers(const struct duration_histogram *s, struct distribution_bins *bins,
			      struct json *j)
{
	static const double wanted[QUANTILES] = {0.5, 0.99};
	int64_t quantiles[QUANTILES];
	uint64_t selected;

	json_uint(j, "count", s->n);
	if (s->n == 0)
		return 0;
	distribution_look(s, wanted, quantiles, &selected, bins);
	json_real(j, "total", (double)s->total);
	json_real(j, "mean", (double)s->total / (double)s->n);
	json_int(j, "shortest", s->shortest);
	json_int(j, "p50", quantiles[0]);
	json_int(j, "p99", quantiles[1]);
	json_int(j, "longest", s->longest);
	return selected;
}

void distribution_write_numbers(struct trace_index *m, const struct interval *interval,
				const struct duration_query *query, struct json *j)
{
	struct duration_histogram *s = distribution_new(m, interval, query);

	write_numbers(s, NULL, j);
	free(s);
}

void distribution_write(struct trace_index *m, const struct interval *interval,
			const struct duration_query *query, struct json *j)
{
	struct duration_histogram *s = distribution_new(m, interval, query);
	struct distribution_bins bins = {0};

	for (int i = 0; s->n && i <= DISTRIBUTION_BINS; i++)
		bins.edges[i] = bin_edge(s, i);
	json_uint(j, "picked", write_numbers(s, &bins, j));
	if (s->n)
		write_bins(&bins, j);
	free(s);
}

/* ---- for assertions ---- */

static struct value distribution_integer(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value real(double x)
{
	return (struct value){.kind = VALUE_REAL, .real = x};
}

/* Beyond the end of any trace; the length of a window has 64 bits. */
static const int64_t EVER = INT64_C(1) << 61;

static struct value statistic(const struct duration_histogram *s, const struct aggregate *wanted)
{
	int64_t quantiles[QUANTILES];
	uint64_t selected;

	switch (wanted->function) {
	case AGGREGATE_MIN:
		return distribution_integer(s->shortest);
	case AGGREGATE_MAX:
		return distribution_integer(s->longest);
	case AGGREGATE_MEAN:
		return real((double)s->total / (double)s->n);
	case AGGREGATE_SUM:
		return distribution_integer((__int128)s->total);
	default:
		distribution_look(s, (double[QUANTILES]){wanted->quantile, wanted->quantile},
				  quantiles, &selected, NULL);
		return distribution_integer(quantiles[0]);
	}
}

bool distribution_aggregate(struct trace_index *m, const struct aggregate *wanted,
			    struct value *result)
{
	const struct duration_query all = {&(struct window){-EVER, EVER}, NULL, .most = -1};
	struct duration_histogram *s = distribution_new(m, wanted->interval, &all);
	bool defined = s->n || wanted->function == AGGREGATE_SUM;

	if (defined)
		*result = statistic(s, wanted);
	free(s);
	return defined;
}
