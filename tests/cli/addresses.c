/* Logs addresses of its own, and prints them in the order of `glimpse events`. */
#include "addresses_glimpse.h"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void hold(pthread_mutex_t *mutex)
{
	const void *site = __builtin_return_address(0);

	pthread_mutex_lock(mutex);
	Acquire_Stamp(site, mutex);
	pthread_mutex_unlock(mutex);
	Release_Stamp(mutex, "unlocked");
	printf("site=0x%jx;lock=0x%jx\n", (uintmax_t)(uintptr_t)site, (uintmax_t)(uintptr_t)mutex);
	printf("lock=0x%jx;how=unlocked\n", (uintmax_t)(uintptr_t)mutex);
}

int main(void)
{
	pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;

	hold(&lock);
	hold(&local);
	hold(&lock);
	Release_Stamp((const void *)(uintptr_t)main, "a function");
	printf("lock=0x%jx;how=a function\n", (uintmax_t)(uintptr_t)main);
	return 0;
}
