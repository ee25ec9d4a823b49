/*
 * libomp's interface for tools, OMPT (OpenMP 5.1, chapter 4): libomp finds ompt_start_tool() in
 * this library, and calls back. What is declared here is the part of it that is used, so that
 * building needs no libomp.
 */
#include "openmp_glimpse.h"
#include "probes/openmp/team.h"
#include "probes/wrap.h"

union data {
	uint64_t value;
	void *pointer;
};

typedef void callback(void);
typedef int set_callback(int which, callback *function);
typedef callback *lookup(const char *name);

struct tool {
	int (*initialize)(lookup *find, int device, union data *tool);
	void (*finalize)(union data *tool);
	union data data;
};

WRAP_EXPORT struct tool *ompt_start_tool(unsigned version, const char *runtime);

enum which {
	PARALLEL_BEGIN = 3,
	PARALLEL_END,
	TASK_CREATE,
	TASK_SCHEDULE,
	IMPLICIT_TASK,
	MUTEX_RELEASED = 17,
	WORK = 20,
	SYNC_REGION = 23,
	MUTEX_ACQUIRE = 26,
	MUTEX_ACQUIRED
};

enum endpoint { BEGIN = 1, END };
enum work { WORK_LOOP = 1, WORK_SECTIONS, WORK_SINGLE };
enum sync {
	SYNC_IMPLICIT = 2,
	SYNC_TASKWAIT = 5,
	SYNC_TASKGROUP,
	SYNC_REDUCTION,
	SYNC_REGION_END = 9
};
enum mutex { MUTEX_ORDERED = 7 };
enum flag { FLAG_INITIAL = 1, FLAG_EXPLICIT = 4 };
enum status { STATUS_COMPLETE = 1, STATUS_CANCEL = 3, STATUS_LATE_FULFILL = 6 };

/* What is kept with a task: its number, and whether it has begun. */
#define TASK_BEGUN (UINT64_C(1) << 63)

/* Where the thread was before it came to the regions that it is in, and where it began them. */
enum { DEEP = 16 };
static __thread struct team_place outer[DEEP] __attribute__((tls_model("initial-exec")));
static __thread const void *forks[DEEP] __attribute__((tls_model("initial-exec")));
static __thread unsigned depth __attribute__((tls_model("initial-exec")));
static __thread bool leaving __attribute__((tls_model("initial-exec")));

static void on_parallel_begin(union data *task, const void *frame, union data *region,
			      unsigned threads, int flags, const void *site)
{
	(void)task, (void)frame, (void)threads, (void)flags;
	region->value = team_fork(site, site);
	if (depth < DEEP)
		forks[depth] = site;
}

static void on_parallel_end(union data *region, union data *task, int flags, const void *site)
{
	(void)task, (void)flags, (void)site;
	team_join((uint32_t)region->value);
}

/* A thread's part of a region begins; its end may be told only when the thread is next needed. */
static void on_implicit_task(enum endpoint end, union data *region, union data *task,
			     unsigned threads, unsigned number, int flags)
{
	(void)task, (void)threads;
	if (flags & FLAG_INITIAL || end != BEGIN || !region)
		return;
	if (depth < DEEP)
		team_enter(&outer[depth], (uint32_t)region->value, number, NULL);
	depth++;
}

/* The thread has arrived at the end of its region; libomp tells later that it waits no longer. */
static void region_leave(void)
{
	leaving = true;
	if (depth && --depth < DEEP)
		team_leave(&outer[depth]);
}

/*
 * Returns whether a barrier is the end of the thread's region. LLVM before 15 does not say so: but
 * it gives no other barrier the place where the region was begun or, in the other threads, none.
 */
static bool is_region_end(enum sync kind, const void *site)
{
	unsigned inner = depth - 1;

	return kind == SYNC_REGION_END ||
	       (kind == SYNC_IMPLICIT && inner < DEEP && (!site || site == forks[inner]));
}

static void on_sync_region(enum sync kind, enum endpoint end, union data *region, union data *task,
			   const void *site)
{
	(void)region, (void)task;
	if (kind == SYNC_REDUCTION)
		return;
	if (kind == SYNC_TASKWAIT || kind == SYNC_TASKGROUP) {
		if (end == BEGIN)
			TaskWaitBegin_Stamp(site);
		else
			TaskWaitEnd_Stamp();
	} else if (end == BEGIN) {
		if (is_region_end(kind, site))
			region_leave();
		else
			team_barrier_begin(site);
	} else if (leaving) {
		leaving = false;
	} else {
		team_barrier_end();
	}
}

static void on_work(enum work kind, enum endpoint end, union data *region, union data *task,
		    uint64_t count, const void *site)
{
	(void)region, (void)task;
	if (kind == WORK_LOOP || kind == WORK_SECTIONS)
		team_chunk(end == BEGIN, 0, (int64_t)count, site);
	else if (kind == WORK_SINGLE && end == BEGIN)
		Single_Stamp(site);
}

static void on_mutex_acquire(enum mutex kind, unsigned hint, unsigned how, uint64_t lock,
			     const void *site)
{
	(void)hint, (void)how;
	glimpse_reserve(64);
	if (kind == MUTEX_ORDERED)
		OrderedBegin_Stamp(site);
	else if (team_critical_begin((const void *)(uintptr_t)lock, site))
		CriticalBegin_Stamp((const void *)(uintptr_t)lock, site);
}

static void on_mutex_acquired(enum mutex kind, uint64_t lock, const void *site)
{
	if (kind == MUTEX_ORDERED)
		OrderedEnter_Stamp(site);
	else if (team_critical_has((const void *)(uintptr_t)lock))
		CriticalEnter_Stamp((const void *)(uintptr_t)lock, site);
}

static void on_mutex_released(enum mutex kind, uint64_t lock, const void *site)
{
	(void)site;
	if (kind == MUTEX_ORDERED)
		OrderedLeave_Stamp();
	else if (team_critical_end((const void *)(uintptr_t)lock))
		CriticalLeave_Stamp((const void *)(uintptr_t)lock);
}

static void on_task_create(union data *creator, const void *frame, union data *task, int flags,
			   int depends, const void *site)
{
	(void)creator, (void)frame, (void)depends;
	if (!(flags & FLAG_EXPLICIT) || !team_detail(site))
		return;
	task->value = team_task();
	TaskCreate_Stamp(task->value, site, site);
}

static void on_task_schedule(union data *prior, enum status status, union data *next)
{
	bool over =
	    status == STATUS_COMPLETE || status == STATUS_CANCEL || status == STATUS_LATE_FULFILL;

	if (over && prior && prior->value & TASK_BEGUN)
		TaskEnd_Stamp(prior->value & ~TASK_BEGUN);
	if (next && next->value && !(next->value & TASK_BEGUN)) {
		TaskBegin_Stamp(next->value, NULL);
		next->value |= TASK_BEGUN;
	}
}

static int tool_initialize(lookup *find, int device, union data *tool)
{
	static const struct {
		enum which which;
		callback *function;
	} callbacks[] = {
	    {PARALLEL_BEGIN, (callback *)on_parallel_begin},
	    {PARALLEL_END, (callback *)on_parallel_end},
	    {TASK_CREATE, (callback *)on_task_create},
	    {TASK_SCHEDULE, (callback *)on_task_schedule},
	    {IMPLICIT_TASK, (callback *)on_implicit_task},
	    {WORK, (callback *)on_work},
	    {SYNC_REGION, (callback *)on_sync_region},
	    {MUTEX_ACQUIRE, (callback *)on_mutex_acquire},
	    {MUTEX_ACQUIRED, (callback *)on_mutex_acquired},
	    {MUTEX_RELEASED, (callback *)on_mutex_released},
	};
	set_callback *set = (set_callback *)find("ompt_set_callback");

	(void)device, (void)tool;
	if (!set)
		return 0;
	for (unsigned i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
		set(callbacks[i].which, callbacks[i].function);
	return 1;
}

static void tool_finalize(union data *tool)
{
	(void)tool;
}

struct tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct tool tool = {tool_initialize, tool_finalize, {0}};

	(void)version, (void)runtime;
	return &tool;
}
