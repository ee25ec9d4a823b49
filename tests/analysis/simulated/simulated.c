/*
 * Random programs are run by a simulator, and what is computed from their recordings is compared with the truth:
 * the states of threads, and the replay, unchanged and with changes that the simulator makes, too.
 *
 *	SEED=N starts from program N, CASES=N does that many; SHOW=1 prints each miss
 *	simulated SEED DIRECTORY writes the recording of a program into a new directory
 * tested: oracles with random cases, CASES programs (CASES=10000): the states of threads and the
 * replay, and the truth of a simulator.
 */
#include "analysis/graph/graph.h"
#include "analysis/replay/answer/prediction.h"
#include "analysis/states/states.h"
#include "analysis/why/why.h"
#include "base/sort.h"
#include "tests/analysis/simulated/computer.h"
#include "tests/analysis/simulated/tally.h"
#include "tests/sanitized.h"
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CASES = 300, SANITIZED_CASES = 20, SLICE = 3000000, LATENCY = 20000 };

static const double replay_error = 0.03, prediction_error = 0.1;

/* Which programs run, and on which processors. */
enum setting { ONE_QUEUE, QUEUES, POOLS, BUSY, NSETTINGS };

enum property {
	STATES_OF_ALL,
	STATES_OF_SCHEDULER,
	UNCHANGED,
	CORES,
	LOCK_NONE,
	HOLD,
	SPEED,
	CORES_IN_RANGE,
	LOCK_NONE_IN_RANGE,
	HOLD_IN_RANGE,
	SPEED_IN_RANGE,
	SPEED_ALL,
	SPEED_ALL_IN_RANGE,
	RANK_SHARES,
	WHY_SHARES,
	HANDED_OUT,
	NPROPERTIES
};

/*
 * floor: at least so many of the 300 programs from seed 1 have the property. Whoever fixes an error raises it.
 * asked: not each program has what a property is about.
 */
static struct tally tallies[NSETTINGS][NPROPERTIES] = {
    {
	[STATES_OF_ALL] = {"states are the true ones, from all events", 300},
	[STATES_OF_SCHEDULER] = {"states are the true ones, from the scheduler's events", 300},
	[UNCHANGED] = {"the unchanged replay is within 3 % of the run", 300},
	[CORES] = {"on another number of processors the prediction is within 10 % of the run", 274},
	[LOCK_NONE] = {"without a lock the prediction is within 10 % of the run", 295},
	[HOLD] = {"with a lock held for another time the prediction is within 10 % of the run",
		  295},
	[SPEED] = {"with a faster thread the prediction is within 10 % of the run", 295},
	[CORES_IN_RANGE] = {"on another number of processors the run is in the range", 277},
	[LOCK_NONE_IN_RANGE] = {"without a lock it is", 293},
	[HOLD_IN_RANGE] = {"with a lock held for another time it is", 273},
	[SPEED_IN_RANGE] = {"with a faster thread it is", 283},
	[RANK_SHARES] = {"nothing that is ranked has more than the whole run", 300},
	[WHY_SHARES] = {"no finding has a share above 100 %", 300},
    },
    {
	[STATES_OF_ALL] =
	    {"with a queue for each processor states are the true ones, from all events", 300},
	[STATES_OF_SCHEDULER] = {"and from the scheduler's events", 300},
	[UNCHANGED] = {"with these queues the unchanged replay is within 3 % of the run", 261},
	[CORES] =
	    {"with these queues and another number of processors the prediction is within 10 % of the run",
	     233},
	[LOCK_NONE] = {"with these queues and without a lock it is", 284},
	[HOLD] = {"with these queues and a lock held for another time it is", 289},
	[SPEED] = {"with these queues and a faster thread it is", 287},
	[CORES_IN_RANGE] =
	    {"with these queues and another number of processors the run is in the range", 250},
	[LOCK_NONE_IN_RANGE] = {"with these queues and without a lock it is", 288},
	[HOLD_IN_RANGE] = {"with these queues and a lock held for another time it is", 270},
	[SPEED_IN_RANGE] = {"with these queues and a faster thread it is", 269},
	[RANK_SHARES] = {"with these queues nothing that is ranked has more than the whole run",
			 300},
	[WHY_SHARES] = {"and no finding has a share above 100 %", 300},
    },
    {
	[STATES_OF_ALL] = {"where items are handed out states are the true ones, from all events",
			   300},
	[STATES_OF_SCHEDULER] = {"and from the scheduler's events", 300},
	[UNCHANGED] = {"where items are handed out the unchanged replay is within 3 % of the run",
		       287},
	[CORES] =
	    {"where items are handed out, on another number of processors the prediction is within 10 % of the run",
	     254},
	[LOCK_NONE] = {"and without a lock it is", 81},
	[HOLD] = {"and with a lock held for another time it is", 84},
	[SPEED] = {"and with one faster thread it is", 243},
	[CORES_IN_RANGE] = {"of pools on another number of processors the run is in the range",
			    273},
	[LOCK_NONE_IN_RANGE] = {"of pools without a lock it is", 74},
	[HOLD_IN_RANGE] = {"of pools with a lock held for another time it is", 82},
	[SPEED_IN_RANGE] = {"of pools with a faster thread it is", 254},
	[RANK_SHARES] =
	    {"where items are handed out nothing that is ranked has more than the whole run", 300},
	[WHY_SHARES] = {"and no finding has a share above 100 % there", 300},
	[HANDED_OUT] = {"items of two threads or more are handed out in the replay", 244},
    },
    {
	[STATES_OF_ALL] = {"beside other programs states are the true ones, from all events", 300},
	[STATES_OF_SCHEDULER] = {"and from the scheduler's events", 300},
	[UNCHANGED] = {"beside other programs the unchanged replay is within 3 % of the run", 264},
	[SPEED] = {"beside other programs, with a faster thread the prediction is within 10 %",
		   198},
	[SPEED_IN_RANGE] = {"and with a faster thread the run is in the range", 261},
	/* a woken thread waits here for a whole round of slices, however little it computes */
	[SPEED_ALL] = {"beside them, with all threads faster the prediction is within 10 %", 43},
	[SPEED_ALL_IN_RANGE] = {"and with all threads faster the run is in the range", 193},
    }};

/* One program, with what is random about its run. */
struct simulated_case {
	unsigned seed;
	struct workload *program;
	struct computer computer;
	unsigned cores;  /* another number of processors */
	uint32_t lock;   /* that is changed: the one held longest; MOST_LOCKS: none is held */
	int64_t hold;    /* ns, for how long */
	uint32_t thread; /* that is changed */
	double factor;
	struct truth truth;
};

static bool shows;
static enum setting setting;
/* Of all ranges of predictions, half of them, in millionths of the predicted time. */
static VECTOR(int64_t) widths[NSETTINGS];
static char directory[] = "/tmp/simulated-XXXXXX";

static void count(const struct simulated_case *c, enum property property, bool holds)
{
	tally_count(&tallies[setting][property], c->seed, holds);
}

/* ---- cases ---- */

static void lock_choose(struct simulated_case *c)
{
	int64_t longest = 0;

	c->lock = MOST_LOCKS;
	for (uint32_t i = 0; i < PLAIN_LOCKS; i++) {
		unsigned times;
		int64_t held = workload_held(c->program, i, &times);

		if (held <= longest)
			continue;
		longest = held;
		c->lock = i;
		c->hold = held / times / 2;
	}
}

static struct workload *program_of(unsigned seed)
{
	return setting == POOLS ? workload_pool_random(seed) : workload_random(seed);
}

static struct simulated_case case_of(unsigned seed)
{
	struct simulated_case c = {.seed = seed, .program = program_of(seed)};
	struct random random = {seed ^ 0x5eed};

	c.computer = (struct computer){.processors = 1 + random_below(&random, 4),
				       .slice = SLICE,
				       .latency = LATENCY,
				       .seed = seed};
	c.cores = 1 + (c.computer.processors + random_below(&random, 7)) % 8;
	c.thread = 1 + random_below(&random, c.program->nthreads - 1);
	c.factor = random_below(&random, 2) ? 2 : 4;
	lock_choose(&c);
	if (setting == QUEUES) {
		c.computer.pull = 1000000 + random_below(&random, 3000000);
		c.computer.preempts = random_below(&random, 2);
	}
	if (setting == BUSY) {
		c.computer.foreign = 1 + random_below(&random, 2 * c.computer.processors);
		c.computer.pull = random_below(&random, 2) ? 4000000 : 0;
		c.computer.preempts = random_below(&random, 2);
	}
	return c;
}

static int64_t duration_of(const struct simulated_case *c, const struct workload *p,
			   unsigned processors)
{
	struct computer computer = c->computer;
	struct simulated_log log;
	struct truth truth;

	computer.processors = processors;
	recording_begin(&log, 0);
	truth = computer_run(&computer, p, &log);
	recording_free(&log);
	return truth.duration;
}

/* ---- traces ---- */

static void directory_empty(void)
{
	static const char *const specs[] = {"threads.spec", "scheduler.spec"};

	for (unsigned i = 0; i < MOST_THREADS + 2; i++) {
		char *path = i < 2 ? text_format("%s/%s", directory, specs[i])
				   : text_format("%s/log.%u", directory, i - 2);

		unlink(path);
		free(path);
	}
}

static struct trace *trace_of(struct simulated_case *c, unsigned which)
{
	struct diag diag = {.out = stderr, .program = "simulated"};
	const char *path = directory;
	struct simulated_log log;
	struct trace *t;

	directory_empty();
	recording_begin(&log, which);
	c->truth = computer_run(&c->computer, c->program, &log);
	recording_write(&log, directory, c->program->nthreads);
	recording_free(&log);
	t = trace_open(&path, 1, NULL, &diag);
	if (!t || !c->truth.ended) {
		printf("Bail out! program %u %s\n", c->seed, t ? "does not end" : "cannot be read");
		exit(1);
	}
	return t;
}

/* ---- properties ---- */

static void states_check(const struct simulated_case *c, struct trace *t, enum property property)
{
	static const enum thread_state of[NTRUTH_STATES] = {STATE_RUNNING, STATE_READY,
							    STATE_BLOCKED};
	struct states *states = states_of(t, STATES_ALL);
	bool good = states->known && t->nthreads == c->program->nthreads;

	for (uint32_t i = 0; good && i < t->nthreads; i++)
		for (unsigned k = 0; k < NTRUTH_STATES; k++) {
			int64_t found = states->threads[i].states[of[k]].total;

			if (found == c->truth.states[i][k])
				continue;
			good = false;
			if (shows)
				printf("# %u: thread %u is %s for %lld ns, in truth %lld\n",
				       c->seed, i, thread_state_name(of[k]), (long long)found,
				       (long long)c->truth.states[i][k]);
		}
	count(c, property, good);
	states_free(states);
}

/* Returns the name of a lock of the program in the trace; NULL: it was never held. */
static const char *lock_name(const struct prediction *p, uint32_t lock)
{
	for (size_t i = 0; i < p->model->locks->locks.n; i++)
		if (p->model->locks->locks.at[i].address == computer_lock_address(lock))
			return p->model->locks->locks.at[i].name;
	return NULL;
}

static bool is_near(const struct simulated_case *c, const char *what, int64_t predicted,
		    int64_t real, double most)
{
	double error = ((double)predicted - (double)real) / (double)real;
	bool near = fabs(error) <= most;

	if (shows && !near)
		printf(
		    "# %u: %s, %s: predicted %.3f ms, really %.3f ms, %+.1f %%; recorded %.3f ms on %u processors\n",
		    c->seed, c->program->shape, what, (double)predicted / 1e6, (double)real / 1e6,
		    100 * error, (double)c->truth.duration / 1e6, c->computer.processors);
	return near;
}

/* Whether a change was in the range, and how wide that is. */
static void range_check(const struct simulated_case *c, const struct prediction *p,
			enum property property, const char *what, int64_t real)
{
	double predicted = (double)p->changed->duration;
	bool holds = real >= p->low && real <= p->high;

	*vector_add(&widths[setting]) = (int64_t)(1e6 * (double)(p->high - p->low) / 2 / predicted);
	count(c, property, holds);
	if (shows && !holds)
		printf("# %u: %s, %s: %.3f to %.3f ms, really %.3f ms\n", c->seed,
		       c->program->shape, what, (double)p->low / 1e6, (double)p->high / 1e6,
		       (double)real / 1e6);
}

/* property: of the prediction, and the one for its range; real: how long the changed program takes */
static void change_check(const struct simulated_case *c, struct prediction *p,
			 const struct changes *changes, const enum property property[2],
			 const char *what, int64_t real)
{
	const char *unknown = NULL;

	if (!prediction_choose(p, changes, &unknown) || !prediction_change(p, changes, &unknown)) {
		printf("# %u: %s: %s is not known\n", c->seed, what, unknown);
		count(c, property[0], false);
		return;
	}
	count(c, property[0],
	      !p->changed->stuck && is_near(c, what, p->changed->duration, real, prediction_error));
	range_check(c, p, property[1], what, real);
}

static void cores_check(const struct simulated_case *c, struct prediction *p)
{
	char *what = text_format("on %u", c->cores);

	change_check(
	    c, p, &(struct changes){.only = NOT_CHANGED, .cores_given = true, .cores = c->cores},
	    (enum property[]){CORES, CORES_IN_RANGE}, what, duration_of(c, c->program, c->cores));
	free(what);
}

static void lock_check(const struct simulated_case *c, struct prediction *p)
{
	const char *name = lock_name(p, c->lock);
	struct lock_change none = {.what = name, .discipline = DISCIPLINE_NONE};
	struct span_change hold = {.kind = SPAN_HOLD,
				   .what = name,
				   .exact = true,
				   .length = {DISTRIBUTION_CONSTANT, (double)c->hold, 0}};
	struct workload *changed = program_of(c->seed);

	workload_hold(changed, c->lock, c->hold);
	change_check(c, p, &(struct changes){.only = NOT_CHANGED, .spans = &hold, .nspans = 1},
		     (enum property[]){HOLD, HOLD_IN_RANGE}, "hold",
		     duration_of(c, changed, c->computer.processors));
	workload_free(changed);
	changed = program_of(c->seed);
	workload_unlock(changed, c->lock);
	change_check(c, p, &(struct changes){.only = NOT_CHANGED, .locks = &none, .nlocks = 1},
		     (enum property[]){LOCK_NONE, LOCK_NONE_IN_RANGE}, "no lock",
		     duration_of(c, changed, c->computer.processors));
	workload_free(changed);
}

static void speed_check(const struct simulated_case *c, struct prediction *p)
{
	char *name = text_format("thread:worker-%u", c->thread);
	struct span_change speed = {.kind = SPAN_SPEED, .what = name, .factor = c->factor};
	struct workload *changed = program_of(c->seed);

	workload_speed(changed, c->thread, c->factor);
	change_check(c, p, &(struct changes){.only = NOT_CHANGED, .spans = &speed, .nspans = 1},
		     (enum property[]){SPEED, SPEED_IN_RANGE}, "faster",
		     duration_of(c, changed, c->computer.processors));
	workload_free(changed);
	free(name);
}

static void all_speed_check(const struct simulated_case *c, struct prediction *p)
{
	struct span_change speed = {.kind = SPAN_SPEED, .what = "thread:*", .factor = c->factor};
	struct workload *changed = program_of(c->seed);

	for (uint32_t t = 0; t < changed->nthreads; t++)
		workload_speed(changed, t, c->factor);
	change_check(c, p, &(struct changes){.only = NOT_CHANGED, .spans = &speed, .nspans = 1},
		     (enum property[]){SPEED_ALL, SPEED_ALL_IN_RANGE}, "all faster",
		     duration_of(c, changed, c->computer.processors));
	workload_free(changed);
}

static bool rank_holds(const struct simulated_case *c, const struct rank *r)
{
	double duration = (double)r->duration;

	for (size_t i = 0; i < r->n; i++) {
		const struct rank_row *row = &r->rows[i];

		if ((double)row->worth.path <= duration && row->worth.npt <= (double)r->busy + 1 &&
		    row->worth.cpu <= row->worth.time &&
		    (double)row->worth.time <= (double)r->lives && row->zeroing <= duration)
			continue;
		if (shows)
			printf("# %u: %s is ranked with more than there is\n", c->seed,
			       row->subject.name);
		return false;
	}
	return true;
}

static bool findings_hold(const struct simulated_case *c, const struct search *s)
{
	for (size_t i = 0; s && i < s->findings.n; i++) {
		const struct finding *f = &s->findings.at[i];

		if (f->share >= 0 && f->share <= 1 && f->saved <= (double)c->truth.duration)
			continue;
		if (shows)
			printf("# %u: %s has a share of %g and saves %g ns\n", c->seed,
			       f->hypothesis->name, f->share, f->saved);
		return false;
	}
	return true;
}

static void rank_check(const struct simulated_case *c, const struct instance_set *set,
		       const struct graph *g)
{
	struct critical_path *path = critical_path_of(g);
	struct rank *r = rank_of(set, g, path, (1u << NSUBJECTS) - 1, false);

	count(c, RANK_SHARES, rank_holds(c, r));
	rank_free(r);
	critical_path_free(path);
}

static void why_check(const struct simulated_case *c, struct trace *t)
{
	struct diag diag = {.out = stderr, .program = "simulated"};
	struct why *w = why_of(
	    t, &(struct why_options){.to = t->duration, .search = true, .rank = true}, &diag);

	count(c, WHY_SHARES, w && findings_hold(c, w->search));
	if (w)
		why_free(w);
}

static void handed_out_check(const struct simulated_case *c, const struct prediction *p)
{
	size_t n = p->hand_out ? p->hand_out->pools.n : 0;
	bool good = p->handed && n == 1;

	if (shows && !good)
		printf("# %u: %s, %u threads: %zu pools, %s\n", c->seed, c->program->shape,
		       c->program->nthreads, n,
		       n && p->hand_out->pools.at[0].doubt ? p->hand_out->pools.at[0].doubt
		       : p->copied                         ? p->copied
							   : "");
	count(c, HANDED_OUT, good);
}

static void replay_check(const struct simulated_case *c, struct trace *t)
{
	struct instance_set *set;
	struct prediction *p;

	graph_announce(t);
	set = instance_set_of(t, SPANS_ALL | SPANS_NAMED, NULL, 0);
	p = prediction_of(set, 0);
	if (setting == POOLS && c->program->nthreads > 2)
		handed_out_check(c, p);
	count(c, UNCHANGED,
	      !p->unchanged->stuck &&
		  is_near(c, "unchanged", p->unchanged->duration, c->truth.duration, replay_error));
	if (setting != BUSY)
		cores_check(c, p);
	if (setting != BUSY && c->lock < MOST_LOCKS && lock_name(p, c->lock))
		lock_check(c, p);
	speed_check(c, p);
	if (setting == BUSY)
		all_speed_check(c, p);
	else
		rank_check(c, set, p->model->graph);
	prediction_free(p);
	instance_set_free(set);
}

/* ---- ranges ---- */

/* A range that says everything is worth nothing. */
static void widths_report(unsigned k, bool all)
{
	static const double most[] = {
	    [ONE_QUEUE] = 5.7, [QUEUES] = 6.4, [POOLS] = 11.8, [BUSY] = 31}; /* percent */
	static const char *const before[] = {[ONE_QUEUE] = "",
					     [QUEUES] = "with these queues ",
					     [POOLS] = "of pools ",
					     [BUSY] = "beside other programs "};
	size_t n = widths[k].n;
	double median = (double)median_word(widths[k].at, n, 0) / 1e4;
	char *name = text_format("%sthe median range is +-%.2f %%, at most %g %%", before[k],
				 median, most[k]);

	ok(n && (!all || median <= most[k]), name);
	free(widths[k].at);
	free(name);
}

/* ---- all ---- */

static void case_check(unsigned seed)
{
	struct simulated_case c = case_of(seed);
	struct trace *t = trace_of(&c, LOG_SCHEDULER);

	states_check(&c, t, STATES_OF_SCHEDULER);
	trace_close(t);
	t = trace_of(&c, LOG_THREADS | LOG_SCHEDULER);
	states_check(&c, t, STATES_OF_ALL);
	replay_check(&c, t);
	trace_close(t);
	if (setting != BUSY) {
		t = trace_of(&c, LOG_THREADS | LOG_SCHEDULER);
		why_check(&c, t);
		trace_close(t);
	}
	workload_free(c.program);
}

static void recording_make(unsigned seed, const char *path)
{
	struct simulated_case c = case_of(seed);
	struct simulated_log log;

	if (mkdir(path, 0700))
		perror(path);
	recording_begin(&log, LOG_THREADS | LOG_SCHEDULER);
	c.truth = computer_run(&c.computer, c.program, &log);
	recording_write(&log, path, c.program->nthreads);
	recording_free(&log);
	printf("program %u, %s, %u threads on %u processors: %.3f ms\n", seed, c.program->shape,
	       c.program->nthreads, c.computer.processors, (double)c.truth.duration / 1e6);
	workload_free(c.program);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES"), *source = getenv("SRC");
	const bool only = getenv("POOLS") || getenv("QUEUES") || getenv("BUSY");
	unsigned from = seed ? (unsigned)atoi(seed) : 1, n = cases       ? (unsigned)atoi(cases)
							     : SANITIZED ? SANITIZED_CASES
									 : CASES;

	log_specifications_read(source ? source : ".");
	shows = getenv("SHOW") != NULL;
	setting = getenv("POOLS")    ? POOLS
		  : getenv("QUEUES") ? QUEUES
		  : getenv("BUSY")   ? BUSY
				     : ONE_QUEUE;
	if (argc == 3) {
		recording_make((unsigned)atoi(argv[1]), argv[2]);
		log_specifications_free();
		return 0;
	}
	if (!mkdtemp(directory)) {
		perror(directory);
		return 2;
	}
	printf("# %u programs from seed %u\n", n, from);
	for (unsigned k = only ? setting : 0; k < (only ? setting + 1 : NSETTINGS); k++) {
		bool all = from == 1 && n == CASES;

		setting = (enum setting)k;
		for (unsigned i = 0; i < n; i++)
			case_check(from + i);
		for (unsigned i = 0; i < NPROPERTIES; i++)
			if (tallies[k][i].name)
				tally_report(&tallies[k][i], all ? tallies[k][i].floor : 0);
		widths_report(k, all);
	}
	directory_empty();
	rmdir(directory);
	log_specifications_free();
	return tap_end();
}
