/*
 * A program that does one thing with memory, as its argument says, and prints what it sees. What it
 * prints must be the same with the memory probe and without. Compiled without optimisation, which
 * would leave calls out.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- Every function, with a size of its own -------------------------------------------------- */

static void entries(void)
{
	void *block = NULL;

	free(malloc(1001));
	free(calloc(1, 1002));
	free(realloc(NULL, 1003));
	block = realloc(malloc(1004), 100400);
	free(realloc(block, 1005));
	free(reallocarray(NULL, 2, 503));
	free(aligned_alloc(64, 1088));
	free(memalign(128, 1007));
	if (posix_memalign(&block, 256, 1008) == 0)
		free(block);
	free(valloc(1009));
	free(pvalloc(1010));
}

/* ---- Results --------------------------------------------------------------------------------- */

static void result(const char *what, const void *block, size_t align)
{
	printf("%s: %s, errno %s\n", what,
	       !block ? "NULL" : (uintptr_t)block % align ? "not aligned" : "aligned",
	       strerrorname_np(errno));
	errno = EDOM;
}

static int all_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return 0;
	return 1;
}

static void failures(void)
{
	volatile size_t huge = SIZE_MAX / 2, most = SIZE_MAX;
	void *block = malloc(10);

	result("malloc", malloc(huge), 16);
	result("calloc", calloc(huge, 3), 16);
	result("realloc", realloc(block, huge), 16);
	result("reallocarray", reallocarray(block, huge, 3), 16);
	result("aligned_alloc", aligned_alloc(64, huge), 64);
	result("memalign", memalign(64, most - 10), 64);
	printf("posix_memalign: %s\n", strerrorname_np(posix_memalign(&block, 64, huge)));
	printf("posix_memalign: %s\n", strerrorname_np(posix_memalign(&block, 3, 10)));
	result("posix_memalign", block, 16);
	result("valloc", valloc(huge), 16);
	result("pvalloc", pvalloc(most - 10), 16);
	free(block);
}

static void results(void)
{
	unsigned char *block;

	errno = EDOM;
	failures();
	for (size_t align = 16; align <= 65536; align *= 4)
		result("memalign", memalign(align, 33), align);
	result("valloc", valloc(5), 4096);
	result("pvalloc", pvalloc(5), 4096);
	result("malloc(0)", malloc(0), 16);
	result("realloc(p, 0)", realloc(malloc(5), 0), 16);
	block = calloc(7, 1000);
	printf("zeros %d usable %zu\n", all_zero(block, 7000), malloc_usable_size(block));
	strcpy((char *)block, "kept");
	block = realloc(block, 100000);
	printf("%s, errno %s\n", block, strerrorname_np(errno));
	free(block);
	free(NULL);
	result("free", &block, 1);
}

/* ---- Threads that free what others took ------------------------------------------------------ */

#define SLOTS 64
#define ROUNDS 20000

static void *slots[SLOTS];

static void *exchange(void *seed)
{
	uint32_t random = (uint32_t)(uintptr_t)seed;

	for (int i = 0; i < ROUNDS; i++) {
		random = random * 1664525u + 1013904223u;
		free(__atomic_exchange_n(&slots[random >> 8 & (SLOTS - 1)], malloc(random >> 24),
					 __ATOMIC_ACQ_REL));
	}
	return NULL;
}

static void threads(void)
{
	pthread_t all[8];

	for (uintptr_t i = 0; i < 8; i++)
		pthread_create(&all[i], NULL, exchange, (void *)(i + 1));
	for (int i = 0; i < 8; i++)
		pthread_join(all[i], NULL);
	for (int i = 0; i < SLOTS; i++)
		free(slots[i]);
}

/* ---- Ends of threads ------------------------------------------------------------------------- */

static pthread_key_t key;

static void destroy(void *block)
{
	static __thread int round;

	free(block);
	if (++round < 6)
		pthread_setspecific(key, malloc(64));
}

static void *leave_data(void *unused)
{
	pthread_setspecific(key, malloc(4000));
	strerror(12345);        /* libc frees its text after all destructors */
	return unused;
}

static void ends(void)
{
	pthread_t thread;

	pthread_key_create(&key, destroy);
	for (int i = 0; i < 50; i++) {
		pthread_create(&thread, NULL, leave_data, NULL);
		pthread_join(thread, NULL);
	}
	puts("joined");
}

/* ---- Stacks ---------------------------------------------------------------------------------- */

void *inner(size_t size)
{
	return malloc(size);
}

void *outer(size_t size)
{
	void *block = inner(size);

	memset(block, 1, size);
	return block;
}

/* ---- Processes ------------------------------------------------------------------------------- */

static void children(void)
{
	char *arguments[] = { "true", NULL };
	pid_t child;

	free(outer(2001));
	fflush(stdout);
	child = fork();
	if (!child) {
		free(outer(2002));
		free(inner(2003));
		_exit(3);
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (!child) {
		free(malloc(2004));
		execv("/bin/true", arguments);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) == 0)
		waitpid(child, NULL, 0);
	puts("waited");
}

/* ---- Handlers -------------------------------------------------------------------------------- */

static volatile sig_atomic_t handled;

/* Takes memory, which is right only while the program does not. */
static void handler(int signal)
{
	(void)signal;
	free(malloc(3000));
	handled++;
}

static void handlers(void)
{
	struct sigaction action = { .sa_handler = handler };

	free(outer(10));
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	printf("handled %d\n", handled);
}

/* ---- Libraries that come and go -------------------------------------------------------------- */

static volatile int closing;

static void *allocate_on(void *unused)
{
	while (!closing)
		free(outer(500));
	return unused;
}

static void libraries(const char *one, const char *other)
{
	pthread_t thread;
	int sum = 0;

	pthread_create(&thread, NULL, allocate_on, NULL);
	for (int i = 0; i < 100; i++) {
		void *library = dlopen(i % 2 ? one : other, RTLD_NOW);
		int (*call)(void) = (int (*)(void))dlsym(library, "plugin_call");

		sum += call();
		dlclose(library);
	}
	closing = 1;
	pthread_join(thread, NULL);
	printf("sum %d\n", sum);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "entries"))
		entries();
	else if (!strcmp(what, "results"))
		results();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "ends"))
		ends();
	else if (!strcmp(what, "stacks"))
		free(outer(4444));
	else if (!strcmp(what, "children"))
		children();
	else if (!strcmp(what, "handlers"))
		handlers();
	else if (!strcmp(what, "libraries") && argc > 3)
		libraries(argv[2], argv[3]);
	else
		return 2;
	return 0;
}
