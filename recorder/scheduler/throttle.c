#include "recorder/scheduler/throttle.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "recorder/refusals.h"
#include "scheduler_glimpse.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A group is given its quota as often as this by default. */
#define PERIOD 100000000
enum { LEVELS_MOST = 16 }; /* groups in groups; those further out are not read */

/* A group that the process is in, from the innermost on. */
struct level {
	char *directory;
	int stat; /* cpu.stat, open */
	uint64_t throttled;
};

static struct {
	uint32_t root;
	int64_t next;
	char *membership; /* /proc/PID/cgroup, as it was last */
	bool unified;     /* version 2 */
	struct level levels[LEVELS_MOST];
	unsigned n;
} throttle;

/* ---- which groups ---- */

/* Returns whether a list with commas has a word. */
static bool has_word(const char *list, size_t length, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list, *end = list + length; at < end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *to = comma ? comma : end;

		if ((size_t)(to - at) == n && memcmp(at, word, n) == 0)
			return true;
		at = to + 1;
	}
	return false;
}

/*
 * Returns the group's path from the line of the controller cpu, which has a line of its own in
 * version 1, else from that of version 2; NULL: there is none. The caller frees it.
 */
static char *group_path(const char *membership, bool *unified)
{
	const char *found = NULL;

	*unified = false;
	for (const char *line = membership; line && *line;) {
		const char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;

		if (!path)
			break;
		if (has_word(list + 1, (size_t)(path - list - 1), "cpu")) {
			found = path + 1;
			*unified = false;
			break;
		}
		if (strncmp(line, "0::", 3) == 0) {
			found = path + 1;
			*unified = true;
		}
		line = strchr(path, '\n');
		line += line != NULL;
	}
	return found ? text_format("%.*s", (int)strcspn(found, "\n"), found) : NULL;
}

/* Returns whether a line of /proc/self/mountinfo is of the file system that has these groups. */
static bool is_mount(const char *line, bool unified)
{
	const char *type = strstr(line, " - "), *options = type ? strrchr(type, ' ') : NULL;

	if (!options)
		return false;
	if (unified)
		return strncmp(type, " - cgroup2 ", 11) == 0;
	return strncmp(type, " - cgroup ", 10) == 0 &&
	       has_word(options + 1, strcspn(options + 1, "\n"), "cpu");
}

/*
 * Finds where the groups are mounted, and which group that is: in a container, often its own. Both
 * have room for PATH_MAX bytes.
 */
static bool mount_find(bool unified, char *root, char *point)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) > 0)
		found = is_mount(line, unified) &&
			sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) == 2;
	free(line);
	if (f)
		fclose(f);
	return found;
}

static void level_add(char *directory)
{
	char *path = text_format("%s/cpu.stat", directory);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	if (fd < 0) {
		free(directory);
		return;
	}
	throttle.levels[throttle.n++] = (struct level){.directory = directory, .stat = fd};
}

static void levels_free(void)
{
	for (unsigned i = 0; i < throttle.n; i++) {
		close(throttle.levels[i].stat);
		free(throttle.levels[i].directory);
	}
	throttle.n = 0;
}

/* Adds a group and those that it is in. */
static void levels_add(const char *path, bool unified)
{
	char root[PATH_MAX], point[PATH_MAX], *directory;
	size_t length;

	if (!mount_find(unified, root, point))
		return;
	length = strcmp(root, "/") == 0 ? 0 : strlen(root);
	if (strncmp(path, root, length) == 0 && (!path[length] || path[length] == '/'))
		path += length;
	directory = text_format("%s%s", point, strcmp(path, "/") == 0 ? "" : path);
	for (length = strlen(point); throttle.n < LEVELS_MOST;) {
		char *slash = strrchr(directory, '/');

		level_add(text_format("%s", directory));
		if (strlen(directory) <= length || !slash)
			break;
		*slash = '\0';
	}
	free(directory);
}

/* ---- their numbers ---- */

/* Returns for how long a group was throttled, ns. */
static uint64_t level_read(const struct level *l)
{
	uint64_t us = process_number_of(l->stat, "throttled_usec ");

	return throttle.unified ? 1000 * us : process_number_of(l->stat, "throttled_time ");
}

/* Returns the first number in a group's file; 0: it has none there. */
static double quota_number(const struct level *l, const char *file, unsigned skip)
{
	char *path = text_format("%s/%s", l->directory, file);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t number = 0;

	free(path);
	if (fd >= 0) {
		process_numbers(fd, skip, &number, 1);
		close(fd);
	}
	return (double)number;
}

/* Says what allows the program more. */
static void remedy_note(const struct level *l)
{
	const char *file = throttle.unified ? "cpu.max" : "cpu.cfs_quota_us";
	double quota = quota_number(l, file, 0);
	double each =
	    throttle.unified ? quota_number(l, file, 1) : quota_number(l, "cpu.cfs_period_us", 0);
	char *remedy = quota > 0 && each > 0
			   ? text_format("raise %s/%s, which allows the use of %.3g processors",
					 l->directory, file, quota / each)
			   : text_format("raise %s/%s", l->directory, file);

	refusal_note("throttled", remedy);
	free(remedy);
}

static void membership_read(void)
{
	int fd = proc_file_open((pid_t)throttle.root, 0, "cgroup");
	char text[4096], *path;
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	if (throttle.membership && strcmp(throttle.membership, text) == 0)
		return;
	free(throttle.membership);
	throttle.membership = text_format("%s", text);
	levels_free();
	path = group_path(text, &throttle.unified);
	if (path)
		levels_add(path, throttle.unified);
	free(path);
	for (unsigned i = 0; i < throttle.n; i++)
		throttle.levels[i].throttled = level_read(&throttle.levels[i]);
}

/* Logs what was added: that of the group with most of it, as one in another may share its time. */
static void throttle_log(struct observed *o)
{
	const struct level *worst = NULL;
	uint64_t most = 0;

	for (unsigned i = 0; i < throttle.n; i++) {
		struct level *l = &throttle.levels[i];
		uint64_t now = level_read(l), added = now > l->throttled ? now - l->throttled : 0;

		l->throttled = now ? now : l->throttled; /* 0: the group is gone */
		if (added > most) {
			most = added;
			worst = l;
		}
	}
	if (!worst)
		return;
	observed_select(o);
	Throttled_StampAt((uint64_t)monotonic_now(), most);
	observed_select(NULL);
	remedy_note(worst);
}

void throttle_open(const struct recording *r)
{
	throttle.root = (uint32_t)r->root;
	throttle.next = 0;
	membership_read();
}

void throttle_step(int64_t now)
{
	struct observed *o = now < throttle.next ? NULL : observed_find(throttle.root);

	if (!o)
		return;
	throttle.next = now + PERIOD;
	throttle_log(o);
	membership_read();
}

void throttle_end(struct observed *o)
{
	if (o->tid == throttle.root)
		throttle_log(o);
}

void throttle_close(void)
{
	levels_free();
	free(throttle.membership);
	memset(&throttle, 0, sizeof throttle);
}
