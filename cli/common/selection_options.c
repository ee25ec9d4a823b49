#include "cli/common/selection_options.h"
#include "base/array.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
	VECTOR(const char *) threads;
	VECTOR(const char *) processes;
	int64_t from, to;
} wanted = {.from = INT64_MIN, .to = INT64_MAX};

void selection_take_thread(const char *value)
{
	*vector_add(&wanted.threads) = value;
}

void selection_take_process(const char *value)
{
	*vector_add(&wanted.processes) = value;
}

void selection_take_from(const char *value)
{
	wanted.from = usage_time("--from", value);
}

void selection_take_to(const char *value)
{
	wanted.to = usage_time("--to", value);
}

void selection_times(int64_t *from, int64_t *to)
{
	if (wanted.from > wanted.to)
		usage_fail("--from must not be later than --to");
	*from = wanted.from;
	*to = wanted.to;
}

/* By number or label, or all threads of that name. */
static bool thread_select(const struct trace *t, const char *name, bool *selected)
{
	char number[16];
	bool found = false;

	for (unsigned i = 0; i < t->nthreads; i++) {
		snprintf(number, sizeof number, "%" PRIu32, t->threads[i].number);
		if (strcmp(number, name) && strcmp(t->threads[i].label, name) &&
		    strcmp(t->threads[i].name, name))
			continue;
		selected[i] = found = true;
	}
	return found;
}

/* By program, process id or directory: this as it was given, or its last part. */
static bool process_is(const struct trace_process *p, const char *name)
{
	const char *last = strrchr(p->path, '/');
	char pid[16];

	snprintf(pid, sizeof pid, "%" PRIu32, p->pid);
	return !fnmatch(name, p->program, 0) || (p->pid && !strcmp(name, pid)) ||
	       !strcmp(name, p->path) || (last && !strcmp(name, last + 1));
}

static bool process_select(const struct trace *t, const char *name, bool *selected)
{
	bool found = false;

	for (unsigned i = 0; i < t->nthreads; i++)
		if (process_is(&t->processes[t->threads[i].directory], name))
			selected[i] = found = true;
	return found;
}

typedef bool select_function(const struct trace *t, const char *name, bool *selected);

/* Sets to false what no name selects; of no names, nothing. */
static bool selection_apply(const struct trace *t, bool *threads, const char *const *names,
			    size_t n, select_function *select, const char *refusal,
			    struct diag *diag)
{
	bool *selected = array_zero(t->nthreads, sizeof *selected), good = true;

	for (size_t i = 0; i < n; i++) {
		if (select(t, names[i], selected))
			continue;
		diag_error(diag, DIAG_NOWHERE, "%s '%s'; glimpse info lists them", refusal,
			   names[i]);
		good = false;
	}
	for (unsigned i = 0; i < t->nthreads && n; i++)
		threads[i] &= selected[i];
	free(selected);
	return good;
}

bool selection_has_threads(void)
{
	return wanted.threads.n;
}

bool selection_threads(const struct trace *t, bool **threads, struct diag *diag)
{
	bool good;

	*threads = NULL;
	if (!wanted.threads.n && !wanted.processes.n)
		return true;
	*threads = array_new(t->nthreads, sizeof **threads);
	for (unsigned i = 0; i < t->nthreads; i++)
		(*threads)[i] = true;
	good = selection_apply(t, *threads, wanted.threads.at, wanted.threads.n, thread_select,
			       "no thread has the number or name", diag);
	good &=
	    selection_apply(t, *threads, wanted.processes.at, wanted.processes.n, process_select,
			    "no process has the program, the id or the directory", diag);
	if (good && !memchr(*threads, true, t->nthreads * sizeof **threads)) {
		diag_error(
		    diag, DIAG_NOWHERE,
		    "the processes of --process have no thread of --thread; glimpse info lists them");
		good = false;
	}
	return good;
}
