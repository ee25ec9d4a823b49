#include "base/array.h"
#include "base/progress.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/event_print.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP 65536 /* events between two looks at the progress bar */

/* What the command line selects. */
static struct {
	const char **threads, **events;
	unsigned nthreads, nevents;
	int64_t from, to;
} wanted = {.from = INT64_MIN, .to = INT64_MAX};

/* The same, resolved. */
struct selection {
	bool *thread; /* indexed like the trace's threads; NULL: all */
	bool *event;  /* indexed like the specification's events; NULL: all */
};

static void name_add(const char ***list, unsigned *n, const char *name)
{
	*list = array_grow(*list, *n, sizeof **list);
	(*list)[(*n)++] = name;
}

static void take_thread(const char *value)
{
	name_add(&wanted.threads, &wanted.nthreads, value);
}

static void take_event(const char *value)
{
	name_add(&wanted.events, &wanted.nevents, value);
}

static void take_from(const char *value)
{
	if (!units_parse_time(value, &wanted.from))
		usage_fail("--from: '%s' is not a time such as 1500, 10ms or 2.5s", value);
}

static void take_to(const char *value)
{
	if (!units_parse_time(value, &wanted.to))
		usage_fail("--to: '%s' is not a time such as 1500, 10ms or 2.5s", value);
}

/* ---- selection ---- */

/* By number, or all threads of that name. */
static bool thread_select(const struct trace *t, const char *name, bool *selected)
{
	char number[16];
	bool found = false;

	for (unsigned i = 0; i < t->nthreads; i++) {
		snprintf(number, sizeof number, "%" PRIu32, t->threads[i].number);
		if (strcmp(number, name) && strcmp(t->threads[i].name, name))
			continue;
		selected[i] = found = true;
	}
	return found;
}

static bool threads_select(const struct trace *t, struct selection *s, struct diag *diag)
{
	bool good = true;

	if (wanted.nthreads)
		s->thread = calloc(t->nthreads + 1, sizeof *s->thread);
	for (unsigned i = 0; s->thread && i < wanted.nthreads; i++) {
		if (thread_select(t, wanted.threads[i], s->thread))
			continue;
		diag_error(diag, DIAG_NOWHERE,
			   "no thread has the number or name '%s'; glimpse info lists them",
			   wanted.threads[i]);
		good = false;
	}
	return good;
}

static void event_unknown(const struct trace *t, const char *name, struct diag *diag)
{
	const char **names = calloc(t->spec->nevents + 1, sizeof *names), *nearest = NULL;

	for (unsigned i = 0; names && i < t->spec->nevents; i++)
		names[i] = t->spec->events[i]->name;
	if (names)
		nearest = diag_nearest(name, names, t->spec->nevents);
	diag_error(diag, DIAG_NOWHERE,
		   nearest ? "there is no event '%s'; did you mean '%s'?"
			   : "there is no event '%s'; glimpse info lists them",
		   name, nearest);
	free(names);
}

static bool events_select(const struct trace *t, struct selection *s, struct diag *diag)
{
	bool good = true;

	if (wanted.nevents)
		s->event = calloc(t->spec->nevents + 1, sizeof *s->event);
	for (unsigned i = 0; s->event && i < wanted.nevents; i++) {
		const struct event_type *type = spec_event(t->spec, wanted.events[i]);

		if (type)
			s->event[type->index] = true;
		else
			event_unknown(t, wanted.events[i], diag);
		good &= type != NULL;
	}
	return good;
}

static bool selected(const struct selection *s, const struct trace *t, const struct event *e)
{
	if (e->time < wanted.from || (s->event && !s->event[e->type->index]))
		return false;
	return !s->thread || s->thread[trace_thread(t, e->thread) - t->threads];
}

/* ---- the stream ---- */

static void stream_print(struct printer *p, const struct selection *s)
{
	struct merge *m = merge_open(p->trace);
	bool bar = !isatty(STDOUT_FILENO);
	uint64_t done = 0;
	struct event e;

	progress_begin("printing events");
	for (; m && merge_next(m, &e) && e.time <= wanted.to && !ferror_unlocked(p->out); done++) {
		if (bar && done % STEP == 0)
			progress_step(done, p->trace->events);
		if (selected(s, p->trace, &e))
			printer_event(p, &e);
	}
	progress_end();
	merge_close(m);
}

static void events_print(const struct request *r, const struct trace *t, const struct selection *s)
{
	struct printer p = printer_begin(r->out, r->format, t);

	stream_print(&p, s);
	printer_end(&p);
}

static int run(struct request *r)
{
	struct trace_part part = {wanted.from, wanted.to, wanted.events, wanted.nevents};
	struct selection s = {NULL, NULL};
	struct trace *t;
	bool good;

	if (wanted.from > wanted.to)
		usage_fail("--from must not be later than --to");
	t = request_open_part(r, &part);
	if (!t)
		return EXIT_ERROR;
	good = threads_select(t, &s, &r->diag);
	good = events_select(t, &s, &r->diag) && good;
	if (good)
		events_print(r, t, &s);
	free(s.thread);
	free(s.event);
	free(wanted.threads);
	free(wanted.events);
	trace_close(t);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    {'t', "thread", "THREAD", "only events of this thread, by number or name (repeatable)",
     take_thread},
    {'e', "event", "EVENT", "only events of this type (repeatable)", take_event},
    {0, "from", "TIME", "only events from this time on: 1500 (ns), 10ms, 2.5s", take_from},
    {0, "to", "TIME", "only events up to and including this time", take_to},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_events = {
    .name = "events",
    .summary = "the merged stream of all events",
    .teaches =
	"Prints the events of all threads in the order of their times. Times count from the\n"
	"trace's first event: seconds in text, nanoseconds in csv and json. Events with the\n"
	"same time are in the order of their threads, then of their places in the thread's log.\n",
    .examples = "  glimpse events run1 | less\n"
		"  glimpse events run1 --event Sendmsg --thread 3 --from 10ms --to 20ms\n"
		"  glimpse events run1 --format=csv | cut -d, -f4 | sort | uniq -c\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = run,
};
