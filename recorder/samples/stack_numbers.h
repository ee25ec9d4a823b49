/*
 * Numbers call stacks: each is a node of a tree, and the innermost frame's number stands for the
 * whole stack. The tree has a bounded size: when it is full, all nodes are forgotten, and their
 * stacks get new numbers. No number is given twice.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_STACK_NUMBERS_H
#define GLIMPSE_RECORDER_SAMPLES_STACK_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#define STACK_NUMBER_FIRST (UINT32_C(1) << 31)

/* Begins without nodes, at the first number. */
void stack_numbers_open(void);
void stack_numbers_close(void);

/* Returns whether n more frames can be numbered for sure. */
bool stack_numbers_left(uint32_t n);
/* Is given a node that is new, or was forgotten, and must be logged; caller 0: it has none. */
typedef void stack_node(void *context, uint32_t number, uint32_t caller, uint64_t address);
/*
 * Returns the number of a stack in a space: its n frames, one at least, innermost first. Only if
 * stack_numbers_left(n). What is equal in stacks of the same thread that follow each other, from
 * the outermost frame on, is not searched again.
 */
uint32_t stack_number(uint32_t space, uint32_t thread, const uint64_t *frames, unsigned n,
		      stack_node *log, void *context);

#endif
