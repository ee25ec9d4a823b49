#include "base/spill.h"
#include "base/array.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = 64, HUGE_PAGE = 1 << 21 };

size_t large_small = 1 << 12;

/* Stands before the array. */
struct head {
	size_t bytes; /* of both */
	bool in_file;
};

static atomic_uint_fast64_t in_memory, in_files;

/* Huge pages save most of the faults of what is written from end to end. */
static void advise(unsigned char *at, size_t bytes)
{
	uintptr_t begin = ((uintptr_t)at + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)at + bytes) & ~(uintptr_t)(HUGE_PAGE - 1);

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

static int file_make(size_t bytes)
{
	const char *directory = getenv("TMPDIR");
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/glimpse.XXXXXX", directory ? directory : "/var/tmp");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	unlink(path);
	/* Reserved, since a full disk would be a signal later. */
	errno = posix_fallocate(fd, 0, (off_t)bytes);
	if (errno == 0)
		return fd;
	close(fd);
	return -1;
}

/* NULL: there is no room for it where such files are made. */
static void *map_file(size_t bytes)
{
	int fd = file_make(bytes);
	void *at =
	    fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	if (at == MAP_FAILED)
		return NULL;
	in_files += bytes;
	return at;
}

static _Noreturn void fail(size_t bytes, int why)
{
	char text[512];

	snprintf(text, sizeof text,
		 "no temporary file of %zu bytes in %s (%s): set TMPDIR to where there is "
		 "room",
		 bytes, getenv("TMPDIR") ? getenv("TMPDIR") : "/var/tmp", strerror(why));
	array_fail(text);
}

static void *map_memory(size_t bytes)
{
	void *at = malloc(bytes);

	if (at)
		advise(at, bytes);
	return at;
}

static bool fits(size_t bytes, uint64_t limit)
{
	return bytes <= large_small || in_memory + bytes <= limit;
}

void *large_new(size_t n, size_t size)
{
	size_t bytes;
	struct head *head = NULL;
	bool in_file;
	int why;

	if (__builtin_mul_overflow(n, size, &bytes) || __builtin_add_overflow(bytes, HEAD, &bytes))
		array_fail("out of memory");
	if (fits(bytes, large_limit()))
		head = map_memory(bytes);
	in_file = !head;
	if (in_file)
		head = map_file(bytes);
	why = errno;
	if (!head && fits(bytes, large_utmost())) {
		head = map_memory(bytes);
		in_file = false;
	}
	if (!head)
		fail(bytes, why);
	*head = (struct head){bytes, in_file};
	in_memory += in_file ? 0 : bytes;
	return (unsigned char *)head + HEAD;
}

void *large_zero(size_t n, size_t size)
{
	void *array = large_new(n, size);

	return memset(array, 0, n * size);
}

void *large_room(void *array, size_t *room, size_t n, size_t size)
{
	if (array && n <= *room)
		return array;
	large_free(array);
	*room = n + n / 2;
	return large_new(*room, size);
}

void large_free(void *array)
{
	struct head *head;

	if (!array)
		return;
	head = (struct head *)((unsigned char *)array - HEAD);
	if (head->in_file) {
		munmap(head, head->bytes);
	} else {
		in_memory -= head->bytes;
		free(head);
	}
}

uint64_t large_taken(void)
{
	return in_memory;
}

uint64_t large_spilled(void)
{
	return in_files;
}
