/* Waits for a condition and for a semaphore whose time is up each time, while another thread takes the lock. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;

static struct timespec in_20_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 20000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *takes(void *unused)
{
	for (int i = 0; i < 30; i++) {
		usleep(3000);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, takes, NULL);
	for (int i = 0; i < 5; i++) {
		struct timespec until = in_20_ms();

		pthread_mutex_lock(&lock);
		pthread_cond_timedwait(&never, &lock, &until);
		pthread_mutex_unlock(&lock);
		until = in_20_ms();
		sem_timedwait(&none, &until);
	}
	pthread_join(thread, NULL);
	return 0;
}
