/*
 * The recorder in the loop: a simulator runs random programs. What the kernel would say of them
 * goes through the recorder's probe "scheduler" and its merge, with the events of the probe
 * "threads" and without. The states of threads in the trace are compared with the truth.
 *
 *	SEED=N starts from program N, CASES=N does that many; SHOW=1 prints each miss
 * tested: oracles with random cases, CASES programs (CASES=10000): the recorder's states of
 * threads, and the truth of a simulator.
 */
#include "analysis/states/states.h"
#include "base/directory.h"
#include "recorder/merge/adopt.h"
#include "tests/analysis/simulated/computer.h"
#include "tests/analysis/simulated/recorder.h"
#include "tests/analysis/simulated/tally.h"
#include "tests/sanitized.h"
#include <stdlib.h>
#include <sys/stat.h>

enum {
	CASES = 300,
	SANITIZED_CASES = 20,
	SLICE = 3000000,
	LATENCY = 20000,
	SWITCH = 2000,    /* ns that the time of one may be wrong by */
	WAIT_OFF = 10000, /* ns that a single wait may be ready longer or shorter than in truth */
	EXIT_OFF =
	    21000, /* ns from the last event of a thread to when the one that joins it can go on */
	READY_OFF = 100000, /* ns that a thread's time of being ready may be wrong by, beside 1 % */
};

enum property { RUNNING, LIFE, READY_SCHEDULER, READY_ALL, AGREE, SINGLE, NPROPERTIES };

static struct tally tallies[NPROPERTIES] = {
    [RUNNING] = {.name = "threads run as long as their accounts say"},
    [LIFE] = {.name = "running, ready and blocked add up to the lives of threads"},
    [READY_SCHEDULER] = {.name =
			     "threads are ready as long as in truth, from the scheduler's events"},
    [READY_ALL] = {.name = "threads are ready as long as in truth, from all events"},
    [AGREE] = {.name = "both agree"},
    [SINGLE] = {.name = "what is known of a single wait is right"},
};

/* What is true of a thread, ns. */
struct expected {
	int64_t running, ready;
	int64_t unknown;     /* of `ready`: what the recorder cannot know without causes */
	int64_t unknowns;    /* such waits */
	int64_t early;       /* of `ready`: what may be counted twice */
	int64_t begun, life; /* begun: when, as far as it is observed */
	int64_t unread;      /* how often it ran without that its account told how long */
};

struct loop_case {
	unsigned seed;
	struct workload *program;
	struct computer computer;
	struct kernel kernel;
	struct simulated_log events; /* of the probe "threads" */
	struct simulated_log states; /* of the recorder */
	struct recorder_waits waits;
	struct expected truth[MOST_THREADS];
	int64_t ready[2][MOST_THREADS]; /* found: without the probe's events, with them */
	bool holds[NPROPERTIES];
};

static bool shows;
static int64_t ready_all, ready_unknown; /* ns, of all threads */
static char directory[] = "/tmp/loop-XXXXXX";

static void fail(const struct loop_case *c, const char *why)
{
	printf("Bail out! program %u: %s\n", c->seed, why);
	exit(1);
}

static void miss(struct loop_case *c, enum property property, uint32_t thread, const char *what,
		 int64_t found, int64_t truth)
{
	c->holds[property] = false;
	if (shows)
		printf("# %u: thread %u: %s: %s %.3f us, in truth %.3f us\n", c->seed, thread,
		       tallies[property].name, what, (double)found / 1e3, (double)truth / 1e3);
}

/* ---- truth ---- */

static bool basis_is(const struct recorder_wait *w, const char *basis)
{
	return strcmp(w->basis, basis) == 0;
}

/* Returns how much of a wait was counted and read before the record of its end, ns. */
static int64_t read_early(const struct loop_case *c, uint32_t i, const struct kernel_turn *t)
{
	int64_t early = 0;

	for (size_t k = 0; k < c->waits.readings[i].n; k++) {
		int64_t at = c->waits.readings[i].at[k].time;

		if (at >= t->in)
			break;
		if (at >= t->charged)
			early = t->charged - t->ready;
		else if (at >= t->counted)
			early = t->counted - t->ready;
	}
	return early;
}

/* Returns whether a turn was logged when the account could not yet say how long its switch took. */
static bool is_unread(const struct loop_case *c, uint32_t i, const struct kernel_turn *t)
{
	for (size_t k = 0; k < c->waits.readings[i].n; k++)
		if (c->waits.readings[i].at[k].time >= t->in)
			return c->waits.readings[i].at[k].runs;
	return true;
}

/*
 * Of the waits after the last reading the recorder knows only those in which the thread was ready
 * from the begin on. What was read early may have been given to earlier waits; then the recorder
 * takes it from later ones, as far as these are ready for so long.
 */
static void wait_expect(struct loop_case *c, uint32_t i, const struct kernel_turn *t,
			const struct recorder_wait *w)
{
	struct expected *e = &c->truth[i];
	int64_t found = w->in - w->ready;
	int64_t ready = t->charged - (t->ready < e->begun ? e->begun : t->ready);

	if (ready < 0)
		ready = 0; /* its first record comes after its first wait */
	e->ready += ready;
	if (basis_is(w, "schedstat") || basis_is(w, "shared"))
		e->early = e->early > ready ? e->early - ready : 0;
	e->early += read_early(c, i, t);
	if (basis_is(w, "unknown")) {
		e->unknown += ready;
		e->unknowns++;
	} else if (i > 0 && !c->kernel.moves && !basis_is(w, "shared") &&
		   llabs(found - ready) > WAIT_OFF) {
		miss(c, SINGLE, i, w->basis, found, ready);
	}
}

static void thread_expect(struct loop_case *c, uint32_t i)
{
	const struct kernel_thread *t = &c->kernel.threads[i];
	struct expected *e = &c->truth[i];

	*e = (struct expected){.begun = i ? t->created : c->waits.begun[0]};
	e->life = t->exited - e->begun;
	if (t->turns.n != c->waits.of[i].n)
		fail(c, "turns are missing");
	for (size_t k = 0; k < t->turns.n; k++) {
		const struct kernel_turn *turn = &t->turns.at[k];
		const struct recorder_wait *w = &c->waits.of[i].at[k];

		e->running += turn->out - turn->charged;
		e->unread += is_unread(c, i, turn);
		wait_expect(c, i, turn, w);
	}
	ready_all += e->ready;
	ready_unknown += e->unknown;
}

/* ---- traces ---- */

static void program_run(struct loop_case *c)
{
	struct random random = {c->seed ^ 0x5eed};
	struct truth truth;
	const char *wrong;

	c->program = workload_random(c->seed);
	c->computer = (struct computer){.processors = 1 + random_below(&random, 4),
					.slice = SLICE,
					.latency = LATENCY,
					.seed = c->seed};
	kernel_begin(&c->kernel, c->seed);
	recording_begin(&c->events, LOG_THREADS);
	c->events.watcher = kernel_watch;
	c->events.context = &c->kernel;
	truth = computer_run(&c->computer, c->program, &c->events);
	if (!truth.ended)
		fail(c, "does not end");
	recording_begin(&c->states, LOG_SCHEDULER);
	wrong = recorder_run(&c->kernel, truth.duration, &c->states, &c->waits);
	if (wrong)
		fail(c, wrong);
	for (uint32_t i = 0; i < c->program->nthreads; i++)
		thread_expect(c, i);
}

static struct trace *trace_of(const struct loop_case *c, bool all)
{
	struct diag diag = {.out = stderr, .program = "loop"};
	char *recorder = text_format("%s/recorder", directory);
	const char *path = directory;
	struct trace *t;

	mkdir(directory, 0700);
	mkdir(recorder, 0700);
	if (all) {
		recording_write(&c->events, directory, c->program->nthreads);
		recording_write_process(directory);
	}
	recording_write(&c->states, recorder, c->program->nthreads);
	recording_write_process(recorder);
	free(recorder);
	if (!logs_adopt(directory, SIMULATED_PROCESS, NULL, &diag))
		fail(c, "is not merged");
	t = trace_open(&path, 1, NULL, &diag);
	if (!t)
		fail(c, "cannot be read");
	return t;
}

/* ---- properties ---- */

static void thread_check(struct loop_case *c, uint32_t i, const struct thread_states *s, bool all)
{
	const struct expected *e = &c->truth[i];
	int64_t running = s->states[STATE_RUNNING].total, ready = s->states[STATE_READY].total;
	int64_t life = running + ready + s->states[STATE_BLOCKED].total;
	int64_t off = e->ready / 100 + READY_OFF, known = e->ready - e->unknown;
	int64_t most = e->unknown + e->unknowns * EXIT_OFF + off; /* by causes */

	c->ready[all][i] = ready;
	if (llabs(running - e->running) > e->running / 200 + SWITCH * (1 + e->unread))
		miss(c, RUNNING, i, "running", running, e->running);
	if (life != e->life)
		miss(c, LIFE, i, "life", life, e->life);
	if (!all && (ready < known - off || ready > known + e->early + off))
		miss(c, READY_SCHEDULER, i, "ready", ready, known);
	if (all && (ready < known - off || ready > known + e->early + most))
		miss(c, READY_ALL, i, "ready", ready, e->ready);
	if (all && (ready < c->ready[0][i] - off || ready > c->ready[0][i] + most))
		miss(c, AGREE, i, "ready", ready, c->ready[0][i]);
}

static void states_check(struct loop_case *c, bool all)
{
	struct trace *t = trace_of(c, all);
	struct states *states = states_of(t, STATES_ALL);

	if (!states->known || t->nthreads != c->program->nthreads)
		fail(c, "there are other threads");
	for (uint32_t i = 0; i < t->nthreads; i++)
		thread_check(c, (uint32_t)(t->threads[i].tid - SIMULATED_PROCESS),
			     &states->threads[i], all);
	states_free(states);
	trace_close(t);
	directory_remove(directory);
}

static void case_check(unsigned seed)
{
	struct loop_case c = {.seed = seed};

	memset(c.holds, true, sizeof c.holds);
	program_run(&c);
	states_check(&c, false);
	states_check(&c, true);
	for (unsigned i = 0; i < NPROPERTIES; i++)
		tally_count(&tallies[i], seed, c.holds[i]);
	for (unsigned i = 0; i < MOST_THREADS; i++)
		free(c.waits.of[i].at), free(c.waits.readings[i].at);
	recording_free(&c.events);
	recording_free(&c.states);
	kernel_free(&c.kernel);
	workload_free(c.program);
}

int main(void)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES"), *source = getenv("SRC");
	unsigned from = seed ? (unsigned)atoi(seed) : 1, n = cases       ? (unsigned)atoi(cases)
							     : SANITIZED ? SANITIZED_CASES
									 : CASES;

	log_specifications_read(source ? source : ".");
	shows = getenv("SHOW") != NULL;
	if (!mkdtemp(directory)) {
		perror(directory);
		return 2;
	}
	printf("# %u programs from seed %u\n", n, from);
	for (unsigned i = 0; i < n; i++)
		case_check(from + i);
	for (unsigned i = 0; i < NPROPERTIES; i++)
		tally_report(&tallies[i], tallies[i].asked);
	printf("# of %.3f s of being ready %.3f s are not known without causes\n",
	       (double)ready_all / 1e9, (double)ready_unknown / 1e9);
	log_specifications_free();
	return tap_end();
}
