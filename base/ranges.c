#include "base/ranges.h"
#include "base/search.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Merges two runs of ranges, by their beginnings, to another place. */
static void runs_merge(const struct moment_range *a, size_t na, const struct moment_range *b,
		       size_t nb, struct moment_range *to)
{
	while (na && nb) {
		bool first = a->from <= b->from;

		*to++ = first ? *a : *b;
		a += first;
		na -= first;
		b += !first;
		nb -= !first;
	}
	memcpy(to, na ? a : b, (na + nb) * sizeof *to);
}

/* Sorts runs, of which each is sorted: from thread to thread the ranges begin anew. */
static void runs_sort(struct moment_range *r, size_t n)
{
	struct moment_range *spare = array_new(n, sizeof *spare), *from = r, *to = spare;
	VECTOR(size_t) begins = {0};

	for (size_t i = 0; i < n; i++)
		if (!i || r[i].from < r[i - 1].from)
			*vector_add(&begins) = i;
	while (begins.n > 1) {
		size_t kept = 0;

		for (size_t i = 0; i < begins.n; i += 2) {
			size_t first = begins.at[i],
			       second = i + 1 < begins.n ? begins.at[i + 1] : n;
			size_t end = i + 2 < begins.n ? begins.at[i + 2] : n;

			runs_merge(from + first, second - first, from + second, end - second,
				   to + first);
			begins.at[kept++] = first;
		}
		begins.n = kept;
		to = from;
		from = from == r ? spare : r;
	}
	if (from != r)
		memcpy(r, from, n * sizeof *r);
	free(spare);
	free(begins.at);
}

size_t ranges_join(struct moment_range *r, size_t n)
{
	size_t kept = 0;

	runs_sort(r, n);
	for (size_t i = 0; i < n; i++)
		if (kept && r[i].from <= r[kept - 1].to)
			r[kept - 1].to = later(r[kept - 1].to, r[i].to);
		else
			r[kept++] = r[i];
	return kept;
}

void ranges_add(moment_ranges *ranges, struct moment_range r)
{
	struct moment_range *last = ranges->n ? &ranges->at[ranges->n - 1] : NULL;

	if (last && r.from >= last->from && r.from <= last->to)
		last->to = later(last->to, r.to);
	else
		*vector_add(ranges) = r;
}

void ranges_take(moment_ranges *ranges, moment_ranges *others)
{
	if (!ranges->n) {
		moment_ranges none = *ranges;

		*ranges = *others;
		*others = none;
	} else if (others->n) {
		vector_append(ranges, others->at, others->n);
		ranges->n = ranges_join(ranges->at, ranges->n);
	}
}

int64_t ranges_length(const moment_ranges *ranges)
{
	int64_t sum = 0;

	for (size_t i = 0; i < ranges->n; i++)
		sum += ranges->at[i].to - ranges->at[i].from;
	return sum;
}

int64_t ranges_within(const moment_ranges *ranges, int64_t from, int64_t to)
{
	size_t i = lower_bound(k, 0, ranges->n, ranges->at[k].to <= from);
	int64_t sum = 0;

	for (; i < ranges->n && ranges->at[i].from < to; i++)
		sum += sooner(to, ranges->at[i].to) - later(from, ranges->at[i].from);
	return sum;
}

int64_t ranges_common(const moment_ranges *a, const moment_ranges *b)
{
	int64_t sum = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		const struct moment_range *x = &a->at[i], *y = &b->at[k];
		int64_t from = later(x->from, y->from), to = sooner(x->to, y->to);

		if (from < to)
			sum += to - from;
		if (x->to < y->to)
			i++;
		else
			k++;
	}
	return sum;
}
