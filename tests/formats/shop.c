/* A shop whose two servers log their orders by LTTng's tracepoints. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "shop_tracepoints.h"
#include <pthread.h>
#include <unistd.h>

static void *serve(void *name)
{
	pthread_setname_np(pthread_self(), name);
	for (int i = 0; i < 100; i++) {
		lttng_ust_tracepoint(shop, order_begin, i, name, 1 + i % 4, i / 4.0);
		usleep(100);
		lttng_ust_tracepoint(shop, order_end, i);
	}
	return NULL;
}

int main(void)
{
	pthread_t anna, bert;

	pthread_create(&anna, NULL, serve, "anna");
	pthread_create(&bert, NULL, serve, "bert");
	pthread_join(anna, NULL);
	pthread_join(bert, NULL);
	return 0;
}
