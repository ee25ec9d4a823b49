#include "base/radix_sort.h"
#include "base/array.h"
#include "base/spill.h"
#include <stdlib.h>
#include <string.h>

enum { FEW = 48, DIGIT = 11, DIGITS = 6 };

static void insertion_sort(struct keyed *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct keyed one = list[i];
		size_t k = i;

		for (; k > 0 && list[k - 1].key < one.key; k--)
			list[k] = list[k - 1];
		list[k] = one;
	}
}

/* Of the complement, which makes the order descending. */
static size_t digit_of(const struct keyed *k, unsigned digit)
{
	return ~k->key >> (digit * DIGIT) & ((1 << DIGIT) - 1);
}

static void count_digits(const struct keyed *list, size_t n, size_t (*count)[1 << DIGIT])
{
	memset(count, 0, DIGITS * sizeof *count);
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit_of(&list[i], d)]++;
}

static void sort_digit(const struct keyed *from, struct keyed *to, size_t n, unsigned digit,
		       size_t *count)
{
	size_t sum = 0;

	for (size_t d = 0; d < 1 << DIGIT; d++) {
		size_t here = count[d];

		count[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[digit_of(&from[i], digit)]++] = from[i];
}

void keyed_sort(struct keyed *list, size_t n)
{
	size_t(*count)[1 << DIGIT];
	struct keyed *other, *from = list, *to;

	if (n <= FEW) {
		insertion_sort(list, n);
		return;
	}
	count = array_new(DIGITS, sizeof *count);
	other = to = spill_new(n, sizeof *other);
	count_digits(list, n, count);
	for (unsigned d = 0; d < DIGITS; d++) {
		struct keyed *swap = from;

		if (count[d][digit_of(&from[0], d)] == n)
			continue;
		sort_digit(from, to, n, d, count[d]);
		from = to;
		to = swap;
	}
	if (from != list)
		memcpy(list, from, n * sizeof *list);
	spill_free(other);
	free(count);
}
