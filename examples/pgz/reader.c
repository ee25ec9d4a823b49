#include "job.h"

#include "pgz_glimpse.h"
#include <errno.h>

static struct block *next_idle(struct job *j)
{
	struct block *b;

	NeedBuffer_Stamp();
	b = queue_take(&j->idle);
	GotBuffer_Stamp();
	return b;
}

static bool read_block(struct job *j, struct block *b)
{
	ReadBegin_Stamp(b->number);
	if (!block_read(b, j->input)) {
		job_fail(j, j->options->input, errno);
		return false;
	}
	ReadEnd_Stamp(b->number, b->size);
	return true;
}

void *reader_run(void *job)
{
	struct job *j = job;
	struct window window = {0};
	struct block *b;
	bool more = true;

	glimpse_thread_name("reader");
	sem_post(&j->started);
	for (int number = 0; more && (b = next_idle(j)); number++) {
		b->number = number;
		b->before = window;
		more = read_block(j, b) && !b->last;
		block_window(b, &window);       /* from the next line on the block is a worker's */
		queue_put(&j->ready, b);
	}
	queue_close(&j->ready);
	return NULL;
}
