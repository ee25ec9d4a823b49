#include "job.h"

#include "gzip.h"
#include "pgz_glimpse.h"
#include <errno.h>
#include <stdio.h>
#include <time.h>

static struct block *next_ready(struct job *j)
{
	struct block *b;

	NeedInput_Stamp();
	b = queue_take(&j->ready);
	GotInput_Stamp();
	return b;
}

/* Nanoseconds for which this thread has been on a processor. */
static long cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void dawdle(int ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	nanosleep(&t, NULL);
}

static void compress_block(struct worker *w, z_stream *z, struct block *b)
{
	CompressBegin_Stamp(b->number, cpu_now());
	gzip_block(z, b);
	if (w->number == 0 && w->job->options->slow_ms)
		dawdle(w->job->options->slow_ms);
	CompressEnd_Stamp(b->number, b->size, b->packed_size, cpu_now());
}

void *worker_run(void *worker)
{
	struct worker *w = worker;
	struct block *b;
	char name[32];
	z_stream z;

	snprintf(name, sizeof name, "worker %d", w->number);
	glimpse_thread_name(name);
	sem_post(&w->job->started);
	if (!gzip_start(&z, w->job->options->level)) {
		job_fail(w->job, name, ENOMEM);
		return NULL;
	}
	while ((b = next_ready(w->job))) {
		compress_block(w, &z, b);
		sequence_put(&w->job->finished, b);
	}
	deflateEnd(&z);
	return NULL;
}
