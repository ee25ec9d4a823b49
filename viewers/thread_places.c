#include "viewers/thread_places.h"
#include "analysis/activity/roles.h"
#include "base/array.h"
#include "base/name_pattern.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct thread_sort_key {
	unsigned index, process, rule;
	uint64_t tid;    /* the system's number, which grows; 0: not known */
	uint64_t family; /* of a recorded program: the tid of the first that is called alike */
	char *pattern;
	const char *name;
};

/* Returns the first pattern that fits the name, but rather one that is the name; else norder. */
static unsigned rule_of_name(const struct spec *s, const char *name)
{
	for (unsigned i = 0; i < s->norder; i++)
		if (!strcmp(s->order[i], name))
			return i;
	for (unsigned i = 0; i < s->norder; i++)
		if (!fnmatch(s->order[i], name, 0))
			return i;
	return s->norder;
}

static unsigned rule_of(const struct spec *s, const struct trace_thread *thread)
{
	unsigned rule = rule_of_name(s, thread->name);

	return rule < s->norder ? rule : rule_of_name(s, thread->owner);
}

/*
 * What readers call a thread without a name says when it began to log, which differs from run to
 * run.
 */
static const char *given_name(const struct trace_thread *thread)
{
	char *made = text_format("thread %" PRIu32, thread->number);
	bool given = strcmp(made, thread->name) != 0;

	free(made);
	return given ? thread->name : "thread ";
}

/* No thread of a program has this number of the system. */
enum { FIRST = 1 };

static int compare_families(const void *pa, const void *pb)
{
	const struct thread_sort_key *a = pa, *b = pb;
	int order = (a->process > b->process) - (a->process < b->process);

	if (!order)
		order = strcmp(a->pattern, b->pattern);
	return order ? order : (a->tid > b->tid) - (a->tid < b->tid);
}

/* Gives threads that are called alike the place of the first of them that was created. */
static void families_find(const struct trace *t, struct thread_sort_key *threads, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		threads[i].pattern = name_pattern(threads[i].name);
	qsort(threads, n, sizeof *threads, compare_families);
	for (unsigned i = 0; i < n; i++) {
		bool alike = i && threads[i].process == threads[i - 1].process &&
			     !strcmp(threads[i].pattern, threads[i - 1].pattern);

		threads[i].family = alike ? threads[i - 1].family : threads[i].tid;
		/* the first thread of a process, also where the system's numbers have begun anew */
		if (threads[i].tid == t->processes[threads[i].process].pid)
			threads[i].family = FIRST;
	}
	for (unsigned i = 0; i < n; i++)
		free(threads[i].pattern);
}

/* Whether it is known in which order threads were created. */
static bool knows_creation(const struct trace *t)
{
	for (unsigned i = 0; i < t->nthreads; i++)
		if (!t->threads[i].tid)
			return false;
	return trace_has_states(t);
}

static int compare_placed(const void *pa, const void *pb)
{
	const struct thread_sort_key *a = pa, *b = pb;
	int order = (a->process > b->process) - (a->process < b->process);

	if (!order)
		order = (a->rule > b->rule) - (a->rule < b->rule);
	if (!order)
		order = (a->family > b->family) - (a->family < b->family);
	if (!order)
		order = strverscmp(a->name, b->name);
	/* labels of a recording's threads have the numbers by which their logs are in order */
	if (!order && !a->family)
		order = (a->tid > b->tid) - (a->tid < b->tid);
	return order ? order : (a->index > b->index) - (a->index < b->index);
}

unsigned *thread_places(const struct trace *t)
{
	struct thread_sort_key *threads = array_zero(t->nthreads, sizeof *threads);
	unsigned *places = array_zero(t->nthreads, sizeof *places);

	for (unsigned p = 0; p < t->nprocesses; p++)
		for (uint32_t i = 0; i < t->processes[p].nthreads; i++) {
			unsigned index = t->processes[p].first_thread + i;
			const struct trace_thread *thread = &t->threads[index];

			threads[index] = (struct thread_sort_key){.index = index,
								  .process = p,
								  .rule = rule_of(t->spec, thread),
								  .tid = thread->tid,
								  .name = given_name(thread)};
		}
	if (knows_creation(t))
		families_find(t, threads, t->nthreads);
	qsort(threads, t->nthreads, sizeof *threads, compare_placed);
	for (unsigned i = 0; i < t->nthreads; i++)
		places[threads[i].index] = i;
	free(threads);
	return places;
}
