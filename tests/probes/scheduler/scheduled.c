/*
 * Threads that run, wait and are preempted, and say what the kernel counts of them: name, ns of
 * life, ns of CPU time, ns of run delay, switches. Each does its part for MILLISECONDS (the argument), but for those that take turns.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int64_t duration;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static int64_t clock_now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t now(void)
{
	return clock_now(CLOCK_MONOTONIC);
}

static void compute(int64_t ns)
{
	int64_t end = now() + ns;
	volatile unsigned x = 0;

	while (now() < end)
		for (int i = 0; i < 1000; i++)
			x += (unsigned)i;
}

static void stay(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof one, &one);
}

/* ---- parts ---- */

static void computes(void)
{
	compute(duration);
}

/* Two of them share a processor, and take it from each other. */
static void competes(void)
{
	stay();
	compute(duration);
}

/* Three of them leave their processors after some microseconds each time. */
static void yields(void)
{
	for (int64_t end = now() + duration; now() < end; sched_yield())
		for (volatile int i = 0; i < 1000; i++)
			;
}

static void sleeps(void)
{
	struct timespec t = {0, 5000000};

	for (int64_t end = now() + duration; now() < end;)
		nanosleep(&t, NULL);
}

/* Sleeps beside those that compete, so that it is woken late. */
static void sleeps_late(void)
{
	stay();
	sleeps();
}

/* Takes turns with another one: a switch each time. */
static void turns(int mine)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 2000; i++) {
		while (turn != mine)
			pthread_cond_wait(&turned, &lock);
		turn = !mine;
		pthread_cond_signal(&turned);
	}
	pthread_mutex_unlock(&lock);
}

static void turns_first(void)
{
	turns(0);
}

static void turns_second(void)
{
	turns(1);
}

static const struct part {
	const char *name;
	void (*run)(void);
} parts[] = {
    {"computes", computes}, {"competes1", competes}, {"competes2", competes},
    {"sleeps", sleeps}, {"late", sleeps_late},
    {"turns1", turns_first}, {"turns2", turns_second},
    {"yields1", yields}, {"yields2", yields}, {"yields3", yields},
};

#define PARTS (sizeof parts / sizeof *parts)

/* How long the thread was ready; its clock is read before, which brings the account up to date. */
static long long run_delay(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	long long ran, delay = 0;

	if (!f || fscanf(f, "%lld %lld", &ran, &delay) != 2)
		delay = -1;
	if (f)
		fclose(f);
	return delay;
}

static void *thread(void *argument)
{
	const struct part *p = argument;
	int64_t begin = now();
	long long cpu, delay;
	struct rusage u;

	pthread_setname_np(pthread_self(), p->name);
	p->run();
	cpu = clock_now(CLOCK_THREAD_CPUTIME_ID);
	delay = run_delay();
	getrusage(RUSAGE_THREAD, &u);
	printf("%s %lld %lld %lld %ld\n", p->name, (long long)(now() - begin), cpu, delay,
	       u.ru_nvcsw + u.ru_nivcsw);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[PARTS];

	setvbuf(stdout, NULL, _IOLBF, 0);
	duration = (argc > 1 ? atoll(argv[1]) : 300) * 1000000;
	for (size_t i = 0; i < PARTS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)&parts[i]);
	for (size_t i = 0; i < PARTS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
