/* Sorts numbers; none of them is NaN. */
#ifndef GLIMPSE_NIBBLE_SORT_H
#define GLIMPSE_NIBBLE_SORT_H

#include <stddef.h>

void sort_doubles(double *numbers, size_t n);

#endif
