/* pgz: gzip with several threads, annotated for Glimpse by the calls that end in _Stamp. */
#include "job.h"

#include "pgz_glimpse.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Starts a thread and waits until it runs: threads are numbered in the order of their first events,
 * and this is the order in which the picture shows them.
 */
static bool thread_start(struct job *j, pthread_t *thread, void *(*run)(void *), void *argument)
{
	int error = pthread_create(thread, NULL, run, argument);

	if (error) {
		job_fail(j, "cannot start a thread", error);
		return false;
	}
	while (sem_wait(&j->started) && errno == EINTR)
		;
	return true;
}

static void job_run(struct job *j)
{
	int workers = j->options->workers, n = 0;
	struct worker worker[workers];
	pthread_t thread[workers + 2];

	n += thread_start(j, &thread[n], reader_run, j);
	for (int i = 0; i < workers; i++) {
		worker[i] = (struct worker){.job = j, .number = i};
		n += thread_start(j, &thread[n], worker_run, &worker[i]);
	}
	n += thread_start(j, &thread[n], writer_run, j);
	while (n)
		pthread_join(thread[--n], NULL);
}

static double cpu_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static bool compress(const struct options *o, int input, struct output *output)
{
	struct job job;
	bool good;

	glimpse_thread_name("main");
	Start_Stamp(o->input, o->workers, o->block_size);
	if (job_init(&job, o, input, output))
		job_run(&job);
	else
		job_fail(&job, o->input, ENOMEM);
	Finish_Stamp(o->input, job.bytes, job.packed, cpu_seconds());
	good = !job.failed;
	job_free(&job);
	return good;
}

static int failure(const char *name)
{
	fprintf(stderr, "pgz: %s: %s\n", name, strerror(errno));
	return 2;
}

int main(int argc, char **argv)
{
	struct options options;
	struct output output;
	int input = STDIN_FILENO;

	options_read(&options, argc, argv);
	if (strcmp(options.input, "-"))
		input = open(options.input, O_RDONLY | O_CLOEXEC);
	if (input < 0)
		return failure(options.input);
	if (!output_open(&output, options.output))
		return failure(options.output);
	if (isatty(output.fd)) {
		fputs("pgz: compressed data is not written to a terminal; use -o FILE\n", stderr);
		return 2;
	}
	if (!compress(&options, input, &output)) {
		output_discard(&output);
		return 2;
	}
	if (!output_commit(&output)) {
		int status = failure(options.output);

		output_discard(&output);
		return status;
	}
	return 0;
}
