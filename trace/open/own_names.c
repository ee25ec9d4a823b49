#include "trace/open/own_names.h"
#include "base/array.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char first_thread_name[] = "main";

/* The kernel keeps so many bytes of a name. */
enum { KERNEL_NAME = 15 };

static bool is_first(const struct trace_thread *t)
{
	return t->process && t->tid == t->process;
}

const char *program_file(const char *program, size_t *length)
{
	static const char mark[] = PREDICTED_MARK;
	const char *slash = strrchr(program, '/'), *file = slash ? slash + 1 : program;
	size_t n = strlen(file), m = sizeof mark - 1;

	*length = n > m && strcmp(file + n - m, mark) == 0 ? n - m : n;
	return file;
}

/* Returns whether a name is the one that the kernel gives to the threads of a program. */
static bool is_programs(const char *name, const char *program)
{
	size_t n;
	const char *file = program_file(program, &n);

	if (n >= KERNEL_NAME)
		return strncmp(file, name, KERNEL_NAME) == 0;
	return n && strncmp(file, name, n) == 0 && !name[n];
}

/*
 * A new thread has the name of its creator. Which thread that is, is not known here; it is taken
 * for the first one, whose name then was its first or its newest.
 */
static bool is_inherited(const struct log *log, const struct log *first)
{
	if (log->renamed || !first || !log->name)
		return false;
	return (first->name && strcmp(log->name, first->name) == 0) ||
	       (first->first_name && strcmp(log->name, first->first_name) == 0);
}

static bool has_made_name(const struct opened *o, uint32_t i)
{
	char *made = text_format("thread %" PRIu32, o->logs[i].number);
	bool is_made = !o->logs[i].renamed && strcmp(o->threads[i].owner, made) == 0;

	free(made);
	return is_made;
}

static void process_settle(struct opened *o, const struct trace_process *p)
{
	const struct log *first = NULL;

	for (uint32_t i = p->first_thread; i < p->first_thread + p->nthreads; i++)
		if (is_first(&o->threads[i]))
			first = &o->logs[i];
	for (uint32_t i = p->first_thread; i < p->first_thread + p->nthreads; i++) {
		struct trace_thread *t = &o->threads[i];
		bool inherited = !is_first(t) && is_inherited(&o->logs[i], first);

		t->named = !is_programs(t->owner, p->program) && !inherited && !has_made_name(o, i);
	}
}

/* What a recorder logged of others may be of any process; its directory is none. */
static bool is_one_process(const struct opened *o)
{
	uint32_t directory = UINT32_MAX;

	for (size_t i = 0; i < o->nlogs; i++) {
		const struct trace_thread *t = &o->threads[i];

		if (t->process != o->threads[0].process)
			return false;
		if (o->processes[t->directory].recorder)
			continue;
		if (directory != UINT32_MAX && directory != t->directory)
			return false;
		directory = t->directory;
	}
	return true;
}

/* Java calls another thread so. */
static bool is_taken(const struct opened *o, const char *name)
{
	for (size_t i = 0; i < o->nlogs; i++)
		if (strcmp(o->threads[i].owner, name) == 0)
			return true;
	return false;
}

void own_names_settle(struct opened *o)
{
	for (size_t i = 0; i < o->ndirectories; i++)
		process_settle(o, &o->processes[i]);
	if (!is_one_process(o) || is_taken(o, first_thread_name))
		return;
	for (size_t i = 0; i < o->nlogs; i++) {
		struct trace_thread *t = &o->threads[i];

		if (is_first(t) && is_programs(t->owner, o->processes[t->directory].program))
			t->name = first_thread_name;
	}
}
