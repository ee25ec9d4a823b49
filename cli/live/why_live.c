/*
 * glimpse why -- PROGRAM: searches while it runs. Windows, in which the events that the search asks
 * for are on, alternate with passes over what was logged in them. An event whose rate is not known
 * is on for a moment first; what costs too much is on for as small a part of the time as the limit
 * asks for.
 */
#include "base/array.h"
#include "base/monotonic.h"
#include "base/units.h"
#include "base/usage.h"
#include "cli/live/copy.h"
#include "cli/live/program.h"
#include "cli/live/report.h"
#include "cli/live/switching.h"
#include "cli/why.h"
#include "recorder/probes.h"
#include "recorder/run_directory.h"
#include "recorder/signals.h"
#include "trace/symbols/start_names.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define WINDOW (250 * MS)
#define WINDOW_LEAST (2 * MS)
#define WINDOW_MOST (2000 * MS) /* of events that stay on */
#define BURST (10 * MS)
#define PERIOD (500 * MS)    /* from a window to the next, if a part of it is paid for */
#define SETTLE (40 * MS)     /* until what happened in a window is logged */
#define EVENTS_MOST 150000.0 /* in a window: more takes too long to search */
#define PASS_NICE 10         /* more than we have */
#define STAYS 40000.0        /* events a second that need not be switched off in between */

#define HALF 2 /* of what it may cost is the events', half the search's */

static const char *directory_wanted,
    *probes_wanted = "threads,scheduler,samples,resources,io,memory,functions";
static double limit = 0.05;
static bool quiet, json;
static struct live live;

/* ---- options ---- */

static void take_directory(const char *value)
{
	directory_wanted = value;
}

static void take_cost(const char *value)
{
	char *end;

	limit = strtod(value, &end) / 100;
	if (end == value || (*end && strcmp(end, "%") && strcmp(end, " %")) || !(limit > 0) ||
	    limit > 1)
		usage_fail("--cost: '%s' is not a share of the run time such as 5%%", value);
}

static void take_probes(const char *value)
{
	probes_wanted = value;
}

static void take_hypotheses(const char *value)
{
	live.hypotheses = value;
}

static void take_processors(const char *value)
{
	live.processors = (unsigned)strtoul(value, NULL, 10);
	if (!live.processors)
		usage_fail("--processors: '%s' is not a number of processors", value);
}

static void take_quiet(const char *unused)
{
	(void)unused;
	quiet = true;
}

static void take_json(const char *unused)
{
	(void)unused;
	json = true;
}

static void take_help(const char *unused);

static const struct choice choices[] = {
    {'o', NULL, "DIR", "record to this directory (glimpse.PROGRAM.PID)", take_directory},
    {0, "cost", "PERCENT", "let events cost at most this share of the threads' run time (5%)",
     take_cost},
    {'p', "probes", "LIST",
     "request events of these probes only\n(threads,scheduler,samples,resources,io,memory,functions)",
     take_probes},
    {0, "processors", "N", "assume N processors (found from the trace)", take_processors},
    {0, "hypotheses", "FILE", "test the hypotheses of FILE instead of the built-in ones",
     take_hypotheses},
    REPRODUCE_OPTION,
    {0, "json", NULL, "print JSON: \"live\", and \"search\" as for a directory", take_json},
    {'q', "quiet", NULL, "print nothing while the program runs", take_quiet},
    {'h', "help", NULL, "print this help", take_help},
    {0},
};

static void take_help(const char *unused)
{
	(void)unused;
	fputs(
	    "usage: glimpse why [OPTIONS] -- PROGRAM [ARGUMENT...]\n\n"
	    "Records a program and searches for its bottlenecks while it runs. At first it logs only the\n"
	    "states and waits of threads, and samples of their call stacks. When a hypothesis needs other\n"
	    "events, they are switched on for its test: lock holds, input and output, memory. Function\n"
	    "calls are requested only if there are no samples. Each finding is tested again until the\n"
	    "program ends. `glimpse why DIR` then searches the recording.\n\noptions:\n",
	    stdout);
	usage_print(choices);
	fputs("\nexamples:\n"
	      "  glimpse why -- ./program\n"
	      "  glimpse why --cost 2% -o run1 -- ./server --port 80\n"
	      "\nExit status: the program's; 125 after an error of glimpse why.\n",
	      stdout);
	usage_end();
}

/* ---- windows ---- */

struct live_watch {
	struct live_program program;
	struct run_directory directory;
	int64_t from, to; /* the last window, CLOCK_MONOTONIC */
	bool stays;       /* events are not switched off after the window */
	/* processor time of the last pass, and from its start to its end */
	int64_t pass_time, pass_took;
	double running; /* of all passes */
};

static bool is_used(const struct live_event *e)
{
	return e->cheap || (e->asked && !e->refused);
}

static bool is_cheap(const struct live_event *e)
{
	return e->cheap;
}

/* What was found rests on it, and it was switched on. */
static bool is_needed(const struct live_event *e)
{
	return e->needed && !e->refused && !e->cheap;
}

static bool is_new(const struct live_event *e)
{
	return is_used(e) && !e->cheap && e->rate < 0;
}

static bool is_tried(const struct live_event *e)
{
	return is_used(e) && !is_new(e);
}

/* Returns whether an event is used of which that is so. */
static bool any(event_is_wanted *is)
{
	for (size_t i = 0; i < live.events.n; i++)
		if (is(&live.events.at[i]))
			return true;
	return false;
}

/* What events that are used take, of the time that threads run. */
static double cost_of_use(double *rate)
{
	double running = live.running > 0.05 ? live.running : 0.05, cost = 0;

	*rate = 0;
	for (size_t i = 0; i < live.events.n; i++) {
		struct live_event *e = &live.events.at[i];

		if (!is_used(e) || e->rate < 0)
			continue;
		e->predicted = e->rate * live.event_cost / 1e9 / running;
		cost += e->predicted;
		*rate += e->rate;
	}
	return cost;
}

static void dearest_refuse(void)
{
	struct live_event *dearest = NULL;

	for (size_t i = 0; i < live.events.n; i++) {
		struct live_event *e = &live.events.at[i];

		if (is_used(e) && !e->cheap && (!dearest || e->rate > dearest->rate))
			dearest = e;
	}
	if (dearest)
		dearest->refused = true;
}

/* Returns how long events are on; stays: they need not be switched off. */
static int64_t window_length(bool *stays)
{
	for (;;) {
		double rate, cost = cost_of_use(&rate);
		double length = (double)WINDOW;

		*stays = cost <= limit / HALF && rate <= STAYS;
		if (*stays)
			return WINDOW;
		if (cost > limit / HALF && length > (double)PERIOD * limit / HALF / cost)
			length = (double)PERIOD * limit / HALF / cost;
		if (length > EVENTS_MOST * 1e9 / rate)
			length = EVENTS_MOST * 1e9 / rate;
		if (length >= (double)WINDOW_LEAST || !any(is_used))
			return (int64_t)length;
		dearest_refuse();
	}
}

/* ---- passes ---- */

/* A pass runs in a thread that gives way to others. */
struct pass_context {
	struct live_watch *watch;
	bool counts; /* events are counted, nothing else */
};

static void *pass(void *context)
{
	struct pass_context *k = context;
	struct live_watch *w = k->watch;
	struct diag none = {.program = "glimpse why"};
	struct live_copy c;
	int64_t origin, to;

	setpriority(PRIO_PROCESS, (id_t)gettid(), getpriority(PRIO_PROCESS, 0) + PASS_NICE);
	c = live_copy_open(w->directory.path, !k->counts);
	if (c.trace) {
		origin = c.trace->origin;
		to = w->to - origin < c.trace->duration ? w->to - origin : c.trace->duration;
		live_count(&live, c.trace);
		if (!k->counts && w->from - origin < to)
			live_pass(&live, c.trace, w->from > origin ? w->from - origin : 0, to,
				  &none);
	}
	live_copy_close(&c);
	return NULL;
}

static void pass_run(struct live_watch *w, bool counts)
{
	struct pass_context k = {w, counts};
	int64_t before = clock_now(CLOCK_PROCESS_CPUTIME_ID), began = monotonic_now();
	size_t found = live.findings.n;
	pthread_t thread;

	switching_time(&live);
	if (pthread_create(&thread, NULL, pass, &k) == 0)
		pthread_join(thread, NULL);
	w->pass_time = clock_now(CLOCK_PROCESS_CPUTIME_ID) - before;
	w->pass_took = monotonic_now() - began;
	w->running += counts ? 0 : live.running;
	if (!quiet)
		live_news_print(stderr, &live, found,
				(double)(monotonic_now() - w->program.began) / 1e9);
}

/* ---- the run ---- */

/* Finds the rates of events that were never on. Returns whether the program has ended. */
static bool burst(struct live_watch *w)
{
	if (!any(is_new))
		return false;
	switching_set(&live, w->directory.path, is_used);
	if (live_program_wait(&w->program, BURST))
		return true;
	switching_set(&live, w->directory.path, w->stays ? is_tried : is_cheap);
	pass_run(w, true);
	return false;
}

/* Since when all events of which that is so have been on. */
static int64_t on_since(event_is_wanted *is)
{
	int64_t since = 0;

	for (size_t i = 0; i < live.events.n; i++)
		if (is(&live.events.at[i]) && live.events.at[i].since > since)
			since = live.events.at[i].since;
	return since;
}

static bool window(struct live_watch *w)
{
	int64_t length = window_length(&w->stays);
	bool ended;

	switching_set(&live, w->directory.path, is_used);
	ended = live_program_wait(&w->program, length);
	w->to = monotonic_now();
	w->from = on_since(is_used);
	if (w->from < w->to - WINDOW_MOST)
		w->from = w->to - WINDOW_MOST;
	for (size_t i = 0; i < live.events.n; i++)
		live.events.at[i].known = is_used(&live.events.at[i]);
	if (ended)
		return true;
	if (!w->stays)
		switching_set(&live, w->directory.path, is_cheap);
	return live_program_wait(&w->program, SETTLE);
}

/*
 * The search takes no more of the processors' time than its half; but where it has them for itself,
 * or gives way, it goes on half of the time.
 */
static int64_t pause_of(const struct live_watch *w)
{
	double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
	int64_t rest = (int64_t)((double)w->pass_time * HALF / (limit * processors));

	rest = rest < w->pass_took ? rest : w->pass_took;
	return rest > PERIOD - WINDOW ? rest : PERIOD - WINDOW;
}

static void run_watch(struct live_watch *w)
{
	if (live_program_wait(&w->program, WINDOW / 2))
		return;
	for (;;) {
		if (burst(w) || window(w))
			return;
		pass_run(w, false);
		if (live_program_wait(&w->program, pause_of(w)))
			return;
	}
}

/* ---- the end ---- */

/*
 * Searches the part, and all if nothing is found in it: some needs no more than was on from the
 * beginning.
 */
static void report_part(struct command_request *r, struct trace *t, int64_t from, int64_t to)
{
	char a[UNITS_TEXT], b[UNITS_TEXT];
	bool part = from > 0 || to < t->duration;
	size_t found;

	if (part)
		printf("from %s to %s, when all requested events were logged:\n",
		       units_time(a, (double)from), units_time(b, (double)to));
	why_search(r, t, live.processors, from, to, &found);
	if (part && !found && live.findings.n) {
		puts("in the whole run, part of which was logged:");
		why_search(r, t, live.processors, 0, t->duration, &found);
	}
}

static void json_print(struct command_request *r, struct trace *t, const struct live_ending *e,
		       int64_t from, int64_t to)
{
	size_t found;

	r->format = FORMAT_JSON;
	fputs("{\n\"live\": ", stdout);
	live_report_json(stdout, &live, e);
	fputs(",\n\"search\": ", stdout);
	why_search(r, t, live.processors, from, to, &found);
	puts("}");
}

/* Sets the last part in which all was on that what was found rests on. */
static void part_found(const struct live_watch *w, const struct trace *t, int64_t *from,
		       int64_t *to)
{
	int64_t since = w->stays ? on_since(is_needed) : w->from;

	*from = any(is_needed) && since > t->origin ? since - t->origin : 0;
	*to = w->to - t->origin;
	if (w->stays || !*from || *to > t->duration)
		*to = t->duration;
}

static int finish(struct live_watch *w, const char *program, int64_t ended)
{
	struct command_request r = {.directories = (const char *const[]){w->directory.name},
				    .ndirectories = 1,
				    .out = stdout,
				    .hypotheses = live.hypotheses,
				    .diag = {.out = stderr, .program = "glimpse why"}};
	struct live_ending e = {.program = program,
				.directory = w->directory.name,
				.status = w->program.status,
				.duration = ended - w->program.began,
				.limit = limit,
				.search_time = clock_now(CLOCK_PROCESS_CPUTIME_ID)};
	struct trace *t;
	int64_t from, to;

	if (rmdir(w->directory.path) == 0 || errno == ENOENT)
		return w->program.status; /* it could not be run, as the recorder has said */
	t = start_names_add(trace_open(r.directories, 1, NULL, &r.diag));
	if (!t)
		return EXIT_ERROR;
	part_found(w, t, &from, &to);
	e.running = live.passes ? w->running / live.passes : 0;
	switching_set(&live, w->directory.path, is_cheap);
	live_count(&live, t);
	if (json) {
		json_print(&r, t, &e, from, to);
	} else {
		live_report_print(stdout, &live, &e);
		report_part(&r, t, from, to);
	}
	trace_close(t);
	return fflush(stdout) == 0 ? w->program.status : EXIT_ERROR;
}

/* Those of the probes that this build has, between commas. */
static char *probes_there(struct probes *p)
{
	char *list = text_format("%s", probes_wanted), *rest = list, *text = text_format("%s", "");

	for (char *name; (name = strsep(&rest, ","));) {
		char *wrong = probes_choose(p, name);

		if (wrong && !probes_known(name))
			usage_fail("%s", wrong);
		free(wrong);
	}
	for (size_t i = 0; i < p->count; i++) {
		char *longer = text_format("%s%s%s", text, i ? "," : "", p->names[i]);

		free(text);
		text = longer;
	}
	free(list);
	return text;
}

int why_live_main(int argc, char **argv)
{
	int first, status;
	struct probes probes = {0};
	struct live_watch w = {0};
	char *list, *off;
	bool notice;

	usage_failure(125);
	first = usage_read_leading("glimpse why", choices, argc, argv);
	if (first >= argc)
		usage_fail("no program given");
	list = probes_there(&probes);
	off = switching_plan(&live, probes.names, probes.count);
	if (!run_directory_make(&w.directory, directory_wanted, argv[first], &notice))
		usage_fail("cannot create the directory %s: %s", w.directory.name, strerror(errno));
	if (!live_program_begin(&w.program, w.directory.path, list, off, argv + first))
		usage_fail("cannot start a process: %s", strerror(errno));
	switching_set(&live, w.directory.path, is_cheap);
	run_watch(&w);
	status = (live_program_end(&w.program), finish(&w, argv[first], monotonic_now()));
	switching_end();
	live_free(&live);
	run_directory_free(&w.directory);
	probes_free(&probes);
	free(list);
	free(off);
	if (w.program.signal)
		signals_end_by(w.program.signal);
	return status;
}
