/* The longer of two threads is joined first: that the other one is joined, too, costs nothing until the first is shorter. */
#include <pthread.h>
#include <unistd.h>

static __attribute__((noinline)) void half(void) { usleep(240000); }
static __attribute__((noinline)) void other_half(void) { usleep(240000); }
static __attribute__((noinline)) void most(void) { usleep(360000); }

static void *longer(void *unused)
{
	half();
	other_half();
	return unused;
}

static void *shorter(void *unused)
{
	most();
	return unused;
}

int main(void)
{
	pthread_t first, second;

	pthread_create(&first, NULL, longer, NULL);
	pthread_create(&second, NULL, shorter, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
