#include "formats/logs_inside.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static void *found(const struct hash_table *t, uint64_t key, void *at)
{
	const struct hash_slot *slot = hash_table_find(t, hash_mix(key), key);

	return slot ? ((void **)at)[slot->head] : NULL;
}

/* Makes a process, in a directory that has a name of its own until the end. */
static struct logs_process *process_new(struct logs *l, uint64_t key, uint32_t pid,
					const char *directory)
{
	struct logs_process *p = array_zero(1, sizeof *p);

	p->logs = l;
	p->pid = pid;
	p->directory = directory ? text_format("%s", directory) : NULL;
	p->path = directory && !*directory
		      ? text_format("%s", l->directory)
		      : text_format("%s/.process.%zu", l->directory, l->processes.n);
	if (mkdir(p->path, 0700) != 0 && !(directory && !*directory && errno == EEXIST))
		logs_failed(l, errno);
	logs_note(&l->by_pid, key, l->processes.n);
	*vector_add(&l->processes) = p;
	return p;
}

struct logs_process *logs_process(struct logs *l, uint32_t pid, const char *name)
{
	struct logs_process *p = found(&l->by_pid, pid, l->processes.at);

	if (!p)
		p = process_new(l, pid, pid, NULL);
	if (name)
		logs_process_name(p, name);
	return p;
}

/* Keys of what has no number: its name, above all numbers. */
static uint64_t name_key(const char *name)
{
	return hash_text(name) | 3ull << 62;
}

struct logs_process *logs_process_named(struct logs *l, const char *name)
{
	uint64_t key = name_key(name);
	struct logs_process *p = found(&l->by_pid, key, l->processes.at);

	if (!p) {
		p = process_new(l, key, (uint32_t)l->processes.n + 1, NULL);
		logs_process_name(p, name);
	}
	return p;
}

/* Returns whether a name can be that of a process' directory. */
static bool directory_is_plain(const struct logs *l, const char *directory)
{
	if (strchr(directory, '/') || *directory == '.' || strlen(directory) > 255)
		return false;
	for (size_t i = 0; i < l->processes.n; i++)
		if (l->processes.at[i]->directory &&
		    strcmp(l->processes.at[i]->directory, directory) == 0)
			return false;
	return true;
}

struct logs_process *logs_process_restore(struct logs *l, uint32_t pid, const char *name,
					  const char *directory)
{
	bool plain = directory_is_plain(l, directory);
	struct logs_process *p = process_new(l, pid, pid, plain ? directory : NULL);

	logs_process_name(p, name);
	return p;
}

void logs_process_name(struct logs_process *p, const char *name)
{
	free(p->name);
	p->name = text_format("%s", name);
}

void logs_process_number(struct logs_process *p, uint32_t pid)
{
	p->pid = pid;
}

static bool number_is_free(const struct logs_process *p, uint32_t number)
{
	return number >= p->nnumbered || !p->numbered[number];
}

static void number_take(struct logs_process *p, struct logs_thread *t, uint32_t number)
{
	if (number >= p->nnumbered) {
		size_t n = number + 64;

		p->numbered = array_resize(p->numbered, n, 1);
		memset(p->numbered + p->nnumbered, 0, n - p->nnumbered);
		p->nnumbered = n;
	}
	p->numbered[number] = 1;
	t->number = number;
}

static uint32_t number_next(const struct logs_process *p)
{
	uint32_t number = (uint32_t)p->threads.n;

	while (!number_is_free(p, number))
		number++;
	return number;
}

static struct logs_thread *thread_new(struct logs_process *p, uint64_t key, uint64_t tid)
{
	struct logs_thread *t = array_zero(1, sizeof *t);

	t->process = p;
	t->tid = tid;
	t->upper = UINT64_MAX;
	number_take(p, t, number_next(p));
	logs_note(&p->by_tid, key, p->threads.n);
	*vector_add(&p->threads) = t;
	return t;
}

struct logs_thread *logs_thread(struct logs_process *p, uint64_t tid)
{
	struct logs_thread *t = found(&p->by_tid, tid, p->threads.at);

	return t ? t : thread_new(p, tid, tid);
}

struct logs_thread *logs_thread_named(struct logs_process *p, const char *name)
{
	uint64_t key = name_key(name);
	struct logs_thread *t = found(&p->by_tid, key, p->threads.at);

	if (!t) {
		t = thread_new(p, key, 0);
		logs_thread_name(t, name);
	}
	return t;
}

struct logs_thread *logs_thread_restore(struct logs_process *p, uint64_t tid, uint32_t number,
					const char *name, const char *later)
{
	struct logs_thread *t = thread_new(p, tid, tid);

	logs_thread_number(t, number);
	logs_thread_name(t, name);
	t->later = later ? text_format("%s", later) : NULL;
	t->kept = true;
	return t;
}

void logs_thread_name(struct logs_thread *t, const char *name)
{
	free(t->name);
	t->name = text_format("%s", name);
}

void logs_thread_number(struct logs_thread *t, uint32_t number)
{
	enum { NUMBER_MOST = 1 << 20 };

	if (t->begun || number >= NUMBER_MOST || !number_is_free(t->process, number))
		return;
	t->process->numbered[t->number] = 0;
	number_take(t->process, t, number);
}

struct logs_process *logs_thread_process(const struct logs_thread *t)
{
	return t->process;
}
