/*
 * switches MODE: threads that switch often or seldom, for how many processors there are.
 *
 *	yields   three for each processor, at a spin lock that yields
 *	crowd    four for each processor, that compute
 *	fine     one for each processor, that computes
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;

static void work(int n)
{
	for (volatile double x = 1; n > 0; n--)
		x *= 1.0000001;
}

static void *spinner(void *unused)
{
	for (int i = 0; i < 4000; i++) {
		while (atomic_flag_test_and_set(&taken))
			sched_yield();
		work(2000);
		atomic_flag_clear(&taken);
		work(500);
	}
	return unused;
}

static void *computer(void *unused)
{
	work(30000000);
	return unused;
}

static void together(void *(*run)(void *), long n)
{
	pthread_t threads[n];

	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (strcmp(mode, "yields") == 0)
		together(spinner, 3 * processors);
	else if (strcmp(mode, "crowd") == 0)
		together(computer, 4 * processors);
	else if (strcmp(mode, "fine") == 0)
		together(computer, processors);
	else
		return 1;
	return 0;
}
