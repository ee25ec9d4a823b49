/*
 * sampled SAMPLES THREADS: threads whose call stacks are sampled, of STACKS different ones at most DEEPEST deep; every
 * other sample is like the one before, the others are near it. Logs as GLIMPSE_DIR says.
 */
#include "sampled_glimpse.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	STACKS = 20000,
	BRANCHES = 4,
	DEEPEST = 24,
	EACH = 16,
	SLICE = 100,
	PERIOD = 1000000,
	THREADS = 64
};

static unsigned long samples_each;
static char code[(DEEPEST + 1) * EACH * 64]; /* its bytes stand for functions */

static uint64_t random_next(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state >> 33;
}

static struct {
	unsigned parent, depth, children, child[BRANCHES];
} stacks[STACKS + 1];

/* A tree of frames: each below one of those before, the first below none. No function calls itself. */
static void stacks_log(void)
{
	uint64_t state = 1;

	for (unsigned i = 1; i <= STACKS; i++) {
		unsigned parent = i == 1 ? 0 : 1 + (unsigned)(random_next(&state) % (i - 1));

		while (stacks[parent].depth == DEEPEST || stacks[parent].children == BRANCHES)
			parent = 1 + (unsigned)(random_next(&state) % (i - 1));
		stacks[parent].child[stacks[parent].children++] = i;
		stacks[i].parent = parent;
		stacks[i].depth = stacks[parent].depth + 1;
		Frame_StampAt(1, i, parent,
			      &code[(stacks[i].depth * EACH + random_next(&state) % EACH) * 64]);
	}
}

/* Some frames up, and down again where there are some. */
static unsigned stack_near(unsigned stack, uint64_t *state)
{
	for (uint64_t up = random_next(state) % 5; up && stacks[stack].parent; up--)
		stack = stacks[stack].parent;
	for (uint64_t down = random_next(state) % 8; down && stacks[stack].children; down--)
		stack = stacks[stack].child[random_next(state) % stacks[stack].children];
	return stack;
}

static void *work(void *name)
{
	uint64_t state = (uintptr_t)name, time = 1;
	unsigned stack = 1;

	glimpse_thread_name(name);
	In_StampAt(time, 0);
	for (unsigned long i = 0; i < samples_each; i++) {
		time += PERIOD;
		if (i % SLICE == SLICE - 1) {
			Out_StampAt(time - PERIOD / 2);
			In_StampAt(time - PERIOD / 4, 0);
		}
		if (random_next(&state) % 2)
			stack = stack_near(stack, &state);
		Sample_StampAt(time, stack);
	}
	Out_StampAt(time);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	char names[THREADS][16];
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 16;

	if (argc < 2 || n < 1 || n > THREADS)
		return 2;
	samples_each = strtoul(argv[1], NULL, 10) / n;
	stacks_log();
	for (unsigned i = 0; i < n; i++) {
		snprintf(names[i], sizeof names[i], "worker-%u", i);
		if (pthread_create(&thread[i], NULL, work, names[i]))
			return 2;
	}
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
