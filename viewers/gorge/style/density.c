#include "viewers/gorge/style/density.h"
#include <stddef.h>

/* In the order of the members of struct density. */
static const struct density densities[] = {
    {4, 6, 10, 13, 17, 24, 7, 7, 38, 4.6, 12}, {16, 5, 8, 9, 13, 24, 6, 4.5, 31, 3.7, 11},
    {40, 3, 6, 7, 9, 18, 5, 3, 20, 3.1, 10},   {100, 2, 4, 5, 5, 12, 4, 2, 13, 2.6, 9},
    {0, 1, 3, 5, 3.5, 12, 3, 1.5, 11, 2.2, 9},
};

enum { NDENSITIES = sizeof densities / sizeof *densities };

const struct density *density_for(unsigned lanes)
{
	int i = 0;

	while (i < NDENSITIES - 1 && lanes > densities[i].lanes)
		i++;
	return &densities[i];
}

const struct density *density_closer(const struct density *d)
{
	return d < &densities[NDENSITIES - 1] ? d + 1 : NULL;
}
