#include "recorder/samples/samples.h"
#include "base/file_open.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "recorder/messages.h"
#include "recorder/observed.h"
#include "recorder/refusals.h"
#include "recorder/rings.h"
#include "recorder/samples/blocked_calls.h"
#include "recorder/samples/futexes.h"
#include "recorder/samples/kernel.h"
#include "recorder/samples/stack_numbers.h"
#include "recorder/samples/thinning.h"
#include "recorder/samples/unwind.h"
#include "recorder/samples/widening.h"
#include "recorder/scheduler/scheduler.h"
#include "recorder/scheduler/states.h"
#include "samples_glimpse.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_MOST (UINT64_C(2) << 20)
#define BUFFER_LEAST (UINT64_C(64) << 10)
/*
 * Between two readings, ns: the shorter one where threads are found in /proc, which must see them
 * before they end. A buffer that fills wakes the recorder earlier.
 */
#define PERIOD_SCAN 20000000
#define PERIOD 40000000

enum { DEFAULT_RATE = 997, DEFAULT_STACK = 8192, FRAMES_MOST = KERNEL_FRAMES_MOST + UNWIND_MOST };
enum { FRAMES_KEPT = 1 << 16 };

/* A frame that is not logged yet. */
struct new_frame {
	uint32_t number, parent;
	uint64_t address;
};

/* A sample that is not logged yet: first the frames that it is the first to have. */
struct pending_sample {
	int64_t time;
	uint32_t tid, stack;
	size_t first_frame, end_frame;
	int python; /* of its space */
};

static struct rings rings;
static VECTOR(struct pending_sample) pending;
static VECTOR(struct new_frame) frames;
static struct perf_event_attr attributes; /* of the events */
static bool with_kernel;                  /* samples have the kernel's frames */
static bool strange;                      /* samples are, or were, of all threads of the system */
static uint64_t taken, lost, lost_logged;
static int python = INT_MAX; /* minor version of the oldest Python 3 with logged samples */
static int64_t used;         /* processor time of readings, ns */
static struct space_files files;
static bool futexes;        /* waits for them are recorded, too */
static const char *refused; /* what samples_refused() tried, with which error */
static int refusal;

/* ---- stacks as numbers ---- */

static void node_note(void *context, uint32_t number, uint32_t parent, uint64_t address)
{
	*vector_add(&frames) = (struct new_frame){number, parent, address};
	if (kernel_has(address))
		kernel_note(context, address);
}

/* ---- processes that are not observed, where there are samples of all ---- */

#define NOT_HERE UINT32_MAX /* the number of processes that have none in the recorder's namespace */

static struct hash_table strangers;

static struct hash_slot *stranger_slot(uint32_t pid)
{
	return hash_table_slot(&strangers, hash_mix(pid), 0);
}

/* Those processes are strangers that have no space. */
static void strangers_open(const pid_t *pids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!space_lives((uint32_t)pids[i]))
			stranger_slot((uint32_t)pids[i])->head = 0;
	stranger_slot(NOT_HERE)->head = 0;
	strange = true;
}

static bool is_stranger(uint32_t pid)
{
	return strange && stranger_slot(pid)->head != HASH_NOTHING;
}

static void stranger_fork(uint32_t pid, uint32_t parent)
{
	uint32_t is;

	if (!strange)
		return;
	is = stranger_slot(parent)->head;
	stranger_slot(pid)->head = is;
}

static void strangers_close(void)
{
	hash_table_free(&strangers);
	strangers = (struct hash_table){.slots = NULL};
	strange = false;
}

/* ---- records ---- */

/* The kernel's frames, if there are any, are inside of the user's. */
static void sample_take(const union ring_record *record)
{
	struct {
		struct perf_event_header header;
		struct ring_record_end end;
	} s;
	const unsigned char *at = record->bytes + sizeof s;
	uint64_t addresses[FRAMES_MOST + 1], chain = 0;
	struct stack_copy state;
	struct space *space;
	struct pending_sample p;
	bool whole;
	unsigned n = 0;

	/* how much of the stack was copied is behind it */
	__builtin_prefetch(record->bytes + record->header.size - sizeof state.size);
	memcpy(&s, record, sizeof s);
	if (is_stranger(s.end.pid) || !thinning_takes(s.end.tid))
		return;
	if (with_kernel) {
		memcpy(&chain, at, sizeof chain);
		at += sizeof chain;
		n = kernel_frames(at, chain, addresses);
	}
	if (!stack_copy_read(&state, at + chain * sizeof chain))
		return;
	if (!stack_numbers_left(FRAMES_MOST + 1)) {
		lost++;
		return;
	}
	space = space_at(s.end.pid, (int64_t)s.end.time);
	p = (struct pending_sample){
	    .time = (int64_t)s.end.time, .tid = s.end.tid, .first_frame = frames.n};
	n += unwind(space, &state, addresses + n, &whole);
	if (!whole)
		addresses[n++] = 0;
	p.stack = stack_number(space_number(space), s.end.tid, addresses, n, node_note, space);
	p.end_frame = frames.n;
	p.python = space_python(space);
	*vector_add(&pending) = p;
	taken++;
}

static void mapping_take(const union ring_record *record)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t from, size, offset;
		uint32_t major, minor;
		uint64_t inode, generation;
		uint32_t protection, flags;
	} m;

	memcpy(&m, record, sizeof m);
	if (is_stranger(m.pid))
		return;
	space_map(m.pid, (int64_t)ring_record_end(record).time,
		  &(struct mapping){m.from, m.size, m.offset, m.major, m.minor, m.inode,
				    (const char *)record->bytes + sizeof m});
}

static void task_take(const union ring_record *record)
{
	struct ring_task t;

	memcpy(&t, record, sizeof t);
	if (t.pid != t.tid)
		return;
	if (t.header.type == PERF_RECORD_FORK)
		stranger_fork(t.pid, t.ppid);
	if (is_stranger(t.pid))
		return;
	if (t.header.type == PERF_RECORD_FORK)
		space_fork(t.pid, t.ppid, (int64_t)t.time);
	else
		space_end(t.pid, (int64_t)t.time);
}

/*
 * What a process has mapped must be known before its samples are unwound, which may be in another
 * buffer.
 */
static void spaces_take(void *context, const union ring_record *record)
{
	struct ring_record_end end;

	(void)context;
	switch (record->header.type) {
	case PERF_RECORD_MMAP2:
		mapping_take(record);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		task_take(record);
		break;
	case PERF_RECORD_COMM:
		end = ring_record_end(record);
		if (record->header.misc & PERF_RECORD_MISC_COMM_EXEC && !is_stranger(end.pid))
			space_execute(end.pid, (int64_t)end.time);
		break;
	}
}

static void record_take(void *context, const union ring_record *record)
{
	struct ring_lost l;

	(void)context;
	if (record->header.type == PERF_RECORD_SAMPLE) {
		sample_take(record);
	} else if (record->header.type == PERF_RECORD_LOST) {
		memcpy(&l, record, sizeof l);
		lost += l.lost;
	}
}

/* ---- the log ---- */

static void sample_log(const struct pending_sample *p)
{
	for (size_t i = p->first_frame; i < p->end_frame; i++)
		SampleFrame_StampAt((uint64_t)p->time, frames.at[i].number, frames.at[i].parent,
				    (void *)(uintptr_t)frames.at[i].address);
	Sample_StampAt((uint64_t)p->time, p->stack);
	if (p->python < python)
		python = p->python;
}

static int by_time(const void *left, const void *right)
{
	const struct pending_sample *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

/* Forgets frames that were logged, if they are many. */
static void frames_drop(void)
{
	size_t kept = 0, n = 0;
	struct new_frame *list;

	for (size_t i = 0; i < pending.n; i++)
		kept += pending.at[i].end_frame - pending.at[i].first_frame;
	if (!kept)
		frames.n = 0;
	if (frames.n < FRAMES_KEPT || kept > frames.n / 2)
		return;
	list = array_new(kept, sizeof *list);
	for (size_t i = 0; i < pending.n; i++) {
		struct pending_sample *p = &pending.at[i];

		kept = p->end_frame - p->first_frame;
		memcpy(list + n, frames.at + p->first_frame, kept * sizeof *list);
		p->first_frame = n;
		p->end_frame = n += kept;
	}
	memcpy(frames.at, list, n * sizeof *list);
	frames.n = n;
	free(list);
}

/*
 * Returns whether a sample is of a thread that is not observed: where samples are of all threads of
 * the system.
 */
static bool is_strangers(const struct pending_sample *p, const struct observed *thread,
			 const struct observed *only)
{
	return strange && !thread && !only && p->time <= observed_known_until();
}

/*
 * Logs the samples of a thread, NULL: of all, of the time up to which it is known which threads
 * there are.
 */
static void pending_log(struct observed *only)
{
	size_t kept = 0;

	if (pending.n)
		qsort(pending.at, pending.n, sizeof *pending.at, by_time);
	for (size_t i = 0; i < pending.n; i++) {
		const struct pending_sample *p = &pending.at[i];
		struct observed *o = !only                 ? observed_find(p->tid)
				     : only->tid == p->tid ? only
							   : NULL;

		if (!o || p->time > observed_known_until()) {
			if (!is_strangers(p, o, only))
				pending.at[kept++] = *p;
			continue;
		}
		observed_select(o);
		sample_log(p);
	}
	observed_select(NULL);
	pending.n = kept;
	frames_drop();
}

/* Logs in the name of a thread how many samples were lost since that was logged last. */
static void lost_log(struct observed *o)
{
	if (lost == lost_logged)
		return;
	observed_select(o);
	SamplesLost_StampAt((uint64_t)monotonic_now(), (uint32_t)(lost - lost_logged));
	observed_select(NULL);
	lost_logged = lost;
}

/* The same in that of any thread. */
static void lost_log_anywhere(void)
{
	size_t n;
	struct observed *const *list = observed_list(&n);

	if (n)
		lost_log(list[0]);
}

/*
 * The thread ends, or executes another program now. It may be the last one that can tell what was
 * lost.
 */
static void thread_end(struct observed *o)
{
	rings_read(&rings, spaces_take, record_take, NULL);
	pending_log(o);
	if (futexes) {
		futexes_step();
		futexes_forget(o->tid);
	}
	lost_log(o);
}

/* ---- events of threads or of processors ---- */

/* Returns how often the events of all processors interrupt in a second. */
static uint64_t ticks_of_all(void)
{
	return UINT64_C(1000000000) / attributes.sample_period * rings.of.n;
}

static void events_widen(int64_t now)
{
	pid_t *pids;
	size_t n = processes_all(&pids);

	/* so each of them that belongs to the program has its space */
	rings_read(&rings, spaces_take, record_take, NULL);
	strangers_close();
	strangers_open(pids, n);
	free(pids);
	if (rings_widen(&rings, attributes))
		return;
	strangers_close();
	widening_open(now, 0);
}

static void events_choose(int64_t now)
{
	bool wide = widening_look(now, scheduler_switches());

	if (wide && !rings.all.n)
		events_widen(now);
	else if (!wide && rings.all.n)
		rings_narrow(&rings);
}

/* ---- the probe ---- */

static struct perf_event_attr sample_attributes(const struct recording *r, bool kernel)
{
	struct perf_event_attr a = rings_attributes(r);

	a.config = PERF_COUNT_SW_CPU_CLOCK;
	a.sample_period = UINT64_C(1000000000) / (r->rate ? r->rate : DEFAULT_RATE);
	stack_copy_ask(&a, r->stack ? r->stack : DEFAULT_STACK);
	a.exclude_kernel = !kernel;
	if (kernel)
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	a.exclude_callchain_user = 1;
	a.mmap = a.mmap2 = 1;
	return a;
}

/* Samples also while the kernel works for the program, where that is allowed. */
static bool events_open(const struct recording *r, uint64_t most, const char **what)
{
	for (int kernel = 1; kernel >= 0; kernel--) {
		with_kernel = kernel;
		attributes = sample_attributes(r, kernel);
		if (rings_open(&rings, attributes, r, most, BUFFER_LEAST, false, what))
			return true;
		if (errno != EACCES && errno != EPERM)
			return false;
	}
	return false;
}

bool samples_refused(const struct recording *r)
{
	struct recording own = *r;

	own.root = getpid();
	if (!events_open(&own, BUFFER_LEAST, &refused)) {
		refusal = errno;
		return true;
	}
	rings_close(&rings);
	return false;
}

void samples_by_timers_tell(void)
{
	record_note(
	    "the kernel refuses samples of call stacks (%s: %s); timers in the program take "
	    "them instead, at most one per kernel tick; to get kernel samples, %s",
	    refused, strerror(refusal), rings_remedy(refusal, refused));
	refusal_note("kernel", rings_remedy(refusal, refused));
	refusal_note("timers", rings_remedy(refusal, refused));
}

static bool samples_open(const struct recording *r)
{
	const char *what;
	pid_t *pids;
	size_t n;

	taken = lost = lost_logged = 0;
	futexes = false;
	if (!events_open(r, BUFFER_MOST, &what)) {
		int error = errno;

		record_note(
		    "the kernel refuses samples of call stacks (%s: %s), and timers cannot be "
		    "loaded into %s: the probe samples is left out; to get samples, %s",
		    what, strerror(error), r->attach ? "a running program" : "this program",
		    rings_remedy(error, what));
		refusal_note("samples", rings_remedy(error, what));
		return false;
	}
	if (!with_kernel)
		refusal_note("kernel",
			     geteuid() ? "sysctl kernel.perf_event_paranoid=1, or record as root"
				       : "sysctl kernel.perf_event_paranoid=1");
	used = 0;
	python = INT_MAX;
	thinning_open(monotonic_now(),
		      r->full || r->rate ? 0 : (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
	stack_numbers_open();
	spaces_open(r->directory);
	space_read(r->root);
	widening_open(monotonic_now(), rings.wide ? 0 : ticks_of_all());
	if (rings.wide) {
		n = processes_all(&pids);
		strangers_open(pids, n);
		free(pids);
	}
	observed_at_end(thread_end);
	futexes = futexes_open(r);
	if (!futexes)
		states_calls_by(blocked_call_read);
	return true;
}

static int samples_fds(struct pollfd *fds, int room)
{
	int n = rings_fds(&rings, fds, room);

	return futexes ? n + futexes_fds(fds + n, room - n) : n;
}

/* The directory is there once something is logged. */
static FILE *file_make(FILE *had, const char *name)
{
	char *path;
	FILE *f;

	if (had || !taken)
		return had;
	path = text_format("%s/%s", getenv("GLIMPSE_DIR"), name);
	f = file_make_private(path);
	free(path);
	return f;
}

static void files_open(void)
{
	files.modules = file_make(files.modules, RECORDER_MODULES);
	files.made = file_make(files.made, RECORDER_MADE);
}

static void files_close(void)
{
	if (files.modules)
		fclose(files.modules);
	if (files.made)
		fclose(files.made);
	files = (struct space_files){0};
}

static int64_t samples_step(int64_t now)
{
	int64_t began = clock_now(CLOCK_THREAD_CPUTIME_ID);

	rings_read(&rings, spaces_take, record_take, NULL);
	observed_scan();
	pending_log(NULL);
	if (futexes)
		futexes_step();
	lost_log_anywhere();
	files_open();
	spaces_sweep(now - 1000000000, &files);
	used += clock_now(CLOCK_THREAD_CPUTIME_ID) - began;
	thinning_look(now, used);
	events_choose(now);
	return now + (observed_known_until() == INT64_MAX ? PERIOD_SCAN : PERIOD);
}

static void samples_close(void)
{
	samples_step(monotonic_now());
	lost += pending.n;
	lost_log_anywhere();
	if (futexes)
		futexes_close();
	states_calls_by(NULL);
	strangers_close();
	rings_close(&rings);
	spaces_free(&files);
	if (files.made)
		kernel_names_write(files.made);
	files_close();
	kernel_close();
	images_free();
	stack_numbers_close();
	free(pending.at);
	free(frames.at);
	memset(&pending, 0, sizeof pending);
	memset(&frames, 0, sizeof frames);
}

const struct recorder_probe samples_probe = {
    .name = "samples",
    .spec = &samples_glimpse,
    .open = samples_open,
    .fds = samples_fds,
    .step = samples_step,
    .close = samples_close,
};

bool samples_have_futexes(void)
{
	return futexes;
}

void samples_summary(struct recorder_summary *s)
{
	s->lost += lost + futexes_lost();
	s->thinned = thinning_fewest();
	s->python = python;
}
