/* A loop of OpenMP with uneven chunks, and a critical section. */
#include <stdio.h>

int main(void)
{
	double sum = 0;

	for (int round = 0; round < 10; round++)
#pragma omp parallel for schedule(dynamic, 4) num_threads(4)
		for (int i = 0; i < 64; i++) {
			volatile double part = 0;
			for (int k = 0; k < 4000 * (i + 1); k++)
				part += 1.0 / (k + 1);
#pragma omp critical
			sum += part;
		}
	printf("%.0f\n", sum);
	return 0;
}
