#include "viewers/nibble/sample/samples.h"
#include "base/array.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

static void *room_for_one(const struct value_samples *s, void *array, size_t size)
{
	size_t room = s->room;

	return vector_grow(array, s->n, &room, size);
}

/* Makes room for one more in every array. */
static void samples_grow(struct value_samples *s)
{
	if (s->has_end)
		s->end = room_for_one(s, s->end, sizeof *s->end);
	if (s->has_value)
		s->value = room_for_one(s, s->value, sizeof *s->value);
	if (s->has_key)
		s->key = room_for_one(s, s->key, sizeof *s->key);
	if (s->has_thread)
		s->thread = room_for_one(s, s->thread, sizeof *s->thread);
	s->at = vector_grow(s->at, s->n, &s->room, sizeof *s->at);
}

void samples_reserve(struct value_samples *s, size_t n)
{
	s->room = n + 1;
	s->at = array_resize(s->at, s->room, sizeof *s->at);
	if (s->has_end)
		s->end = array_resize(s->end, s->room, sizeof *s->end);
	if (s->has_value)
		s->value = array_resize(s->value, s->room, sizeof *s->value);
	if (s->has_key)
		s->key = array_resize(s->key, s->room, sizeof *s->key);
	if (s->has_thread)
		s->thread = array_resize(s->thread, s->room, sizeof *s->thread);
}

struct value_samples samples_like(const struct value_samples *s)
{
	return (struct value_samples){
	    .has_end = s->has_end,
	    .has_value = s->has_value,
	    .has_key = s->has_key,
	    .has_thread = s->has_thread,
	};
}

void samples_copy(struct value_samples *to, size_t at, const struct value_samples *from)
{
	size_t n = from->n;

	if (n == 0)
		return;
	memcpy(to->at + at, from->at, n * sizeof *to->at);
	if (to->has_end)
		memcpy(to->end + at, from->end, n * sizeof *to->end);
	if (to->has_value)
		memcpy(to->value + at, from->value, n * sizeof *to->value);
	if (to->has_key)
		memcpy(to->key + at, from->key, n * sizeof *to->key);
	if (to->has_thread)
		memcpy(to->thread + at, from->thread, n * sizeof *to->thread);
}

void samples_add(struct value_samples *s, const struct value_sample *one)
{
	if (s->n == s->room)
		samples_grow(s);
	if (s->has_end)
		s->end[s->n] = one->end;
	if (s->has_value)
		s->value[s->n] = one->value;
	if (s->has_key)
		s->key[s->n] = one->key;
	if (s->has_thread)
		s->thread[s->n] = one->thread;
	s->at[s->n++] = one->at;
}

static struct value_sample samples_get(const struct value_samples *s, size_t i)
{
	return (struct value_sample){
	    .at = s->at[i],
	    .end = s->has_end ? s->end[i] : 0,
	    .value = s->has_value ? s->value[i] : 0,
	    .key = s->has_key ? s->key[i] : 0,
	    .thread = s->has_thread ? s->thread[i] : 0,
	};
}

static bool samples_in_order(const struct value_samples *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->at[i] < s->at[i - 1])
			return false;
	return true;
}

/* A sample to sort, with its place as the tie-break. */
struct indexed_sample {
	struct value_sample sample;
	size_t place;
};

static int compare_places(const void *left, const void *right)
{
	const struct indexed_sample *a = left, *b = right;

	if (a->sample.at != b->sample.at)
		return a->sample.at < b->sample.at ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

void samples_sort(struct value_samples *s)
{
	struct indexed_sample *sorted;
	size_t n = s->n;

	if (samples_in_order(s))
		return;
	sorted = array_zero(n, sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct indexed_sample){samples_get(s, i), i};
	qsort(sorted, n, sizeof *sorted, compare_places);
	s->n = 0;
	for (size_t i = 0; i < n; i++)
		samples_add(s, &sorted[i].sample);
	free(sorted);
}

/* Copies a sample to a place before it. */
static void samples_move(struct value_samples *s, size_t to, size_t from)
{
	s->at[to] = s->at[from];
	s->end[to] = s->end[from];
	s->thread[to] = s->thread[from];
	if (s->has_value)
		s->value[to] = s->value[from];
	if (s->has_key)
		s->key[to] = s->key[from];
}

void samples_unite(struct value_samples *s, size_t n)
{
	/* the newest sample of each thread, from 1; 0: there is none */
	size_t *newest = array_zero(n, sizeof *newest), kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		size_t *last = &newest[s->thread[i]];

		if (*last > 0 && s->at[i] <= s->end[*last - 1]) {
			if (s->end[i] > s->end[*last - 1])
				s->end[*last - 1] = s->end[i];
			continue;
		}
		samples_move(s, kept++, i);
		*last = kept;
	}
	s->n = kept;
	free(newest);
}

static int compare_keys(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* Distinct keys, in order. */
struct key_list {
	int64_t *at;
	size_t n, room;
};

/* Returns the place of a key, or the place where to insert it. */
static size_t key_place(const struct key_list *k, int64_t key)
{
	return lower_bound(i, 0, k->n, k->at[i] < key);
}

/* Up to so many keys are inserted one by one; more are sorted. */
enum { FEW_KEYS = 1 << 12 };

static bool keys_add(struct key_list *k, int64_t key)
{
	size_t place = key_place(k, key);

	if (place < k->n && k->at[place] == key)
		return true;
	if (k->n == FEW_KEYS)
		return false;
	vector_add(k);
	memmove(k->at + place + 1, k->at + place, (k->n - 1 - place) * sizeof *k->at);
	k->at[place] = key;
	return true;
}

static void keys_sort(struct key_list *k, const struct value_samples *s)
{
	free(k->at);
	k->at = array_zero(s->n, sizeof *k->at);
	memcpy(k->at, s->key, s->n * sizeof *k->at);
	qsort(k->at, s->n, sizeof *k->at, compare_keys);
	k->n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (k->n == 0 || k->at[i] != k->at[k->n - 1])
			k->at[k->n++] = k->at[i];
}

static struct key_list distinct_keys(const struct value_samples *s)
{
	struct key_list k = {0};

	for (size_t i = 0; i < s->n; i++)
		if (!keys_add(&k, s->key[i])) {
			keys_sort(&k, s);
			break;
		}
	return k;
}

size_t samples_split(const struct value_samples *s, struct value_samples **parts)
{
	struct key_list keys = distinct_keys(s);

	*parts = array_zero(keys.n, sizeof **parts);
	for (size_t k = 0; k < keys.n; k++)
		(*parts)[k] = samples_like(s);
	for (size_t i = 0; i < s->n; i++) {
		struct value_sample one = samples_get(s, i);

		samples_add(&(*parts)[key_place(&keys, one.key)], &one);
	}
	free(keys.at);
	return keys.n;
}

size_t samples_split_threads(const struct value_samples *s, size_t n, struct value_samples **parts)
{
	size_t *counts = array_zero(n, sizeof *counts), *places = array_zero(n, sizeof *places);
	size_t used = 0;

	for (size_t i = 0; i < s->n; i++)
		counts[s->thread[i]]++;
	*parts = array_zero(n, sizeof **parts);
	for (size_t k = 0; k < n; k++) {
		if (counts[k] == 0)
			continue;
		places[k] = used;
		(*parts)[used] = samples_like(s);
		samples_reserve(&(*parts)[used++], counts[k]);
	}
	for (size_t i = 0; i < s->n; i++) {
		struct value_sample one = samples_get(s, i);

		samples_add(&(*parts)[places[s->thread[i]]], &one);
	}
	free(counts);
	free(places);
	return used;
}

void samples_clear(struct value_samples *s)
{
	free(s->at);
	free(s->end);
	free(s->value);
	free(s->key);
	free(s->thread);
	*s = (struct value_samples){0};
}
