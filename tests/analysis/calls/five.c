/*
 * The program of a table of calls: main calls first and second 10 times each, first calls third and
 * fourth 10 times each, third calls fifth 10 times: 1,221 calls. What each does itself, in
 * microseconds: first 40, second 90, third 30, fourth 50, fifth 20, times its argument; with LOOPS
 * about that.
 */
#include <stdlib.h>
#include <time.h>

static double scale = 1;

#ifdef LOOPS
/* So that the time is in the function's own instructions, which is all that gprof looks at. */
__attribute__((no_instrument_function, always_inline)) static inline void spin(double us)
{
	for (volatile long i = 0; i < (long)(us * scale * 300); i++)
		continue;
}
#else
__attribute__((no_instrument_function, noinline)) static void spin(double us)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)(now.tv_sec - from.tv_sec) * 1e6 + (double)(now.tv_nsec - from.tv_nsec) / 1e3 <
	       us * scale);
}
#endif

__attribute__((noinline)) static void fifth(void)
{
	spin(20);
}

__attribute__((noinline)) static void fourth(void)
{
	spin(50);
}

__attribute__((noinline)) static void third(void)
{
	spin(30);
	for (int i = 0; i < 10; i++)
		fifth();
}

__attribute__((noinline)) static void second(void)
{
	spin(90);
}

__attribute__((noinline)) static void first(void)
{
	spin(40);
	for (int i = 0; i < 10; i++)
		third();
	for (int i = 0; i < 10; i++)
		fourth();
}

int main(int argc, char **argv)
{
	if (argc > 1)
		scale = atof(argv[1]);
	for (int i = 0; i < 10; i++)
		first();
	for (int i = 0; i < 10; i++)
		second();
	return 0;
}
