/* A triangular loop: row i costs i. triangle static|dynamic */
#include <stdio.h>
#include <string.h>

enum { ROWS = 3000, WORK = 150 };

static double row(int i)
{
	double sum = 0;

	for (int k = 0; k < i * WORK; k++)
		sum += 1.0 / (k + 1 + i);
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0;

	if (argc > 1 && strcmp(argv[1], "dynamic") == 0) {
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
		for (int i = 0; i < ROWS; i++)
			sum += row(i);
	} else {
#pragma omp parallel for schedule(static) reduction(+ : sum)
		for (int i = 0; i < ROWS; i++)
			sum += row(i);
	}
	printf("%f\n", sum);
	return 0;
}
