#include "recorder/scheduler/entries.h"
#include "base/array.h"
#include "recorder/scheduler/kernel_waits.h"
#include "recorder/share.h"
#include "scheduler_glimpse.h"
#include "threads_glimpse.h"
#include <stdlib.h>

static const char *const basis_names[] = {
    [BASIS_STARTED] = "started", [BASIS_PREEMPTED] = "preempted",
    [BASIS_WAKER] = "waker",     [BASIS_SCHEDSTAT] = "schedstat",
    [BASIS_SHARED] = "shared",   [BASIS_UNKNOWN] = "unknown",
    [BASIS_LOST] = "lost",       [BASIS_END] = "end",
};

void entry_add(struct entries *e, enum entry_kind kind, int64_t time, uint32_t a, uint32_t b)
{
	e->at = vector_grow(e->at, e->n, &e->room, sizeof *e->at);
	e->at[e->n++] = (struct scheduler_entry){.time = time, .kind = kind, .a = a, .b = b};
}

void entry_add_wait(struct entries *e, int64_t from, int64_t to)
{
	entry_add(e, ENTRY_WAIT, to, 0, 0);
	e->at[e->n - 1].from = from;
	e->waits++;
}

void entry_add_in(struct entries *e, int64_t from, int64_t time, uint32_t processor, uint32_t ready)
{
	entry_add(e, ENTRY_IN, time, processor, ready);
	e->at[e->n - 1].from = from;
	e->ins++;
}

void entry_add_futex(struct entries *e, int64_t from, int64_t time)
{
	entry_add(e, ENTRY_FUTEX, time, 0, 0);
	e->at[e->n - 1].from = from;
}

void entry_add_inner(struct entries *e, int64_t time, uint64_t word, uint64_t code, uint32_t stack)
{
	entry_add(e, ENTRY_INNER, time, stack, 0);
	e->at[e->n - 1].inner.word = word;
	e->at[e->n - 1].inner.code = code;
}

/* Moves an entry and those before it that say what led to it, which have the same time. */
static void entry_move(struct entries *e, size_t i, int64_t time)
{
	int64_t before = e->at[i].time;

	for (e->at[i].time = time; i-- > 0;) {
		if (e->at[i].time != before ||
		    (e->at[i].kind != ENTRY_MIGRATED && e->at[i].kind != ENTRY_WAIT))
			return;
		e->at[i].time = time;
	}
}

int64_t entries_lengthen(struct entries *e, int64_t each, int64_t *ready)
{
	int64_t all = 0;

	for (size_t i = 0; i < e->n && e->ins; i++) {
		struct scheduler_entry *entry = &e->at[i];
		int64_t most = entry->time - entry->from, by = each < most ? each : most;

		if (entry->kind != ENTRY_IN)
			continue;
		entry_move(e, i, entry->time - by);
		all += by;
		if (entry->b)
			*ready += by;
	}
	e->ins = 0;
	return all;
}

int64_t entries_share(const struct entries *e, enum entry_kind kind, int64_t sum)
{
	int64_t *spans = array_new(e->n + 1, sizeof *spans), share;
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++)
		if (e->at[i].kind == kind)
			spans[n++] = e->at[i].time - e->at[i].from;
	share = share_equally(spans, n, sum);
	free(spans);
	return share;
}

void entry_cause(struct entries *e, int64_t caused, uint32_t wakeup)
{
	e->at[e->n - 1].caused = caused;
	e->at[e->n - 1].b = wakeup;
}

void entry_cause_end(struct entries *e, int64_t ended, uint32_t wakeup)
{
	entry_cause(e, ended, wakeup);
	e->at[e->n - 1].by_end = true;
}

void entry_outside(struct entries *e)
{
	e->at[e->n - 1].outside = true;
}

/* ns from the kernel's record of what wakes a thread to the wake-up, and the other way round */
#define CAUSE_NEAR 100000

/*
 * The thread ran so shortly after it, or was ready since then: the latter is known only of a wait
 * whose run delay the kernel counted alone.
 */
static bool cause_holds(const struct scheduler_entry *e, int64_t ran, enum basis basis)
{
	return e->b && ran > e->caused &&
	       (ran - e->caused <= CAUSE_NEAR ||
		(basis == BASIS_SCHEDSTAT && e->time - e->caused <= CAUSE_NEAR &&
		 e->caused - e->time <= CAUSE_NEAR));
}

/* Returns the ns of being ready. */
static int64_t waits_part(struct entries *e, int64_t share, enum basis basis)
{
	int64_t all = 0;

	for (size_t i = 0; i < e->n; i++) {
		struct scheduler_entry *entry = &e->at[i];
		int64_t span = entry->time - entry->from, ready = share < span ? share : span;
		int64_t ran = entry->time;

		if (entry->kind != ENTRY_WAIT)
			continue;
		entry->kind = ENTRY_READIED;
		entry->a = basis;
		entry->time -= ready;
		if (!cause_holds(entry, ran, basis))
			entry->b = 0;
		else if (entry->time <= entry->caused)
			entry->time = entry->caused + 1;
		all += ran - entry->time;
	}
	e->waits = 0;
	return all;
}

/* After lost records others follow that are older. */
static int64_t last_time(const struct entries *e)
{
	size_t i = e->n - 1;

	while (i > 0 && e->at[i].kind == ENTRY_LOST)
		i--;
	return e->at[i].time;
}

int64_t entries_resolve(struct entries *e, int64_t ready)
{
	uint32_t waits = (uint32_t)e->waits;

	if (!waits)
		return ready;
	ready -= waits_part(e, entries_share(e, ENTRY_WAIT, ready),
			    waits == 1 ? BASIS_SCHEDSTAT : BASIS_SHARED);
	if (waits > 1)
		entry_add(e, ENTRY_SHARED, last_time(e), waits, 0);
	return ready;
}

void entries_resolve_unknown(struct entries *e)
{
	waits_part(e, 0, BASIS_UNKNOWN);
}

static void kernel_log(uint64_t time, uint32_t number)
{
	const struct kernel_place *p = kernel_wait_place(number);

	KernelWait_StampAt(time, p->function, kernel_wait_call(p),
			   (const void *)(uintptr_t)p->code);
}

/* The thread can go on; by whom it was let go on, if that is known. */
static void readied_log(const struct scheduler_entry *e)
{
	uint64_t time = (uint64_t)e->time;

	Readied_StampAt(time, basis_names[e->a]);
	if (e->b && e->by_end)
		WokenByEnd_StampAt(time, e->b);
	else if (e->b)
		WokenUp_StampAt(time, e->b);
	else if (e->outside)
		WokenOutside_StampAt(time);
}

static void entry_log(const struct scheduler_entry *e, const char *program)
{
	uint64_t time = (uint64_t)e->time;

	switch (e->kind) {
	case ENTRY_STARTED:
		Started_StampAt(time, e->a, e->b);
		break;
	case ENTRY_EXECUTED:
		Executed_StampAt(time, program, e->b);
		break;
	case ENTRY_IN:
		SwitchIn_StampAt(time, e->a);
		break;
	case ENTRY_OUT:
		SwitchOut_StampAt(time, e->a);
		break;
	case ENTRY_BLOCKS:
		Blocks_StampAt(time);
		break;
	case ENTRY_READIED:
	case ENTRY_WAIT:
		readied_log(e);
		break;
	case ENTRY_SHARED:
		Shared_StampAt(time, e->a);
		break;
	case ENTRY_MIGRATED:
		Migrated_StampAt(time, e->a, e->b);
		break;
	case ENTRY_EXITED:
		Exited_StampAt(time);
		break;
	case ENTRY_STILL_BLOCKED:
		StillBlocked_StampAt(time);
		break;
	case ENTRY_THREAD_ENDS:
		Ends_StampAt(time, e->a);
		break;
	case ENTRY_WAKES:
		Wakes_StampAt(time, e->a, e->b);
		break;
	case ENTRY_WOKEN:
		WokenUp_StampAt(time, e->a);
		break;
	case ENTRY_LOST:
		RecordsLost_StampAt(time, e->a);
		break;
	case ENTRY_FUTEX:
		FutexWait_StampAt(time, (uint64_t)(e->time - e->from));
		break;
	case ENTRY_KERNEL:
		kernel_log(time, e->a);
		break;
	case ENTRY_INNER:
		InnerWait_StampAt(time, (const void *)(uintptr_t)e->inner.word,
				  (const void *)(uintptr_t)e->inner.code, e->a);
		break;
	case ENTRY_FORKS:
		ProcessFork_StampAt(time, e->a);
		break;
	case ENTRY_BEGINS:
		ProcessStart_StampAt(time, e->a);
		break;
	case ENTRY_EXECS:
		ProcessExec_StampAt(time, e->a);
		break;
	case ENTRY_IMAGE:
		ProcessImage_StampAt(time, e->a);
		break;
	case ENTRY_ENDS:
		ProcessEnd_StampAt(time, e->a, e->b);
		break;
	}
}

void entries_log(const struct entries *e, const char *program)
{
	for (size_t i = 0; i < e->n; i++)
		entry_log(&e->at[i], program);
}

void entries_free(struct entries *e)
{
	free(e->at);
}
