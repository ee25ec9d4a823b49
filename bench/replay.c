/* replay DIRECTORY: how many operations of a trace are replayed in a second of processor time, without the making of them. */
#include "analysis/replay/answer/prediction.h"
#include "base/monotonic.h"
#include <stdio.h>

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "replay"};
	const char *directory = argc == 2 ? argv[1] : "";
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	struct instance_set *set;
	struct model *m;
	struct operations *o;
	struct replay *r;
	int64_t begun;

	if (!t)
		return 2;
	prediction_announce(t);
	set = instance_set_of(t, SPANS_ALL, NULL, 0);
	m = model_of(set);
	o = operations_of(m, &(struct operation_rules){0});
	begun = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	r = replay_run(o, &(struct machine){.cores = m->cores, .slice = DEFAULT_SLICE});
	printf("%.2f\n",
	       (double)o->all.n / (double)(clock_now(CLOCK_PROCESS_CPUTIME_ID) - begun) * 1e3);
	replay_free(r);
	operations_free(o);
	model_free(m);
	instance_set_free(set);
	trace_close(t);
	return 0;
}
