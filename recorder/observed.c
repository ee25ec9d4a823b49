#include "recorder/observed.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "recorder/numbers.h"
#include <glimpse.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROBES 3
#define READING_SHARE \
	5 /* at most this part of a processor is used to read the figures of threads */

static const struct recording *recording;
static struct hash_table by_tid;
static VECTOR(struct observed *) list;
static observed_end_function *at_end[PROBES];
static bool found_elsewhere;
static int64_t found_until;
static uint32_t threads, processes;

void observed_open(const struct recording *r)
{
	recording = r;
	threads = processes = 0;
	found_elsewhere = false;
	found_until = INT64_MAX;
	memset(at_end, 0, sizeof at_end);
}

void observed_at_end(observed_end_function *f)
{
	size_t i = 0;

	while (at_end[i])
		i++;
	at_end[i] = f;
}

void observed_close(void)
{
	char *path;

	while (list.n)
		observed_end(list.at[list.n - 1]);
	path = text_format("%s/%s", getenv("GLIMPSE_DIR"), NUMBERS_FILE);
	numbers_write(path);
	free(path);
	free(list.at);
	memset(&list, 0, sizeof list);
	hash_table_free(&by_tid);
	by_tid = (struct hash_table){.slots = NULL};
}

static struct hash_slot *slot_of(uint32_t tid)
{
	return hash_table_slot(&by_tid, hash_mix(tid), 0);
}

struct observed *observed_find(uint32_t tid)
{
	struct hash_slot *slot = slot_of(tid);

	return slot->head == HASH_NOTHING ? NULL : list.at[slot->head];
}

/*
 * Notes how the thread is numbered inside, where that is another namespace. All threads of a
 * process are in one.
 */
static void number_look(struct observed *o)
{
	const struct observed *leader = o->pid == o->tid ? NULL : observed_find(o->pid);
	int64_t now = monotonic_now();

	o->space = leader ? leader->space : numbers_space(o->pid);
	/* as far as the finder's time goes: that of the record which says that the thread began */
	if (o->space)
		numbers_note(o->space, o->pid, o->tid,
			     found_until > INT64_MIN && found_until < now ? found_until : now);
}

struct observed *observed_new(uint32_t pid, uint32_t tid, const char *name)
{
	struct observed *o = observed_find(tid);

	if (o)
		observed_end(o);
	o = array_zero(1, sizeof *o);
	o->pid = pid;
	o->tid = tid;
	if (name)
		strncpy(o->name, name, sizeof o->name - 1);
	number_look(o);
	o->place = list.n;
	*vector_add(&list) = o;
	slot_of(tid)->head = (uint32_t)o->place;
	threads++;
	processes += pid == tid;
	return o;
}

void observed_end(struct observed *o)
{
	struct observed *last = list.at[list.n - 1];

	for (size_t i = 0; i < PROBES && at_end[i]; i++)
		at_end[i](o);
	if (o->log)
		glimpse_log_close(o->log);
	slot_of(o->tid)->head = HASH_NOTHING;
	list.at[o->place] = last;
	last->place = o->place;
	if (last != o)
		slot_of(last->tid)->head = (uint32_t)last->place;
	list.n--;
	free(o);
}

struct observed *const *observed_list(size_t *n)
{
	*n = list.n;
	return list.at;
}

void observed_count(uint32_t *all, uint32_t *leaders)
{
	*all = threads;
	*leaders = processes;
}

/* ---- /proc ---- */

void observed_found_elsewhere(void)
{
	found_elsewhere = true;
	found_until = INT64_MIN;
}

void observed_found_until(int64_t time)
{
	found_until = time;
}

int64_t observed_known_until(void)
{
	return found_until;
}

/* Adds the threads of a process that are not known yet, and marks all of them as seen. */
static void process_scan(pid_t pid, struct hash_table *seen)
{
	pid_t *list_of_tids;
	size_t n = process_threads(pid, &list_of_tids);

	for (size_t i = 0; i < n; i++) {
		uint32_t tid = (uint32_t)list_of_tids[i];
		const struct observed *o;

		hash_table_slot(seen, hash_mix(tid), 0)->head = 0;
		o = observed_find(tid);
		if (!o || o->pid != (uint32_t)pid)
			observed_new((uint32_t)pid, tid, NULL);
	}
	free(list_of_tids);
}

/* Adds a process and, as far as they are wanted, its children; a list that grows at its end. */
static void children_add(pid_t **pids, size_t *n, pid_t pid)
{
	pid_t *children;
	size_t count = recording->children ? process_children(pid, &children) : 0;

	for (size_t i = 0; i < count; i++) {
		*pids = array_grow(*pids, *n, sizeof **pids);
		(*pids)[(*n)++] = children[i];
	}
	if (recording->children)
		free(children);
}

int64_t observed_pause(int64_t every, int64_t took)
{
	return took * READING_SHARE > every ? took * READING_SHARE : every;
}

void observed_scan(void)
{
	struct hash_table seen = {.slots = NULL};
	size_t n = 1;
	pid_t *pids;

	if (found_elsewhere)
		return;
	pids = array_grow(NULL, 0, sizeof *pids);
	pids[0] = recording->root;
	for (size_t i = 0; i < list.n; i++)
		if (list.at[i]->pid == list.at[i]->tid && (pid_t)list.at[i]->pid != pids[0]) {
			pids = array_grow(pids, n, sizeof *pids);
			pids[n++] = (pid_t)list.at[i]->pid;
		}
	for (size_t i = 0; i < n; i++) {
		if (hash_table_slot(&seen, hash_mix((uint32_t)pids[i]), 0)->head != HASH_NOTHING)
			continue;
		process_scan(pids[i], &seen);
		children_add(&pids, &n, pids[i]);
	}
	for (size_t i = list.n; i-- > 0;)
		if (hash_table_slot(&seen, hash_mix(list.at[i]->tid), 0)->head == HASH_NOTHING &&
		    !thread_is_there((pid_t)list.at[i]->pid, (pid_t)list.at[i]->tid))
			observed_end(list.at[i]);
	hash_table_free(&seen);
	free(pids);
}

/* ---- logs ---- */

void observed_select(struct observed *o)
{
	if (o && !o->log) {
		if (!*o->name)
			thread_name_read((pid_t)o->pid, (pid_t)o->tid, o->name);
		o->log = glimpse_log_open(o->pid, o->tid, o->name);
		memcpy(o->logged, o->name, sizeof o->logged);
	}
	glimpse_log_select(o ? o->log : NULL);
	if (o && strcmp(o->name, o->logged) != 0) {
		glimpse_thread_name(o->name);
		memcpy(o->logged, o->name, sizeof o->logged);
	}
}
