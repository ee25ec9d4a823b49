#include "viewers/nibble/sample/number_sort.h"

#include "base/array.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Up to here putting one after the other in its place is fastest. */
enum { FEW = 32 };
/* From here on sorting by digits is faster than by comparison. */
enum { MANY = 4096, DIGIT = 11, DIGITS = 6, BUCKETS = 1 << DIGIT };

static bool in_order(const double *numbers, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (numbers[i] < numbers[i - 1])
			return false;
	return true;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* A whole number that is ordered like the number: negative ones are turned round. */
static uint64_t key_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static unsigned digit_of(double number, unsigned digit)
{
	return (unsigned)(key_of(number) >> digit * DIGIT) & (BUCKETS - 1);
}

/* Sorts by one digit, keeping the order of equals. False, and to is not written: all have the same.
 */
static bool sort_digit(const double *from, double *to, size_t n, unsigned digit)
{
	size_t start[BUCKETS + 1] = {0};

	for (size_t i = 0; i < n; i++)
		start[digit_of(from[i], digit) + 1]++;
	if (start[digit_of(from[0], digit) + 1] == n)
		return false;
	for (unsigned b = 0; b < BUCKETS; b++)
		start[b + 1] += start[b];
	for (size_t i = 0; i < n; i++)
		to[start[digit_of(from[i], digit)]++] = from[i];
	return true;
}

static void sort_by_digits(double *numbers, size_t n)
{
	double *spare = array_zero(n, sizeof *spare), *from = numbers, *to = spare;

	for (unsigned digit = 0; digit < DIGITS; digit++) {
		double *swap = from;

		if (!sort_digit(from, to, n, digit))
			continue;
		from = to;
		to = swap;
	}
	if (from != numbers)
		memcpy(numbers, from, n * sizeof *numbers);
	free(spare);
}

/*
 * The numbers in which the digit is the one that the rank falls into are moved to the front: *n of
 * them, among which the rank is then *rank.
 */
static void narrow(double *numbers, size_t *n, size_t *rank, unsigned digit)
{
	size_t count[BUCKETS] = {0}, kept = 0;
	unsigned wanted = 0;

	for (size_t i = 0; i < *n; i++)
		count[digit_of(numbers[i], digit)]++;
	while (*rank >= count[wanted])
		*rank -= count[wanted++];
	for (size_t i = 0; i < *n && count[wanted] < *n; i++) {
		numbers[kept] = numbers[i];
		kept += digit_of(numbers[i], digit) == wanted;
	}
	*n = count[wanted];
}

double select_double(double *numbers, size_t n, size_t rank)
{
	for (unsigned digit = DIGITS; n > 1 && digit-- > 0;)
		narrow(numbers, &n, &rank, digit);
	return numbers[0];
}

size_t quantile_rank(double q, size_t n)
{
	size_t rank = ((size_t)llround(q * 1e6) * n + 999999) / 1000000;

	return rank < 1 ? 0 : rank - 1;
}

static void insert_each(uint64_t *numbers, size_t n, unsigned from)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t number = numbers[i];
		size_t k = i;

		for (; k > 0 && numbers[k - 1] >> from > number >> from; k--)
			numbers[k] = numbers[k - 1];
		numbers[k] = number;
	}
}

static bool bits_in_order(const uint64_t *numbers, size_t n, unsigned from)
{
	for (size_t i = 1; i < n; i++)
		if (numbers[i] >> from < numbers[i - 1] >> from)
			return false;
	return true;
}

static void sort_bits_at(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	size_t start[BUCKETS + 1] = {0};

	for (size_t i = 0; i < n; i++)
		start[(from[i] >> shift & (BUCKETS - 1)) + 1]++;
	for (unsigned b = 0; b < BUCKETS; b++)
		start[b + 1] += start[b];
	for (size_t i = 0; i < n; i++)
		to[start[from[i] >> shift & (BUCKETS - 1)]++] = from[i];
}

void sort_bits(uint64_t *numbers, size_t n, unsigned from, uint64_t most, uint64_t *spare)
{
	uint64_t *at = numbers, *to = spare;

	if (bits_in_order(numbers, n, from))
		return;
	if (n <= FEW) {
		insert_each(numbers, n, from);
		return;
	}
	for (unsigned shift = from; shift < 64 && most >> shift > 0; shift += DIGIT) {
		uint64_t *swap = at;

		sort_bits_at(at, to, n, shift);
		at = to;
		to = swap;
	}
	if (at != numbers)
		memcpy(numbers, at, n * sizeof *numbers);
}

void sort_doubles(double *numbers, size_t n)
{
	if (in_order(numbers, n))
		return;
	if (n < MANY)
		qsort(numbers, n, sizeof *numbers, compare_doubles);
	else
		sort_by_digits(numbers, n);
}
