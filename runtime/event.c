/*
 * Events that the inline path of glimpse.h cannot log: of a specification that is not registered,
 * of a thread whose tail is busy or not there, or in a tail without room or recent TIME record. And
 * what wrappers of functions ask for before they log.
 */
#include "runtime/append.h"
#include "runtime/fork.h"
#include "runtime/guard.h"
#include "runtime/modules.h"
#include "runtime/pairs.h"
#include "runtime/registry.h"
#include "runtime/ring.h"
#include "runtime/run.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

#define RETRY_UPPER 16u /* about 8 ms at 2 GHz */
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
	if (!t->hot.magic) /* forked just now */
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
 * Returns the time of an event, which its caller may have given. The pairs are looked after in
 * either case. A time that was read from the counter just before that was left is of no use.
 */
static uint64_t event_ticks(const struct tail *t, const uint64_t *given)
{
	uint64_t ticks = given ? *given : gl_clock_ticks();

	if (!given)
		return gl_pairs_check(ticks) ? gl_clock_ticks() : ticks;
	if (ticks >> GLIMPSE_TICK_BITS != t->upper)
		gl_pairs_check(gl_clock_ticks());
	return t->hot.since != GLIMPSE_NEVER && !gl_clock_inline() ? gl_clock_ticks() : ticks;
}

static struct glimpse_slot event_begin_idle(uint32_t id, uint32_t size, uintptr_t pointer,
					    const uint64_t *given);

/*
 * Begins an event in a tail whose busy mark is set, and clears the mark if there is no room. In a
 * child that was forked by a handler of the event the tail is empty memory, and the event is not
 * logged. A handler may also have moved the thread to another tail just before the mark was set.
 * `given` is the event's time, or NULL.
 */
static struct glimpse_slot event_begin(struct tail *t, uint32_t id, uint32_t size,
				       const uint64_t *given)
{
	struct tail *roomy = t;
	uint64_t ticks, upper;
	unsigned char *at;

	if (!t->hot.magic)
		return event_lost(t);
	if (t->moved) {
		glimpse_mark(&t->hot, 0);
		return event_begin_idle(id, size, GL_STACK_POINTER, given);
	}
	ticks = event_ticks(t, given);
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

/* Returns an idle tail of the calling thread with its mark set, or NULL. */
static struct tail *tail_enter(uintptr_t pointer)
{
	struct tail *t = gl_self.off ? NULL : gl_thread_idle(pointer);

	if (t)
		glimpse_mark(&t->hot, (uint32_t)pointer | GLIMPSE_MARK);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return t;
}

static struct glimpse_slot event_begin_idle(uint32_t id, uint32_t size, uintptr_t pointer,
					    const uint64_t *given)
{
	struct tail *t = tail_enter(pointer);

	if (t)
		return event_begin(t, id, size, given);
	if (!gl_self.off)
		gl_process_dropped(1);
	return (struct glimpse_slot){ NULL, NULL };
}

/* In a child of a fork that nobody told of, the id is the parent's: the event is not logged. */
struct glimpse_slot glimpse_begin_room(struct glimpse_tail *tail, uint32_t id, uint32_t size)
{
	if (gl_fork_noticed())
		return (struct glimpse_slot){ NULL, NULL };
	return event_begin((struct tail *)tail, id, size, NULL);
}

struct glimpse_slot glimpse_begin_busy(uint32_t id, uint32_t size)
{
	if (gl_fork_noticed())
		return (struct glimpse_slot){ NULL, NULL };
	return event_begin_idle(id, size, GL_STACK_POINTER, NULL);
}

/* Registers a specification if it is not. Returns whether that was possible. */
static bool event_register(struct glimpse_spec *spec, uint32_t event)
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
		gl_modules_update_soon();
		gl_guard_leave(&g);
	}
	return known;
}

struct glimpse_slot glimpse_begin_new(struct glimpse_spec *spec, uint32_t event, uint32_t size)
{
	if (!event_register(spec, event))
		return (struct glimpse_slot){ NULL, NULL };
	return glimpse_begin(spec, event, size);
}

struct glimpse_slot glimpse_begin_given(struct glimpse_spec *spec, uint32_t event, uint32_t size,
					uint64_t ticks)
{
	uint32_t id;

	gl_fork_noticed();
	id = glimpse_word(spec, event);
	if (id == GLIMPSE_NEW && event_register(spec, event))
		id = glimpse_word(spec, event);
	if (id < GLIMPSE_FIRST_ID)
		return (struct glimpse_slot){ NULL, NULL };
	return event_begin_idle(id, size, GL_STACK_POINTER, &ticks);
}

/* ---- For wrappers of functions --------------------------------------------------------------- */

/* Before the first event it is not yet known which clock the run will have: chosen here, too. */
uint64_t glimpse_now_unknown(void)
{
	struct guard g;

	if (!gl_clock_chosen() && gl_guard_enter(&g)) {
		gl_process_lock();
		if (!gl_clock_chosen())
			gl_run_choose_clock();
		gl_process_unlock();
		gl_guard_leave(&g);
	}
	return gl_clock_ticks();
}

void glimpse_reserve_room(uint32_t bytes)
{
	struct tail *t, *roomy;

	if (glimpse_guarded || gl_fork_noticed())
		return;
	roomy = t = tail_enter(GL_STACK_POINTER);
	if (!t)
		return;
	bytes += GLIMPSE_RESERVED;
	if (t->hot.magic && !t->moved && !gl_tail_has(t, bytes))
		roomy = event_room_make(t, bytes, gl_clock_ticks() >> GLIMPSE_TICK_BITS);
	glimpse_mark(roomy ? &roomy->hot : &tail_newest(t)->hot, 0);
}
