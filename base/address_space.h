/*
 * Reserves address space: arrays in it grow without moving; only written pages use memory. Frees
 * pages of arrays.
 */
#ifndef GLIMPSE_BASE_ADDRESS_SPACE_H
#define GLIMPSE_BASE_ADDRESS_SPACE_H

#include <stddef.h>

struct address_space;
/* Returns NULL if address space cannot be reserved. */
struct address_space *address_space_new(void);
void address_space_free(struct address_space *a);
size_t address_space_size(const struct address_space *a);
/*
 * Returns room for an array, which begins with a page, or NULL if all is taken. Several threads may
 * call this at a time; rooms are not freed singly.
 */
void *address_space_take(struct address_space *a, size_t size);
/*
 * Frees the pages of a part of an array whose content is no longer needed. The array stays: its
 * owner frees it.
 */
void address_space_forget(void *at, size_t size);

#endif
