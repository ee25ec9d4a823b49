/*
 * Draws a program from a seed and runs it, so that predictions can be compared with real changes:
 *	drawn SEED [--size 0|1|2] [--change CHANGE | --changed] [--describe]
 * CHANGE is an option of glimpse whatif with its value, such as '--speed work_c=2'; --changed makes
 * the change that the seed draws. --describe prints what was drawn and runs nothing. Otherwise the
 * output is how long main took, in ns, and a sum of all that was computed. The sum depends on the
 * seed, the size and the change only.
 *
 * A program has one section or two. Each creates threads, which repeat their steps, and joins them.
 * No deadlock is possible: locks are nested in the order of their names, and a thread that holds a
 * lock waits for no event of another thread.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum {
	FUNCTIONS = 6,
	LOCKS = 4,
	NAPS = 3,
	SEMAPHORES = 2,
	MOST_THREADS = 6,
	MOST_STEPS = 5,
	MOST_SECTIONS = 2,
	NAME = 16
};
enum { NONE = -1 };
enum {
	PER_US = 600,    /* steps of a loop that take some microsecond */
	LIMIT = 5000000, /* ns: of waits that are repeated */
	REST = 1500,     /* us: between tries of a lock */
	MESSAGE = 1024,  /* bytes through a pipe */
	PIPE_ROOM = 4096
};

/* ---- random numbers ---- */

struct random {
	uint64_t state;
};

static uint64_t random_next(struct random *r)
{
	uint64_t x = (r->state += 0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static int dice(struct random *r, int n)
{
	return (int)(random_next(r) % (unsigned)n);
}

/* ---- the program that is drawn ---- */

enum step_kind { COMPUTE, HOLD, TRY, COUNT, COUNT_IN_TIME, SLEEP };

/* The lengths are in us; a real one is between half and three halves of it. */
struct step {
	enum step_kind kind;
	int what;     /* the lock, the semaphore, or the nap */
	int function; /* that computes; while the thread holds the lock or the semaphore */
	int length;
	bool nested; /* the next lock is acquired, too */
	int nap;     /* while the lock is held; NONE */
};

enum shape { ROUNDS, PIPELINE, POOL };
enum link_kind { LINK_QUEUE, LINK_IN_TIME, LINK_SEMAPHORE, LINK_PIPE, LINKS };
enum pool_kind { POOL_COUNTER, POOL_QUEUE, POOL_SEMAPHORE, POOLS };

struct section {
	enum shape shape;
	enum link_kind link; /* of a pipeline: between its stages */
	enum pool_kind pool;
	bool barrier; /* of rounds: after each */
	int threads, rounds, room;
	int nsteps[MOST_THREADS]; /* threads of a pool have the steps of the first */
	struct step steps[MOST_THREADS][MOST_STEPS];
	struct step before,
	    gap; /* the main thread's, before all, and before it adds an item to a pool */
};

enum change_kind { PLAIN, FUNCTION, LOCK_HELD, LOCK_GONE, NAP, THREAD, CORES, THREADS };

struct change {
	enum change_kind kind;
	int what;            /* the function, the lock, or the nap */
	double value;        /* how many times as fast; how many; us */
	char name[NAME];     /* of the thread */
	char text[4 * NAME]; /* as glimpse whatif takes it */
};

/* What the program would do on enough processors, us. */
struct usage {
	double computing[FUNCTIONS], under[LOCKS], sleeping[NAPS], all;
};

static uint64_t seed;
static struct section sections[MOST_SECTIONS];
static int nsections, naps[NAPS], first_values[SEMAPHORES];
static struct change change;

/* ---- drawing ---- */

static int length_random(struct random *r, int most)
{
	int length = most / 20 + dice(r, most);

	return dice(r, 3) ? length / 3 + 1 : length + 1;
}

static struct step step_random(struct random *r, int most)
{
	static const enum step_kind kinds[] = {COMPUTE, COMPUTE, HOLD,  HOLD,          HOLD,
					       HOLD,    TRY,     COUNT, COUNT_IN_TIME, SLEEP};
	static const int choices[] = {[HOLD] = LOCKS,
				      [TRY] = LOCKS,
				      [COUNT] = SEMAPHORES,
				      [COUNT_IN_TIME] = SEMAPHORES,
				      [SLEEP] = NAPS};
	struct step s = {.nap = NONE};

	s.kind = kinds[dice(r, (int)(sizeof kinds / sizeof *kinds))];
	s.what = s.kind == COMPUTE ? 0 : dice(r, choices[s.kind]);
	s.function = dice(r, FUNCTIONS);
	s.length = length_random(r, most);
	s.nested = s.kind == HOLD && s.what + 1 < LOCKS && dice(r, 5) == 0;
	if (s.kind == HOLD && dice(r, 8) == 0)
		s.nap = dice(r, NAPS);
	return s;
}

static struct step compute_random(struct random *r, int most)
{
	return (struct step){COMPUTE, 0, dice(r, FUNCTIONS), length_random(r, most), false, NONE};
}

/* ---- how long things take ---- */

static double step_sleeps(const struct step *s)
{
	return s->kind == SLEEP ? naps[s->what] : s->nap != NONE ? naps[s->nap] : 0;
}

static double step_computes(const struct step *s)
{
	return s->kind == SLEEP ? 0 : s->nested ? 1.5 * s->length : s->length;
}

static void step_use(struct usage *u, const struct step *s, double times)
{
	bool locks = s->kind == HOLD || s->kind == TRY;

	u->computing[s->function] += times * step_computes(s);
	u->all += times * step_computes(s);
	if (locks)
		u->under[s->what] += times * step_computes(s);
	if (s->nested)
		u->under[s->what + 1] += times * step_computes(s) / 3;
	if (s->kind == SLEEP || s->nap != NONE)
		u->sleeping[s->kind == SLEEP ? s->what : s->nap] += times * step_sleeps(s);
}

static double most_of(double a, double b)
{
	return a > b ? a : b;
}

/* Estimates how long one round takes on two processors. */
static double round_length(const struct section *c)
{
	double computing = 0, longest = 0, serial = c->gap.length, held[LOCKS] = {0};
	int threads = c->shape == POOL ? 1 : c->threads;

	for (int t = 0; t < threads; t++) {
		double own = 0;

		for (int i = 0; i < c->nsteps[t]; i++) {
			const struct step *s = &c->steps[t][i];
			double takes = step_computes(s) + step_sleeps(s);

			computing += step_computes(s);
			own += takes;
			if (s->kind == HOLD || s->kind == TRY)
				held[s->what] += takes;
		}
		longest = most_of(longest, own);
	}
	for (int i = 0; i < LOCKS; i++)
		serial = most_of(serial, held[i]);
	if (c->shape == POOL)
		longest /= c->threads;
	return most_of(most_of(computing / 2, longest), serial);
}

/* most: of a step, us; length: of the section, us */
static void section_random(struct random *r, struct section *c, int most, double length, bool pool)
{
	*c = (struct section){
	    .shape = pool && dice(r, 3) == 0 ? POOL
		     : dice(r, 2)            ? PIPELINE
					     : ROUNDS,
	    .link = (enum link_kind)dice(r, LINKS),
	    .pool = (enum pool_kind)dice(r, POOLS),
	    .barrier = dice(r, 2),
	    .threads = 1 + dice(r, MOST_THREADS),
	    .room = 1 + dice(r, 6),
	    .before = compute_random(r, dice(r, 3) ? most : (int)length / 4),
	};
	if (c->shape == PIPELINE && c->threads == 1)
		c->threads = 2;
	for (int t = 0; t < c->threads; t++) {
		c->nsteps[t] = 1 + dice(r, MOST_STEPS);
		c->steps[t][0] = compute_random(r, most);
		for (int i = 1; i < c->nsteps[t]; i++)
			c->steps[t][i] = step_random(r, most);
	}
	if (c->shape == POOL && c->pool != POOL_COUNTER)
		c->gap = compute_random(r, most / c->threads / (1 + dice(r, 3)) + 1);
	c->rounds = 1 + (int)(length / round_length(c));
}

/* A program has one pool at most, so that its threads are a group. */
static void program_random(struct random *r)
{
	static const int mosts[] = {300, 1500, 6000}, most_naps[NAPS] = {2, 6, 16};
	double length = 250000 + dice(r, 400000);
	bool pool = true;

	nsections = 1 + dice(r, MOST_SECTIONS);
	for (int i = 0; i < NAPS; i++)
		naps[i] = 1000 * (1 + dice(r, most_naps[i]));
	for (int i = 0; i < SEMAPHORES; i++)
		first_values[i] = 1 + dice(r, 3);
	for (int i = 0; i < nsections; i++) {
		section_random(r, &sections[i], mosts[dice(r, 3)], length / nsections, pool);
		pool = pool && sections[i].shape != POOL;
	}
}

static int threads_with_steps(const struct section *c)
{
	return c->shape == POOL ? 1 : c->threads;
}

static struct usage used(void)
{
	struct usage u = {{0}, {0}, {0}, 0};

	for (int k = 0; k < nsections; k++) {
		const struct section *c = &sections[k];

		step_use(&u, &c->before, 1);
		if (c->gap.length)
			step_use(&u, &c->gap, c->rounds);
		for (int t = 0; t < threads_with_steps(c); t++)
			for (int i = 0; i < c->nsteps[t]; i++)
				step_use(&u, &c->steps[t][i], c->rounds);
	}
	return u;
}

static const struct section *pool_of(void)
{
	for (int k = 0; k < nsections; k++)
		if (sections[k].shape == POOL)
			return &sections[k];
	return NULL;
}

/* ---- changes ---- */

static const char *const groups[] = {[ROUNDS] = "team", [PIPELINE] = "stage", [POOL] = "pool"};

static void thread_name(char *text, const struct section *c, int thread)
{
	if (c->shape == POOL)
		snprintf(text, NAME, "%s", groups[POOL]);
	else
		snprintf(text, NAME, "%s_%d", groups[c->shape], thread);
}

/* Returns one of those that have at least a twentieth of the whole, or NONE. */
static int one_of(struct random *r, const double *parts, int n, double whole)
{
	int found = NONE, candidates = 0;

	for (int i = 0; i < n; i++)
		if (parts[i] >= whole / 20 && parts[i] > 0 && dice(r, ++candidates) == 0)
			found = i;
	return found;
}

/* Draws a change of a kind. Returns false if the program has nothing that it could be about. */
static bool change_of_kind(struct random *r, enum change_kind kind, const struct usage *u)
{
	static const double factors[] = {1.5, 2, 4, INFINITY};
	double factor = factors[dice(r, kind == FUNCTION ? 4 : 3)];
	const struct section *c = &sections[dice(r, nsections)];
	int what = NONE;

	switch (kind) {
	case FUNCTION:
		what = one_of(r, u->computing, FUNCTIONS, u->all);
		snprintf(change.text, sizeof change.text, "--speed work_%c=%g", 'a' + what, factor);
		return what != NONE;
	case LOCK_HELD:
		what = one_of(r, u->under, LOCKS, u->all);
		snprintf(change.text, sizeof change.text, "--speed lock_%c=%g", 'a' + what, factor);
		return what != NONE;
	case LOCK_GONE:
		what = one_of(r, u->under, LOCKS, u->all);
		snprintf(change.text, sizeof change.text, "--lock lock_%c=none", 'a' + what);
		return what != NONE;
	case NAP:
		what = one_of(r, u->sleeping, NAPS, u->all);
		if (what != NONE)
			snprintf(change.text, sizeof change.text, "--time nap_%c*=%dus", 'a' + what,
				 (int)(naps[what] / factor));
		return what != NONE;
	case THREAD:
		if (c->shape == POOL)
			return false;
		snprintf(change.text, sizeof change.text, "--speed thread:%s_%d=%g",
			 groups[c->shape], dice(r, c->threads), factor);
		return true;
	case CORES:
		snprintf(change.text, sizeof change.text, "--cores 1");
		return true;
	case THREADS:
		c = pool_of();
		if (c)
			snprintf(change.text, sizeof change.text, "--threads pool=%d",
				 1 + (c->threads + dice(r, MOST_THREADS - 1)) % MOST_THREADS);
		return c != NULL;
	default:
		return false;
	}
}

/* Draws from numbers of its own, so that the program stays the same. */
static void change_random(void)
{
	struct random r = {seed ^ 0x6368616e6765};
	struct usage u = used();

	while (!change_of_kind(&r, (enum change_kind)(FUNCTION + dice(&r, THREADS)), &u))
		;
}

/* Returns which of n things has such a name: PREFIX and a letter. */
static int lettered(const char *name, const char *prefix, int n)
{
	size_t length = strlen(prefix);
	int i = strncmp(name, prefix, length) ? NONE : name[length] - 'a';

	return i >= 0 && i < n ? i : NONE;
}

/* Parses change.text. Returns false if it is wrong. */
static bool change_parse(void)
{
	const char *name = strchr(change.text, ' '), *value = strrchr(change.text, '=');

	if (!name || (!value && strcmp(change.text, "--cores 1") != 0))
		return false;
	name++;
	change.value = value ? strtod(value + 1, NULL) : 1;
	if (strncmp(change.text, "--cores", 7) == 0)
		change.kind = CORES;
	else if (strncmp(change.text, "--threads pool=", 15) == 0)
		change.kind = THREADS;
	else if (strncmp(change.text, "--time ", 7) == 0)
		change.kind = NAP, change.what = lettered(name, "nap_", NAPS);
	else if (strncmp(change.text, "--lock ", 7) == 0)
		change.kind = LOCK_GONE, change.what = lettered(name, "lock_", LOCKS);
	else if (sscanf(change.text, "--speed thread:%15[^=]", change.name) == 1)
		change.kind = THREAD;
	else if (lettered(name, "lock_", LOCKS) != NONE)
		change.kind = LOCK_HELD, change.what = lettered(name, "lock_", LOCKS);
	else
		change.kind = FUNCTION, change.what = lettered(name, "work_", FUNCTIONS);
	return change.what != NONE && (change.value > 0 || change.kind == LOCK_GONE);
}

/* Makes the changes that are in what was drawn; all others are made while the program runs. */
static void change_make(void)
{
	if (change.kind == NAP)
		naps[change.what] = (int)change.value;
	for (int k = 0; k < nsections; k++)
		if (change.kind == THREADS && sections[k].shape == POOL &&
		    change.value <= MOST_THREADS)
			sections[k].threads = (int)change.value;
	if (change.kind == CORES) {
		cpu_set_t all, one;
		size_t first = 0;

		sched_getaffinity(0, sizeof all, &all);
		while (!CPU_ISSET(first, &all))
			first++;
		CPU_ZERO(&one);
		CPU_SET(first, &one);
		sched_setaffinity(0, sizeof one, &one);
	}
}

/* ---- what threads do ---- */

struct worker {
	pthread_t thread;
	char name[NAME];
	const struct section *section;
	int number;           /* in the section */
	double pace;          /* it computes so many times as fast */
	unsigned held;        /* bits: the locks that it holds */
	struct random random; /* of this round */
	uint64_t sum;         /* of what it computed */
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Functions of the same speed that no compiler makes one. */
#define WORK(letter, factor) \
	static NOINLINE uint64_t work_##letter(uint64_t n) \
	{ \
		uint64_t x = factor; \
\
		for (uint64_t i = 0; i < n; i++) \
			x = x * factor + i; \
		return x; \
	}
WORK(a, 6364136223846793005)
WORK(b, 2862933555777941757)
WORK(c, 3202034522624059733)
WORK(d, 3935559000370003845)
WORK(e, 4292484099903637661)
WORK(f, 7664345821815920749)
static uint64_t (*const works[FUNCTIONS])(uint64_t) = {work_a, work_b, work_c,
						       work_d, work_e, work_f};

static void compute(struct worker *w, int function, int length)
{
	double varied = length * (0.5 + dice(&w->random, 1000) / 1000.0), factor = w->pace;

	if (change.kind == FUNCTION && change.what == function)
		factor *= change.value;
	if (change.kind == LOCK_HELD && w->held >> change.what & 1)
		factor *= change.value;
	if (!isinf(factor))
		w->sum += works[function]((uint64_t)(varied * PER_US / factor));
}

#define NAP(letter, number) \
	static NOINLINE void nap_##letter(void) \
	{ \
		usleep((useconds_t)naps[number]); \
	}
NAP(a, 0)
NAP(b, 1)
NAP(c, 2)
static void (*const naps_of[NAPS])(void) = {nap_a, nap_b, nap_c};

static void inside(struct worker *w, const struct step *s);

static bool lock_is_there(int lock)
{
	return change.kind != LOCK_GONE || change.what != lock;
}

/* Each lock has call sites of its own. */
#define LOCK(letter, number) \
	static pthread_mutex_t lock_##letter = PTHREAD_MUTEX_INITIALIZER; \
	static NOINLINE void hold_##letter(struct worker *w, const struct step *s) \
	{ \
		if (lock_is_there(number)) \
			pthread_mutex_lock(&lock_##letter); \
		w->held |= 1U << number; \
		inside(w, s); \
		w->held &= ~(1U << number); \
		if (lock_is_there(number)) \
			pthread_mutex_unlock(&lock_##letter); \
	} \
	static NOINLINE void try_##letter(struct worker *w, const struct step *s) \
	{ \
		while (lock_is_there(number) && pthread_mutex_trylock(&lock_##letter) != 0) \
			usleep(REST); \
		w->held |= 1U << number; \
		inside(w, s); \
		w->held &= ~(1U << number); \
		if (lock_is_there(number)) \
			pthread_mutex_unlock(&lock_##letter); \
	}
LOCK(a, 0)
LOCK(b, 1)
LOCK(c, 2)
LOCK(d, 3)
typedef void step_function(struct worker *w, const struct step *s);
static step_function *const holds[LOCKS] = {hold_a, hold_b, hold_c, hold_d};
static step_function *const tries[LOCKS] = {try_a, try_b, try_c, try_d};

/* What a thread does while it holds a lock or a semaphore. */
static void inside(struct worker *w, const struct step *s)
{
	compute(w, s->function, s->length);
	if (s->nested)
		holds[s->what + 1](
		    w, &(struct step){HOLD, s->what + 1, s->function, s->length / 2, false, NONE});
	if (s->nap != NONE)
		naps_of[s->nap]();
}

static sem_t semaphores[SEMAPHORES];

static struct timespec limit(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += LIMIT;
	if (t.tv_nsec >= 1000000000)
		t.tv_nsec -= 1000000000, t.tv_sec++;
	return t;
}

static NOINLINE void count(struct worker *w, const struct step *s)
{
	while (sem_wait(&semaphores[s->what]) != 0)
		;
	inside(w, s);
	sem_post(&semaphores[s->what]);
}

static NOINLINE void count_in_time(struct worker *w, const struct step *s)
{
	struct timespec until = limit();

	while (sem_timedwait(&semaphores[s->what], &until) != 0)
		until = limit();
	inside(w, s);
	sem_post(&semaphores[s->what]);
}

static void step_do(struct worker *w, const struct step *s)
{
	switch (s->kind) {
	case COMPUTE:
		compute(w, s->function, s->length);
		break;
	case HOLD:
		holds[s->what](w, s);
		break;
	case TRY:
		tries[s->what](w, s);
		break;
	case COUNT:
		count(w, s);
		break;
	case COUNT_IN_TIME:
		count_in_time(w, s);
		break;
	case SLEEP:
		naps_of[s->what]();
	}
}

/* Does the steps of one round, or of one item of a pool. */
static void steps_do(struct worker *w, int steps_of, int round)
{
	const struct section *c = w->section;

	w->random = (struct random){seed ^ (uint64_t)(c - sections) << 60 ^
				    (uint64_t)steps_of << 50 ^ (uint64_t)round << 20};
	for (int i = 0; i < c->nsteps[steps_of]; i++)
		step_do(w, &c->steps[steps_of][i]);
}

/* ---- rounds ---- */

static pthread_barrier_t barrier;

static void *team_thread(void *argument)
{
	struct worker *w = argument;

	pthread_setname_np(pthread_self(), w->name);
	for (int i = 0; i < w->section->rounds; i++) {
		steps_do(w, w->number, i);
		if (w->section->barrier)
			pthread_barrier_wait(&barrier);
	}
	return NULL;
}

/* ---- pipelines ---- */

/* Between two stages. */
struct link {
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	int n;
	sem_t items, room;
	int ends[2];
};
static struct link links[MOST_THREADS];

static NOINLINE void put_queue(struct link *l, int room)
{
	pthread_mutex_lock(&l->lock);
	while (l->n == room)
		pthread_cond_wait(&l->emptied, &l->lock);
	l->n++;
	pthread_cond_signal(&l->filled);
	pthread_mutex_unlock(&l->lock);
}

static NOINLINE void take_queue(struct link *l)
{
	pthread_mutex_lock(&l->lock);
	while (!l->n)
		pthread_cond_wait(&l->filled, &l->lock);
	l->n--;
	pthread_cond_signal(&l->emptied);
	pthread_mutex_unlock(&l->lock);
}

static NOINLINE void take_in_time(struct link *l)
{
	struct timespec until = limit();

	pthread_mutex_lock(&l->lock);
	while (!l->n)
		if (pthread_cond_timedwait(&l->filled, &l->lock, &until) == ETIMEDOUT)
			until = limit();
	l->n--;
	pthread_cond_signal(&l->emptied);
	pthread_mutex_unlock(&l->lock);
}

static NOINLINE void put_semaphore(struct link *l)
{
	while (sem_wait(&l->room) != 0)
		;
	sem_post(&l->items);
}

static NOINLINE void take_semaphore(struct link *l)
{
	while (sem_wait(&l->items) != 0)
		;
	sem_post(&l->room);
}

static NOINLINE void put_pipe(struct link *l)
{
	static const char message[MESSAGE];

	if (write(l->ends[1], message, MESSAGE) != MESSAGE)
		die("write");
}

static NOINLINE void take_pipe(struct link *l)
{
	char message[MESSAGE];

	if (read(l->ends[0], message, MESSAGE) != MESSAGE)
		die("read");
}

static void put(const struct section *c, struct link *l)
{
	if (c->link == LINK_PIPE)
		put_pipe(l);
	else if (c->link == LINK_SEMAPHORE)
		put_semaphore(l);
	else
		put_queue(l, c->room);
}

static void take(const struct section *c, struct link *l)
{
	if (c->link == LINK_PIPE)
		take_pipe(l);
	else if (c->link == LINK_SEMAPHORE)
		take_semaphore(l);
	else if (c->link == LINK_IN_TIME)
		take_in_time(l);
	else
		take_queue(l);
}

static void link_begin(const struct section *c, struct link *l)
{
	*l = (struct link){.lock = PTHREAD_MUTEX_INITIALIZER,
			   .filled = PTHREAD_COND_INITIALIZER,
			   .emptied = PTHREAD_COND_INITIALIZER};
	sem_init(&l->items, 0, 0);
	sem_init(&l->room, 0, (unsigned)c->room);
	if (c->link != LINK_PIPE)
		return;
	if (pipe2(l->ends, O_CLOEXEC) != 0)
		die("pipe");
	fcntl(l->ends[1], F_SETPIPE_SZ, PIPE_ROOM);
}

static void link_end(const struct section *c, struct link *l)
{
	if (c->link == LINK_PIPE)
		close(l->ends[0]), close(l->ends[1]);
	sem_destroy(&l->items);
	sem_destroy(&l->room);
}

static void *stage_thread(void *argument)
{
	struct worker *w = argument;
	const struct section *c = w->section;

	pthread_setname_np(pthread_self(), w->name);
	for (int i = 0; i < c->rounds; i++) {
		if (w->number)
			take(c, &links[w->number]);
		steps_do(w, w->number, i);
		if (w->number + 1 < c->threads)
			put(c, &links[w->number + 1]);
	}
	return NULL;
}

/* ---- a pool ---- */

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_filled = PTHREAD_COND_INITIALIZER;
static sem_t pool_items;
static int pool_next, pool_there;
static bool pool_closed;

/* Each of these returns the next item, or NONE. */
static NOINLINE int item_counted(void)
{
	int item;

	pthread_mutex_lock(&pool_lock);
	item = pool_next < pool_there ? pool_next++ : NONE;
	pthread_mutex_unlock(&pool_lock);
	return item;
}

static NOINLINE int item_queued(void)
{
	int item;

	pthread_mutex_lock(&pool_lock);
	while (pool_next == pool_there && !pool_closed)
		pthread_cond_wait(&pool_filled, &pool_lock);
	item = pool_next < pool_there ? pool_next++ : NONE;
	pthread_mutex_unlock(&pool_lock);
	return item;
}

static NOINLINE int item_posted(void)
{
	int item;

	while (sem_wait(&pool_items) != 0)
		;
	pthread_mutex_lock(&pool_lock);
	item = pool_next < pool_there ? pool_next++ : NONE;
	pthread_mutex_unlock(&pool_lock);
	return item;
}

static void *pool_thread(void *argument)
{
	static int (*const takes[POOLS])(void) = {item_counted, item_queued, item_posted};
	struct worker *w = argument;
	int item;

	pthread_setname_np(pthread_self(), w->name);
	while ((item = takes[w->section->pool]()) != NONE)
		steps_do(w, 0, item);
	return NULL;
}

static NOINLINE void item_add(enum pool_kind kind)
{
	pthread_mutex_lock(&pool_lock);
	pool_there++;
	if (kind == POOL_QUEUE)
		pthread_cond_signal(&pool_filled);
	pthread_mutex_unlock(&pool_lock);
	if (kind == POOL_SEMAPHORE)
		sem_post(&pool_items);
}

static NOINLINE void pool_close(const struct section *c)
{
	pthread_mutex_lock(&pool_lock);
	pool_closed = true;
	pthread_cond_broadcast(&pool_filled);
	pthread_mutex_unlock(&pool_lock);
	for (int i = 0; i < c->threads && c->pool == POOL_SEMAPHORE; i++)
		sem_post(&pool_items);
}

/* ---- the main thread ---- */

static void *(*const starts[])(void *) = {
    [ROUNDS] = team_thread, [PIPELINE] = stage_thread, [POOL] = pool_thread};

static void items_add(struct worker *self, const struct section *c)
{
	for (int i = 0; i < c->rounds && c->pool != POOL_COUNTER; i++) {
		compute(self, c->gap.function, c->gap.length);
		item_add(c->pool);
	}
	pool_close(c);
}

static void section_run(struct worker *self, const struct section *c)
{
	struct worker workers[MOST_THREADS] = {0};

	self->random = (struct random){seed ^ (uint64_t)c->rounds};
	step_do(self, &c->before);
	pthread_barrier_init(&barrier, NULL, (unsigned)c->threads);
	for (int i = 0; i < MOST_THREADS; i++)
		link_begin(c, &links[i]);
	if (c->shape == POOL && c->pool == POOL_COUNTER)
		pool_there = c->rounds;
	for (int i = 0; i < c->threads; i++) {
		struct worker *w = &workers[i];

		w->section = c;
		w->number = i;
		thread_name(w->name, c, i);
		w->pace =
		    change.kind == THREAD && strcmp(change.name, w->name) == 0 ? change.value : 1;
		if (pthread_create(&w->thread, NULL, starts[c->shape], w) != 0)
			die("pthread_create");
	}
	if (c->shape == POOL)
		items_add(self, c);
	for (int i = 0; i < c->threads; i++) {
		pthread_join(workers[i].thread, NULL);
		self->sum += workers[i].sum;
	}
	for (int i = 0; i < MOST_THREADS; i++)
		link_end(c, &links[i]);
	pthread_barrier_destroy(&barrier);
}

/* ---- what was drawn ---- */

static const char *kind_name(void)
{
	static const char *const names[] = {
	    [PLAIN] = "none", [FUNCTION] = "function", [LOCK_HELD] = "hold", [LOCK_GONE] = "lock",
	    [NAP] = "sleep",  [THREAD] = "thread",     [CORES] = "cores",    [THREADS] = "threads"};

	return change.kind == FUNCTION && isinf(change.value) ? "gone" : names[change.kind];
}

static void step_describe(const struct step *s)
{
	static const char *const names[] = {[COMPUTE] = "",
					    [HOLD] = "lock_",
					    [TRY] = "try lock_",
					    [COUNT] = "semaphore_",
					    [COUNT_IN_TIME] = "semaphore in time_",
					    [SLEEP] = "nap_"};

	if (s->kind == SLEEP) {
		printf(" nap_%c;", 'a' + s->what);
		return;
	}
	if (s->kind != COMPUTE)
		printf(" %s%c:", names[s->kind], 'a' + s->what);
	printf(" work_%c %d us", 'a' + s->function, s->length);
	if (s->nested)
		printf(", in lock_%c %d us", 'a' + s->what + 1, s->length / 2);
	if (s->nap != NONE)
		printf(", nap_%c", 'a' + s->nap);
	printf(";");
}

static void section_describe(const struct section *c)
{
	static const char *const link_names[] = {"queue", "queue in time", "semaphore", "pipe"};
	static const char *const pool_names[] = {"counter", "queue", "semaphore"};
	char name[NAME];

	printf("section %s", c->shape == ROUNDS ? c->barrier ? "rounds with a barrier" : "rounds"
			     : c->shape == PIPELINE ? "pipeline"
						    : "pool");
	if (c->shape == PIPELINE)
		printf(" by %s, room %d", link_names[c->link], c->room);
	if (c->shape == POOL)
		printf(" by %s", pool_names[c->pool]);
	printf(", %d threads, %d rounds; before:", c->threads, c->rounds);
	step_describe(&c->before);
	if (c->gap.length) {
		printf(" for each item:");
		step_describe(&c->gap);
	}
	printf("\n");
	for (int t = 0; t < threads_with_steps(c); t++) {
		thread_name(name, c, t);
		printf("steps %s:", name);
		for (int i = 0; i < c->nsteps[t]; i++)
			step_describe(&c->steps[t][i]);
		printf("\n");
	}
}

static void describe(void)
{
	printf("kind %s\nwhatif %s\n", kind_name(), change.text);
	printf("naps %d %d %d us\nsemaphores %d %d\n", naps[0], naps[1], naps[2], first_values[0],
	       first_values[1]);
	for (int k = 0; k < nsections; k++)
		section_describe(&sections[k]);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void run(int64_t begin)
{
	struct worker self = {.pace = 1};

	for (int i = 0; i < SEMAPHORES; i++)
		sem_init(&semaphores[i], 0, (unsigned)first_values[i]);
	sem_init(&pool_items, 0, 0);
	for (int k = 0; k < nsections; k++)
		section_run(&self, &sections[k]);
	printf("%lld %016llx\n", (long long)(now() - begin), (unsigned long long)self.sum);
}

static int usage(void)
{
	fprintf(stderr,
		"usage: drawn SEED [--size 0|1|2] [--change CHANGE | --changed] [--describe]\n");
	return 2;
}

int main(int argc, char **argv)
{
	static const double sizes[] = {0.1, 1, 3};
	int64_t begin = now();
	int size = 1;
	bool describes = false, draws = false;
	struct random r;

	if (argc < 2)
		return usage();
	seed = strtoull(argv[1], NULL, 0);
	r.state = seed * 0x2545f4914f6cdd1d;
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--describe") == 0)
			describes = true;
		else if (strcmp(argv[i], "--changed") == 0)
			draws = true;
		else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc)
			size = atoi(argv[++i]);
		else if (strcmp(argv[i], "--change") == 0 && i + 1 < argc)
			snprintf(change.text, sizeof change.text, "%s", argv[++i]);
		else
			return usage();
	}
	if (size < 0 || size > 2)
		return usage();
	program_random(&r);
	if (draws || (describes && !*change.text))
		change_random();
	if (*change.text && !change_parse())
		return usage();
	for (int k = 0; k < nsections; k++) {
		sections[k].rounds = 1 + (int)(sections[k].rounds * sizes[size]);
		sections[k].before.length = 1 + (int)(sections[k].before.length * sizes[size]);
	}
	if (describes) {
		describe();
		return 0;
	}
	change_make();
	run(begin);
	return 0;
}
