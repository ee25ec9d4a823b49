#include "cli/profile.h"
#include "base/array.h"
#include "base/units.h"
#include "cli/common/lost.h"
#include "cli/common/names_remark.h"
#include "cli/common/selection_options.h"
#include "cli/common/top.h"
#include "trace/plain_name.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 40 };

static struct {
	unsigned by; /* 0: not given */
	bool callers, callees, tree, inverted, lines;
	const char *event; /* to be counted; NULL: not given */
} wanted;

static void take_event(const char *value)
{
	wanted.event = value;
}

static void take_by(const char *value)
{
	static const char *const names[] = {"function", "thread", "caller", "process", "line"};
	enum { NAMES = sizeof names / sizeof *names };
	size_t length;

	wanted.by = 0;
	do {
		length = strcspn(value, ",");
		wanted.by |= 1u << usage_choice_part("--by", "column", names, NAMES, value, length);
		value += length + (value[length] == ',');
	} while (*value);
}

static void take_callers(const char *unused)
{
	(void)unused;
	wanted.callers = true;
}

static void take_callees(const char *unused)
{
	(void)unused;
	wanted.callees = true;
}

static void take_tree(const char *unused)
{
	(void)unused;
	wanted.tree = true;
}

static void take_inverted(const char *unused)
{
	(void)unused;
	wanted.tree = wanted.inverted = true;
}

static void take_lines(const char *unused)
{
	(void)unused;
	wanted.lines = true;
}

/* ---- names and remarks ---- */

int64_t profile_mean(const struct call_times *t, uint64_t calls)
{
	return calls ? t->total / (int64_t)calls : 0;
}

void profile_amount(char text[UNITS_TEXT], const struct profile *p, int64_t amount)
{
	if (p->counted)
		units_count(text, (uint64_t)amount);
	else
		units_time(text, (double)amount);
}

const char *profile_head(const struct profile *p)
{
	return p->counted ? p->counted : p->states ? "cpu" : "own";
}

bool profile_is_estimate(const struct profile *p, const struct call_row *row)
{
	return row->sum.sampled && p->total && p->by & ~(CALLS_BY_THREAD | CALLS_BY_PROCESS);
}

/* The share of all sampled time is known, and how it is distributed is estimated. */
struct share_range profile_share(const struct profile *p, const struct call_row *row)
{
	struct share_range r = sample_share(row->sum.samples, p->samples);
	double total = (double)p->total;
	double logged = p->total ? (double)row->logged_cpu / total : 0;
	double share = p->total ? (double)(row->sum.cpu.total - row->logged_cpu) / total : 0;
	double sampled = p->total ? (double)p->sampled_total / total : 0;

	/* where samples stand for different times, their count alone says too little */
	r.low = logged + fmin(sampled * r.low, share);
	r.high = logged + fmax(sampled * r.high, share);
	return r;
}

const char *profile_source(const struct call_row *row)
{
	if (!row->sum.sampled)
		return "exact";
	return row->logged ? "both" : "samples";
}

char *profile_name(const struct profile *p, uint32_t function)
{
	const struct call_function *f = &p->calls->functions[function];
	bool line = p->lines && f->line && !strstr(f->name, f->line);
	bool kernel = f->module && strcmp(f->module, "[kernel]") == 0 && strcmp(f->name, f->module);
	char cycle[32] = "", *name = plain_name_short(f->name), *text;

	p->cycle_shown[p->cycles[function]] = true;
	if (p->cycles[function])
		snprintf(cycle, sizeof cycle, " <cycle %u>", p->cycles[function]);
	text = text_format("%s%s%s%s%s%s", name, line ? " (" : "", line ? f->line : "",
			   line ? ")" : "", kernel ? " [kernel]" : "", cycle);
	free(name);
	return text;
}

static void cycles_remark(FILE *out, const struct profile *p)
{
	bool any = false;

	for (unsigned cycle = 1; cycle <= p->ncycles; cycle++) {
		const char *between = ": ";

		if (!p->cycle_shown[cycle])
			continue;
		any = true;
		fprintf(out, "\ncycle %u", cycle);
		for (size_t f = 0; f < p->calls->nfunctions; f++) {
			if (p->cycles[f] != cycle)
				continue;
			fprintf(out, "%s%s", between, p->calls->functions[f].name);
			between = ", ";
		}
	}
	if (any && p->counted)
		putc('\n', out);
	else if (any)
		fputs(
		    "\nThe real time of a function in a cycle is the time of its outermost calls; mean, min\n"
		    "and max cover all calls.\n",
		    out);
}

static void counts_remark(FILE *out, const struct profile *p)
{
	uint64_t unfinished = 0, unbegun = 0, apart = 0;
	int64_t outside = 0;
	char text[UNITS_TEXT];

	for (unsigned i = 0; i < p->trace->nthreads; i++) {
		const struct thread_calls *t = &p->calls->threads[i];

		unbegun += t->unbegun;
		outside += t->tree.n > 1 ? t->tree.nodes[CALL_ROOT].cpu.total : 0;
		for (size_t k = 0; k < t->tree.n; k++) {
			unfinished += t->tree.nodes[k].unfinished;
			apart += t->tree.nodes[k].parent == t->tree.elsewhere
				     ? t->tree.nodes[k].calls
				     : 0;
		}
	}
	if (p->sampled)
		fprintf(
		    out,
		    "\nfrom %s: times are estimates, with the 95%% confidence interval in its columns; "
		    "numbers of calls are unknown\n",
		    units_counted(text, p->samples, "sample", "samples"));
	fprintf(out, "\nOutside of all listed functions: %s.\n", units_time(text, (double)outside));
	if (unfinished)
		fprintf(out,
			"* without an end: %s, counted up to the end of the enclosing call, of the "
			"thread, or until such ends were switched off\n",
			units_counted(text, unfinished, "call", "calls"));
	if (unbegun)
		fprintf(out, "without a begin: %s of calls, not counted\n",
			units_counted(text, unbegun, "end", "ends"));
	if (apart)
		fprintf(out,
			"beyond the limit of separate call paths: %s, of which only functions and "
			"callers are known\n",
			units_counted(text, apart, "call", "calls"));
	if (!p->states)
		fputs("The trace has no thread states: own time includes waiting. glimpse record "
		      "--probes functions,scheduler logs them.\n",
		      out);
}

static int64_t outside_of(const struct profile *p)
{
	int64_t outside = 0;

	for (unsigned i = 0; i < p->trace->nthreads; i++)
		outside += p->calls->threads[i].tree.nodes[CALL_ROOT].own.total;
	return outside;
}

/* Says above the table what is counted. */
static void counted_remark(FILE *out, const struct profile *p)
{
	char all[UNITS_TEXT], outside[UNITS_TEXT], samples[UNITS_TEXT];
	int64_t without = outside_of(p);

	fprintf(out, "%s: %s", p->counted,
		units_counted(all, (uint64_t)p->total, "occurrence", "occurrences"));
	if (!p->exact)
		fprintf(out, ", estimated from %s",
			units_counted(samples, p->samples, "sample", "samples"));
	if (without > 0)
		fprintf(out, ", and %s without a call stack",
			units_count(outside, (uint64_t)without));
	fputs("\n\n", out);
}

/* With fewer samples, a thread does not say how long one stands for. */
enum { MANY_SAMPLES = 10 };

/* How long threads ran, and how many samples they have. */
struct sampled_time {
	int64_t ran;
	uint64_t samples;
};

static struct sampled_time thread_sampled(const struct thread_calls *t)
{
	struct sampled_time s = {0};

	for (size_t k = 0; t->states && (t->sampled || t->tree.n == 1) && k < t->tree.n; k++) {
		s.ran += t->tree.nodes[k].cpu.total;
		s.samples += t->tree.nodes[k].samples;
	}
	return s;
}

/* Adds a thread to the others without, with few or with many samples. */
static void sampled_time_add(struct sampled_time *sum, const struct sampled_time *s)
{
	sum->ran += s->ran;
	sum->samples += s->samples;
}

/*
 * Says first that most of the running time has no samples, as that of many short threads. Where
 * threads have many samples, it is known how long each stands for, also in the others.
 */
static void unsampled_remark(FILE *out, const struct profile *p)
{
	char samples[UNITS_TEXT], all[UNITS_TEXT], text[UNITS_TEXT];
	struct sampled_time none = {0}, few = {0}, many = {0};
	double unsampled;
	int64_t ran;

	for (unsigned i = 0; i < p->trace->nthreads; i++) {
		struct sampled_time s = thread_sampled(&p->calls->threads[i]);

		sampled_time_add(!s.samples ? &none : s.samples < MANY_SAMPLES ? &few : &many, &s);
	}
	unsampled = (double)none.ran;
	if (many.samples)
		unsampled +=
		    (double)few.ran - (double)few.samples * (double)many.ran / (double)many.samples;
	ran = none.ran + few.ran + many.ran;
	if (!p->sampled || 2 * unsampled <= (double)(ran + p->total - p->sampled_total))
		return;
	fprintf(out, "%s for %s of processor time: %s of it has no sample\n\n",
		units_counted(samples, p->samples, "sample", "samples"),
		units_time(all, (double)ran), units_time(text, unsampled));
}

/* ---- all ---- */

static void sums_set(struct profile *p)
{
	for (unsigned i = 0; i < p->trace->nthreads; i++) {
		const struct thread_calls *t = &p->calls->threads[i];

		p->states |= t->states && t->tree.n > 1;
		p->sampled |= t->sampled;
		p->logged |= !t->sampled && t->tree.n > 1;
		for (size_t k = 1; k < t->tree.n; k++) {
			p->total += t->tree.nodes[k].cpu.total;
			p->sampled_total += t->sampled ? t->tree.nodes[k].cpu.total : 0;
			p->samples += t->tree.nodes[k].samples;
		}
	}
}

static void profile_print(const struct command_request *r, struct profile *p)
{
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, p->trace, NULL);
	if (r->format == FORMAT_TEXT && p->counted)
		counted_remark(r->out, p);
	else if (r->format == FORMAT_TEXT)
		unsampled_remark(r->out, p);
	if (wanted.tree)
		profile_tree_print(r->out, r->format, p);
	else
		profile_table_print(r->out, r->format, p);
	if (r->format == FORMAT_TEXT)
		cycles_remark(r->out, p);
	if (r->format == FORMAT_TEXT && !p->counted) {
		counts_remark(r->out, p);
		cut_remark(r->out, p->trace);
		names_remark(r->out, p->trace, r->directories[0]);
		unrecorded_remark(r->out, p->trace,
				  UNRECORDED_STATES | UNRECORDED_SAMPLES | UNRECORDED_KERNEL);
	}
}

static struct profile profile_of(const struct calls *c, const struct event_type *counted,
				 enum format format)
{
	struct profile p = {
	    .trace = c->trace,
	    .calls = c,
	    .by = wanted.by ? wanted.by : CALLS_BY_FUNCTION,
	    .top = top_rows(SIZE_MAX, ROWS_SHOWN),
	    .brief = !top_is_given(),
	    .lines = wanted.lines || wanted.by & CALLS_BY_LINE,
	    .inverted = wanted.inverted,
	    .counted = counted ? style_label(&counted->style, counted->name) : NULL,
	};

	if (format == FORMAT_TEXT && p.by == CALLS_BY_FUNCTION && !(wanted.by && !wanted.callers))
		p.below = BELOW_CALLERS;
	if (wanted.callees)
		p.below = BELOW_CALLEES;
	sums_set(&p);
	p.exact = counted && (uint64_t)p.total == p.samples;
	p.sources = p.logged && trace_has_samples(c->trace);
	p.cycles = call_cycles(c, &p.ncycles);
	p.cycle_shown = array_zero(p.ncycles + 1, sizeof *p.cycle_shown);
	if (format == FORMAT_JSON)
		p.losses = losses_of(c->trace);
	return p;
}

static bool calls_are_there(const struct trace *t, struct diag *diag)
{
	bool lines = wanted.by & CALLS_BY_LINE;
	char *unrecorded;

	if (lines && !trace_has_samples(t))
		diag_error(diag, DIAG_NOWHERE, LINES_MISSING);
	else if (!trace_has_calls(t))
		diag_error(diag, DIAG_NOWHERE, CALLS_MISSING);
	else
		return true;
	unrecorded = unrecorded_text(t, UNRECORDED_SAMPLES);
	if (unrecorded)
		diag_note(diag, DIAG_NOWHERE, "%s", unrecorded);
	free(unrecorded);
	lost_remark(NULL, t, NULL);
	return false;
}

/* Lists the events that can be counted. */
static char *counts_text(const struct trace *t)
{
	char *list = text_format("%s", "");

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];
		char *longer;

		if (!event_counts_stacks(e) || !t->events_of_type[i])
			continue;
		longer =
		    text_format("%s%s%s", list, *list ? ", " : "", style_label(&e->style, e->name));
		free(list);
		list = longer;
	}
	return list;
}

/*
 * Finds the event to be counted: the one that was asked for, or any if nothing says how long
 * functions ran. NULL: times are wanted. Returns false after a report to diag.
 */
static bool counted_find(const struct trace *t, const struct event_type **counted,
			 struct diag *diag)
{
	bool times = wanted.by & CALLS_BY_LINE ? trace_has_samples(t) : trace_has_calls(t);
	char *list;

	*counted = wanted.event || !times ? calls_counts_find(t, wanted.event) : NULL;
	if (*counted || !wanted.event)
		return *counted || calls_are_there(t, diag);
	list = counts_text(t);
	if (*list)
		diag_error(diag, DIAG_NOWHERE, "--event: '%s' is not counted; expected one of %s",
			   wanted.event, list);
	else
		diag_error(
		    diag, DIAG_NOWHERE,
		    "--event: no event of this trace is counted; import a perf.data with such "
		    "samples, as of perf record -g -e page-faults");
	free(list);
	return false;
}

static enum sample_places places_wanted(void)
{
	if (!(wanted.by & CALLS_BY_LINE))
		return SAMPLE_FUNCTIONS;
	return wanted.by & CALLS_BY_FUNCTION ? SAMPLE_FUNCTION_LINES : SAMPLE_LINES;
}

static int profile_run(struct command_request *r)
{
	struct call_part part = CALL_PART_ALL;
	const struct event_type *counted = NULL;
	struct profile p;
	struct trace *t;
	struct calls *c;
	bool *threads = NULL;

	selection_times(&part.from, &part.to);
	if ((wanted.callers || wanted.callees) && (wanted.tree || (wanted.by & ~CALLS_BY_FUNCTION)))
		usage_fail(
		    "--callers and --callees need the table of functions: leave out --tree and other columns of --by");
	if (wanted.tree && wanted.by & ~(CALLS_BY_FUNCTION | CALLS_BY_LINE))
		usage_fail("--tree and --inverted accept only --by function and line");
	t = request_open(r);
	if (!t || !counted_find(t, &counted, &r->diag) ||
	    !selection_threads(t, &threads, &r->diag)) {
		trace_close(t);
		free(threads);
		return EXIT_ERROR;
	}
	part.threads = threads;
	part.places = places_wanted();
	c = counted ? calls_counted(t, counted, &part) : calls_of(t, &part);
	p = profile_of(c, counted, r->format);
	profile_print(r, &p);
	free(p.cycles);
	free(p.cycle_shown);
	calls_free(c);
	free(threads);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    {0, "by", "COLUMNS",
     "one row per combination of these: function, line, caller, thread, process,\n"
     "separated by commas; only samples have lines",
     take_by},
    {0, "callers", NULL, "print the callers below each function (default for text without --by)",
     take_callers},
    {0, "callees", NULL, "print the called functions below each function", take_callees},
    {0, "tree", NULL, "print the call tree from the start of each thread", take_tree},
    {0, "inverted", NULL, "print the call tree from running functions up to their callers",
     take_inverted},
    {0, "event", "EVENT",
     "count the occurrences of this sampled event, such as page-faults,\n"
     "instead of times (default if the trace has only such samples)",
     take_event},
    {0, "lines", NULL, "print the file and line of each function", take_lines},
    TOP_OPTION("40, of 1 % or more"),
    THREAD_OPTION("calls in"),
    PROCESS_OPTION("calls in"),
    FROM_OPTION("calls"),
    TO_OPTION("calls"),
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_profile = {
    .name = "profile",
    .summary = "what each function costs: calls, real time, its own CPU time",
    .teaches =
	"Prints a row for each function, most expensive first: its own CPU time (without the functions\n"
	"it calls and, if the probe scheduler was recorded, without the time in which its thread did\n"
	"not run), and real time from entry to exit. For recursive functions and cycles of functions,\n"
	"the total real time covers the outermost calls. Functions come from intervals of kind\n"
	"\"call\", from the probe functions or from your specification. For a thread without logged\n"
	"calls, samples of its call stack show which function ran: times are estimates, and the number\n"
	"of calls is unknown. If a thread has both, only its logged calls count. The column \"from\" says\n"
	"exact, samples, or both if threads with either ran the function.\n"
	"Samples that perf took of another event than a clock, such as page-faults, are numbers of\n"
	"occurrences, not times: --event shows them.\n",
    .examples = "  glimpse profile run1\n"
		"  glimpse profile run1 --tree\n"
		"  glimpse profile run1 --inverted --thread main\n"
		"  glimpse profile run1 --by function,line\n"
		"  glimpse profile run1 --by thread,function --format=csv\n"
		"  glimpse profile run1 --event page-faults\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = profile_run,
};
