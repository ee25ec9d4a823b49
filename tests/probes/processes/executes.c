/* executes PROGRAM [ARGUMENT...]: works a little, then executes the program. */
#include <pthread.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	usleep(2000);
	pthread_mutex_unlock(&lock);
	if (argc > 1)
		execv(argv[1], argv + 1);
	return 1;
}
