/* Jumps out of functions: round calls deep 6 times, one in the other, and is jumped back to. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#define OWN __attribute__((noinline))

volatile int sink;
jmp_buf env;
sigjmp_buf signal_env;

/* Its frame is larger than those that were jumped out of. */
OWN void after(void)
{
	volatile char room[1000];

	room[sink & 1] = 1;
	sink += room[0];
}

OWN void deep(int n)
{
	volatile char room[50];

	room[n] = (char)n;
	if (n == 0)
		longjmp(env, 1);
	deep(n - 1);
	sink += room[n];
}

OWN void round_trip(void)
{
	if (!setjmp(env))
		deep(5);
	after();
}

OWN void handler(int number)
{
	sink += number;
	siglongjmp(signal_env, 1);
}

OWN void signalled(void)
{
	if (!sigsetjmp(signal_env, 1))
		raise(SIGUSR1);
	after();
}

int main(void)
{
	signal(SIGUSR1, handler);
	for (int i = 0; i < 100; i++)
		round_trip();
	for (int i = 0; i < 10; i++)
		signalled();
	puts("jumped");
	return 0;
}
