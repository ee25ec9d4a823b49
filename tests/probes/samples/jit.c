/*
 * Makes code at run time, runs it and tells its names. Arguments: how the memory is made (anonymous, changed, memfd, or a file's path); how the
 * code keeps frames (pointer, none, exit); where the names are (map, link, large, cut, old, dump); how many rounds. Prints what each function took
 * by the thread's own clock, in ns.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 8192, APART = 256, FUNCTIONS = 3 };

typedef void function(long n, void (*work)(long));

static const char *const names[FUNCTIONS] = {"hot", "cold", "outer"};
static unsigned char *code;
static volatile unsigned long sink;

static long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

__attribute__((noinline)) static void work(long n)
{
	unsigned long x = n;

	for (long i = 0; i < n; i++)
		x = (x * 1664525 + 1013904223) ^ x >> 13;
	sink += x;
}

/* mov %rdi,%rcx; 1: dec %rcx; jnz 1b */
#define LOOP "\x48\x89\xf9\x48\xff\xc9\x75\xfb"

/* Copies code to where function i begins. */
static void put(int i, const char *bytes, size_t n)
{
	memcpy(code + i * APART, bytes, n);
}

static void code_make(const char *frames)
{
	/* hot and cold run a loop, or call work(); outer calls the one of them that %rsi has */
	static const char loop[] = "\x55\x48\x89\xe5" LOOP "\x5d\xc3", bare[] = LOOP "\xc3";
	static const char leaves[] = "\x48\x83\xec\x08\xff\xd6\x48\x83\xc4\x08\xc3";
	static const char calls[] = "\x55\x48\x89\xe5\xff\xd6\x31\xc0\x5d\xc3";
	int exits = strcmp(frames, "exit") == 0, none = strcmp(frames, "none") == 0;

	for (int i = 0; i < 2; i++)
		exits  ? put(i, leaves, sizeof leaves)
		: none ? put(i, bare, sizeof bare)
		       : put(i, loop, sizeof loop);
	exits ? put(2, leaves, sizeof leaves) : put(2, calls, sizeof calls);
}

static void memory_make(const char *memory, const char *frames)
{
	int anonymous = strcmp(memory, "anonymous") == 0, changed = strcmp(memory, "changed") == 0;
	int fd = -1, flags = MAP_PRIVATE | MAP_ANONYMOUS, access = PROT_READ | PROT_WRITE;

	if (!anonymous && !changed) {
		fd = strcmp(memory, "memfd") == 0 ? memfd_create("code", 0)
						  : open(memory, O_RDWR | O_CREAT | O_EXCL, 0600);
		flags = MAP_SHARED;
		if (fd < 0 || ftruncate(fd, SIZE))
			exit(3);
	}
	code = mmap(NULL, SIZE, access | (changed ? 0 : PROT_EXEC), flags, fd, 0);
	if (code == MAP_FAILED)
		exit(3);
	code_make(frames);
	if (changed)
		mprotect(code, SIZE, PROT_READ | PROT_EXEC);
}

static void map_write(const char *how)
{
	char path[64], other[64];
	FILE *f;

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	snprintf(other, sizeof other, "other-%d.map", (int)getpid());
	if (strcmp(how, "link") == 0 && symlink(other, path))
		exit(3);
	f = fopen(path, "w");
	if (!f)
		exit(3);
	if (strcmp(how, "large") == 0) {
		if (ftruncate(fileno(f), INT64_C(1) << 30) || fseek(f, 0, SEEK_END))
			exit(3);
		fputc('\n', f);
	}
	fprintf(f, "%lx %x stale\n", (unsigned long)code, SIZE);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(f, "%lx %x %s\n", (unsigned long)code + i * APART, APART, names[i]);
	fprintf(f, "%lx %x unfinished", (unsigned long)code, SIZE);
	fflush(f);
	if (strcmp(how, "cut") == 0 && ftruncate(fileno(f), INT64_C(1) << 30))
		exit(3);
	if (strcmp(how, "old") == 0 &&
	    futimens(fileno(f), (struct timespec[2]){{1000, 0}, {1000, 0}}))
		exit(3);
	fclose(f);
}

/* ---- jitdump ---- */

static FILE *dump;

static void load_write(const char *name, unsigned long at, unsigned long index)
{
	uint32_t head[] = {0, 56 + strlen(name) + 1 + 4};
	uint64_t time = now(CLOCK_MONOTONIC), rest[] = {at, at, APART, index};
	uint32_t ids[] = {getpid(), getpid()};

	fwrite(head, sizeof head, 1, dump);
	fwrite(&time, sizeof time, 1, dump);
	fwrite(ids, sizeof ids, 1, dump);
	fwrite(rest, sizeof rest, 1, dump);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite("code", 4, 1, dump);
	fflush(dump);
}

static void move_write(unsigned long from, unsigned long to, unsigned long index)
{
	uint32_t head[] = {1, 64};
	uint64_t time = now(CLOCK_MONOTONIC), rest[] = {to, from, to, APART, index};
	uint32_t ids[] = {getpid(), getpid()};

	fwrite(head, sizeof head, 1, dump);
	fwrite(&time, sizeof time, 1, dump);
	fwrite(ids, sizeof ids, 1, dump);
	fwrite(rest, sizeof rest, 1, dump);
	fflush(dump);
}

static void dump_begin(void)
{
	uint32_t head[] = {0x4a695444, 1, 40, 62, 0, getpid()};
	uint64_t rest[] = {now(CLOCK_MONOTONIC), 0};
	char path[64];

	snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
	dump = fopen(path, "w+");
	if (!dump ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		exit(3);
	fwrite(head, sizeof head, 1, dump);
	fwrite(rest, sizeof rest, 1, dump);
	load_write("before", (unsigned long)code, 1);
	load_write("cold", (unsigned long)code + SIZE / 2, 2);
	move_write((unsigned long)code + SIZE / 2, (unsigned long)code + APART, 2);
	load_write("outer", (unsigned long)code + 2 * APART, 3);
}

/* ---- the run ---- */

static void rounds_run(long rounds, int direct, long took[2])
{
	unsigned random = 1;

	for (long k = 0; k < rounds; k++) {
		/* rounds of one length would be met at the same few places each time */
		long unit = 50 + (random = random * 1664525 + 1013904223) / (1u << 25) % 100;

		for (int i = 0; i < 2; i++) {
			long n = (i ? 10000 : 30000) * unit, begin = now(CLOCK_THREAD_CPUTIME_ID);
			function *f = (function *)(void *)(code + i * APART),
				 *outer = (function *)(void *)(code + 2 * APART);

			if (direct)
				f(n, work);
			else
				outer(n, (void (*)(long))(void *)f);
			took[i] += now(CLOCK_THREAD_CPUTIME_ID) - begin;
		}
	}
}

int main(int argc, char **argv)
{
	long rounds = argc > 4 ? atol(argv[4]) : 300, took[2] = {0, 0}, before[2] = {0, 0};
	int direct;

	if (argc < 4)
		return 2;
	direct = strcmp(argv[2], "pointer") != 0;
	memory_make(argv[1], argv[2]);
	if (strcmp(argv[3], "dump") == 0) {
		dump_begin();
		rounds_run(rounds, direct, before);
		/* the code has another name from here on */
		load_write("hot", (unsigned long)code, 4);
		printf("before %ld\n", before[0]);
		took[1] = before[1];
	} else {
		map_write(argv[3]);
	}
	rounds_run(rounds, direct, took);
	for (int i = 0; i < 2; i++)
		printf("%s %ld\n", names[i], took[i]);
	return 0;
}
