/*
 * The open calls of each thread, innermost last. A function that is left without a word (by
 * longjmp(), or by an exception where the compiler is clang) has its Leave logged as soon as that
 * is seen. That is at the jump if it is known, otherwise when a function around it returns.
 *
 * A signal handler may come between any two instructions. It opens its calls from `top` on and has
 * closed them when it returns, so `top` is moved before a call is filled in, and after it was read.
 */
#ifndef GLIMPSE_PROBES_FUNCTIONS_CALLS_H
#define GLIMPSE_PROBES_FUNCTIONS_CALLS_H

#include "functions_glimpse.h"
#include "probes/auto_off.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entered_call {
	/* 0: the bottom, or calls that had no room; ~function: not logged */
	uintptr_t function;
	uintptr_t stack; /* of the function when it was entered: its callees' are below */
	uint64_t time;   /* when it was entered */
};

struct entered_calls {
	struct entered_call *top; /* behind the innermost call; there is always one more below */
	struct entered_call *end;
	struct entered_call *bottom; /* NULL: no memory yet */
	uint64_t beyond;             /* calls that had no room */
	bool busy;                   /* inside of what the probe does itself */
	bool ended;                  /* the thread's end was seen: nothing more is logged */
};

extern __thread struct entered_calls calls_self __attribute__((tls_model("initial-exec")));

/* What most programs do without. */
#define CALLS_CHOOSY 1u /* some functions are off, or are counted */
#define CALLS_WIDE 2u   /* two modules have the same low 32 bits: whole addresses */
extern uint32_t calls_mode;

/* The event types, as they are in functions.spec, and bytes of their records. */
enum {
	EVENT_ENTER,
	EVENT_LEAVE,
	EVENT_ENTER_WIDE,
	EVENT_LEAVE_WIDE,
	EVENT_OFF,
	EVENT_SELECTED,
	EVENT_STACK
};
enum { ENTER_SIZE = 12, LEAVE_SIZE = 8 };

/* The open calls of a stack that is not running. */
struct calls_stack {
	struct entered_call *top, *end, *bottom;
	uint64_t beyond;
};
/* Makes one without calls; without memory until it has some. */
void calls_stack_init(struct calls_stack *s);
void calls_stack_free(struct calls_stack *s);
/* The thread goes on with `to`; its open calls go to `from`. */
void calls_stack_change(struct calls_stack *from, const struct calls_stack *to);

/* Ends the innermost call of a function. Those above it are over, too. Or there is none. */
void calls_leave_search(uintptr_t function);
/* Ends the open calls whose stack is in [from, to): they were jumped over. */
void calls_unwind(uintptr_t from, uintptr_t to);
static inline bool calls_news(void)
{
	return glimpse_off(&functions_glimpse, EVENT_SELECTED);
}

/*
 * The rest of an entry or exit that the few instructions below cannot log. If they made a call in
 * between, they would have to keep each register for it, and every call of the program would cost
 * more.
 */
void calls_enter_slowly(uintptr_t function, uintptr_t site, uintptr_t stack);
void calls_log_enter(uint64_t now, uintptr_t function, uintptr_t site);
void calls_log_leave(uint64_t now, uintptr_t function);
void calls_leave_counted(uint64_t now, struct entered_call *call);

/*
 * Where the run's clock is not the counter, every record takes the slow path (GLIMPSE_NEVER), which
 * then takes the right time.
 */

/*
 * Begins a record as the stubs do (glimpse_begin_at), but returns NULL where they would have to
 * call libglimpse.
 */
static inline unsigned char *calls_begin(struct glimpse_tail *tail, uint32_t id, uint64_t ticks,
					 uint32_t size)
{
	uint64_t at;

	if (__builtin_expect(id < GLIMPSE_FIRST_ID || glimpse_busy(tail) != 0, 0))
		return NULL;
	glimpse_mark_stack(tail);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	at = tail->at;
	if (__builtin_expect(ticks - tail->since >= GLIMPSE_TICKS || at + size > tail->end, 0)) {
		glimpse_mark(tail, 0);
		return NULL;
	}
	glimpse_put32((unsigned char *)(uintptr_t)at, id | (uint32_t)ticks << GLIMPSE_ID_BITS);
	return (unsigned char *)(uintptr_t)at;
}

/*
 * A function was entered; stack: its stack pointer, or anything between its callers' and callees'.
 */
static inline void calls_enter(uintptr_t function, uintptr_t site, uintptr_t stack)
{
	struct glimpse_tail *tail = glimpse_self;
	uint32_t id = glimpse_word(&functions_glimpse, EVENT_ENTER);
	struct entered_calls *c = &calls_self;
	struct entered_call *call = c->top;
	unsigned char *at;
	uint64_t now;

	if (__builtin_expect(call == c->end || calls_mode || calls_news() || id < GLIMPSE_FIRST_ID,
			     0)) {
		calls_enter_slowly(function, site, stack);
		return;
	}
	c->top = call + 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	call->function = function;
	call->stack = stack;
	now = glimpse_ticks();
	call->time = now;
	at = calls_begin(tail, id, now, ENTER_SIZE);
	if (__builtin_expect(!at, 0)) {
		calls_log_enter(now, function, site);
		return;
	}
	glimpse_put32(at + 4, (uint32_t)function);
	glimpse_put32(at + 8, (uint32_t)site);
	glimpse_end((struct glimpse_slot){at, tail}, ENTER_SIZE);
}

/* A function returns. */
static inline void calls_leave(uintptr_t function)
{
	struct glimpse_tail *tail = glimpse_self;
	struct entered_calls *c = &calls_self;
	struct entered_call *call = c->top - 1;
	unsigned char *at;
	uint64_t now;

	if (__builtin_expect(call->function != function, 0)) {
		calls_leave_search(function);
		return;
	}
	now = glimpse_ticks();
	if (__builtin_expect(calls_mode != 0, 0)) {
		calls_leave_counted(now, call);
		return;
	}
	c->top = call;
	at = calls_begin(tail, glimpse_word(&functions_glimpse, EVENT_LEAVE), now, LEAVE_SIZE);
	if (__builtin_expect(!at, 0)) {
		calls_log_leave(now, function);
		return;
	}
	glimpse_put32(at + 4, (uint32_t)function);
	glimpse_end((struct glimpse_slot){at, tail}, LEAVE_SIZE);
}

#endif
