#include "runtime/pairs.h"
#include "runtime/guard.h"

#define PAIR_ERROR 20000  /* ns by which a pair may be wrong where other programs interfere */
#define DRIFT 1000        /* systems adjust clocks by less than such a part */
#define ROUGH 20          /* the same, while the rate is known from the start alone */
#define SPAN_LEAST 500000 /* ns: pairs nearer to each other say little about the rate */
#define STEADY_STEP UINT64_C(1000000000) /* ns from one kept pair to the next, at first */

/* Both are ticks, and read without the mark. */
static uint64_t checked;  /* at which the newest pair was taken */
static uint64_t interval; /* after which another one is due */

static bool busy;                /* the mark: a thread is at work on what follows */
static struct clock_pair anchor; /* the counter is steady since then */
static struct clock_pair last;
static double rate;       /* since the anchor, ticks in a nanosecond */
static bool rough;        /* the rate is no better than the process file's frequency */
static uint64_t store_at; /* ticks at which the newest pair of the file is old */

static uint32_t count;      /* of pairs that are kept in the process file */
static bool leap[GL_PAIRS]; /* they are ends of a time in which the counter was not steady */
static uint64_t kept;       /* CLOCK_MONOTONIC of the newest of them */
static uint64_t step;       /* ns from one pair to the next where it is steady */

void gl_pairs_begin(struct process_file *file)
{
	file->pairs_at = offsetof(struct process_file, pairs);
	file->npairs = GL_PAIRS;
	anchor = last = file->first;
	rate = (double)file->frequency / 1e9;
	rough = true;
	count = 0;
	kept = file->first.monotonic;
	step = STEADY_STEP;
	store_at = 0;
	__atomic_store_n(&checked, file->first.ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&interval, 0, __ATOMIC_RELAXED);
	/* Another thread may have set it when this process was forked. */
	__atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

/* ---- Pairs in the process file --------------------------------------------------------------- */

/*
 * A pair whose ticks are 0 is being written, or was torn when the process died here: readers
 * ignore it.
 */
static void pair_store(struct clock_pair *at, const struct clock_pair *pair)
{
	__atomic_exchange_n(&at->ticks, 0, __ATOMIC_ACQ_REL); /* before what follows */
	__atomic_store_n(&at->monotonic, pair->monotonic, __ATOMIC_RELAXED);
	__atomic_store_n(&at->real, pair->real, __ATOMIC_RELAXED);
	__atomic_store_n(&at->ticks, pair->ticks, __ATOMIC_RELEASE);
}

/*
 * Drops every second pair of those between which the counter is steady, and of all pairs if they
 * are few. Readers that see some of it done see fewer pairs, or one twice.
 */
static void pairs_thin(void)
{
	struct clock_pair *pairs = gl_process.file->pairs;
	uint32_t left = 0, leaps = 0;
	bool all;

	for (uint32_t i = 0; i < count; i++)
		leaps += leap[i];
	all = leaps > GL_PAIRS / 2;
	for (uint32_t i = 0; i < count; i++) {
		if (i % 2 && (all || !leap[i]))
			continue;
		leap[left] = leap[i];
		pair_store(&pairs[left++], &pairs[i]);
	}
	for (uint32_t i = left; i < count; i++)
		__atomic_store_n(&pairs[i].ticks, 0, __ATOMIC_RELAXED);
	count = left;
	step *= 2;
}

static void pair_keep(const struct clock_pair *pair, bool is_leap)
{
	if (count && gl_process.file->pairs[count - 1].ticks == pair->ticks) {
		leap[count - 1] |= is_leap;
		return;
	}
	if (count == GL_PAIRS)
		pairs_thin();
	leap[count] = is_leap;
	kept = pair->monotonic;
	pair_store(&gl_process.file->pairs[count++], pair);
}

/* Returns 1 ms in ticks, roughly. */
static uint64_t millisecond(void)
{
	return gl_process.file->frequency / 1000 + 1;
}

/* Returns a quarter of the ticks from the start of the run to `ticks`, from 1 ms up to `most`. */
static uint64_t quarter_of_run(uint64_t ticks, uint64_t most)
{
	uint64_t run = (ticks - gl_process.file->first.ticks) / 4, least = millisecond();

	return run < least ? least : run < most ? run : most;
}

/*
 * The time between stores grows from 1 ms at the start of the run to 100 ms, so that a program
 * that is killed early has two pairs, too.
 */
static void newest_store(const struct clock_pair *pair)
{
	struct process_file *file = gl_process.file;

	pair_store(&file->newest, pair);
	store_at = pair->ticks + quarter_of_run(pair->ticks, file->frequency / 10);
}

/* ---- Whether the counter is steady ----------------------------------------------------------- */

/* Returns whether the counter went on to a pair as it did before. */
static bool pair_fits(const struct clock_pair *pair)
{
	double ns = (double)(int64_t)(pair->monotonic - last.monotonic);
	double off = (double)(int64_t)(pair->ticks - last.ticks) / rate - ns;

	return pair->ticks >= last.ticks &&
	       (off < 0 ? -off : off) <= PAIR_ERROR + ns / (rough ? ROUGH : DRIFT);
}

/* Sets the rate from the ticks between two pairs, if they say something about it. */
static void rate_set(const struct clock_pair *from, const struct clock_pair *to, uint64_t least)
{
	if (to->monotonic - from->monotonic < least || to->ticks <= from->ticks)
		return;
	rate = (double)(to->ticks - from->ticks) / (double)(to->monotonic - from->monotonic);
	rough = false;
}

/*
 * Leaves a counter that stepped back, as it does when a suspend or a migration sets it to 0: the
 * ticks go on by CLOCK_MONOTONIC. So does a counter that the kernel trusts no more.
 */
static void counter_leave(struct clock_pair *pair)
{
	if (pair->ticks < last.ticks)
		pair->ticks =
		    last.ticks + (uint64_t)((double)(pair->monotonic - last.monotonic) * rate);
	gl_clock_leave_counter(pair, rate);
}

/*
 * Judges a pair of the counter. After a leap the next pair seems to leap as well, as the rate
 * between these two was none; it gives the new one.
 */
static void pair_judge(struct clock_pair *pair)
{
	if (pair_fits(pair)) {
		if (pair->monotonic - last.monotonic < SPAN_LEAST)
			return;
		rate_set(&anchor, pair, 2 * SPAN_LEAST);
		if (pair->monotonic - kept >= step)
			pair_keep(pair, false);
	} else {
		pair_keep(&last, true);
		if (pair->ticks < last.ticks || !gl_clock_trusted())
			counter_leave(pair);
		pair_keep(pair, true);
		anchor = last;
		rate_set(&last, pair, 1);
	}
	last = *pair;
}

static void pair_take(bool store)
{
	struct clock_pair pair = gl_clock_pair();
	uint64_t next = quarter_of_run(pair.ticks, 4 * millisecond());

	if (gl_clock_kind() == CLOCK_COUNTER)
		pair_judge(&pair);
	if (store || pair.ticks >= store_at)
		newest_store(&pair);
	__atomic_store_n(&interval, next, __ATOMIC_RELAXED);
	__atomic_store_n(&checked, pair.ticks, __ATOMIC_RELAXED);
}

/* Takes a pair unless another thread does. */
static void pair_take_alone(bool store)
{
	if (!gl_process.file || __atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE))
		return;
	pair_take(store);
	__atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

/* A counter that stepped back is far below the ticks of the newest pair: their difference wraps. */
bool gl_pairs_check(uint64_t ticks)
{
	uint64_t since = ticks - __atomic_load_n(&checked, __ATOMIC_RELAXED);
	struct guard g;

	if (since < __atomic_load_n(&interval, __ATOMIC_RELAXED) || !gl_guard_enter(&g))
		return false;
	pair_take_alone(false);
	gl_guard_leave(&g);
	return true;
}

void gl_pairs_store(void)
{
	pair_take_alone(true);
}
