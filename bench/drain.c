/* drain DIR: reads logs and goes through all their events in the order of the stream, and nothing
 * else. */
#include "trace/trace.h"
#include <stdio.h>

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "drain"};
	const char *directory = argc == 2 ? argv[1] : NULL;
	struct trace *t = directory ? trace_open(&directory, 1, NULL, &diag) : NULL;
	struct merge *m = t ? merge_open(t) : NULL;
	uint64_t events = 0;
	int64_t times = 0;
	struct event e;

	if (!m)
		return 2;
	while (merge_next(m, &e)) {
		events++;
		times += e.time;
	}
	merge_close(m);
	printf("%llu events, their times together %lld ns\n", (unsigned long long)events,
	       (long long)times);
	trace_close(t);
	return 0;
}
