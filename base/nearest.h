/* Finds the name that was probably meant. */
#ifndef GLIMPSE_BASE_NEAREST_H
#define GLIMPSE_BASE_NEAREST_H

#include <stddef.h>

/*
 * Returns the one of n names that is nearest to `name`, or NULL if none is near: more than a third
 * of the letters are edited.
 */
const char *nearest_name(const char *name, const char *const *names, size_t n);

#endif
