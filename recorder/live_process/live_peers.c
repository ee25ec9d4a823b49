#include "recorder/live_process/live_peers.h"
#include "base/monotonic.h"
#include "probes/threads/local_peer.h"
#include "recorder/live_process/live_calls.h"
#include "recorder/live_process/live_memory.h"
#include "recorder/processes.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEARCH_MOST INT64_C(200000000) /* ns */
enum { SHOWN = 4, PATH_ROOM = 96 };

static int64_t searched; /* ns, in this look */

void live_peers_begin(void)
{
	searched = 0;
}

/* ---- the processes that have a file ---- */

struct text_list {
	char *text;
	size_t n;
};

/* Adds an item behind a comma; `first` stands before the first one. Frees the item. */
static void item_add(struct text_list *l, const char *first, char *item)
{
	char *longer = NULL;

	if (l->n < SHOWN)
		longer = text_format("%s%s%s", l->n ? l->text : first, l->n ? ", " : "", item);
	else if (l->n == SHOWN)
		longer = text_format("%s and more", l->text);
	free(item);
	l->n++;
	if (!longer)
		return;
	free(l->text);
	l->text = longer;
}

static char *process_name(pid_t pid)
{
	char name[THREAD_NAME];

	thread_name_read(pid, 0, name);
	return text_format("%s (%d)", *name ? name : "?", (int)pid);
}

/* Returns the open flags of a descriptor; -1: not known. */
static int flags_of(pid_t pid, int descriptor)
{
	char path[PATH_ROOM], line[128];
	int flags = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)pid, descriptor);
	f = fopen(path, "re");
	while (f && flags < 0 && fgets(line, sizeof line, f))
		if (strncmp(line, "flags:", 6) == 0)
			flags = (int)strtol(line + 6, NULL, 8);
	if (f)
		fclose(f);
	return flags;
}

/* Whether a process has a file open. without: not with these access flags alone; -1: with any. */
static bool process_has(pid_t pid, const char *target, int without)
{
	char path[PATH_ROOM], link[128];
	bool found = false;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = opendir(path);
	while (d && !found && (e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, link, sizeof link - 1);

		if (n <= 0)
			continue;
		link[n] = '\0';
		found = strcmp(link, target) == 0 &&
			(without < 0 || (flags_of(pid, atoi(e->d_name)) & O_ACCMODE) != without);
	}
	if (d)
		closedir(d);
	return found;
}

/*
 * Lists the processes that have a file. Those of other users cannot be seen: nobody found is not
 * nobody.
 */
static char *processes_with(const char *target, int without, const char *before)
{
	int64_t began = monotonic_now();
	struct text_list l = {0};
	pid_t *pids;
	size_t n = processes_all(&pids);

	for (size_t i = 0; i < n && searched + monotonic_now() - began < SEARCH_MOST; i++)
		if (process_has(pids[i], target, without))
			item_add(&l, before, process_name(pids[i]));
	free(pids);
	searched += monotonic_now() - began;
	return l.text;
}

char *live_pipe_peer(pid_t pid, int descriptor, const char *target)
{
	int own = flags_of(pid, descriptor);

	if (own < 0 || (own & O_ACCMODE) == O_RDWR)
		return NULL;
	return (own & O_ACCMODE) == O_RDONLY ? processes_with(target, O_RDONLY, "written by ")
					     : processes_with(target, O_WRONLY, "read by ");
}

/* ---- Unix sockets ---- */

char *live_socket_peer(const char *target)
{
	unsigned inode, peer;
	char other[32];

	if (sscanf(target, "socket:[%u]", &inode) != 1 || !(peer = local_peer(inode)))
		return NULL;
	snprintf(other, sizeof other, "socket:[%u]", peer);
	return processes_with(other, -1, "other end: ");
}

/* ---- locks of files ---- */

/* "1: FLOCK  ADVISORY  WRITE 812 08:02:131 0 EOF", and "1: -> ..." for each that waits for it. */
char *live_lock_holder(pid_t pid, pid_t tid)
{
	FILE *f = fopen("/proc/locks", "re");
	char line[256], *found = NULL;
	int holder = 0, who;

	while (f && !found && fgets(line, sizeof line, f)) {
		const char *waits = strstr(line, "->");

		if (sscanf(waits ? waits + 2 : line + strcspn(line, " "), "%*s %*s %*s %d", &who) !=
		    1)
			continue;
		if (!waits)
			holder = who;
		else if ((who == pid || who == tid) && holder > 0)
			found = process_name(holder);
	}
	if (f)
		fclose(f);
	if (found) {
		char *text = text_format("locked by %s", found);

		free(found);
		found = text;
	}
	return found;
}

/* ---- lists of descriptors ---- */

static void descriptor_add(struct text_list *l, pid_t pid, int descriptor)
{
	char *target = live_descriptor(pid, descriptor);

	item_add(l, "", text_format("%d%s%s", descriptor, target ? " " : "", target ? target : ""));
	free(target);
}

char *live_epoll_list(pid_t pid, int descriptor)
{
	char path[PATH_ROOM], line[256];
	struct text_list l = {0};
	int watched;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)pid, descriptor);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "tfd: %d", &watched) == 1)
			descriptor_add(&l, pid, watched);
	if (f)
		fclose(f);
	return l.text;
}

char *live_poll_list(pid_t pid, uint64_t array, uint64_t n)
{
	struct pollfd polled[SHOWN + 1];
	struct text_list l = {0};
	uint64_t most = n < SHOWN + 1 ? n : SHOWN + 1;

	if (!most || !live_memory_get(pid, array, polled, most * sizeof *polled))
		return NULL;
	for (uint64_t i = 0; i < most; i++)
		if (polled[i].fd >= 0)
			descriptor_add(&l, pid, polled[i].fd);
	return l.text;
}
