/*
 * The input of a function of the series language: the moments of one event type, or the instances
 * of one interval, with a value each. An instance of an interval is at its start, where gorge draws
 * its left end.
 */
#ifndef GLIMPSE_NIBBLE_SAMPLE_SAMPLES_H
#define GLIMPSE_NIBBLE_SAMPLE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrays that a function does not need are NULL. */
struct value_samples {
	size_t n, room;
	size_t before; /* how many there are before the first, if only their number matters */
	bool has_end, has_value, has_key, has_thread;
	double *at;       /* nanoseconds; in order after samples_sort() */
	double *end;      /* of the instance */
	double *value;    /* the attribute, metric or duration */
	int64_t *key;     /* the member of the family it belongs to */
	uint32_t *thread; /* of the anchor: its index in the trace */
};

struct value_sample {
	double at, end, value;
	int64_t key;
	uint32_t thread;
};

/* Returns empty samples with the same arrays. */
struct value_samples samples_like(const struct value_samples *s);
/* Copies samples to the places from at on, for which there is room. */
void samples_copy(struct value_samples *to, size_t at, const struct value_samples *from);
/* Makes room for n samples. */
void samples_reserve(struct value_samples *s, size_t n);
void samples_add(struct value_samples *s, const struct value_sample *one);
/* Sorts by time, keeping the order of equals. */
void samples_sort(struct value_samples *s);
/*
 * Joins those of one thread that overlap or meet, so that a thread has at most one at a time. The
 * samples are in order of time, and have ends and n threads.
 */
void samples_unite(struct value_samples *s, size_t n);
/*
 * Splits samples with keys into one set for each key, in the order of the keys. Returns how many;
 * the caller releases each set with samples_clear(), then *parts with free(). The key of a set is
 * its key[0].
 */
size_t samples_split(const struct value_samples *s, struct value_samples **parts);
/* Does the same by threads; there are n. The thread of a set is its thread[0]. */
size_t samples_split_threads(const struct value_samples *s, size_t n, struct value_samples **parts);
void samples_clear(struct value_samples *s);

#endif
