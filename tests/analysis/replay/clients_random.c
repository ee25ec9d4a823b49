/*
 * Simulated clients: closed ones that think, open ones that come by a Poisson process or nearly
 * regularly, at several loads. Few decisions are wrong, and most are made. Prints its seed; SEED=N
 * in the environment starts from case N, CASES=N does that many.
 */
#include "analysis/replay/answer/clients.h"
#include "tests/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 2000, CLIENTS = 4 };

static struct random numbers;

static double unit(void)
{
	return (double)(random_next(&numbers) >> 11) / (double)(UINT64_C(1) << 53);
}

static double exponential(double mean)
{
	return -mean * log(1 - unit());
}

/* The mean is 1. */
static double service(int spread)
{
	switch (spread) {
	case 0:
		return 0.8 + 0.4 * unit();
	case 1:
		return 0.5 + unit();
	default:
		return 0.2 + exponential(0.8);
	}
}

/* think: the mean. */
static void closed_make(struct request_pair *pairs, int spread, double think, bool regular)
{
	for (unsigned i = 0; i < PAIRS; i++)
		pairs[i] = (struct request_pair){
		    service(spread), regular ? think * (0.9 + 0.2 * unit()) : exponential(think),
		    i * CLIENTS / PAIRS};
}

/* between: the mean from one request to the next. They queue. */
static void open_make(struct request_pair *pairs, int spread, double between, bool regular)
{
	double arrives = 0, begins = 0;

	for (unsigned i = 0; i < PAIRS; i++) {
		double length = service(spread), next, free = begins + length;

		if (i && i % (PAIRS / CLIENTS) == 0)
			arrives = begins, free = begins + length;
		next = arrives + (regular ? between * (0.9 + 0.2 * unit()) : exponential(between));
		pairs[i] = (struct request_pair){length, next > free ? next - free : 0,
						 i * CLIENTS / PAIRS};
		arrives = next;
		begins = next > free ? next : free;
	}
}

struct tally {
	unsigned n, wrong, decided;
};

static void decide(struct tally *t, const struct request_pair *pairs, enum clients_kind is)
{
	struct clients c = {0};

	clients_decide(&c, pairs, PAIRS);
	t->n++;
	t->wrong += c.kind != is && c.kind != CLIENTS_UNKNOWN;
	t->decided += c.kind == is;
}

static bool tally_good(const char *name, const struct tally *t)
{
	bool good = t->wrong * 25 <= t->n && t->decided * 10 >= t->n * 9;

	printf("%sok - %s\n# %u runs, %u decided, %u wrong\n", good ? "" : "not ", name, t->n,
	       t->decided, t->wrong);
	return good;
}

/* Services of one length say nothing, nor do a few. */
static bool nothing_known(void)
{
	struct request_pair pairs[PAIRS];
	struct clients c = {0};
	bool good;

	for (unsigned i = 0; i < PAIRS; i++)
		pairs[i] = (struct request_pair){1, unit(), 0};
	clients_decide(&c, pairs, PAIRS);
	good = c.kind == CLIENTS_UNKNOWN;
	closed_make(pairs, 2, 1, false);
	clients_decide(&c, pairs, 10);
	good = good && c.kind == CLIENTS_UNKNOWN;
	clients_decide(&c, pairs, 0);
	good = good && c.kind == CLIENTS_UNKNOWN;
	for (unsigned i = 0; i < PAIRS; i++)
		pairs[i].gap = 0;
	clients_decide(&c, pairs, PAIRS);
	good = good && c.kind == CLIENTS_UNKNOWN;
	printf("%sok - what says nothing is not known\n", good ? "" : "not ");
	return good;
}

int main(void)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES");
	unsigned long first = seed ? strtoul(seed, NULL, 0) : 1,
		      n = cases ? strtoul(cases, NULL, 0) : 200;
	struct tally closed = {0}, open = {0}, poisson = {0};
	struct request_pair pairs[PAIRS];
	bool good;

	printf("1..4\n# SEED=%lu\n", first);
	for (unsigned long i = first; i < first + n; i++) {
		numbers.state = i;
		for (int regular = 0; regular < 2; regular++) {
			closed_make(pairs, 1 + (int)(i % 2), 0.3 + 2 * unit(), regular);
			decide(&closed, pairs, CLIENTS_CLOSED);
		}
		open_make(pairs, (int)(i % 3), 1.3 + unit(), true);
		decide(&open, pairs, CLIENTS_OPEN);
		open_make(pairs, 2, 1.5 + unit(), false);
		decide(&poisson, pairs, CLIENTS_OPEN);
	}
	good = tally_good("closed clients are found", &closed);
	good &= tally_good("open clients that come regularly are found", &open);
	good &= tally_good("open clients that come at random are found", &poisson);
	good &= nothing_known();
	return !good;
}
