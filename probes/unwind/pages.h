/*
 * Which pages of memory can be read: a stack's, which are remembered, and any others.
 *
 * Nothing here allocates, takes a lock or changes errno.
 */
#ifndef GLIMPSE_PROBES_UNWIND_PAGES_H
#define GLIMPSE_PROBES_UNWIND_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE ((uintptr_t)4096) /* or a part of a larger one */

/*
 * Pages in a row that can be read, [low, high): those of the stack that a thread is on.
 */
struct pages {
	uintptr_t low, high;
};

/* Returns whether a page can be read, by a system call. */
bool page_readable(uintptr_t page);

/*
 * Returns whether the page of an address can be read, and all from those in `p` up or down to it.
 * They are in `p` then, too.
 */
bool pages_grow(struct pages *p, uintptr_t at);

/* The stack pointer is here: forgets pages that are far away, which are those of another stack. */
void pages_begin(struct pages *p, uintptr_t sp);

static inline bool pages_have(const struct pages *p, uintptr_t at)
{
	return at - p->low < p->high - p->low;
}

#endif
