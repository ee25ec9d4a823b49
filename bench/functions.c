/*
 * functions: an instrumented function is called, and a plain one, in turns. Prints nanoseconds: a
 * bare loop, a call of the plain one, a call of the instrumented one. bench/functions.sh has both
 * functions.
 */
#include "bench/measure.h"
#include <stdio.h>

#define TURN 1000000L
#define TURNS 21u

void called(int a, int b);
void plain(int a, int b);

static void loop_called(long n)
{
	for (long i = 0; i < n; i++)
		called((int)i, (int)(i * 2));
}

static void loop_plain(long n)
{
	for (long i = 0; i < n; i++)
		plain((int)i, (int)(i * 2));
}

static double timed(void (*loop)(long))
{
	double began = cpu_ns();

	loop(TURN);
	return (cpu_ns() - began) / TURN;
}

int main(void)
{
	double bare[TURNS], without[TURNS], with[TURNS];

	timed(loop_called);
	for (unsigned i = 0; i < TURNS; i++) {
		bare[i] = timed(bare_loop);
		without[i] = timed(loop_plain);
		with[i] = timed(loop_called);
	}
	printf("%.2f %.2f %.2f\n", median(bare, TURNS), median(without, TURNS), median(with, TURNS));
	return 0;
}
