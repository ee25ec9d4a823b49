/* Threads that compute, wait for each other and for a process, and read a file: for the imports of other recorders. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int go;
static volatile unsigned long sum;

__attribute__((noinline)) static void spin(int n)
{
	for (int i = 0; i < n; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) static void step(int i)
{
	sum += (unsigned long)i;
}

static void *work(void *n)
{
	pthread_mutex_lock(&mutex);
	while (!go)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 10; i++)
		step(i);
	spin(*(int *)n);
	usleep(200000);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000000, file = open("/etc/passwd", O_RDONLY);
	char bytes[10];
	pthread_t thread;
	pid_t child;

	if (pthread_create(&thread, NULL, work, &n) != 0)
		return 1;
	usleep(200000);
	pthread_mutex_lock(&mutex);
	go = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 5; i++)
		if (read(file, bytes, sizeof bytes) < 0)
			return 1;
	close(file);
	close(1000);
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0) {
		usleep(30000);
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	poll(NULL, 0, 3);
	puts("done");
	return 0;
}
