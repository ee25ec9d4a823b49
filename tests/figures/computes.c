/* Computes for a second, always in the same few instructions of one call stack: nearly all samples of it are the same. */
#include <time.h>

enum { DEPTH = 20, TURN = 1000000 };

static volatile int depth_most = DEPTH;

__attribute__((noinline)) static void turn_run(int depth)
{
	if (depth < depth_most)
		turn_run(depth + 1);
	else
		for (int i = 0; i < TURN; i++)
			__asm__ __volatile__("");
	__asm__ __volatile__(""); /* the call is none at the end, which would leave no frame */
}

int main(void)
{
	struct timespec used;

	do {
		turn_run(0);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	} while (used.tv_sec < 1);
	return 0;
}
