/*
 * Call stacks as numbers: a tree in which each node is a return address below its caller, so that
 * one number stands for a stack. A node is announced once, by the thread that found it first.
 *
 * Nothing here allocates, takes a lock or changes errno; signal handlers may interrupt anything.
 */
#ifndef GLIMPSE_PROBES_UNWIND_STACKS_H
#define GLIMPSE_PROBES_UNWIND_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef STACK_MOST
#define STACK_MOST 16 /* frames: the innermost ones */
#endif

/* The registers as a function returns to `pc`. */
struct stack_context {
	uintptr_t pc, sp, fp;
};

/* The context of the caller of a function that is neither inlined nor a tail call. */
#define STACK_CALLER \
	((struct stack_context){(uintptr_t)__builtin_return_address(0), \
				(uintptr_t)__builtin_dwarf_cfa(), \
				*(uintptr_t *)__builtin_frame_address(0)})

/* Returns how many return addresses it stored, innermost first: at most `room`. */
unsigned int stack_unwind(struct stack_context at, uintptr_t *pcs, unsigned int room);

/*
 * Sets the number of the first node, when the library is loaded; else it is 1. Libraries in one
 * process number nodes each from another number on.
 */
void stacks_first(uint32_t number);

/*
 * From now on a stack that ends before the thread's start has the address 0 as its outermost frame.
 * To be called when the library is loaded.
 */
void stacks_mark_cuts(void);

/*
 * The same for a context in which a signal arrived: `pc` is the instruction that was next. The
 * first "return address" is then one behind it, as if it had called; frames that the runtime called
 * are left out with it. Reads only memory that is there: pages are tried by a system call. *whole:
 * the last frame is the one that the thread began with.
 */
unsigned int stack_unwind_interrupted(struct stack_context at, uintptr_t *pcs, unsigned int room,
				      bool *whole);

typedef void stack_announce(uint64_t time, uint32_t number, uint32_t parent, uintptr_t pc);

/*
 * Returns the number of a stack, or 0 if the tables are full. `announce` is called, with the time
 * given here, for each node that is new, callers first.
 */
uint32_t stack_number(struct stack_context at, uint64_t time, stack_announce *announce);

/*
 * The same for addresses that are unwound already, innermost first. whole: the outermost one has no
 * caller; else the stack hangs below a node of address 0. Remembers nothing of the thread.
 */
uint32_t stack_number_of(const uintptr_t *pcs, unsigned int depth, bool whole, uint64_t time,
			 stack_announce *announce);

/*
 * Around a call that may unload modules: nothing new is remembered about addresses in between, and
 * those of modules that are gone are forgotten. stacks_unloaded() takes what stacks_unloading()
 * returned.
 */
uint64_t stacks_unloading(void);
void stacks_unloaded(uint64_t before);

/* Forgets all, in a forked child, whose log has none of the nodes. */
void stacks_forget(void);

#endif
