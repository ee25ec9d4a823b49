/* Sorts 300000 numbers several times. Argument: how often. */
#include <stdlib.h>

enum { NUMBERS = 300000 };

static unsigned numbers[NUMBERS];

__attribute__((noinline)) static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

__attribute__((noinline)) static void sort_once(unsigned seed)
{
	for (int i = 0; i < NUMBERS; i++) {
		seed = seed * 1664525 + 1013904223;
		numbers[i] = seed;
	}
	qsort(numbers, NUMBERS, sizeof numbers[0], compare);
}

int main(int n, char **words)
{
	int times = n > 1 ? atoi(words[1]) : 6;

	for (int i = 0; i < times; i++)
		sort_once((unsigned)i);
	return numbers[0] > numbers[NUMBERS - 1];
}
