#include "recorder/samples/made.h"
#include "base/array.h"
#include "base/file_open.h"
#include "base/hash.h"
#include "base/print.h"
#include "recorder/messages.h"
#include "recorder/processes.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

struct generated_code {
	pid_t pid;
	uint64_t inner; /* the process's number in its own namespace */
	uid_t owner;
	int64_t since, began; /* as given; CLOCK_REALTIME, ns, INT64_MIN: not known */
	const char *directory;
	int folder, dump; /* descriptors; -1: not there */
	struct hash_table known;
	VECTOR(uint64_t) addresses;
};

/* ---- the process ---- */

static int64_t clock_read(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* Returns when a process began, by its program if it is gone. */
static int64_t beginning(pid_t pid, int64_t since)
{
	int fd = proc_file_open(pid, 0, "stat");
	uint64_t ticks = 0;
	unsigned n = fd < 0 ? 0 : process_numbers(fd, 21, &ticks, 1);

	if (fd >= 0)
		close(fd);
	if (!n && !since)
		return INT64_MIN;
	if (!n)
		return clock_read(CLOCK_REALTIME) - clock_read(CLOCK_MONOTONIC) + since;
	return clock_read(CLOCK_REALTIME) - clock_read(CLOCK_BOOTTIME) +
	       (int64_t)ticks * (SECOND / sysconf(_SC_CLK_TCK));
}

/*
 * Reads whose process it is, and its number in the innermost namespace, which is the last one of
 * the line.
 */
static void status_read(struct generated_code *m)
{
	char *name = text_format("/proc/%d/status", (int)m->pid), *line = NULL;
	FILE *f = fopen(name, "re");
	size_t room = 0;

	m->inner = (uint64_t)m->pid;
	m->owner = geteuid();
	while (f && getline(&line, &room, f) > 0) {
		if (strncmp(line, "Uid:\t", 5) == 0)
			m->owner = (uid_t)strtoul(line + 5, NULL, 10);
		if (strncmp(line, "NSpid:\t", 7) == 0)
			m->inner = strtoull(strrchr(line, '\t') + 1, NULL, 10);
	}
	if (f)
		fclose(f);
	free(line);
	free(name);
}

struct generated_code *made_new(pid_t pid, int64_t since, const char *directory)
{
	struct generated_code *m = array_zero(1, sizeof *m);
	char *folder = text_format("/proc/%d/root/tmp", (int)pid);

	m->pid = pid;
	m->directory = directory;
	m->since = since;
	m->began = beginning(pid, since);
	m->dump = -1;
	/* the folder outlives the process, its path does not */
	m->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	status_read(m);
	free(folder);
	return m;
}

void made_free(struct generated_code *m)
{
	if (!m)
		return;
	if (m->folder >= 0)
		close(m->folder);
	if (m->dump >= 0)
		close(m->dump);
	hash_table_free(&m->known);
	free(m->addresses.at);
	free(m);
}

void made_note(struct generated_code *m, uint64_t address)
{
	struct hash_slot *slot;

	if (m->addresses.n == MADE_MOST)
		return;
	slot = hash_table_slot(&m->known, hash_mix(address), 0);
	if (slot->head != HASH_NOTHING)
		return;
	slot->head = 0;
	*vector_add(&m->addresses) = address;
}

/* ---- files ---- */

/*
 * Opens a file that is the process's user's or ours, and was written since the process began; -1:
 * there is none.
 */
static int names_open(const struct generated_code *m, const char *path)
{
	int fd = file_open(path, O_RDONLY | O_NOCTTY);
	struct stat s;

	if (fd < 0)
		return -1;
	/* times of files are a little behind */
	if (fstat(fd, &s) == 0 && (s.st_uid == m->owner || s.st_uid == geteuid()) &&
	    (m->began == INT64_MIN ||
	     s.st_mtim.tv_sec * SECOND + s.st_mtim.tv_nsec > m->began - SECOND))
		return fd;
	close(fd);
	return -1;
}

bool made_is_dump(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t digits;

	if (!name || strncmp(name, "/jit-", 5) != 0)
		return false;
	digits = strspn(name + 5, "0123456789");
	return digits && strcmp(name + 5 + digits, ".dump") == 0;
}

void made_dump_open(struct generated_code *m, const char *path)
{
	char *seen = text_format("/proc/%d/root%s", (int)m->pid, path);

	if (m->dump < 0)
		m->dump = names_open(m, seen);
	if (m->dump < 0)
		m->dump = names_open(m, path);
	free(seen);
}

/* ---- names ---- */

struct made_writing {
	const struct generated_code *m;
	FILE *out;
};

void made_name_write(FILE *out, pid_t pid, int64_t since, const struct made_name *n)
{
	fprintf(out, "%d %" PRId64 " %" PRIu64 " %016" PRIx64 " %016" PRIx64 " ", (int)pid, since,
		n->time, n->start, n->end);
	print_octal_line(out, n->name, n->length);
}

static void name_write(void *context, const struct made_name *n)
{
	const struct made_writing *w = context;

	made_name_write(w->out, w->m->pid, w->m->since, n);
}

static int by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static bool map_write(struct made_writing *w, const char *path, bool *whole)
{
	int fd = names_open(w->m, path);

	if (fd < 0)
		return false;
	*whole &= perf_map_read(fd, w->m->addresses.at, w->m->addresses.n, name_write, w);
	close(fd);
	return true;
}

/* What the probe java wrote goes before what the program did; it has no use any more. */
static void maps_write(struct made_writing *w, bool *whole)
{
	const struct generated_code *m = w->m;
	char *ours = text_format("%s/perf-%" PRIu64 ".map", m->directory, m->inner);
	char *theirs = m->folder >= 0 ? text_format("/proc/self/fd/%d/perf-%" PRIu64 ".map",
						    m->folder, m->inner)
				      : text_format("/tmp/perf-%" PRIu64 ".map", m->inner);

	if (map_write(w, ours, whole))
		unlink(ours);
	else
		map_write(w, theirs, whole);
	free(ours);
	free(theirs);
}

void made_write(const struct generated_code *m, FILE *out)
{
	struct made_writing w = {m, out};
	bool whole = true;

	if (!m->addresses.n)
		return;
	qsort(m->addresses.at, m->addresses.n, sizeof *m->addresses.at, by_address);
	maps_write(&w, &whole);
	if (m->dump >= 0)
		whole &= jitdump_read(m->dump, m->addresses.at, m->addresses.n, name_write, &w);
	if (!whole || m->addresses.n == MADE_MOST)
		record_note("process %d generated too many functions at run time; some "
			    "addresses have no names",
			    (int)m->pid);
}
