/* The lock is held while its holder writes to the disk. */
#include "plant.h"

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int file;

static void save(void)
{
	char line[64] = "line\n";

	if (write(file, line, sizeof line) != sizeof line || fsync(file))
		exit(1);
}

static void *turns(void *number)
{
	for (int i = 0; i < 150 * size; i++) {
		pthread_mutex_lock(&log_lock);
		if (!mended)
			save();
		pthread_mutex_unlock(&log_lock);
		work(300);
	}
	if (mended && !number)
		save();
	return NULL;
}

static void plant(void)
{
	file = open("planted.tmp", O_CREAT | O_TRUNC | O_WRONLY, 0600);
	start(3, "worker", turns);
	join(3);
	unlink("planted.tmp");
}
