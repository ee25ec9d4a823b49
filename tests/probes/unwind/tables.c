/*
 * tables N [wrong]: functions whose unwinding tables are damaged by damage_tables.py, in this program and in its libraries
 * ./lib0.so to N - 1, wait, allocate and compute; nothing here unwinds itself. wrong: there are functions with wrong tables,
 * too. Prints "end" and ends with 3. With LIBRARY this is the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void called(void);

#ifdef LIBRARY
#define FRAMES frames_of_library
#else
#define FRAMES frames_of_program
#endif
void FRAMES(called *call);

/* ---- frames of several kinds, each of which calls the next one ---- */

__attribute__((noinline)) static int small(called *call, int depth)
{
	volatile int before = depth;

	if (depth)
		return small(call, depth - 1) + before;
	call();
	return before;
}

__attribute__((noinline)) static int sized(called *call, int size)
{
	volatile char room[size];

	memset((char *)room, 1, (size_t)size);
	return small(call, size % 20) + room[size - 1];
}

__attribute__((noinline)) static int aligned(called *call, int n)
{
	_Alignas(64) volatile int values[16];

	values[n % 16] = n;
	return sized(call, 10 + 100 * (n % 3)) + values[n % 16];
}

__attribute__((noinline)) static int large(called *call, int n)
{
	volatile char values[20000];

	values[n] = (char)n;
	return aligned(call, n) + values[n];
}

void FRAMES(called *call)
{
	for (int i = 0; i < 6; i++)
		if (i % 3 ? !aligned(call, i) : !large(call, i))
			puts("none");
}

#ifndef LIBRARY

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool turn;

/* ---- tables that are wrong from the start, as there are in real libraries ---- */

#if defined(__x86_64__)

called wild_frame, unmapped_frame, far_frame, wild_expression, wild_pointer, below, signal_frame;
void through(called *call, called *function);

/* through(): calls the second argument's function, with the first one in %rdi */
__asm__(".text\n"
	"through:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_offset %rbp, -16\n"
	"call *%rsi\n"
	"pop %rbp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n");

#define WRONG(name, rules, pointer) \
	__asm__(".text\n" name ":\n.cfi_startproc\n" rules "\npush %rbp\nmov $" pointer \
		", %rbp\ncall *%rdi\npop %rbp\nret\n.cfi_endproc\n")
WRONG("wild_frame", ".cfi_def_cfa %rbp, 16", "0x1234567812345678");
WRONG("unmapped_frame", ".cfi_def_cfa %rbp, 16", "0x7fffffffe000");
WRONG("far_frame", ".cfi_def_cfa_offset 0x7ffff0", "0");
WRONG("wild_expression", ".cfi_escape 0x0f, 3, 0x76, 0, 0x06", "0x7fffffffe000");
WRONG("wild_pointer", ".cfi_adjust_cfa_offset 8\n.cfi_escape 0x10, 6, 2, 0x76, 0",
      "0x7fffffffe000");
WRONG("below", ".cfi_adjust_cfa_offset 8\n.cfi_offset %rip, -0x10000", "0");
WRONG(
    "signal_frame",
    ".cfi_signal_frame\n.cfi_escape 0x0f, 3, 0x77, 0, 0x06\n.cfi_escape 0x10, 16, 2, 0x77, 8\n.cfi_escape 0x10, 6, 2, "
    "0x77, 0",
    "0x7fffffffe000");

static void wrong(called *call)
{
	called *all[] = {wild_frame,   unmapped_frame, far_frame,   wild_expression,
			 wild_pointer, below,          signal_frame};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		through(call, all[i]);
}

#else

static void wrong(called *call)
{
	call();
}

#endif

/* ---- what is done in these frames ---- */

static void sleeps(void)
{
	struct timespec time = {0, 10000};

	free(malloc(100));
	nanosleep(&time, NULL);
}

static void waits(void)
{
	bool own = turn;

	turn = !turn;
	pthread_cond_broadcast(&changed);
	while (turn != own)
		pthread_cond_wait(&changed, &lock);
}

static void computes(void)
{
	for (volatile int i = 0; i < 300000; i++)
		continue;
}

static void all(void (*frames)(called *))
{
	frames(sleeps);
	frames(computes);
	pthread_mutex_lock(&lock);
	frames(waits);
	pthread_mutex_unlock(&lock);
}

static void *beside(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		turn = !turn;
		pthread_cond_broadcast(&changed);
		pthread_cond_wait(&changed, &lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	int libraries = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t thread;

	pthread_create(&thread, NULL, beside, NULL);
	all(FRAMES);
	if (argc > 2)
		all(wrong);
	for (int i = 0; i < libraries; i++) {
		void (*frames)(called *);
		char path[32];
		void *library;

		snprintf(path, sizeof path, "./lib%d.so", i);
		library = dlopen(path, RTLD_NOW);
		frames = library ? dlsym(library, "frames_of_library") : NULL;
		if (!frames)
			return 1;
		all(frames);
		if (i % 2)
			dlclose(library);
	}
	puts("end");
	return 3;
}

#endif
