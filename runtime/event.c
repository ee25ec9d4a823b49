/*
 * Events that the inline path of glimpse.h cannot log: of a specification that is not registered,
 * of a thread whose tail is busy or not there, or in a tail without room or recent TIME record.
 */
#include "runtime/append.h"
#include "runtime/guard.h"
#include "runtime/pairs.h"
#include "runtime/registry.h"
#include "runtime/ring.h"
#include "runtime/run.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

#define RETRY_UPPER 16u         /* about 8 ms at 2 GHz */
#define TIME_ID 1u
#define TIME_SIZE 8u

static struct tail *tail_newest(struct tail *t)
{
	return t->moved ? t->moved : t;
}

/*
 * Makes room for `need` bytes and returns the tail to go on with. Returns NULL if there is no
 * room; then the disk is tried again only after a while.
 */
static struct tail *event_room_make(struct tail *t, uint32_t need, uint64_t upper)
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
		roomy = gl_append_make_room(t, need);
	if (roomy)
		roomy->retry = 0;
	else
		tail_newest(t)->retry = upper + RETRY_UPPER;
	gl_guard_leave(&g);
	return roomy;
}

/* A handler that leaves in between by siglongjmp() must not leave a time without its record. */
static void time_put(struct tail *t, uint64_t upper)
{
	unsigned char *at = gl_tail_next(t);

	glimpse_put32(at, TIME_ID | (uint32_t)(upper >> 32) << GLIMPSE_ID_BITS);
	glimpse_put32(at + 4, (uint32_t)upper);
	gl_tail_advance(t, TIME_SIZE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->hot.since = gl_clock_inline() ? upper << GLIMPSE_TICK_BITS : GLIMPSE_NEVER;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->upper = upper;
}

/* Counts a lost event. A ring's own count is of events that were overwritten. */
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

/*
 * Begins an event in a tail whose busy mark is set, and clears the mark if there is no room. In a
 * child that was forked by a handler of the event the tail is empty memory, and the event is not
 * logged. A handler may also have moved the thread to another tail just before the mark was set.
 */
static struct glimpse_slot event_begin(struct tail *t, uint32_t id, uint32_t size)
{
	uint64_t ticks = gl_clock_ticks(), upper;
	struct tail *roomy = t;
	unsigned char *at;

	if (!t->hot.magic)
		return event_lost(t);
	if (t->moved) {
		glimpse_mark(&t->hot, 0);
		return glimpse_begin_busy(id, size);
	}
	if (gl_pairs_check(ticks))
		ticks = gl_clock_ticks();
	upper = ticks >> GLIMPSE_TICK_BITS;
	if (!gl_tail_has(t, upper == t->upper ? size : TIME_SIZE + size))
		roomy = event_room_make(t, size + TIME_SIZE, upper);
	if (!roomy)
		return event_lost(tail_newest(t));
	t = roomy;
	if (upper != t->upper)
		time_put(t, upper);
	at = gl_tail_next(t);
	glimpse_put32(at, id | (uint32_t)ticks << GLIMPSE_ID_BITS);
	return (struct glimpse_slot){ at, &t->hot };
}

struct glimpse_slot glimpse_begin_room(struct glimpse_tail *tail, uint32_t id, uint32_t size)
{
	return event_begin((struct tail *)tail, id, size);
}

struct glimpse_slot glimpse_begin_busy(uint32_t id, uint32_t size)
{
	uintptr_t pointer = GL_STACK_POINTER;
	struct tail *t = gl_self.off ? NULL : gl_thread_idle(pointer);

	if (!t) {
		if (!gl_self.off)
			gl_process_dropped(1);
		return (struct glimpse_slot){ NULL, NULL };
	}
	glimpse_mark(&t->hot, (uint32_t)pointer | GLIMPSE_MARK);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return event_begin(t, id, size);
}

struct glimpse_slot glimpse_begin_new(struct glimpse_spec *spec, uint32_t event, uint32_t size)
{
	bool known = false;
	struct guard g;

	if (gl_guard_enter(&g)) {
		gl_process_lock();
		gl_registry_add(spec);
		gl_run_open();
		/* Under the lock: main() may have returned, and a destructor unregister it. */
		known = glimpse_word(spec, event) != GLIMPSE_NEW;
		gl_process_unlock();
		gl_guard_leave(&g);
	}
	if (!known)
		return (struct glimpse_slot){ NULL, NULL };
	return glimpse_begin(spec, event, size);
}
