/*
 * The stack of the calling thread, and which of its frames are over although they did not return:
 * a signal handler left them by siglongjmp().
 */
#ifndef GLIMPSE_RUNTIME_STACK_H
#define GLIMPSE_RUNTIME_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* The stack pointer of the caller of the function that this stands in. */
#define GL_STACK_POINTER ((uintptr_t)__builtin_dwarf_cfa())

/*
 * Returns whether a frame is over. `mark` is the lower half of the stack pointer that it had, or
 * GLIMPSE_MARK; `pointer` is the stack pointer of a frame that is at work now. Returns false where
 * that cannot be known.
 */
bool gl_stack_left(uint32_t mark, uintptr_t pointer);

#endif
