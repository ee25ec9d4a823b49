/*
 * descriptors: a byte is written to a pipe and read, and a page of a cached file is read, with
 * whatever is preloaded and without, in turns. Prints nanoseconds: the pair of the pipe without and
 * with, the page without and with.
 */
#include "bench/measure.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define TURN 20000L
#define TURNS 21u

typedef ssize_t read_function(int fd, void *to, size_t size);
typedef ssize_t write_function(int fd, const void *from, size_t size);
typedef ssize_t pread_function(int fd, void *to, size_t size, off_t at);

static int ends[2], file;
static read_function *volatile take;
static write_function *volatile put;
static pread_function *volatile look;

static void pipe_loop(void)
{
	char byte = 0;

	for (long i = 0; i < TURN; i++)
		if (put(ends[1], &byte, 1) != 1 || take(ends[0], &byte, 1) != 1)
			_exit(2);
}

static void file_loop(void)
{
	char page[4096];

	for (long i = 0; i < TURN; i++)
		if (look(file, page, sizeof page, 0) != sizeof page)
			_exit(2);
}

static double timed(void (*loop)(void))
{
	double began = cpu_ns();

	loop();
	return (cpu_ns() - began) / TURN;
}

int main(int n, char **arguments)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	double results[4][TURNS];

	if (n < 2 || !libc || pipe(ends) || (file = open(arguments[1], O_RDONLY)) < 0)
		return 2;
	for (unsigned i = 0; i < TURNS; i++) {
		put = (write_function *)dlsym(libc, "write");
		take = (read_function *)dlsym(libc, "read");
		look = (pread_function *)dlsym(libc, "pread");
		results[0][i] = timed(pipe_loop);
		results[2][i] = timed(file_loop);
		put = write;
		take = read;
		look = pread;
		results[1][i] = timed(pipe_loop);
		results[3][i] = timed(file_loop);
	}
	for (int i = 0; i < 4; i++)
		printf("%.2f%c", median(results[i], TURNS), i < 3 ? ' ' : '\n');
	return 0;
}
