/*
 * Replays that stop before their end: after too many steps, or cancelled; and what is said then.
 * Slices for which nobody waits are no steps.
 */
#include "analysis/replay/answer/refusal.h"
#include "base/task.h"
#include "tests/tap.h"
#include <stdlib.h>

enum { WORKS = 1000000, SLEEPS = 10, FEW = 1000, ENOUGH = 10000000, TURNS = 100 };

static const int64_t DAY = INT64_C(86400000000000);

static struct operation *add(struct operations *o, enum operation_kind kind, int64_t time,
			     int64_t work)
{
	struct operation *new = vector_add(&o->all);

	*new = (struct operation){.kind = (uint8_t)kind,
				  .work = work,
				  .time = time,
				  .latency = NO_LATENCY,
				  .core = NO_CORE};
	return new;
}

/* One thread polls for what the other one does after its work. */
static struct operations *polling(void)
{
	struct operations *o = array_zero(1, sizeof *o);

	o->nthreads = 2;
	o->nposts = 1;
	o->duration = WORKS;
	o->first = array_new(3, sizeof *o->first);
	o->first[0] = 0;
	add(o, OPERATION_DELAY, 0, 0);
	add(o, OPERATION_DELAY, SLEEPS, 0);
	add(o, OPERATION_LOOP, -1, 0);
	add(o, OPERATION_END, 0, 0);
	o->first[1] = o->all.n;
	add(o, OPERATION_DELAY, 0, 0);
	add(o, OPERATION_POST, 0, WORKS);
	add(o, OPERATION_END, 0, 0);
	o->first[2] = o->all.n;
	return o;
}

static struct replay *replayed(const struct operations *o, uint64_t most_steps)
{
	return replay_run(
	    o, &(struct machine){.slice = DEFAULT_SLICE, .unties = true, .most_steps = most_steps});
}

static struct replay *cancelled(const struct operations *o)
{
	struct task task = {.stopped = true};
	struct replay *r;

	task_current = &task;
	r = replayed(o, 0);
	task_current = NULL;
	return r;
}

/*
 * Two threads compute for days; a third one sleeps, and computes for some slices. With two
 * processors they take turns then.
 */
static struct operations *computing(void)
{
	struct operations *o = array_zero(1, sizeof *o);

	o->nthreads = 3;
	o->first = array_new(4, sizeof *o->first);
	for (uint32_t t = 0; t < 3; t++) {
		o->first[t] = o->all.n;
		add(o, OPERATION_DELAY, t * DEFAULT_SLICE / 3, 0); /* no two slices end at once */
		if (t == 2) {
			add(o, OPERATION_DELAY, 2 * DAY, 0);
			add(o, OPERATION_DELAY, DAY, TURNS * DEFAULT_SLICE);
		}
		add(o, OPERATION_END, 0, (3 + t) * DAY);
	}
	o->all.at[o->all.n - 1].work = 0;
	o->first[3] = o->all.n;
	return o;
}

static void slices_test(void)
{
	struct operations *o = computing();
	struct replay *r = replay_run(o, &(struct machine){.slice = DEFAULT_SLICE, .cores = 3});

	ok(!r->stuck && r->duration == 4 * DAY + DEFAULT_SLICE / 3 && r->steps < 50,
	   "days in which nobody waits for a processor are a few steps");
	replay_free(r);
	r = replay_run(o, &(struct machine){.slice = DEFAULT_SLICE, .cores = 2});
	ok(!r->stuck && r->duration > 4 * DAY && r->duration < 4 * DAY + TURNS * DEFAULT_SLICE &&
	       r->steps > TURNS && r->steps < 10 * TURNS,
	   "turns are steps while a third thread waits for two processors");
	printf("# %llu steps, %lld ns more\n", (unsigned long long)r->steps,
	       (long long)(r->duration - 4 * DAY));
	ok(r->running == 7 * DAY + TURNS * DEFAULT_SLICE, "they run as long as they compute");
	replay_free(r);
	operations_free(o);
}

/*
 * A thread computes for a month, and posts; another one waits for that busily. A third one wakes in
 * between.
 */
static struct operations *spinning(void)
{
	struct operations *o = array_zero(1, sizeof *o);

	o->nthreads = 3;
	o->nposts = 1;
	o->first = array_new(4, sizeof *o->first);
	o->first[0] = o->all.n;
	add(o, OPERATION_DELAY, 0, 0);
	for (unsigned i = 0; i < 6; i++)
		add(o, OPERATION_RELEASE, 0, 5 * DAY);
	add(o, OPERATION_POST, 0, 0);
	add(o, OPERATION_END, 0, 0);
	o->first[1] = o->all.n;
	add(o, OPERATION_DELAY, 0, 0);
	add(o, OPERATION_WAIT, 0, 1)->before = OPERATION_SPINS;
	add(o, OPERATION_END, 0, 7);
	o->first[2] = o->all.n;
	add(o, OPERATION_DELAY, 10 * DAY, 0);
	add(o, OPERATION_END, 0, TURNS * DEFAULT_SLICE);
	o->first[3] = o->all.n;
	return o;
}

static void spinning_test(void)
{
	static const enum discipline none[] = {DISCIPLINE_NONE};
	struct operations *o = spinning();
	struct machine m = {.slice = DEFAULT_SLICE, .cores = 3, .locks = none};
	struct replay *r;

	o->nlocks = 1;
	r = replay_run(o, &m);
	ok(!r->stuck && r->duration == 30 * DAY + 7 && r->steps < 50,
	   "a month in which a thread waits busily is a few steps");
	ok(r->running == 60 * DAY + 7 + TURNS * DEFAULT_SLICE, "it runs as long as it waits");
	replay_free(r);
	m.cores = 2;
	r = replay_run(o, &m);
	ok(!r->stuck && r->duration > 30 * DAY && r->duration < 30 * DAY + TURNS * DEFAULT_SLICE &&
	       r->steps > TURNS / 2 && r->steps < 10 * TURNS,
	   "turns are steps while a third thread waits for its processor");
	printf("# %llu steps, %lld ns more\n", (unsigned long long)r->steps,
	       (long long)(r->duration - 30 * DAY));
	replay_free(r);
	operations_free(o);
}

/* What is said of an unchanged replay. */
static char *said_of(struct operations *o, struct replay *r)
{
	struct prediction p = {.operations = o, .unchanged = r, .base = r};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct diag diag = {.out = out, .program = "test"};

	ok(prediction_is_refused(&p, true, &diag), "it is refused, also with --anyway");
	fclose(out);
	return text;
}

static void stop_test(struct operations *o, struct replay *r, enum replay_stop stop,
		      const char *words)
{
	char *text = said_of(o, r);

	ok(r->stop == stop && r->stuck, "a stopped replay says why, and has no answer");
	if (!ok(strstr(text, words) != NULL, words))
		printf("# %s\n", text);
	free(text);
	replay_free(r);
}

int main(void)
{
	struct operations *o = polling();
	struct replay *all = replayed(o, ENOUGH);

	ok(!all->stuck && all->stop == STOP_NONE && all->duration >= WORKS,
	   "with enough steps it comes to its end");
	ok(all->steps > WORKS / SLEEPS && all->reached >= WORKS, "and has counted them");
	replay_free(all);
	all = replayed(o, FEW);
	ok(all->steps >= FEW && all->steps < 2 * FEW && all->reached < WORKS,
	   "with few steps it stops soon after them");
	stop_test(o, all, STOP_STEPS, "the replay without changes does not end");
	stop_test(o, cancelled(o), STOP_CANCELLED, "the replay was cancelled");
	operations_free(o);
	slices_test();
	spinning_test();
	return tap_end();
}
