#include "analysis/replay/prediction_fork.h"
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
	if (fork->chosen)
		span_choice_free(fork->chosen);
	if (fork->changed_operations)
		operations_free(fork->changed_operations);
	if (fork->changed)
		replay_free(fork->changed);
	if (fork->fits)
		fits_free(fork->fits);
	if (fork->devices)
		devices_free(fork->devices);
	free(fork->gone);
	free(fork->refusal);
	free(fork->durations.at);
	free(fork);
}
