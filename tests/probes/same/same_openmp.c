/* Loops, tasks, locks and sections of OpenMP, for same.test: output and exit status are always the same. */
#include <omp.h>
#include <stdio.h>

enum { N = 20000 };
static double values[N];

static long fibonacci(int n)
{
	long a, b;

	if (n < 12)
		return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	long sum = 0, calls = 0, result = 0;
	int parts = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic, 100) reduction(+ : sum) num_threads(4)
	for (int i = 0; i < N; i++) {
		values[i] = i * 0.5;
		sum += i % 7;
	}
#pragma omp parallel num_threads(3)
	{
#pragma omp single
		result = fibonacci(18);
#pragma omp barrier
		for (int i = 0; i < 300; i++) {
			omp_set_lock(&lock);
			calls++;
			omp_unset_lock(&lock);
#pragma omp atomic
			sum++;
		}
#pragma omp sections
		{
#pragma omp section
#pragma omp critical
			parts += 1;
#pragma omp section
#pragma omp critical
			parts += 10;
		}
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 6; i++) {
#pragma omp ordered
			printf("%d %.1f\n", i, values[i]);
		}
	}
	printf("%ld %ld %ld %d\n", sum, calls, result, parts);
	return 11;
}
