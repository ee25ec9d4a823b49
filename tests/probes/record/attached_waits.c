/*
 * Runs until its standard input ends: three threads; "slow" sleeps with a mutex, "fast" wants it
 * and lets "taker" go on by a condition. Prints a line once they run.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t items_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t items_there = PTHREAD_COND_INITIALIZER;
static int items;

static void rest(long us)
{
	nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

__attribute__((noinline)) static void cache_renew(void)
{
	pthread_mutex_lock(&cache_lock);
	rest(5000);
	pthread_mutex_unlock(&cache_lock);
	rest(100); /* also, the call above is none that replaces this function */
}

__attribute__((noinline)) static void cache_look(void)
{
	pthread_mutex_lock(&cache_lock);
	rest(100);
	pthread_mutex_unlock(&cache_lock);
	rest(50);
}

__attribute__((noinline)) static void item_take(void)
{
	pthread_mutex_lock(&items_lock);
	while (!items)
		pthread_cond_wait(&items_there, &items_lock);
	items--;
	pthread_mutex_unlock(&items_lock);
	rest(10);
}

static void *slow(void *unused)
{
	for (;;)
		cache_renew();
	return unused;
}

static void *fast(void *unused)
{
	for (;;) {
		cache_look();
		pthread_mutex_lock(&items_lock);
		items++;
		pthread_cond_signal(&items_there);
		pthread_mutex_unlock(&items_lock);
	}
	return unused;
}

static void *taker(void *unused)
{
	for (;;)
		item_take();
	return unused;
}

int main(void)
{
	static const struct {
		const char *name;
		void *(*run)(void *);
	} all[] = {{"slow", slow}, {"fast", fast}, {"taker", taker}};
	char c;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		pthread_t t;

		pthread_create(&t, NULL, all[i].run, NULL);
		pthread_setname_np(t, all[i].name);
	}
	puts("they run");
	fflush(stdout);
	return read(STDIN_FILENO, &c, 1) != 0;
}
