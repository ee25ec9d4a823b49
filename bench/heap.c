/*
 * Takes and gives back blocks of random sizes, a thousand alive at a time, from stacks of 4 to 20
 * calls. Adds a line to the file that its argument names: nanoseconds for one malloc() and free().
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ALIVE = 1024, TURNS = 1000000 };

static void *blocks[ALIVE];
static uint32_t seed = 1;

static uint32_t random_next(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

__attribute__((noinline)) static void turn(unsigned int place, size_t size)
{
	free(blocks[place]);
	blocks[place] = malloc(size);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static int descend(unsigned int depth, unsigned int place, size_t size)
{
	int sum = 0;

	if (!depth)
		turn(place, size);
	else if (depth & 1)
		sum = descend(depth - 1, place, size) + 1;
	else
		sum = descend(depth - 1, place, size) - 1;
	__asm__ volatile("" ::: "memory");
	return sum;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double begin = seconds();
	FILE *file;

	for (int i = 0; i < TURNS; i++) {
		uint32_t random = random_next();

		descend(random % 16, random_next() % ALIVE, 16 + (random >> 4) % 500);
	}
	begin = seconds() - begin;
	file = argc > 1 ? fopen(argv[1], "a") : stdout;
	if (!file)
		return 2;
	fprintf(file, "%.1f\n", begin * 1e9 / TURNS);
	return fclose(file) != 0;
}
