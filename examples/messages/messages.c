/*
 * messages: twelve threads compute how heat spreads in a plate. Each has a strip of it, and in
 * every step sends its edge rows to its neighbours as messages. The result is compared with that of
 * a single thread.
 */
#include "plate.h"

#include "messages_glimpse.h"
#include <errno.h>
#include <getopt.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 12, ROWS = 160, DEFAULT_STEPS = 60, LATE = 5 };

struct worker {
	int number, sent;
	struct strip strip;
	struct mailbox mailbox;
	pthread_t thread;
};

static struct worker workers[THREADS];
static int steps = DEFAULT_STEPS, delay_ms;
static sem_t started;
static pthread_barrier_t together;

/* A neighbour of a worker, above (-1) or below (1); NULL at the edges of the plate. */
static struct worker *neighbour(struct worker *w, int side)
{
	int number = w->number + side;

	return number < 0 || number == THREADS ? NULL : &workers[number];
}

static void send_edge(struct worker *w, int side)
{
	struct worker *to = neighbour(w, side);
	struct message *m;

	if (!to)
		return;
	Preparemsg_Stamp();
	m = malloc(sizeof *m);
	if (!m) {
		fputs("messages: out of memory\n", stderr);
		exit(2);
	}
	m->src = w->number;
	m->seq = w->sent++;
	memcpy(m->row, w->strip.now[side < 0 ? 1 : w->strip.rows], sizeof m->row);
	Sendmsg_Stamp(m->src, m->seq);
	mailbox_put(&to->mailbox, m);
}

static void receive_edge(struct worker *w, int side)
{
	struct worker *from = neighbour(w, side);
	struct message *m;

	if (!from)
		return;
	m = mailbox_take(&w->mailbox, from->number);
	Recvmsg_Stamp(m->src, m->seq);
	memcpy(w->strip.now[side < 0 ? 0 : w->strip.rows + 1], m->row, sizeof m->row);
	free(m);
}

/* What does not need the neighbours' rows is computed while these are under way. */
static void step(struct worker *w)
{
	int rows = w->strip.rows;

	send_edge(w, -1);
	send_edge(w, 1);
	strip_rows(&w->strip, 2, rows - 1);
	receive_edge(w, -1);
	receive_edge(w, 1);
	strip_rows(&w->strip, 1, 1);
	strip_rows(&w->strip, rows, rows);
	strip_advance(&w->strip);
}

static void be_late(void)
{
	struct timespec t = {.tv_sec = delay_ms / 1000, .tv_nsec = delay_ms % 1000 * 1000000L};

	nanosleep(&t, NULL);
}

static void *worker_run(void *worker)
{
	struct worker *w = worker;
	char name[32];

	snprintf(name, sizeof name, "strip %d", w->number);
	glimpse_thread_name(name);
	sem_post(&started);
	pthread_barrier_wait(&together);
	for (int i = 0; i < steps; i++) {
		if (w->number == LATE && i == steps / 2)
			be_late();
		step(w);
	}
	return NULL;
}

/* Threads are started one after the other, so that thread 3 of the trace has strip 3. */
static void compute_in_threads(void)
{
	sem_init(&started, 0, 0);
	pthread_barrier_init(&together, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		workers[i].number = i;
		strip_init(&workers[i].strip, ROWS);
		mailbox_init(&workers[i].mailbox);
	}
	for (int i = 0; i < THREADS; i++) {
		int error = pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]);

		if (error) {
			fprintf(stderr, "messages: cannot start a thread: %s\n", strerror(error));
			exit(2);
		}
		while (sem_wait(&started) && errno == EINTR)
			;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
}

static void compute_alone(struct strip *whole)
{
	strip_init(whole, THREADS * ROWS);
	for (int i = 0; i < steps; i++) {
		strip_rows(whole, 1, whole->rows);
		strip_advance(whole);
	}
}

/* The same operations in the same order give the same bits. */
static int rows_that_differ(const struct strip *whole)
{
	int different = 0;

	for (int i = 0; i < THREADS * ROWS; i++)
		different += memcmp(workers[i / ROWS].strip.now[i % ROWS + 1], whole->now[i + 1],
				    sizeof *whole->now) != 0;
	return different;
}

static void clean_up(struct strip *whole)
{
	strip_destroy(whole);
	for (int i = 0; i < THREADS; i++) {
		strip_destroy(&workers[i].strip);
		mailbox_destroy(&workers[i].mailbox);
	}
}

/* A whole number from 0 on; -1 if it is none. */
static int number_read(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	return end == text || *end || value < 0 || value > 1000000 ? -1 : (int)value;
}

static void options_read(int argc, char **argv)
{
	int letter;

	while ((letter = getopt(argc, argv, "n:d:")) >= 0) {
		if (letter == 'n')
			steps = number_read(optarg);
		if (letter == 'd')
			delay_ms = number_read(optarg);
		if (letter == '?' || steps < 1 || delay_ms < 0)
			goto usage;
	}
	if (optind == argc)
		return;
usage:
	fputs("usage: messages [-n STEPS] [-d MS]\n"
	      "  -n STEPS  how many steps to compute; default 60\n"
	      "  -d MS     let strip 5 come MS milliseconds late, once, in the middle\n",
	      stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	struct strip whole;
	int different;

	options_read(argc, argv);
	compute_in_threads();
	compute_alone(&whole);
	different = rows_that_differ(&whole);
	printf("%d threads, %d steps: %s\n", THREADS, steps,
	       different ? "the result differs from that of one thread"
			 : "the result equals that of one thread");
	clean_up(&whole);
	return different != 0;
}
