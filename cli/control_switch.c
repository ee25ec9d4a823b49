/* What of a run changes while it runs: whether it does, and its switches. */
#include "cli/control.h"
#include "base/monotonic.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHANGE_SIZE 16
#define STATE_ENDED 1

/* ---- whether it runs ---- */

/*
 * Another process may have its id by now, or it may have called exec: then it has not mapped this
 * file.
 */
static bool process_maps(const struct control *c, FILE *maps)
{
	unsigned long inode;
	char line[4400];

	while (fgets(line, sizeof line, maps))
		if (sscanf(line, "%*s %*s %*s %*s %lu", &inode) == 1 && inode == c->inode)
			return true;
	return false;
}

enum run_state control_state(const struct control *c)
{
	char path[64];
	FILE *maps;
	bool alive;

	if (__atomic_load_n((const uint32_t *)(c->file + 20), __ATOMIC_ACQUIRE) == STATE_ENDED)
		return RUN_ENDED;
	if (kill(c->pid, 0) != 0 && errno != EPERM)
		return RUN_DIED;
	snprintf(path, sizeof path, "/proc/%ld/maps", (long)c->pid);
	maps = fopen(path, "re");
	if (!maps)
		return RUN_ALIVE;
	alive = process_maps(c, maps);
	fclose(maps);
	return alive ? RUN_ALIVE : RUN_DIED;
}

/* ---- the switches ---- */

static uint32_t *word_of(const struct control *c, uint32_t id)
{
	return (uint32_t *)(c->file + PROCESS_SWITCHES) + id;
}

bool control_is_on(const struct control *c, uint32_t id)
{
	return __atomic_load_n(word_of(c, id), __ATOMIC_RELAXED) == id;
}

static uint64_t ticks_now(const struct control *c)
{
#if defined(__x86_64__) || defined(__i386__)
	if (c->clock == CLOCK_COUNTER)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (c->clock == CLOCK_COUNTER) {
		uint64_t ticks;

		__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	(void)c;
	return (uint64_t)monotonic_now();
}

/* The file is the program's user's, who goes on to write to it: root makes it for that user. */
static int changes_open(const struct control *c, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat status;

	if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid != c->owner &&
	    fchown(fd, c->owner, c->group) != 0) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

static bool change_write(const struct control *c, uint32_t id, bool on)
{
	char *path = control_path(c, "switches");
	int fd = changes_open(c, path);
	unsigned char change[CHANGE_SIZE];
	ssize_t n = -1;

	write_32(change, id);
	write_32(change + 4, on);
	write_64(change + 8, ticks_now(c));
	if (fd >= 0)
		n = write(fd, change, sizeof change);
	if (n >= 0 && n < CHANGE_SIZE)
		errno = ENOSPC;
	if (fd >= 0)
		close(fd);
	free(path);
	return n == CHANGE_SIZE;
}

/*
 * What is recorded as off holds all of the time in which events are missing: off is recorded
 * before, on after.
 */
bool control_set(const struct control *c, uint32_t id, bool on, struct diag *diag)
{
	uint32_t *word = word_of(c, id);
	uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);

	if (on)
		__atomic_store_n(word, id, __ATOMIC_SEQ_CST);
	if (!change_write(c, id, on)) {
		__atomic_store_n(word, before, __ATOMIC_RELAXED);
		diag_error(diag, DIAG_NOWHERE,
			   "%s/switches: %s; no event is switched unless that can be recorded",
			   c->directory, strerror(errno));
		return false;
	}
	if (!on)
		__atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
	return true;
}
