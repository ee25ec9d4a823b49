#include "viewers/gorge/durations.h"
#include "trace/series.h"
#include "viewers/gorge/lookup.h"
#include "viewers/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Durations that are so many times as long as others are in bins that grow. */
enum { BINS = 40, GROWING = 30 };

/* Those that are asked for are gone through again for each question: none is kept. */
struct durations {
	struct model *model;
	const struct interval *interval;
	const struct durations_of *of;
	uint64_t n;
	double total;
	int64_t shortest, longest;
};

static void each(const struct durations *d, lengths_take take, void *context)
{
	lookup_lengths(d->model, d->interval, d->of->window, d->of->threads, take, context);
}

static void add_up(void *context, const struct lengths *l)
{
	struct durations *d = context;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		d->shortest = length < d->shortest ? length : d->shortest;
		d->longest = length > d->longest ? length : d->longest;
		d->total += (double)length;
	}
	d->n += l->n;
}

static struct durations collect(struct model *m, const struct interval *interval,
				const struct durations_of *of)
{
	struct durations d = {m, interval, of, 0, 0, INT64_MAX, INT64_MIN};

	each(&d, add_up, &d);
	return d;
}

/* ---- quantiles: the digits of the one that is looked for, the highest first ---- */

enum { DIGIT_BITS = 12, DIGITS = 1 << DIGIT_BITS };

/* Those whose higher digits are the ones that are known, by their next digit. */
struct digits {
	uint64_t known;
	unsigned shift;         /* below it are digits that do not count yet */
	uint32_t *counts;
};

static void count_digits(void *context, const struct lengths *l)
{
	struct digits *d = context;

	for (size_t i = 0; i < l->n; i++) {
		uint64_t digits = (uint64_t)length_at(l, i) >> d->shift;
		if (digits >> DIGIT_BITS == d->known)
			d->counts[digits % DIGITS]++;
	}
}

static int64_t nth(const struct durations *d, double q)
{
	uint64_t place = quantile_place(d->n, q);
	struct digits digits = {.counts = zeroed(DIGITS, sizeof *digits.counts)};

	while ((uint64_t)d->longest >> digits.shift >= DIGITS)
		digits.shift += DIGIT_BITS;
	for (;; digits.shift -= DIGIT_BITS) {
		unsigned digit = 0;
		memset(digits.counts, 0, DIGITS * sizeof *digits.counts);
		each(d, count_digits, &digits);
		for (; place >= digits.counts[digit]; digit++)
			place -= digits.counts[digit];
		digits.known = digits.known << DIGIT_BITS | digit;
		if (digits.shift == 0)
			break;
	}
	free(digits.counts);
	return (int64_t)digits.known;
}

static void write_numbers(const struct durations *d, struct json *j)
{
	json_uint(j, "count", d->n);
	if (d->n == 0)
		return;
	json_real(j, "total", d->total);
	json_real(j, "mean", d->total / (double)d->n);
	json_int(j, "shortest", d->shortest);
	json_int(j, "p50", nth(d, 0.5));
	json_int(j, "p99", nth(d, 0.99));
	json_int(j, "longest", d->longest);
}

/* ---- the histogram ---- */

/* Where bin i begins: whole nanoseconds, so that a range of bins is a range of durations. */
static int64_t bin_edge(const struct durations *d, int i)
{
	double first = (double)d->shortest, end = (double)d->longest + 1, part = (double)i / BINS;
	double base = fmax(first, 1);

	if (i == BINS)
		return d->longest + 1;
	if (i == 0 || end < base * GROWING)
		return d->shortest + (int64_t)((end - first) * part);
	return (int64_t)(base * pow(end / base, part));
}

/* The last bin that does not begin behind the duration. */
static int bin_of(const int64_t *edges, int64_t duration)
{
	int low = 0, high = BINS;

	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (edges[middle] <= duration)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct bins {
	int64_t edges[BINS + 1];
	uint64_t counts[BINS];
};

static void count_bins(void *context, const struct lengths *l)
{
	struct bins *b = context;

	for (size_t i = 0; i < l->n; i++)
		b->counts[bin_of(b->edges, length_at(l, i))]++;
}

static void write_bins(const struct durations *d, struct json *j)
{
	struct bins bins = {0};

	for (int i = 0; i <= BINS; i++)
		bins.edges[i] = bin_edge(d, i);
	each(d, count_bins, &bins);
	json_array(j, "bins");
	for (int i = 0; i < BINS; i++) {
		/* short durations have fewer values than bins */
		if (bins.edges[i] == bins.edges[i + 1])
			continue;
		json_array(j, NULL);
		json_int(j, NULL, bins.edges[i]);
		json_int(j, NULL, bins.edges[i + 1]);
		json_uint(j, NULL, bins.counts[i]);
		json_close(j);
	}
	json_close(j);
}

struct picked {
	int64_t least, most;
	uint64_t n;
};

static void pick(void *context, const struct lengths *l)
{
	struct picked *p = context;

	for (size_t i = 0; i < l->n; i++)
		p->n += length_at(l, i) >= p->least && length_at(l, i) <= p->most;
}

void durations_write_numbers(struct model *m, const struct interval *interval,
			     const struct durations_of *of, struct json *j)
{
	struct durations d = collect(m, interval, of);

	write_numbers(&d, j);
}

void durations_write(struct model *m, const struct interval *interval,
		     const struct durations_of *of, struct json *j)
{
	struct durations d = collect(m, interval, of);
	struct picked picked = {of->least, of->most, 0};

	write_numbers(&d, j);
	each(&d, pick, &picked);
	json_uint(j, "picked", picked.n);
	if (d.n)
		write_bins(&d, j);
}
