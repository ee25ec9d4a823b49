/*
 * Waits, allocates and computes while a register that functions save has a value that was never set; ends with 3. Valgrind
 * has nothing to report of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void called(void);
void through(called *call, const long *value);

#if defined(__x86_64__)
__asm__(".text\n"
	"through:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_offset %rbp, -16\n"
	"mov (%rsi), %rbp\n"
	"call *%rdi\n"
	"pop %rbp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n");
#else
void through(called *call, const long *value)
{
	(void)value;
	call();
}
#endif

/* A frame pointer is needed: the register is saved. */
__attribute__((noinline)) static int sized(int size)
{
	volatile char room[size + 1];
	struct timespec time = {0, 10000};

	room[size] = 1;
	for (int i = 0; i < 3; i++) {
		free(malloc(100));
		nanosleep(&time, NULL);
	}
	return room[size];
}

static void works(void)
{
	for (volatile int i = 0; i < 300000; i++)
		continue;
	for (int i = 0; i < 30; i++)
		sized(10);
}

int main(void)
{
	long *never_set = malloc(100 * sizeof *never_set);

	if (!never_set)
		return 1;
	for (int i = 0; i < 5; i++)
		through(works, never_set + i);
	free(never_set);
	puts("end");
	return 3;
}
