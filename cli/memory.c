#include "cli/memory.h"
#include "base/array.h"
#include "cli/common/intervals.h"
#include "cli/common/lost.h"
#include "cli/common/selection_options.h"
#include "cli/common/top.h"
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static enum memory_order order;
static bool each_block;

static void take_order(const char *value)
{
	static const char *const names[] = {"bytes", "count", "peak", "left"};

	for (order = 0; order <= BY_LEFT; order++)
		if (strcmp(value, names[order]) == 0)
			return;
	usage_fail("--sort: '%s' is none of bytes, count, peak, left", value);
}

static void take_leaks(const char *unused)
{
	(void)unused;
	each_block = true;
}

/* ---- all ---- */

static bool is_wanted(const struct interval **chosen, const struct role *r)
{
	for (; *chosen; chosen++)
		if (*chosen == r->interval)
			return !role_is_threads_life(r);
	return false;
}

static void role_show(struct request *r, struct json *j, struct trace *t, const struct role *role,
		      const struct call_paths *paths, const struct heap_part *part)
{
	struct heap *h = heap_of_part(t, role, part);
	struct memory m = {.heap = h, .paths = paths, .order = order, .each_block = each_block};

	m.sites = array_new(h->nsites, sizeof *m.sites);
	for (size_t i = 0; i < h->nsites; i++)
		m.sites[i] = &h->sites[i];
	if (r->format == FORMAT_JSON)
		memory_json(j, &m);
	else if (r->format == FORMAT_TEXT)
		memory_text(r->out, &m);
	else
		memory_csv(r->out, &m);
	free(m.sites);
	heap_free(h);
}

static void none_found(struct request *r)
{
	diag_warning(&r->diag, "memory", DIAG_NOWHERE,
		     "the specification has no interval of kind \"life\" of objects; blocks of "
		     "memory are recorded by: glimpse record --probes memory -- PROGRAM");
}

static void roles_show(struct request *r, struct trace *t, const struct interval **chosen,
		       const struct heap_part *part)
{
	struct call_paths *paths = call_paths_make(t);
	unsigned n, found = 0;
	struct role *roles = roles_of_kind(t->spec, KIND_LIFE, &n);
	struct json j;

	if (r->format == FORMAT_CSV)
		memory_csv_head(r->out, each_block);
	if (r->format == FORMAT_JSON) {
		j = json_begin(r->out, 3);
		json_array(&j, NULL);
	}
	for (unsigned i = 0; i < n; i++) {
		if (!is_wanted(chosen, &roles[i]))
			continue;
		if (found++ && r->format == FORMAT_TEXT)
			putc('\n', r->out);
		role_show(r, &j, t, &roles[i], paths, part);
	}
	if (r->format == FORMAT_JSON)
		json_close(&j);
	if (!found)
		none_found(r);
	call_paths_free(paths);
	free(roles);
}

static int memory_run(struct request *r)
{
	struct trace *t = request_open(r);
	const struct interval **chosen = t ? intervals_chosen(t, &r->diag) : NULL;
	struct heap_part part = {0};
	bool *threads = NULL, good;

	selection_times(&part.from, &part.to);
	good = chosen && selection_threads(t, &threads, &r->diag);
	part.threads = threads;
	if (good) {
		lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
		roles_show(r, t, chosen, &part);
	}
	free(threads);
	free(chosen);
	trace_close(t);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    INTERVAL_OPTION,
    {'l', "leaks", NULL, "each thing that was never given back, with its stack", take_leaks},
    {0, "sort", "ORDER", "call paths with the most first: bytes, count, peak or left", take_order},
    TOP_OPTION("10"),
    THREAD_OPTION("what was taken in"),
    PROCESS_OPTION("what was taken in"),
    FROM_OPTION("what was taken"),
    TO_OPTION("what was taken"),
    MEMORY_OPTION,
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_memory = {
    .name = "memory",
    .summary = "what was never freed, who allocates most, and how long it lives",
    .teaches =
	"Prints what lives and ends: blocks of memory, and all else that is an interval of kind\n"
	"\"life\" of objects. What was never given back stands first, by the call path that took\n"
	"it, with the quarters of the run from which it is: what comes from all of them grows.\n"
	"Then who takes most, which threads give back what others took, and ends of what is not\n"
	"alive: given back twice, or never taken. What begins again while it counts as alive has\n"
	"ended before, unseen: it is no leak.\n",
    .examples = "  glimpse record --probes memory -o run1 -- ./program\n"
		"  glimpse memory run1\n"
		"  glimpse memory run1 --sort=peak --top=3\n"
		"  glimpse memory run1 --leaks --format=csv\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = memory_run,
};
