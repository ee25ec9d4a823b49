/* Selection and sorting of words: what exact quantiles take. */
#include "base/spill.h"
#include "match/stats/series.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 32, DIGIT = 11, DIGITS = 6 };

size_t quantile_place(size_t n, double q)
{
	unsigned __int128 millionths = (unsigned __int128)llround(q * 1e6);
	unsigned __int128 at = (millionths * n + 999999) / 1000000;

	return at == 0 ? 0 : at > n ? n - 1 : (size_t)at - 1;
}

static void insertion_sort(int64_t *words, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		int64_t word = words[i];
		size_t k = i;

		for (; k > 0 && words[k - 1] > word; k--)
			words[k] = words[k - 1];
		words[k] = word;
	}
}

static int64_t median(int64_t a, int64_t b, int64_t c)
{
	int64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* The median of nine from all over the words: no order that logs have makes it a bad pivot again
 * and again. */
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

/* Quickselect; values equal to the pivot stop both scans, so that many equal ones are halved as
 * well. */
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
	insertion_sort(words, n);
}

static size_t digit_of(int64_t word, unsigned digit)
{
	return ((uint64_t)word ^ (uint64_t)1 << 63) >> (digit * DIGIT) & ((1 << DIGIT) - 1);
}

/* By one digit; false when all words have the same, and nothing is to be done. */
static bool sort_digit(const int64_t *from, int64_t *to, size_t n, unsigned digit)
{
	size_t place[1 << DIGIT] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		place[digit_of(from[i], digit)]++;
	if (place[digit_of(from[0], digit)] == n)
		return false;
	for (size_t d = 0; d < 1 << DIGIT; d++) {
		size_t count = place[d];

		place[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[place[digit_of(from[i], digit)]++] = from[i];
	return true;
}

/* Digit by digit, from the lowest. */
void sort_words(int64_t *words, size_t n)
{
	int64_t *other, *from = words, *to;

	if (n <= FEW) {
		insertion_sort(words, n);
		return;
	}
	other = to = spill_new(n, sizeof *other);
	for (unsigned digit = 0; digit < DIGITS; digit++) {
		if (sort_digit(from, to, n, digit)) {
			int64_t *swap = from;

			from = to;
			to = swap;
		}
	}
	if (from != words)
		memcpy(words, from, n * sizeof *words);
	spill_free(other);
}
