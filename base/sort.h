/* Sorts and selects numbers. Sorting goes digit by digit: no order of the numbers is a bad one. */
#ifndef GLIMPSE_BASE_SORT_H
#define GLIMPSE_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sorts ascending. */
void sort_words(int64_t *words, size_t n);
/* Sorts doubles in ascending order. None may be NaN. */
void sort_doubles(double *numbers, size_t n);
/*
 * Sorts ascending by the bits from "from" on; equal ones keep their order. No word is greater than
 * most; spare has room for n.
 */
void sort_bits(uint64_t *words, size_t n, unsigned from, uint64_t most, uint64_t *spare);

struct keyed {
	uint64_t key;
	size_t i;
};

/* Sorts descending by key; equal keys keep their order. */
void sort_keyed(struct keyed *list, size_t n);

/* Puts the word that sorting would put at place k there, and none greater before it. */
void select_word(int64_t *words, size_t n, size_t k);
/*
 * Returns the median, the upper one of an even number; `none` if n is 0. Changes the order of the
 * words.
 */
int64_t median_word(int64_t *words, size_t n, int64_t none);
/* Returns the number that sorting would put at place k; the numbers are lost. None is NaN. */
double select_double(double *numbers, size_t n, size_t k);

/* Turns a double, not NaN, into a word in the order of doubles; both zeros are one word. */
static inline int64_t sort_word_of(double number)
{
	int64_t word;

	number += 0.0;
	memcpy(&word, &number, sizeof word);
	return word < 0 ? word ^ INT64_MAX : word;
}

static inline double sort_double_of(int64_t word)
{
	double number;

	word = word < 0 ? word ^ INT64_MAX : word;
	memcpy(&number, &word, sizeof number);
	return number;
}

#endif
