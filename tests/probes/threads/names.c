/* names: threads that are named by themselves, by prctl() and by main(). */
#include "../blocked.h"
#include <pthread.h>
#include <sys/prctl.h>

static void *by_self(void *argument)
{
	pthread_setname_np(pthread_self(), "by-self");
	return argument;
}

static void *by_prctl(void *argument)
{
	prctl(PR_SET_NAME, "by-prctl");
	return argument;
}

static volatile int named;

static void *by_main(void *argument)
{
	while (!named)
		pause_ms(1);
	return argument;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, by_self, NULL);
	pthread_create(&t[1], NULL, by_prctl, NULL);
	pthread_create(&t[2], NULL, by_main, NULL);
	pthread_setname_np(t[2], "by-main");
	named = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
