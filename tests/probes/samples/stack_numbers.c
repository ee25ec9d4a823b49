/*
 * Random stacks, numbered with little memory and few numbers: from what is logged, each number gives the stack that it stands for,
 * and no number is given twice. SEED chooses the random numbers.
 */
#include "recorder/samples/stack_numbers.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NUMBERS = 20000, DEPTH = 12, SPACES = 3, THREADS = 3 };

static unsigned tests;

/* What a reader knows of a number. */
static struct {
	uint32_t space, caller;
	uint64_t address;
} logged[NUMBERS];
static uint32_t nlogged, taken; /* taken: the space */

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

/* Counts what is logged; below 0: a number came again, or is too great. */
static void node_log(void *context, uint32_t number, uint32_t caller, uint64_t address)
{
	int *count = context;

	if (number != STACK_NUMBER_FIRST + nlogged || nlogged == NUMBERS) {
		*count = -NUMBERS;
		return;
	}
	logged[nlogged].space = taken;
	logged[nlogged].caller = caller;
	logged[nlogged++].address = address;
	++*count;
}

/*
 * Numbers a stack, outermost first, in a thread that may have had others before; returns how many of its frames had to be
 * logged.
 */
static int stack_take(uint32_t space, const uint64_t *addresses, unsigned n, uint32_t *number)
{
	uint64_t frames[DEPTH];
	int count = 0;

	for (unsigned i = 0; i < n; i++)
		frames[i] = addresses[n - 1 - i];
	taken = space;
	*number = stack_number(space, (uint32_t)random() % THREADS, frames, n, node_log, &count);
	return count;
}

/* Whether a number stands for a stack, as a reader finds out. */
static bool stands_for(uint32_t number, uint32_t space, const uint64_t *addresses, unsigned n)
{
	while (n && number >= STACK_NUMBER_FIRST && number - STACK_NUMBER_FIRST < nlogged) {
		uint32_t i = number - STACK_NUMBER_FIRST;

		if (logged[i].space != space || logged[i].address != addresses[--n])
			return false;
		number = logged[i].caller;
	}
	return !n && !number;
}

/* Of few places, so that many stacks begin alike. */
static unsigned stack_random(uint64_t addresses[DEPTH])
{
	unsigned n = 1 + (unsigned)random() % DEPTH;

	for (unsigned i = 0; i < n; i++)
		addresses[i] = 1 + (uint64_t)(random() % 3);
	return n;
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
	bool good = true, right = true, again = true;
	size_t stacks = 0, forgotten = 0;
	uint32_t first, second;

	printf("# SEED=%u\n", seed);
	srandom(seed);
	stack_numbers_open();
	check(stack_numbers_left(NUMBERS) && !stack_numbers_left(NUMBERS + 1),
	      "all numbers are left at first");
	for (; stack_numbers_left(2 * DEPTH); stacks++) {
		uint64_t addresses[DEPTH];
		unsigned n = stack_random(addresses);
		uint32_t space = (uint32_t)random() % SPACES;
		int count = stack_take(space, addresses, n, &first);
		int more = stack_take(space, addresses, n, &second);

		good &= count >= 0 && more >= 0;
		right &= stands_for(first, space, addresses, n) &&
			 stands_for(second, space, addresses, n);
		/* all may have been forgotten on the way */
		forgotten += more > 0;
		again &= more == 0 || count > 0;
	}
	check(good, "numbers follow each other, and none comes twice");
	check(right, "each stands for its stack, by what was logged");
	check(again && forgotten < stacks / 20, "a stack is logged once, until it is forgotten");
	check(nlogged > NUMBERS - 2 * DEPTH && stacks > 1000, "until the numbers are used up");
	stack_numbers_close();
	stack_numbers_open();
	check(stack_numbers_left(NUMBERS), "a new recording begins anew");
	stack_numbers_close();
	printf("1..%u\n", tests);
	return 0;
}
