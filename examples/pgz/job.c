#include "job.h"

#include <stdio.h>
#include <string.h>

/* Enough that each worker has a block at work and one waiting while two are read and written. */
static unsigned job_blocks(const struct options *o)
{
	return 2 * o->workers + 2;
}

bool job_init(struct job *j, const struct options *o, int input, struct output *output)
{
	*j = (struct job){.options = o, .input = input, .output = output};
	queue_init(&j->idle);
	queue_init(&j->ready);
	sem_init(&j->started, 0, 0);
	if (!sequence_init(&j->finished, job_blocks(o)))
		return false;
	for (unsigned i = 0; i < job_blocks(o); i++) {
		struct block *b = block_new(o->block_size);

		if (!b)
			return false;
		queue_put(&j->idle, b);
	}
	return true;
}

void job_free(struct job *j)
{
	queue_free(&j->idle);
	queue_free(&j->ready);
	sequence_free(&j->finished);
	sem_destroy(&j->started);
}

void job_fail(struct job *j, const char *what, int error)
{
	if (!atomic_exchange(&j->failed, true))
		fprintf(stderr, "pgz: %s: %s\n", what, strerror(error));
	queue_close(&j->idle);
	queue_close(&j->ready);
	sequence_close(&j->finished);
}
