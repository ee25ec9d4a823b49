/*
 * Three workers compute, then wait on futexes that nobody wakes; main waits, too, until somebody kills it:
 * hang [join | accept | poll | signal | timed | shared | late]
 * join: for the workers; accept, poll, signal: as a server that is idle; timed: with a limit of an hour;
 * shared: on a futex in shared memory; late: a worker wakes all others after half a second, and the program ends.
 */
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 3 };
static const char *mode = "";
static int never, *shared;
static volatile double sum;

static int is(const char *name)
{
	return strcmp(mode, name) == 0;
}

/* UNSEEN: as the C library does it, and not through syscall(), which the probe threads sees. */
static void futex(int *at, int operation, int value, const struct timespec *limit)
{
#if defined UNSEEN && defined __x86_64__
	register long limit_in __asm__("r10") = (long)limit, none __asm__("r8") = 0;
	long result = SYS_futex;

	__asm__ __volatile__("syscall"
			     : "+a"(result)
			     : "D"(at), "S"((long)operation), "d"((long)value), "r"(limit_in),
			       "r"(none)
			     : "rcx", "r11", "memory");
#else
	syscall(SYS_futex, at, operation, value, limit, NULL, 0);
#endif
}

__attribute__((noinline)) static void compute(void)
{
	for (int i = 0; i < 20000000; i++)
		sum += i;
}

__attribute__((noinline)) static void job(long number)
{
	compute();
	if (is("late") && number == 0) {
		nanosleep(&(struct timespec){0, 500000000}, NULL);
		__atomic_store_n(&never, 1, __ATOMIC_SEQ_CST);
		futex(&never, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
		return;
	}
	while (!__atomic_load_n(&never, __ATOMIC_SEQ_CST))
		futex(&never, FUTEX_WAIT_PRIVATE, 0, NULL);
}

static void *work(void *number)
{
	job((long)number);
	return NULL;
}

static int listening(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof address) || listen(s, 1))
		exit(9);
	return s;
}

int main(int argc, char **argv)
{
	static const struct timespec hour = {3600, 0};
	pthread_t workers[WORKERS];
	sigset_t all;
	int got;

	mode = argc > 1 ? argv[1] : "";
	shared =
	    mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, (void *)i);
	sigemptyset(&all);
	sigaddset(&all, SIGUSR1);
	if (is("accept"))
		accept(listening(), NULL, NULL);
	else if (is("poll"))
		poll(&(struct pollfd){listening(), POLLIN, 0}, 1, -1);
	else if (is("signal"))
		sigwait(&all, &got);
	else if (is("timed"))
		futex(&never, FUTEX_WAIT_PRIVATE, 0, &hour);
	else if (is("shared"))
		futex(shared, FUTEX_WAIT, 0, NULL);
	else if (!is("join") && !is("late"))
		futex(&never, FUTEX_WAIT, 0, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
