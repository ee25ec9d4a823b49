#include "cli/live/switches.h"
#include "base/array.h"
#include "base/file.h"
#include "base/file_shrink.h"
#include "base/monotonic.h"
#include "spec/spec.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/open/tails_directory.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRY_NAME 16 /* offset of the name in a specification's entry */

/* ---- the process file ---- */

static bool open_fails(const struct process_switches *c, const char *path, struct diag *diag)
{
	if (errno == ENOENT && access(c->directory, F_OK) != 0)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: no such directory; a program writes its logs to $GLIMPSE_DIR or "
			   "glimpse.PROGRAM.PID",
			   c->directory);
	else if (errno == ENOENT)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: no such file, so this is not the log directory of a running "
			   "program",
			   path);
	else if (errno == ENOTDIR)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: this is a file; give the log directory of a running program",
			   c->directory);
	else if (errno == ENODATA)
		diag_error(diag, DIAG_NOWHERE, "%s: too short for a process file", path);
	else if (errno == EACCES || errno == EPERM)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: %s; a run belongs to the user who started the program", path,
			   strerror(errno));
	else
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, file_why(errno));
	return false;
}

static bool switches_map(struct process_switches *c, int fd, bool writable)
{
	struct stat status;
	void *map;

	if (fstat(fd, &status))
		return false;
	errno = ENODATA;
	if (status.st_size < PROCESS_SIZE)
		return false;
	map = mmap(NULL, PROCESS_SIZE, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
		   fd, 0);
	c->file = map == MAP_FAILED ? NULL : map;
	if (c->file)
		file_shrink_watch(c->file, PROCESS_SIZE, fd);
	c->inode = status.st_ino;
	c->owner = status.st_uid;
	c->group = status.st_gid;
	return c->file;
}

static bool process_known(struct process_switches *c, const char *path, struct diag *diag)
{
	uint64_t magic = read_64(c->file);

	c->pid = (pid_t)read_32(c->file + 12);
	c->clock = read_32(c->file + 16);
	if (magic == PROCESS_MAGIC && read_32(c->file + 8) == FORMAT_VERSION)
		return true;
	if (magic == __builtin_bswap64(PROCESS_MAGIC))
		diag_error(diag, DIAG_NOWHERE,
			   "%s: written on a machine with the other byte order; switch events "
			   "there",
			   path);
	else if (magic == PROCESS_MAGIC)
		diag_error(diag, DIAG_NOWHERE, "%s: version %u is unknown", path,
			   read_32(c->file + 8));
	else
		diag_error(diag, DIAG_NOWHERE, "%s: not a process file", path);
	return false;
}

static bool process_take(struct process_switches *c, bool writable, struct diag *diag)
{
	char *mapped = tails_directory_find(c->directory, diag);
	char *path = tails_directory_path(mapped, c->directory, "process");
	int fd = file_open(path, writable ? O_RDWR : O_RDONLY);
	bool good = fd >= 0 && switches_map(c, fd, writable);

	good = good ? process_known(c, path, diag) : open_fails(c, path, diag);
	if (fd >= 0)
		close(fd);
	free(path);
	free(mapped);
	return good;
}

/* Returns DIRECTORY/NAME, which the caller frees. */
static char *switches_path(const struct process_switches *c, const char *name)
{
	return text_format("%s/%s", c->directory, name);
}

/* ---- the names of the events ---- */

/* The file of one specification, if its events are those of the entry. */
static struct spec *spec_try(const struct process_switches *c, const char *name, uint64_t schema)
{
	struct diag quiet = {.program = "glimpse"};
	char *path = switches_path(c, name);
	int fd = file_open(path, O_RDONLY);
	struct spec *spec = fd >= 0 ? spec_take(path, fd, true, &quiet) : NULL;

	free(path);
	if (spec && spec->schema == schema)
		return spec;
	spec_free(spec);
	return NULL;
}

/*
 * NAME.spec, or NAME-SCHEMA.spec where two specifications have one name. A name that leads out of
 * the directory is none.
 */
static struct spec *spec_find(const struct process_switches *c, const unsigned char *entry)
{
	uint64_t schema = read_64(entry);
	struct spec *spec;
	char name[160];

	snprintf(name, sizeof name, "%.111s.spec", entry + ENTRY_NAME);
	if (strchr(name, '/'))
		return NULL;
	spec = spec_try(c, name, schema);
	if (spec)
		return spec;
	snprintf(name, sizeof name, "%.111s-%016" PRIx64 ".spec", entry + ENTRY_NAME, schema);
	return spec_try(c, name, schema);
}

static void events_add(struct process_switches *c, const struct spec *spec, uint32_t base)
{
	c->events = array_resize(c->events, c->nevents + spec->nevents, sizeof *c->events);
	for (unsigned i = 0; i < spec->nevents; i++)
		c->events[c->nevents++] = (struct switched_event){
		    spec->name, spec->events[i]->name, spec->events[i]->patterns, base + i};
}

static void entry_take(struct process_switches *c, const unsigned char *entry, struct diag *diag)
{
	uint32_t base = read_32(entry + 8);
	struct spec *spec = spec_find(c, entry);

	if (!spec || base < RECORD_FIRST_EVENT || base > RECORD_IDS ||
	    spec->nevents > RECORD_IDS - base) {
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: the specification '%.111s' is missing; its events have no names "
			     "and are left as they are",
			     c->directory, entry + ENTRY_NAME);
		spec_free(spec);
		return;
	}
	c->specs = array_grow(c->specs, c->nspecs, sizeof(struct spec *));
	c->specs[c->nspecs++] = spec;
	events_add(c, spec, base);
}

static void specs_take(struct process_switches *c, struct diag *diag)
{
	for (unsigned i = 0; i < PROCESS_SPECS; i++) {
		const unsigned char *entry = c->file + PROCESS_HEADER + i * PROCESS_SPEC_SIZE;

		if (__atomic_load_n((const uint32_t *)(entry + 12), __ATOMIC_ACQUIRE) == 0)
			break;
		entry_take(c, entry, diag);
	}
}

bool switches_open(struct process_switches *c, const char *directory, bool writable,
		   struct diag *diag)
{
	*c = (struct process_switches){.directory = directory};
	if (!process_take(c, writable, diag))
		return false;
	specs_take(c, diag);
	return true;
}

void switches_close(struct process_switches *c)
{
	if (c->file) {
		file_shrink_forget(c->file);
		munmap(c->file, PROCESS_SIZE);
	}
	for (unsigned i = 0; i < c->nspecs; i++)
		spec_free(c->specs[i]);
	free(c->specs);
	free(c->events);
	*c = (struct process_switches){0};
}

bool switches_names(const char *pattern, const struct switched_event *e)
{
	size_t n = strlen(e->spec);

	if (strcmp(pattern, "*") == 0 || strcmp(pattern, e->name) == 0 ||
	    strcmp(pattern, e->spec) == 0)
		return true;
	return strncmp(pattern, e->spec, n) == 0 && pattern[n] == '.' &&
	       strcmp(pattern + n + 1, e->name) == 0;
}

#define CHANGE_SIZE 16
#define STATE_ENDED 1
#define STATE_EXECUTED 3

/* ---- whether it runs ---- */

/*
 * Another process may have its id by now, or it may have called exec: then it has not mapped this
 * file.
 */
static bool process_maps(const struct process_switches *c, FILE *maps)
{
	unsigned long inode;
	char line[4400];

	while (fgets(line, sizeof line, maps))
		if (sscanf(line, "%*s %*s %*s %*s %lu", &inode) == 1 && inode == c->inode)
			return true;
	return false;
}

enum run_state switches_state(const struct process_switches *c)
{
	char path[64];
	FILE *maps;
	uint32_t state = __atomic_load_n((const uint32_t *)(c->file + 20), __ATOMIC_ACQUIRE);
	bool alive;

	if (state == STATE_ENDED)
		return RUN_ENDED;
	if (state == STATE_EXECUTED)
		return RUN_EXECUTED;
	/* 0 and below mean groups of processes */
	if (c->pid <= 0 || (kill(c->pid, 0) != 0 && errno != EPERM))
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

static uint32_t *word_of(const struct process_switches *c, uint32_t id)
{
	return (uint32_t *)(c->file + PROCESS_SWITCHES) + id;
}

bool switches_is_on(const struct process_switches *c, uint32_t id)
{
	return __atomic_load_n(word_of(c, id), __ATOMIC_RELAXED) == id;
}

static uint64_t ticks_now(const struct process_switches *c)
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

/* Makes a file, which is the program's user's, who goes on to write to it. */
static int changes_create(const struct process_switches *c, const char *path)
{
	int fd = file_open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);

	if (fd >= 0 && c->owner != geteuid() && fchown(fd, c->owner, c->group) != 0) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/* Opens a file to append to; one that has another name, too, may be anybody's. */
static int changes_open(const struct process_switches *c, const char *path)
{
	int fd = file_open(path, O_WRONLY | O_APPEND);
	struct stat status;

	if (fd < 0 && errno == ENOENT)
		return changes_create(c, path);
	if (fd >= 0 && fstat(fd, &status) == 0 && status.st_nlink > 1) {
		close(fd);
		errno = EMLINK;
		return -1;
	}
	return fd;
}

static bool change_write(const struct process_switches *c, uint32_t id, bool on)
{
	char *path = switches_path(c, "switches");
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
bool switches_set(const struct process_switches *c, uint32_t id, bool on, struct diag *diag)
{
	uint32_t *word = word_of(c, id);
	uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);

	if (on)
		__atomic_store_n(word, id, __ATOMIC_SEQ_CST);
	if (!change_write(c, id, on)) {
		__atomic_store_n(word, before, __ATOMIC_RELAXED);
		diag_error(diag, DIAG_NOWHERE,
			   "%s/switches: %s; no event is switched unless that can be recorded",
			   c->directory, file_why(errno));
		return false;
	}
	if (!on)
		__atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
	return true;
}

/* ---- patterns ---- */

bool switches_append(const struct process_switches *c, const struct switched_event *e,
		     const char *text, struct diag *diag)
{
	char *path = switches_path(c, e->patterns);
	int fd = changes_open(c, path);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (n >= 0 && n < (ssize_t)strlen(text))
		errno = ENOSPC;
	if (n != (ssize_t)strlen(text))
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, file_why(errno));
	if (fd >= 0)
		close(fd);
	free(path);
	return n == (ssize_t)strlen(text);
}

bool switches_ring(const struct process_switches *c, const struct switched_event *e,
		   struct diag *diag)
{
	if (switches_is_on(c, e->id) && !switches_set(c, e->id, false, diag))
		return false;
	syscall(SYS_futex, word_of(c, e->id), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	return true;
}
