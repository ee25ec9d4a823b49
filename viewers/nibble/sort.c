#include "viewers/nibble/sort.h"

#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

void sort_doubles(double *numbers, size_t n)
{
	qsort(numbers, n, sizeof *numbers, compare_doubles);
}
