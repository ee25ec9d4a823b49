/*
 * Says how much of its limits a program has: lines of a name and a number. Compared with what the
 * same program says without Glimpse, that is what Glimpse takes (limits.test).
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STACK = 65536, PATTERN = 0x5a, ROUNDS = 3000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

/* Fills some tails, so that the slow path of an event is met at each depth that it has. */
static __attribute__((noinline)) void work(void)
{
	struct timespec soon = {0, 0};

	for (int i = 0; i < ROUNDS; i++) {
		char byte;
		char *volatile block = malloc(100);
		int fd = open("/dev/zero", O_RDONLY);

		if (read(fd, &byte, 1) != 1)
			exit(1);
		close(fd);
		free(block);
		pthread_mutex_lock(&mutex);
		if (i % 100 == 0)
			pthread_cond_timedwait(&condition, &mutex, &soon);
		pthread_mutex_unlock(&mutex);
	}
}

/* Returns how many bytes of its stack a thread has left that does what is logged. */
static void *stack_left(void *left)
{
	unsigned char *volatile low, *here = __builtin_frame_address(0), *at;
	pthread_attr_t attributes;
	size_t size;
	void *begin;

	if (pthread_getattr_np(pthread_self(), &attributes) ||
	    pthread_attr_getstack(&attributes, &begin, &size))
		exit(1);
	pthread_attr_destroy(&attributes);
	low = begin;
	for (at = low; at < here - 512; at++)
		*(volatile unsigned char *)at = PATTERN;
	work();
	for (at = low; *(volatile unsigned char *)at == PATTERN;)
		at++;
	*(size_t *)left = (size_t)(at - low);
	return NULL;
}

static void stack_say(const char *name, void *given)
{
	pthread_attr_t attributes;
	size_t left = 0, size = 0;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (given)
		pthread_attr_setstack(&attributes, given, STACK);
	else
		pthread_attr_setstacksize(&attributes, STACK);
	if (pthread_create(&thread, &attributes, stack_left, &left) || pthread_join(thread, NULL))
		exit(1);
	if (pthread_attr_getstacksize(&attributes, &size) || size != STACK)
		printf("attributes changed to %zu\n", size);
	printf("%s %zu\n", name, left);
}

static void keys_say(void)
{
	unsigned n = 0;
	pthread_key_t key;

	while (!pthread_key_create(&key, NULL))
		n++;
	printf("keys %u\n", n);
}

static void descriptors_say(void)
{
	int n = 0, fd, first = -1;

	for (; (fd = open("/dev/null", O_RDONLY)) >= 0; n++)
		first = n ? first : fd;
	printf("descriptors %d\nlowest %d\n", n, first);
}

static unsigned lines_of(const char *path, const char *prefix)
{
	char line[4096];
	unsigned n = 0;
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof line, file))
		n += !strncmp(line, prefix, strlen(prefix));
	if (file)
		fclose(file);
	return n;
}

static unsigned long status_of(const char *name, int base)
{
	char line[4096];
	unsigned long value = 0;
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, name, strlen(name)))
			value = strtoul(line + strlen(name) + 1, NULL, base);
	if (file)
		fclose(file);
	return value;
}

/* Maps most of what it may lock, after a log has filled large tails. Returns an exit status. */
static int lock_tightly(void)
{
	struct rlimit limit = {8 << 20, 8 << 20};

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || mlockall(MCL_FUTURE))
		return 77;
	for (int i = 0; i < 60; i++)
		work();
	return mmap(NULL, 7 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
	       MAP_FAILED;
}

int main(int argc, char **argv)
{
	static char given[STACK] __attribute__((aligned(4096)));

	if (argc > 1 && !strcmp(argv[1], "tight"))
		return lock_tightly();
	if (argc > 1 && !strcmp(argv[1], "locked")) {
		if (mlockall(MCL_CURRENT | MCL_FUTURE))
			return 77;
		stack_say("stack", given);
		work();
		printf("locked %lu\n", status_of("VmLck:", 10));
		return 0;
	}
	stack_say("stack", NULL);
	stack_say("given", given);
	printf("mappings %u\n", lines_of("/proc/self/maps", ""));
	printf("space %lu\n", status_of("VmSize:", 10));
	printf("threads %lu\n", status_of("Threads:", 10));
	printf("signals %d\n", __builtin_popcountl(status_of("SigCgt:", 16)) +
				   __builtin_popcountl(status_of("SigBlk:", 16)));
	printf("timers %u\n", lines_of("/proc/self/timers", "ID:"));
	keys_say();
	descriptors_say();
	return 0;
}
