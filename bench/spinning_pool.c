/*
 * A pool of threads as in a read aligner: under a lock that spins and yields each takes a batch of reads, works on it,
 * and writes the result under another such lock. Prints a checksum.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, BATCHES = 2400, READS = 16 };

static atomic_flag input = ATOMIC_FLAG_INIT, output = ATOMIC_FLAG_INIT;
static int next_batch;
static unsigned long sum;

static void acquire(atomic_flag *lock)
{
	while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
		sched_yield();
}

static void release(atomic_flag *lock)
{
	atomic_flag_clear_explicit(lock, memory_order_release);
}

/* Each multiplication waits for the one before. */
static unsigned long __attribute__((noinline)) compute(unsigned long x, unsigned long thousands)
{
	for (unsigned long i = 0; i < 1000 * thousands; i++)
		x = x * x + 1;
	return x;
}

static int __attribute__((noinline)) read_batch(void)
{
	int batch;

	acquire(&input);
	batch = next_batch++;
	compute((unsigned long)batch, 20);
	release(&input);
	return batch;
}

static unsigned long __attribute__((noinline)) align_batch(int batch)
{
	unsigned long x = (unsigned long)batch;

	for (int i = 0; i < READS; i++)
		x = compute(x, 10 + x % 32);
	return x;
}

static void __attribute__((noinline)) write_batch(unsigned long x)
{
	acquire(&output);
	sum += compute(x, 20);
	release(&output);
}

static void *worker(void *unused)
{
	for (int batch; (batch = read_batch()) < BATCHES;)
		write_batch(align_batch(batch));
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%lu\n", sum);
	return 0;
}
