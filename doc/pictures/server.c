/* A server that has a thread for each connection: for alive.png. */
#define _GNU_SOURCE
#include "server_glimpse.h"
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void spend(long microseconds)
{
	nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

static void *serve(void *number)
{
	long connection = (long)number;
	char name[16];

	snprintf(name, sizeof name, "connection-%ld", connection);
	pthread_setname_np(pthread_self(), name);
	Begin_Stamp(connection);
	spend(200 + connection * 37 % 800);
	Read_Stamp();
	spend(700 + connection * 101 % 2600);
	End_Stamp();
	return NULL;
}

int main(void)
{
	pthread_attr_t detached;
	pthread_t thread;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (long i = 0; i < 6000; i++) {
		Accept_Stamp(i);
		pthread_create(&thread, &detached, serve, (void *)i);
		spend(270);
	}
	spend(100000);
	return 0;
}
