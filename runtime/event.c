/* An event for which the inline path had no room, or no time. */
#include "runtime/guard.h"
#include "runtime/ring.h"
#include "runtime/tail.h"

#define RETRY_UPPER 16u         /* about 8 ms at 2 GHz */
#define TIME_ID 1u
#define TIME_SIZE 8u

static struct tail *tail_newest(struct tail *t)
{
	return t->moved ? t->moved : t;
}

/* Whether there is room after all; asked again only after a while when there was none. */
static struct tail *tail_try(struct tail *t, uint32_t need, uint64_t upper)
{
	struct tail *roomy;
	struct guard g;

	if (upper < t->retry || !gl_guard_enter(&g))
		return NULL;
	if (!t->hot.magic)      /* forked just now */
		roomy = NULL;
	else if (t->block)
		roomy = gl_ring_turn(t, need) ? t : NULL;
	else
		roomy = gl_tail_empty(t, need);
	if (roomy)
		roomy->retry = 0;
	else
		tail_newest(t)->retry = upper + RETRY_UPPER;
	gl_guard_leave(&g);
	return roomy;
}

static void time_put(struct tail *t, uint64_t upper)
{
	unsigned char *at = gl_tail_next(t);

	glimpse_put32(at, TIME_ID | (uint32_t)(upper >> 32) << GLIMPSE_ID_BITS);
	glimpse_put32(at + 4, (uint32_t)upper);
	t->upper = upper;
	if (gl_clock_inline())
		t->hot.since = upper << GLIMPSE_TICK_BITS;
	gl_tail_advance(t, TIME_SIZE);
}

/* In a ring the tail's count is of events that were overwritten. */
static struct glimpse_slot event_lost(struct tail *t)
{
	if (t->block)
		gl_process_dropped(1);
	else
		__atomic_store_n(&t->hot.lost, t->hot.lost + 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	glimpse_mark(&t->hot, 0);
	return (struct glimpse_slot){ NULL, &t->hot };
}

/* A handler moved the thread between the choice of the tail and its mark. */
static struct glimpse_slot moved_begin(struct tail *t, uint32_t id, uint32_t size)
{
	glimpse_mark(&t->hot, 0);
	return glimpse_begin_busy(id, size);
}

struct glimpse_slot gl_tail_begin(struct tail *t, uint32_t id, uint32_t size)
{
	uint64_t ticks = gl_clock_ticks(), upper = ticks >> GLIMPSE_TICK_BITS;
	struct tail *roomy = t;
	unsigned char *at;

	if (!t->hot.magic)
		return event_lost(t);
	if (t->moved)
		return moved_begin(t, id, size);
	if (!gl_tail_has(t, upper == t->upper ? size : TIME_SIZE + size))
		roomy = tail_try(t, size + TIME_SIZE, upper);
	if (!roomy)
		return event_lost(tail_newest(t));
	t = roomy;
	if (upper != t->upper)
		time_put(t, upper);
	gl_process_clock(ticks, false);
	at = gl_tail_next(t);
	glimpse_put32(at, id | (uint32_t)ticks << GLIMPSE_ID_BITS);
	return (struct glimpse_slot){ at, &t->hot };
}
