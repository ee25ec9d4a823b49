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

	order = usage_choice("--sort", "order", names, BY_LEFT + 1, value);
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

static void role_show(struct command_request *r, struct json *j, struct trace *t,
		      const struct role *role, const struct call_paths *paths,
		      const struct heap_part *part)
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

static void roles_show(struct command_request *r, struct trace *t, const struct interval **chosen,
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
		diag_warning(&r->diag, "memory", DIAG_NOWHERE,
			     "the specification has no interval of kind \"life\" of objects; "
			     "record blocks of memory with: glimpse record --probes memory -- "
			     "PROGRAM");
	call_paths_free(paths);
	free(roles);
}

static int memory_run(struct command_request *r)
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
    {'l', "leaks", NULL, "list every leaked block with its call stack", take_leaks},
    {0, "sort", "ORDER", "sort call stacks by bytes, count, peak or left (bytes)", take_order},
    TOP_OPTION("10"),
    THREAD_OPTION("allocations of"),
    PROCESS_OPTION("allocations of"),
    FROM_OPTION("allocations"),
    TO_OPTION("allocations"),
    MEMORY_OPTION,
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_memory = {
    .name = "memory",
    .summary = "leaks, top allocation sites, lifetimes and invalid frees",
    .teaches =
	"Reports memory: leaks by call stack, top allocation sites, lifetimes, and invalid frees.\n"
	"Other intervals of kind \"life\" of objects are reported in the same way.\n"
	"Leaks come first, grouped by allocating call stack. The quarters show when they were\n"
	"allocated; a leak from each of the last three quarters grows. The next tables are the\n"
	"call stacks that allocate most, frees by another thread, and invalid frees: double frees\n"
	"and frees of unknown addresses. A block whose address is allocated again is not a leak:\n"
	"it was freed, although its free was not logged. The line \"resident\" has the memory of the\n"
	"process when it exceeded what was in use most; it needs --probes memory,resources.\n",
    .examples = "  glimpse record --probes memory -o run1 -- ./program\n"
		"  glimpse memory run1\n"
		"  glimpse memory run1 --sort=peak --top=3\n"
		"  glimpse memory run1 --leaks --format=csv\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = memory_run,
};
