/*
 * Waits that no event explains: futexes without a function of the C library. Arguments: NAP, in us, and WHO:
 *	helper   a thread sleeps for NAP, and wakes main, which has waited for that; again and again
 *	outside  a process without a log does that, while a thread of this one computes now and then
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 60 };

static unsigned *word;
static int nap = 4000;
static volatile int over;

static void futex(unsigned *at, int what, unsigned value)
{
#ifdef __x86_64__
	register long timeout __asm__("r10") = 0;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_futex), "D"(at), "S"(what), "d"(value), "r"(timeout)
			 : "rcx", "r11", "memory");
#else
	(void)at, (void)what, (void)value;
	_exit(77);
#endif
}

/* A sleep that is not the C library's either, for the process that is to have no log. */
static __attribute__((noinline)) void doze(void)
{
	usleep((unsigned)nap);
}

static void *wake(void *unused)
{
	for (unsigned i = 1; i <= ROUNDS; i++) {
		doze();
		__atomic_store_n(word, i, __ATOMIC_RELEASE);
		futex(word, FUTEX_WAKE, 1);
	}
	return unused;
}

static void *compute(void *unused)
{
	for (volatile long i = 0; !over; i++)
		if (i % 2000000 == 0)
			usleep(3000);
	return unused;
}

int main(int n, char **arguments)
{
	pthread_t thread;
	int outside = n > 2 && strcmp(arguments[2], "outside") == 0;

	if (n > 1)
		nap = atoi(arguments[1]);
	word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (word == MAP_FAILED)
		return 1;
	if (outside && !fork()) {
		unsetenv("LD_PRELOAD");
		wake(NULL);
		_exit(0);
	}
	pthread_create(&thread, NULL, outside ? compute : wake, NULL);
	for (unsigned i = 1; i <= ROUNDS; i++)
		for (unsigned is; (is = __atomic_load_n(word, __ATOMIC_ACQUIRE)) < i;)
			futex(word, FUTEX_WAIT, is);
	over = 1;
	pthread_join(thread, NULL);
	wait(NULL);
	return 0;
}
