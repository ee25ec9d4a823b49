/* Threads with a hot lock, a lock and functions of long names, and sleeps. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t statistics = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t requests_that_wait_for_an_answer_of_another_server =
    PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;

__attribute__((noinline)) static void compute_what_nobody_will_ever_read_and_name_it_so(long n)
{
	for (long i = 0; i < n; i++)
		sum += i;
}

__attribute__((noinline)) static void account(void)
{
	pthread_mutex_lock(&statistics);
	compute_what_nobody_will_ever_read_and_name_it_so(200000);
	usleep(200);
	pthread_mutex_unlock(&statistics);
}

static void *serve(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "serves-requests");
	for (int i = 0; i < 60; i++) {
		compute_what_nobody_will_ever_read_and_name_it_so(300000);
		account();
		pthread_mutex_lock(&requests_that_wait_for_an_answer_of_another_server);
		pthread_mutex_unlock(&requests_that_wait_for_an_answer_of_another_server);
		usleep(100);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, serve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
