/* An OpenMP solver: heat in a square, steps of Jacobi. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 1024, STEPS = 1200 };

static float grids[2][SIDE][SIDE];

int main(void)
{
	for (int i = 0; i < SIDE; i++)
		grids[0][0][i] = grids[1][0][i] = 100;
	for (int step = 0; step < STEPS; step++) {
		float (*from)[SIDE] = grids[step & 1], (*to)[SIDE] = grids[~step & 1];

#pragma omp parallel for
		for (int y = 1; y < SIDE - 1; y++)
			for (int x = 1; x < SIDE - 1; x++)
				to[y][x] = (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] +
					    from[y][x + 1]) / 4;
	}
	printf("%g\n", (double)grids[0][SIDE / 2][SIDE / 2]);
	return 0;
}
