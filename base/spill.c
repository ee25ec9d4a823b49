#include "base/spill.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/units.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- how much memory arrays may take ---- */

enum {
	SHARE = 96,             /* percent of twice the logs that is for these arrays */
	LEAST_LIMIT = 64 << 20, /* a smaller limit is not worth the files */
};

static atomic_uint_fast64_t limit;     /* 0: not known yet */
static atomic_uint_fast64_t available; /* 0: the limit */

/* Returns the number after a name in a file of /proc or of the control groups, else UINT64_MAX. */
static uint64_t number_in(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	uint64_t number = UINT64_MAX;
	char line[256];

	while (f && number == UINT64_MAX && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0 &&
		    sscanf(line + strlen(name), "%" SCNu64, &number) != 1)
			number = UINT64_MAX;
	if (f)
		fclose(f);
	return number;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t kilobytes(uint64_t n)
{
	return n > UINT64_MAX / 1024 ? UINT64_MAX : n * 1024;
}

/* Returns how many bytes a limit of the process leaves it. */
static uint64_t left_of(int resource, const char *used)
{
	struct rlimit r;
	uint64_t has = kilobytes(number_in("/proc/self/status", used));

	if (getrlimit(resource, &r) || r.rlim_cur == RLIM_INFINITY || has == UINT64_MAX)
		return UINT64_MAX;
	return r.rlim_cur > has ? r.rlim_cur - has : 0;
}

/* Returns how many bytes the process's control group may have; UINT64_MAX if it has no limit. */
static uint64_t group_limit(void)
{
	FILE *f = fopen("/proc/self/cgroup", "r");
	char line[2048], path[2200];
	uint64_t most = UINT64_MAX;

	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3) != 0)
			continue;
		snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
		most = number_in(path, "");
	}
	if (f)
		fclose(f);
	return most;
}

static uint64_t limit_find(void)
{
	uint64_t bytes = kilobytes(number_in("/proc/meminfo", "MemAvailable:"));

	bytes = least(bytes, group_limit());
	bytes = least(bytes, left_of(RLIMIT_DATA, "VmData:"));
	bytes = least(bytes, left_of(RLIMIT_AS, "VmSize:"));
	return bytes / 4 * 3;
}

void spill_set_limit(uint64_t bytes)
{
	limit = bytes ? bytes : 1;
}

/* Returns the limit that $GLIMPSE_MEMORY says, or UINT64_MAX. */
static uint64_t limit_wanted(void)
{
	const char *wanted = getenv("GLIMPSE_MEMORY");
	uint64_t bytes;

	if (!wanted || !*wanted)
		return UINT64_MAX;
	if (units_parse_bytes(wanted, &bytes))
		return bytes;
	fprintf(stderr,
		"%s: error: GLIMPSE_MEMORY is '%s', which is not a size such as 512MiB or 4GB\n",
		program_invocation_short_name, wanted);
	exit(2);
}

uint64_t spill_limit(void)
{
	uint64_t bytes;

	if (limit)
		return limit;
	bytes = limit_wanted();
	spill_set_limit(bytes != UINT64_MAX ? bytes : limit_find());
	return limit;
}

uint64_t spill_limit_for(uint64_t logs)
{
	return logs / 100 * 2 * SHARE;
}

void spill_fit_limit(uint64_t logs)
{
	uint64_t bytes = spill_limit_for(logs);

	if (limit || limit_wanted() != UINT64_MAX)
		return;
	available = limit_find();
	spill_set_limit(least(available, bytes > LEAST_LIMIT ? bytes : LEAST_LIMIT));
}

/* Returns how many bytes these arrays may have in memory where no files can be made. */
static uint64_t spill_available(void)
{
	return available ? available : spill_limit();
}

/* ---- the arrays ---- */

enum { HEAD = 64 };

size_t spill_small = 1 << 12;

/* Lies before the array. */
struct head {
	size_t bytes; /* of both */
	bool in_file;
};

static atomic_uint_fast64_t in_memory, in_files;

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

/* Returns NULL if there is no room where such files are made. */
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

static _Noreturn void spill_fail(size_t bytes, int why)
{
	char text[512];

	snprintf(text, sizeof text,
		 "no temporary file of %zu bytes in %s (%s): set TMPDIR to a directory with room",
		 bytes, getenv("TMPDIR") ? getenv("TMPDIR") : "/var/tmp", strerror(why));
	array_fail(text);
}

static void *map_memory(size_t bytes)
{
	void *at = malloc(bytes);

	if (at)
		array_advise(at, bytes);
	return at;
}

static bool spill_fits(size_t bytes, uint64_t most)
{
	return bytes <= spill_small || in_memory + bytes <= most;
}

void *spill_new(size_t n, size_t size)
{
	size_t bytes;
	struct head *head = NULL;
	bool in_file;
	int why;

	if (__builtin_mul_overflow(n, size, &bytes) || __builtin_add_overflow(bytes, HEAD, &bytes))
		array_exhausted();
	if (spill_fits(bytes, spill_limit()))
		head = map_memory(bytes);
	in_file = !head;
	if (in_file)
		head = map_file(bytes);
	why = errno;
	if (!head && spill_fits(bytes, spill_available())) {
		head = map_memory(bytes);
		in_file = false;
	}
	if (!head)
		spill_fail(bytes, why);
	*head = (struct head){bytes, in_file};
	in_memory += in_file ? 0 : bytes;
	return (unsigned char *)head + HEAD;
}

void *spill_zero(size_t n, size_t size)
{
	void *array = spill_new(n, size);

	parallel_fill(array, 0, n * size);
	return array;
}

void *spill_reserve(void *array, size_t *room, size_t n, size_t size)
{
	if (array && n <= *room)
		return array;
	spill_free(array);
	*room = n + n / 2;
	return spill_new(*room, size);
}

void spill_free(void *array)
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

uint64_t spill_in_memory(void)
{
	return in_memory;
}

uint64_t spill_in_files(void)
{
	return in_files;
}
