#include "viewers/gorge/index/spans.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "base/search.h"
#include "base/spill.h"
#include <stdlib.h>

/* For each block, how many spans before it are selected; and how many there are in all. */
struct spans_selection {
	int64_t least, most;
	size_t counted; /* blocks */
	uint64_t *before;
};

static struct spans spans_allocate(unsigned from, unsigned to, size_t n)
{
	return (struct spans){
	    .from = from,
	    .to = to,
	    .room = n,
	    .start = array_zero(n, sizeof(uint32_t)),
	    .end = array_zero(n, sizeof(uint32_t)),
	    .length = array_zero(n, sizeof(uint32_t)),
	};
}

struct spans spans_new(unsigned from, unsigned to, size_t n, bool fan, bool high)
{
	struct spans s = spans_allocate(from, to, n);

	s.n = n;
	s.times = spill_new(n, sizeof *s.times);
	s.tos = fan ? array_zero(n, sizeof *s.tos) : NULL;
	s.length_high = high ? array_zero(n, sizeof *s.length_high) : NULL;
	return s;
}

static void make_blocks(struct spans *s)
{
	s->blocks = array_zero(s->room / SPANS_BLOCK + 1, sizeof *s->blocks);
	s->groups = array_zero(s->room / SPANS_GROUP + 1, sizeof *s->groups);
}

struct spans spans_new_sorted(unsigned from, unsigned to, size_t n)
{
	struct spans s = spans_allocate(from, to, n);

	make_blocks(&s);
	return s;
}

void spans_free(struct spans *s)
{
	free(s->start);
	free(s->end);
	spill_free(s->times);
	free(s->tos);
	free(s->length);
	free(s->length_high);
	free(s->blocks);
	free(s->groups);
	if (s->selection)
		free(s->selection->before);
	free(s->selection);
}

void spans_put(struct spans *s, size_t i, struct spans_entry entry)
{
	uint32_t high = (uint32_t)((uint64_t)entry.length >> 32);

	if (high && !s->length_high)
		s->length_high = array_zero(s->room, sizeof *s->length_high);
	if (s->length_high)
		s->length_high[i] = high;
	s->start[i] = entry.start;
	s->end[i] = entry.end;
	if (s->times)
		s->times[i] = entry.time;
	if (s->tos)
		s->tos[i] = entry.to;
	s->length[i] = (uint32_t)entry.length;
}

static int compare_starts(const void *pa, const void *pb)
{
	const struct spans_entry *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

static int compare_lengths(const void *pa, const void *pb)
{
	const struct spans_entry *a = pa, *b = pb;

	if (a->length != b->length)
		return a->length > b->length ? -1 : 1;
	return compare_starts(a, b);
}

static void sort(struct spans *s, size_t i, size_t end, int (*compare)(const void *, const void *))
{
	struct spans_entry *entries = array_zero(end - i, sizeof *entries);

	for (size_t k = i; k < end; k++)
		entries[k - i] = spans_get(s, k);
	qsort(entries, end - i, sizeof *entries, compare);
	for (size_t k = i; k < end; k++)
		spans_put(s, k, entries[k - i]);
	free(entries);
}

static bool ascends(const struct spans *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->start[i] < s->start[i - 1])
			return false;
	return true;
}

/* Sorts those that start at one time, the longest first. */
static void settle_times(struct spans *s)
{
	for (size_t i = 0, end; i < s->n; i = end) {
		bool good = true;
		for (end = i + 1; end < s->n && s->times[end] == s->times[i]; end++)
			good &= spans_length(s, end) <= spans_length(s, end - 1);
		if (!good)
			sort(s, i, end, compare_lengths);
	}
}

static void add_to_group(struct spans *s, size_t i, int64_t length)
{
	struct spans_group *g = &s->groups[i / SPANS_GROUP];

	if (i % SPANS_GROUP == 0)
		*g = (struct spans_group){length, length};
	g->shortest = length < g->shortest ? length : g->shortest;
	g->longest = length > g->longest ? length : g->longest;
}

static void add_to_block(struct spans *s, size_t i, int64_t start)
{
	struct spans_block *b = &s->blocks[i / SPANS_BLOCK];
	int64_t length = spans_length(s, i), end = start + length;

	if (i % SPANS_BLOCK == 0)
		*b = (struct spans_block){end,    end,    i ? b[-1].reached : end,
					  length, length, s->total};
	b->first_end = end < b->first_end ? end : b->first_end;
	b->last_end = end > b->last_end ? end : b->last_end;
	b->reached = end > b->reached ? end : b->reached;
	b->shortest = length < b->shortest ? length : b->shortest;
	b->longest = length > b->longest ? length : b->longest;
	add_to_group(s, i, length);
	s->longest = length > s->longest ? length : s->longest;
	s->total += (uint64_t)length;
}

void spans_append(struct spans *s, struct spans_entry entry)
{
	spans_put(s, s->n, entry);
	add_to_block(s, s->n++, entry.time);
}

void spans_finish(struct spans *s)
{
	if (!ascends(s))
		sort(s, 0, s->n, compare_starts);
	settle_times(s);
	make_blocks(s);
	for (size_t i = 0; i < s->n; i++)
		add_to_block(s, i, s->times[i]);
	spill_free(s->times);
	s->times = NULL;
}

/* Spans that start at one time are in the order of their lengths, not of their units. */
int64_t *spans_starts(const struct spans *s, const struct event_index *events)
{
	int64_t *starts = array_zero(s->n, sizeof *starts);
	struct event_walk w;

	for (size_t i = 0; i < s->n; i++) {
		if (i == 0 || s->start[i] < w.at.unit)
			event_walk_begin(&w, events, s->from, NULL);
		event_walk_to_unit(&w, s->start[i]);
		starts[i] = w.at.time;
	}
	return starts;
}

/* ---- finding them, and sums ---- */

/* Returns the end of the part of [i, end) that is in one block. */
static size_t spans_block_end(size_t i, size_t end)
{
	size_t last = (i / SPANS_BLOCK + 1) * SPANS_BLOCK;

	return last < end ? last : end;
}

static uint64_t total_short(const uint32_t *length, size_t n)
{
	uint64_t even = 0, odd = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		even += length[i];
		odd += length[i + 1];
	}
	return even + odd + (n % 2 ? length[n - 1] : 0);
}

static uint64_t total_each(const struct spans *s, size_t i, size_t end)
{
	uint64_t sum = 0;

	if (!s->length_high)
		return total_short(s->length + i, end - i);
	for (; i < end; i++)
		sum += (uint64_t)spans_length(s, i);
	return sum;
}

static uint64_t total_before(const struct spans *s, size_t i)
{
	if (i == s->n)
		return s->total;
	return s->blocks[i / SPANS_BLOCK].before + total_each(s, i - i % SPANS_BLOCK, i);
}

uint64_t spans_total(const struct spans *s, size_t i, size_t end)
{
	if (end - i > SPANS_BLOCK)
		return total_before(s, end) - total_before(s, i);
	return total_each(s, i, end);
}

/* Returns whether a whole group begins at i. */
static bool is_group(size_t i, size_t end)
{
	return i % SPANS_GROUP == 0 && end - i >= SPANS_GROUP;
}

size_t spans_find_longer(const struct spans *s, size_t i, size_t end, int64_t length)
{
	for (size_t next; i < end; i = next) {
		if (is_group(i, end) && s->groups[i / SPANS_GROUP].longest < length) {
			next = i + SPANS_GROUP;
			continue;
		}
		next = spans_block_end(i, end);
		if (s->blocks[i / SPANS_BLOCK].longest < length)
			continue;
		for (; i < next; i++)
			if (spans_length(s, i) >= length)
				return i;
	}
	return end;
}

static void span_sums_join(struct span_sums *sums, const struct span_sums *others)
{
	sums->count += others->count;
	sums->total += others->total;
	sums->shortest = others->shortest < sums->shortest ? others->shortest : sums->shortest;
	sums->longest = others->longest > sums->longest ? others->longest : sums->longest;
}

void span_sums_add(struct span_sums *sums, int64_t length)
{
	span_sums_join(sums, &(struct span_sums){1, length, length, (double)length});
}

/* Returns the extremes of as many spans from i on as are known together; *n: how many. */
static struct span_sums known_extremes(const struct spans *s, size_t i, size_t end, size_t *n)
{
	int64_t length = spans_length(s, i);

	*n = 1;
	if (is_group(i, end)) {
		const struct spans_group *g = &s->groups[i / SPANS_GROUP];
		*n = SPANS_GROUP;
		return (struct span_sums){.shortest = g->shortest, .longest = g->longest};
	}
	if (i % SPANS_BLOCK == 0 && end - i >= SPANS_BLOCK) {
		const struct spans_block *b = &s->blocks[i / SPANS_BLOCK];
		*n = SPANS_BLOCK;
		return (struct span_sums){.shortest = b->shortest, .longest = b->longest};
	}
	return (struct span_sums){.shortest = length, .longest = length};
}

void spans_add_sums(const struct spans *s, size_t i, size_t end, struct span_sums *sums)
{
	sums->total += (double)spans_total(s, i, end);
	sums->count += end - i;
	for (size_t n; i < end; i += n) {
		struct span_sums some = known_extremes(s, i, end, &n);
		span_sums_join(sums, &some);
	}
}

/* Visits those of [i, end), which is in one block, that reach the moment. */
static void reaching(const struct spans *s, struct event_walk *w, size_t i, size_t end,
		     struct spans_moment moment, spans_take take, void *context)
{
	for (; i < end; i++) {
		if (!s->tos && s->end[i] < moment.unit)
			continue;
		event_walk_to_unit(w, s->start[i]);
		if (w->at.time + spans_length(s, i) >= moment.time)
			take(context, s, i, w->at.time);
	}
}

/* Returns the start of the first block that may reach the time. */
static size_t reaching_from(const struct spans *s, size_t end, int64_t time)
{
	size_t low =
	    lower_bound(i, 0, (end + SPANS_BLOCK - 1) / SPANS_BLOCK, s->blocks[i].reached < time);

	return low * SPANS_BLOCK;
}

void spans_reaching(const struct spans *s, const struct event_index *events, size_t end,
		    struct spans_moment moment, spans_take take, void *context)
{
	struct event_walk w;

	event_walk_begin(&w, events, s->from, NULL);
	for (size_t i = reaching_from(s, end, moment.time), next; i < end; i = next) {
		next = spans_block_end(i, end);
		if (s->blocks[i / SPANS_BLOCK].last_end >= moment.time)
			reaching(s, &w, i, next, moment, take, context);
	}
}

/* Returns where the unit would be if starts were spread evenly. */
static size_t guess(const struct spans *s, uint32_t unit)
{
	return (size_t)((double)(unit - s->start[0]) / (s->start[s->n - 1] - s->start[0] + 1.0) *
			(double)s->n);
}

size_t spans_find(const struct spans *s, uint32_t unit)
{
	if (s->n == 0 || unit <= s->start[0])
		return 0;
	if (unit > s->start[s->n - 1])
		return s->n;
	return units_near(s->start, 0, s->n, guess(s, unit), unit);
}

size_t spans_find_after(const struct spans *s, size_t i, uint32_t unit)
{
	size_t near;

	if (i == s->n || unit <= s->start[i])
		return i;
	if (unit > s->start[s->n - 1])
		return s->n;
	near = guess(s, unit);
	return units_near(s->start, i, s->n, near > i ? near : i, unit);
}

/* ---- selection ---- */

unsigned spans_select_step = 1024;

/* Bounds of lengths of 32 bits; greater ones are beyond all of these. */
struct bounds {
	uint32_t least, span;
};

static struct bounds bounds_of(int64_t least, int64_t most)
{
	uint32_t low = least < 0 ? 0 : (uint32_t)least;
	uint32_t high = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;

	return (struct bounds){low, high - low};
}

/* Counts a whole block, with vectors. */
static uint32_t count_block(const uint32_t *length, struct bounds b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < SPANS_BLOCK; i++)
		n += length[i] - b.least <= b.span;
	return n;
}

enum { PART = 8 };

static uint32_t count_part(const uint32_t *length, size_t size, struct bounds b)
{
	uint32_t n = 0;
	size_t i = 0;

	for (; i + PART <= size; i += PART)
		for (size_t k = 0; k < PART; k++)
			n += length[i + k] - b.least <= b.span;
	for (; i < size; i++)
		n += length[i] - b.least <= b.span;
	return n;
}

static uint64_t count_short(const uint32_t *length, size_t size, struct bounds b)
{
	uint64_t n = 0;

	for (; size >= SPANS_BLOCK; size -= SPANS_BLOCK, length += SPANS_BLOCK)
		n += count_block(length, b);
	return n + count_part(length, size, b);
}

static uint64_t count_selected(const struct spans *s, size_t i, size_t end, int64_t least,
			       int64_t most)
{
	uint64_t n = 0;

	if (most < least || most < 0 || i >= end || (!s->length_high && least > UINT32_MAX))
		return 0;
	if (!s->length_high)
		return count_short(s->length + i, end - i, bounds_of(least, most));
	for (; i < end; i++)
		n += spans_length(s, i) >= least && spans_length(s, i) <= most;
	return n;
}

static uint64_t count_in_block(const struct spans *s, size_t block, int64_t least, int64_t most)
{
	const struct spans_block *b = &s->blocks[block];
	size_t i = block * SPANS_BLOCK, end = i + SPANS_BLOCK < s->n ? i + SPANS_BLOCK : s->n;

	if (b->longest < least || b->shortest > most)
		return 0;
	if (b->shortest >= least && b->longest <= most)
		return end - i;
	return count_selected(s, i, end, least, most);
}

static size_t blocks_of(const struct spans *s)
{
	return (s->n + SPANS_BLOCK - 1) / SPANS_BLOCK;
}

bool spans_selected(const struct spans *s, int64_t least, int64_t most)
{
	const struct spans_selection *c = s->selection;

	return s->n <= SPANS_BLOCK ||
	       (c && c->least == least && c->most == most && c->counted == blocks_of(s));
}

static struct spans_selection *selection_begin(struct spans *s, int64_t least, int64_t most)
{
	struct spans_selection *c = s->selection;

	if (!c) {
		s->selection = c = array_zero(1, sizeof *c);
		c->before = array_zero(blocks_of(s) + 1, sizeof *c->before);
	}
	if (c->least != least || c->most != most)
		c->counted = 0;
	c->least = least;
	c->most = most;
	return c;
}

bool spans_select(struct spans *s, int64_t least, int64_t most, int64_t until)
{
	struct spans_selection *c = selection_begin(s, least, most);
	size_t n = blocks_of(s);

	do
		for (unsigned i = 0; i < spans_select_step && c->counted < n; i++) {
			uint64_t count = count_in_block(s, c->counted, least, most);
			c->before[c->counted + 1] = c->before[c->counted] + count;
			c->counted++;
		}
	while (c->counted < n && monotonic_now() < until);
	return c->counted == n;
}

struct selection_walk selection_walk_begin(const struct spans *s, size_t i, int64_t least,
					   int64_t most)
{
	bool counted = s->n > SPANS_BLOCK && spans_selected(s, least, most);

	return (struct selection_walk){
	    .spans = s, .least = least, .most = most, .at = i, .counted = counted};
}

static uint64_t selected_before(const struct selection_walk *w, size_t i)
{
	size_t block = i / SPANS_BLOCK;

	return w->spans->selection->before[block] +
	       count_selected(w->spans, block * SPANS_BLOCK, i, w->least, w->most);
}

/*
 * Counts the selected spans up to end. Few are looked at one by one. How many there are before the
 * last end is known mostly.
 */
uint64_t selection_walk_to(struct selection_walk *w, size_t end)
{
	size_t i = w->at;
	uint64_t n;

	w->at = end;
	if (!w->counted || end - i <= SPANS_BLOCK) {
		w->known = false;
		return count_selected(w->spans, i, end, w->least, w->most);
	}
	n = w->known ? w->before : selected_before(w, i);
	w->before = selected_before(w, end);
	w->known = true;
	return w->before - n;
}

/* Finds the first selected one of [i, end), which is in one block. */
static size_t first_in_block(const struct selection_walk *w, size_t i, size_t end)
{
	while (i < end &&
	       (spans_length(w->spans, i) < w->least || spans_length(w->spans, i) > w->most))
		i++;
	return i;
}

/* Returns the first of the blocks [low, high) that has a selected span, or high. */
static size_t first_block(const struct selection_walk *w, size_t low, size_t high)
{
	const uint64_t *counts = w->spans->selection->before;
	uint64_t none = counts[low];

	return lower_bound(i, low, high, counts[i + 1] == none);
}

size_t selection_walk_first(const struct selection_walk *w, size_t i, size_t end)
{
	size_t next, found;

	for (; i < end; i = next) {
		next = (i / SPANS_BLOCK + 1) * SPANS_BLOCK;
		next = next < end ? next : end;
		found = first_in_block(w, i, next);
		if (found < next)
			return found;
		if (w->counted && next < end)
			next = first_block(w, next / SPANS_BLOCK,
					   (end + SPANS_BLOCK - 1) / SPANS_BLOCK) *
			       SPANS_BLOCK;
	}
	return end;
}
