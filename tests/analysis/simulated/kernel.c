#include "tests/analysis/simulated/kernel.h"
#include <stdlib.h>

enum {
	SWITCH_LONGEST = 1500, /* from the start of a switch until the thread runs, ns */
	IN_LATEST = 300,       /* from then until the record is made */
	OUT_LATEST = 350,      /* from when a thread leaves until its record is made */
	TICK = 1000000         /* the account of a thread that runs is brought up to date */
};

static struct kernel_turn *turn_of(struct kernel_thread *t)
{
	return &t->turns.at[t->turns.n - 1];
}

static void record(struct kernel *k, uint32_t thread, int64_t time, enum switch_kind kind,
		   uint32_t other)
{
	struct kernel_record r = {.time = time,
				  .order = k->records.n,
				  .kind = kind,
				  .pid = SIMULATED_PROCESS,
				  .tid = SIMULATED_PROCESS + thread,
				  .other = other};

	if (k->threads[thread].turns.n)
		r.processor = turn_of(&k->threads[thread])->processor;
	if (kind == SWITCH_EXEC)
		strcpy(r.name, "main");
	*vector_add(&k->records) = r;
}

static void readied(struct kernel_thread *t, int64_t time)
{
	*vector_add(&t->turns) = (struct kernel_turn){.ready = time,
						      .counted = INT64_MAX,
						      .charged = INT64_MAX,
						      .in = INT64_MAX,
						      .out = INT64_MAX};
}

static void switched_in(struct kernel *k, uint32_t thread, int64_t time, uint32_t processor)
{
	struct kernel_thread *t = &k->threads[thread];
	struct kernel_turn *turn = turn_of(t);
	int64_t from = k->left[processor] > turn->ready ? k->left[processor] : turn->ready;
	bool first = t->turns.n == 1;

	turn->processor = processor;
	turn->charged = time - from <= SWITCH_LONGEST
			    ? from
			    : time - 300 - random_below(&k->random, SWITCH_LONGEST - 300);
	turn->in = time + random_below(&k->random, IN_LATEST);
	if (k->moves && random_chance(&k->random, 30) && turn->charged > turn->ready)
		turn->counted =
		    turn->ready + random_below(&k->random, (unsigned)(turn->charged - turn->ready));
	record(k, thread, turn->in, SWITCH_IN, 0);
	if (first && thread == 0)
		record(k, thread, turn->in + 100, SWITCH_EXEC, 0);
}

static void switched_out(struct kernel *k, uint32_t thread, int64_t time)
{
	struct kernel_turn *turn = turn_of(&k->threads[thread]);

	turn->out = time;
	k->left[turn->processor] = time;
}

/*
 * Records that a thread left, a little after it did; a turn may be shorter than that. Returns the
 * time of the record.
 */
static int64_t left(struct kernel *k, uint32_t thread, int64_t time, enum switch_kind kind)
{
	int64_t at = time, in = turn_of(&k->threads[thread])->in;

	if (kind != SWITCH_EXIT)
		at += 50 + random_below(&k->random, OUT_LATEST - 50);
	if (at < in + 10)
		at = in + 10;
	record(k, thread, at, kind, 0);
	return at;
}

void kernel_begin(struct kernel *k, uint64_t seed)
{
	*k = (struct kernel){.random = {seed}};
	k->moves = random_chance(&k->random, 70);
	for (unsigned i = 0; i < MOST_THREADS; i++)
		k->threads[i].created = k->threads[i].exited = INT64_MAX;
}

void kernel_watch(void *kernel, uint32_t thread, int64_t time, enum log_event event,
		  const uint64_t *values, const char *text)
{
	struct kernel *k = kernel;
	struct kernel_thread *t = &k->threads[thread];

	switch (event) {
	case EVENT_STARTED:
		t->created = time;
		if (thread)
			record(k, thread, time, SWITCH_FORK, (uint32_t)values[0]);
		break;
	case EVENT_READIED:
		if (!strcmp(text, "preempted"))
			left(k, thread, time, SWITCH_PREEMPTED);
		readied(t, time);
		break;
	case EVENT_SWITCH_IN:
		switched_in(k, thread, time, (uint32_t)values[0]);
		break;
	case EVENT_SWITCH_OUT:
		switched_out(k, thread, time);
		break;
	case EVENT_BLOCKS:
		left(k, thread, time, SWITCH_BLOCKED);
		break;
	case EVENT_EXITED:
		t->exited = left(k, thread, time, SWITCH_EXIT);
		break;
	default:
		break;
	}
}

bool kernel_figures(const struct kernel *k, uint32_t thread, int64_t time, uint64_t *ran,
		    uint64_t *delay)
{
	const struct kernel_thread *t = &k->threads[thread];

	if (thread >= MOST_THREADS || time < t->created || time >= t->exited)
		return false;
	*ran = *delay = 0;
	for (size_t i = 0; i < t->turns.n; i++) {
		const struct kernel_turn *turn = &t->turns.at[i];

		if (turn->charged <= time)
			*delay += (uint64_t)(turn->charged - turn->ready);
		else if (turn->counted <= time)
			*delay += (uint64_t)(turn->counted - turn->ready);
		if (turn->out <= time)
			*ran += (uint64_t)(turn->out - turn->charged);
		else if (turn->charged <= time)
			*ran += (uint64_t)((time - turn->charged) / TICK * TICK);
	}
	return true;
}

bool kernel_runs(const struct kernel *k, uint32_t thread, int64_t time)
{
	const struct kernel_thread *t = &k->threads[thread];

	for (size_t i = 0; i < t->turns.n; i++)
		if (t->turns.at[i].charged <= time && time <= t->turns.at[i].out + OUT_LATEST)
			return true;
	return false;
}

void kernel_free(struct kernel *k)
{
	for (unsigned i = 0; i < MOST_THREADS; i++)
		free(k->threads[i].turns.at);
	free(k->records.at);
}
