/* Two threads compute; a third one writes what they say to a file, beside them. */
#include "plant.h"

static struct queue lines = QUEUE;

static void *logger(void *unused)
{
	int file = open("planted.tmp", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	while (get(&lines))
		if (write(file, "line\n", 5) != 5)
			exit(1);
	close(file);
	unlink("planted.tmp");
	return unused;
}

static void *turns(void *unused)
{
	for (int i = 0; i < 25 * size; i++) {
		work(5000);
		put(&lines);
	}
	return unused;
}

static void plant(void)
{
	pthread_t writes;

	pthread_create(&writes, NULL, logger, NULL);
	pthread_setname_np(writes, "logger");
	start(2, "worker", turns);
	join(2);
	queue_close(&lines);
	pthread_join(writes, NULL);
}
