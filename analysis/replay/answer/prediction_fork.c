#include "analysis/replay/answer/prediction_fork.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

struct prediction *prediction_fork(const struct prediction *p)
{
	struct prediction *fork = array_new(1, sizeof *fork);

	*fork = *p;
	fork->chosen = NULL;
	fork->base_operations = fork->changed_operations = NULL; /* memory that replays use again */
	fork->changed = NULL;
	fork->fits = NULL;
	fork->devices = NULL;
	fork->gone = NULL;
	fork->refusal = NULL;
	memset(&fork->durations, 0, sizeof fork->durations);
	return fork;
}

void prediction_fork_free(struct prediction *fork)
{
	prediction_changed_free(fork);
	free(fork);
}
