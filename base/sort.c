#include "base/sort.h"
#include "base/array.h"
#include "base/spill.h"
#include <stdbool.h>
#include <stdlib.h>

enum {
	FEW = 32,    /* so many are put in order one after the other */
	MANY = 1024, /* fewer are sorted by short digits, which have fewer values to count */
	SHORT_DIGIT = 8,
	DIGIT = 11,
	DIGITS = 6, /* of a word */
	VALUES = 1 << DIGIT,
};

#define SIGN ((uint64_t)1 << 63)

/* ---- sorting by digits ---- */

/* What words are ordered by. */
struct sort_order {
	uint64_t flip;  /* is exclusive-ored to a word, */
	unsigned from;  /* and the bits from this one on count */
	unsigned digit; /* bits of one */
};

static inline uint64_t sort_key_of(uint64_t word, struct sort_order o)
{
	return (word ^ o.flip) >> o.from;
}

static bool in_order(const uint64_t *words, size_t n, struct sort_order o)
{
	for (size_t i = 1; i < n; i++)
		if (sort_key_of(words[i], o) < sort_key_of(words[i - 1], o))
			return false;
	return true;
}

static void insertion_sort(uint64_t *words, size_t n, struct sort_order o)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t word = words[i], key = sort_key_of(word, o);
		size_t k = i;

		for (; k > 0 && sort_key_of(words[k - 1], o) > key; k--)
			words[k] = words[k - 1];
		words[k] = word;
	}
}

/* Sorts by the digit that begins at bit o.from. Returns false if all have the same one. */
static bool sort_digit(const uint64_t *from, uint64_t *to, size_t n, struct sort_order o)
{
	size_t place[VALUES], values = (size_t)1 << o.digit, sum = 0;

	memset(place, 0, values * sizeof *place);
	for (size_t i = 0; i < n; i++)
		place[sort_key_of(from[i], o) & (values - 1)]++;
	if (place[sort_key_of(from[0], o) & (values - 1)] == n)
		return false;
	for (size_t d = 0; d < values; d++) {
		size_t count = place[d];

		place[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[place[sort_key_of(from[i], o) & (values - 1)]++] = from[i];
	return true;
}

/* Sorts from the lowest digit to the highest; spare has room for n, or is NULL. */
static void sort_digits(uint64_t *words, size_t n, struct sort_order o, uint64_t most,
			uint64_t *spare)
{
	uint64_t *own = NULL, *at = words, *to = spare;

	if (in_order(words, n, o))
		return;
	if (n <= FEW) {
		insertion_sort(words, n, o);
		return;
	}
	if (!spare)
		own = to = spill_new(n, sizeof *own);
	o.digit = n < MANY ? SHORT_DIGIT : DIGIT;
	for (; o.from < 64 && most >> o.from > 0; o.from += o.digit) {
		if (sort_digit(at, to, n, o)) {
			uint64_t *swap = at;

			at = to;
			to = swap;
		}
	}
	if (at != words)
		memcpy(words, at, n * sizeof *words);
	spill_free(own);
}

void sort_words(int64_t *words, size_t n)
{
	sort_digits((uint64_t *)words, n, (struct sort_order){.flip = SIGN}, UINT64_MAX, NULL);
}

void sort_bits(uint64_t *words, size_t n, unsigned from, uint64_t most, uint64_t *spare)
{
	sort_digits(words, n, (struct sort_order){.from = from}, most, spare);
}

/* Replaces each number by its word, and back. */
static int64_t *words_of(double *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int64_t word = sort_word_of(numbers[i]);

		memcpy(&numbers[i], &word, sizeof word);
	}
	return (int64_t *)numbers;
}

void sort_doubles(double *numbers, size_t n)
{
	int64_t *words = words_of(numbers, n);

	sort_words(words, n);
	for (size_t i = 0; i < n; i++) {
		double number = sort_double_of(words[i]);

		memcpy(&words[i], &number, sizeof number);
	}
}

/* ---- keys with the places of what has them ---- */

static void insertion_sort_keyed(struct keyed *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct keyed one = list[i];
		size_t k = i;

		for (; k > 0 && list[k - 1].key < one.key; k--)
			list[k] = list[k - 1];
		list[k] = one;
	}
}

/* Returns a digit of the complement, which makes the order descending. */
static size_t digit_of(const struct keyed *k, unsigned digit)
{
	return ~k->key >> (digit * DIGIT) & (VALUES - 1);
}

static void sort_keyed_digit(const struct keyed *from, struct keyed *to, size_t n, unsigned digit,
			     size_t *count)
{
	size_t sum = 0;

	for (size_t d = 0; d < VALUES; d++) {
		size_t here = count[d];

		count[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[digit_of(&from[i], digit)]++] = from[i];
}

void sort_keyed(struct keyed *list, size_t n)
{
	size_t(*count)[VALUES];
	struct keyed *other, *from = list, *to;

	if (n <= FEW) {
		insertion_sort_keyed(list, n);
		return;
	}
	count = array_zero(DIGITS, sizeof *count);
	other = to = spill_new(n, sizeof *other);
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit_of(&list[i], d)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		struct keyed *swap = from;

		if (count[d][digit_of(&from[0], d)] == n)
			continue;
		sort_keyed_digit(from, to, n, d, count[d]);
		from = to;
		to = swap;
	}
	if (from != list)
		memcpy(list, from, n * sizeof *list);
	spill_free(other);
	free(count);
}

/* ---- selection ---- */

static int64_t median(int64_t a, int64_t b, int64_t c)
{
	int64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/*
 * Returns the median of nine from all over the words: no order that logs have makes it a bad pivot
 * again and again.
 */
static int64_t pivot(const int64_t *words, size_t n, size_t round)
{
	int64_t three[3];

	for (size_t i = 0; i < 3; i++) {
		size_t at = (i * 3 * (n / 9) + round * 7919) % (n - 2 * (n / 9));

		three[i] = median(words[at], words[at + n / 9], words[at + 2 * (n / 9)]);
	}
	return median(three[0], three[1], three[2]);
}

static void select_least(int64_t *words, size_t n)
{
	size_t least = 0;
	int64_t word;

	for (size_t i = 1; i < n; i++)
		least = words[i] < words[least] ? i : least;
	word = words[least];
	words[least] = words[0];
	words[0] = word;
}

/*
 * Quickselect. Words equal to the pivot stop both scans, so that many equal ones are halved as
 * well.
 */
void select_word(int64_t *words, size_t n, size_t k)
{
	if (k == 0 && n > 0) {
		select_least(words, n);
		return;
	}
	for (size_t round = 0; n > FEW; round++) {
		int64_t middle = pivot(words, n, round);
		size_t low = 0, high = n - 1;

		while (low <= high) {
			while (words[low] < middle)
				low++;
			while (words[high] > middle)
				high--;
			if (low > high)
				break;
			int64_t word = words[low];
			words[low++] = words[high];
			words[high] = word;
			if (high-- == 0)
				break;
		}
		if (high < n && k <= high) {
			n = high + 1;
		} else if (k >= low) {
			words += low;
			n -= low;
			k -= low;
		} else {
			return;
		}
	}
	insertion_sort((uint64_t *)words, n, (struct sort_order){.flip = SIGN});
}

static unsigned double_digit(double number, unsigned digit)
{
	uint64_t key = (uint64_t)sort_word_of(number) ^ SIGN;

	return (unsigned)(key >> digit * DIGIT) & (VALUES - 1);
}

/* Moves the numbers to the front in which a digit is the one that place *k has; *n of them stay. */
static void sort_narrow(double *numbers, size_t *n, size_t *k, unsigned digit)
{
	size_t count[VALUES] = {0}, kept = 0;
	unsigned wanted = 0;

	for (size_t i = 0; i < *n; i++)
		count[double_digit(numbers[i], digit)]++;
	while (*k >= count[wanted])
		*k -= count[wanted++];
	for (size_t i = 0; i < *n && count[wanted] < *n; i++) {
		numbers[kept] = numbers[i];
		kept += double_digit(numbers[i], digit) == wanted;
	}
	*n = count[wanted];
}

int64_t median_word(int64_t *words, size_t n, int64_t none)
{
	if (!n)
		return none;
	select_word(words, n, n / 2);
	return words[n / 2];
}

double select_double(double *numbers, size_t n, size_t k)
{
	int64_t *words;

	/* The highest digits of doubles, unlike those of words, tell most of them apart. */
	for (unsigned digit = DIGITS; n > MANY && digit-- > 0;)
		sort_narrow(numbers, &n, &k, digit);
	words = words_of(numbers, n);
	select_word(words, n, k);
	return sort_double_of(words[k]);
}
