#include "analysis/activity/throttled.h"
#include "analysis/activity/unrecorded.h"
#include "analysis/samples/cut_stacks.h"
#include "base/array.h"
#include "base/json.h"
#include "base/sort.h"
#include "base/units.h"
#include "base/visible.h"
#include "cli/common/auto_off.h"
#include "cli/common/command.h"
#include "cli/common/table.h"
#include "cli/common/top.h"
#include "cli/info_threads.h"
#include "trace/stream/losses.h"
#include "trace/stream/unseen.h"
#include "trace/symbols/start_names.h"
#include "trace/trace.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What logging cost a process, as far as its runtime measured: an estimate. */
struct overhead {
	double ns;    /* in all threads together */
	double share; /* of the time from each thread's first event to its last, summed; 0..1 */
};

static uint64_t process_events(const struct trace *t, const struct trace_process *p)
{
	uint64_t events = 0;

	for (uint32_t i = 0; i < p->nthreads; i++)
		events += t->threads[p->first_thread + i].events;
	return events;
}

static struct overhead process_overhead(const struct trace *t, const struct trace_process *p)
{
	double lived = 0, ns = (double)process_events(t, p) * (double)p->event_cost / 1000;

	for (uint32_t i = 0; i < p->nthreads; i++)
		lived += (double)(t->threads[p->first_thread + i].last -
				  t->threads[p->first_thread + i].first);
	return (struct overhead){ns, lived > 0 ? ns / lived : 0};
}

/* ---- the whole ---- */

static void date_print(FILE *out, int64_t real)
{
	time_t seconds = (time_t)(real / 1000000000);
	char text[40];
	struct tm local;

	if (!localtime_r(&seconds, &local) ||
	    !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &local))
		return;
	fprintf(out, ", from %s", text);
}

static uint64_t bytes_of(const struct trace *t)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < t->nthreads; i++)
		bytes += t->threads[i].bytes;
	return bytes;
}

static const char *info_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Returns what stands before a part of the line of what is lost: its name, or what joins parts. */
static const char *lost_joint(unsigned *parts, const char *joint)
{
	return (*parts)++ ? joint : "\nlost           ";
}

static void whole_print(FILE *out, const struct trace *t)
{
	unsigned parts = 0; /* of what is lost */
	char events[UNITS_TEXT], bytes[UNITS_TEXT], span[UNITS_TEXT];
	char *cut, *unrecorded, *unseen, *throttled;
	struct losses losses = losses_of(t);

	fprintf(out, "specification  %s: %u event%s, %u interval%s\n", t->spec->name,
		t->spec->nevents, info_plural(t->spec->nevents), t->spec->nintervals,
		info_plural(t->spec->nintervals));
	fprintf(out, "logged         %s event%s of %u thread%s, %s\n",
		units_count(events, t->events), info_plural(t->events), t->nthreads,
		info_plural(t->nthreads), units_bytes(bytes, bytes_of(t)));
	fprintf(out, "time           %s", units_time(span, (double)t->duration));
	if (t->origin_real)
		date_print(out, t->origin_real);
	if (losses.not_kept)
		fprintf(out, "\nnot kept       %s event%s beyond the limit of GLIMPSE_KEEP",
			units_count(events, losses.not_kept), info_plural(losses.not_kept));
	if (losses.events)
		fprintf(out, "%s%s event%s that the program could not write",
			lost_joint(&parts, NULL), units_count(events, losses.events),
			info_plural(losses.events));
	if (losses.records)
		fprintf(out, "%s%s record%s that the kernel had no room for",
			lost_joint(&parts, ", and "), units_count(events, losses.records),
			info_plural(losses.records));
	if (losses.recorder_died)
		fprintf(out,
			"%sthread states, wake-ups and samples of the last %s, as the recorder "
			"died",
			lost_joint(&parts, ", and "), units_time(span, (double)losses.unobserved));
	unseen = unseen_text(t);
	if (unseen)
		fprintf(out, "%s%s", lost_joint(&parts, ", "), unseen);
	free(unseen);
	if (!parts && !t->nmissing)
		fprintf(out, "%snothing", lost_joint(&parts, NULL));
	if (losses.bytes)
		fprintf(out, "; %s that could not be read", units_bytes(bytes, losses.bytes));
	unrecorded = unrecorded_text(t, UNRECORDED_ANY);
	if (unrecorded)
		fprintf(out, "\nnot recorded   %s", unrecorded);
	free(unrecorded);
	throttled = throttled_text(t);
	if (throttled)
		fprintf(out, "\nthrottled      %s", throttled);
	free(throttled);
	cut = cut_stacks_text(t);
	if (cut)
		fprintf(out, "\nstacks         %s", cut);
	free(cut);
	fputc('\n', out);
}

/* ---- processes ---- */

static void clock_print(FILE *out, const struct trace_process *p)
{
	char text[UNITS_TEXT];

	if (p->counter)
		fprintf(out, "  clock        the processor's counter, %s",
			units_frequency(text, p->frequency));
	else
		fputs("  clock        nanoseconds", out);
	if (p->source[0])
		fprintf(out, "; the kernel's clock source is %s, not the counter", p->source);
	fputc('\n', out);
}

static void overhead_print(FILE *out, const struct trace *t, const struct trace_process *p)
{
	struct overhead o = process_overhead(t, p);
	char each[UNITS_TEXT], all[UNITS_TEXT];

	if (p->event_cost == 0)
		return;
	fprintf(out, "  overhead     about %s an event, %s in all: %.*f %% of its threads' time\n",
		units_time(each, (double)p->event_cost / 1000), units_time(all, o.ns),
		o.share < 0.01 ? 3 : 1, 100 * o.share);
}

static bool has_remarks(const struct trace_process *p)
{
	return p->nbreaks || p->dropped || p->recorder;
}

/* Says what is not usual of a process. */
static void remarks_print(FILE *out, const struct trace_process *p)
{
	char text[UNITS_TEXT];

	for (size_t i = 0; i < p->nbreaks; i++) {
		const struct trace_break *b = &p->breaks[i];

		fprintf(out, "  not steady   %s %s between %.6f s and %.6f s\n",
			b->ahead < 0 ? "fell behind by" : "leapt ahead by",
			units_time(text, b->ahead < 0 ? -(double)b->ahead : (double)b->ahead),
			(double)b->from / 1e9, (double)b->to / 1e9);
	}
	if (p->dropped)
		fprintf(out, "  dropped      %s event%s that had no log\n",
			units_count(text, p->dropped), info_plural(p->dropped));
	if (p->recorder)
		fprintf(out, "  recorder     %s%s\n",
			p->ended                   ? "was stopped early"
			: p->state == PROCESS_RUNS ? "still runs"
			: p->state == PROCESS_DIED ? "was killed"
						   : "still runs or was killed",
			p->nthreads ? ": its context switches have separate lanes" : "");
}

static void directory_print(FILE *out, const struct trace_process *p)
{
	putc('\n', out);
	visible_puts(out, p->path);
	putc('\n', out);
}

enum { STATE_TEXT = 560 };

static const char *state_words(char text[STATE_TEXT], const struct trace_process *p, bool table)
{
	static const char *const words[][2] = {
	    [PROCESS_UNKNOWN] = {"still running, or died", "running, or died"},
	    [PROCESS_ENDED] = {"ended normally", "ended"},
	    [PROCESS_FILTERED] = {"logged nothing after it installed a seccomp filter", "filtered"},
	    [PROCESS_RUNS] = {"still running", "running"},
	    [PROCESS_DIED] = {"died", "died"},
	};

	if (p->state == PROCESS_EXECUTED) {
		snprintf(text, STATE_TEXT, "executed %s",
			 p->executed && *p->executed ? p->executed : "another program");
		return text;
	}
	return words[p->state][table];
}

/* The only process. */
static void process_print(FILE *out, const struct trace *t, const struct trace_process *p)
{
	char state[STATE_TEXT];

	directory_print(out, p);
	if (p->program[0] || p->pid)
		fprintf(out, "  program      %s, process %" PRIu32 ", %s\n",
			p->program[0] ? p->program : "unknown", p->pid,
			state_words(state, p, false));
	if (p->nthreads) {
		clock_print(out, p);
		overhead_print(out, t, p);
	}
	remarks_print(out, p);
}

static void process_add(struct columns *table, const struct trace *t, const struct trace_process *p)
{
	double share = process_overhead(t, p).share;
	char state[STATE_TEXT], pid[16], threads[UNITS_TEXT], events[UNITS_TEXT], overhead[16],
	    clock[128];

	snprintf(clock, sizeof clock, "%s%s%s", p->counter ? "counter" : "nanoseconds",
		 p->source[0] ? "; kernel: " : "", p->source);
	snprintf(pid, sizeof pid, "%" PRIu32, p->pid);
	snprintf(overhead, sizeof overhead, "%.*f %%", share < 0.01 ? 3 : 1, 100 * share);
	columns_add(table,
		    (const char *const[]){p->path, p->program[0] ? p->program : "unknown", pid,
					  state_words(state, p, true), p->nthreads ? clock : "-",
					  units_count(threads, p->nthreads),
					  units_count(events, process_events(t, p)),
					  p->event_cost ? overhead : "-"});
}

/* A row for each process, then what is not usual of some. */
static void processes_print(FILE *out, const struct trace *t)
{
	struct columns table = {.count = 8, .left = 5};

	fputc('\n', out);
	columns_add(&table, (const char *const[]){"directory", "program", "process", "state",
						  "clock", "threads", "events", "overhead"});
	for (unsigned i = 0; i < t->nprocesses; i++)
		process_add(&table, t, &t->processes[i]);
	columns_print(&table, out);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		if (!has_remarks(&t->processes[i]))
			continue;
		directory_print(out, &t->processes[i]);
		remarks_print(out, &t->processes[i]);
	}
}

/* ---- tables ---- */

/* The processes that could not be recorded, and why. */
static void missing_print(FILE *out, const struct trace *t)
{
	struct columns table = {.count = 3, .left = 5};
	char pid[UNITS_TEXT];

	if (!t->nmissing)
		return;
	fputc('\n', out);
	columns_add(&table, (const char *const[]){"not recorded", "process", "reason"});
	for (size_t i = 0; i < t->nmissing; i++) {
		snprintf(pid, sizeof pid, "%u", t->missing[i].pid);
		columns_add(&table, (const char *const[]){t->missing[i].program, pid,
							  t->missing[i].reason});
	}
	columns_print(&table, out);
}

/* A text has no more types of events, unless --long is given. */
enum { TYPES_SHOWN = 12 };

/* Returns how many types of events are in the trace. */
static unsigned types_count(const struct trace *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++)
		n += t->events_of_type[i] > 0;
	return n;
}

/* Returns the least count that a text shows. */
static uint64_t types_least(const struct trace *t)
{
	size_t n = t->spec->nevents;
	int64_t *counts = array_new(n + 1, sizeof *counts), least = 1;

	for (size_t i = 0; i < n; i++)
		counts[i] = (int64_t)t->events_of_type[i];
	if (!long_is_wanted() && types_count(t) > TYPES_SHOWN) {
		select_word(counts, n, n - TYPES_SHOWN);
		least = counts[n - TYPES_SHOWN];
	}
	free(counts);
	return (uint64_t)least;
}

static void types_print(FILE *out, const struct trace *t)
{
	const char **none = array_new(t->spec->nevents, sizeof *none);
	struct columns table = {.count = 2, .left = 1};
	uint64_t least = types_least(t);
	char count[UNITS_TEXT];
	size_t nnone = 0, shown = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (!t->events_of_type[i])
			none[nnone++] = t->spec->events[i]->name;
	fputc('\n', out);
	columns_add(&table, (const char *const[]){"event", "count"});
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->events_of_type[i] ? t->events_of_type[i] >= least : nnone <= NONE_FEW) {
			columns_add(&table, (const char *const[]){
						t->spec->events[i]->name,
						units_count(count, t->events_of_type[i])});
			shown += t->events_of_type[i] > 0;
		}
	columns_print(&table, out);
	if (shown < types_count(t))
		fprintf(out, "and %zu less frequent events: --long\n", types_count(t) - shown);
	none_print(out, none, nnone > NONE_FEW && long_is_wanted() ? nnone : 0);
	free(none);
}

static void info_text(FILE *out, struct trace *t)
{
	whole_print(out, t);
	if (t->nprocesses == 1)
		process_print(out, t, &t->processes[0]);
	else
		processes_print(out, t);
	missing_print(out, t);
	info_threads_print(out, t);
	types_print(out, t);
	auto_off_print(out, t);
}

static void breaks_json(struct json *j, const struct trace_process *p)
{
	json_array(j, "not_steady");
	for (size_t i = 0; i < p->nbreaks; i++) {
		json_object(j, NULL);
		json_int(j, "from", p->breaks[i].from);
		json_int(j, "to", p->breaks[i].to);
		json_int(j, "ahead", p->breaks[i].ahead);
		json_close(j);
	}
	json_close(j);
}

static void processes_json(struct json *j, const struct trace *t)
{
	static const char *const states[] = {
	    [PROCESS_UNKNOWN] = "unknown",   [PROCESS_ENDED] = "ended",
	    [PROCESS_FILTERED] = "filtered", [PROCESS_RUNS] = "running",
	    [PROCESS_DIED] = "died",         [PROCESS_EXECUTED] = "executed",
	};

	json_array(j, "processes");
	for (unsigned i = 0; i < t->nprocesses; i++) {
		const struct trace_process *p = &t->processes[i];

		json_object(j, NULL);
		json_string(j, "directory", p->path);
		json_string(j, "program", p->program[0] ? p->program : NULL);
		json_uint(j, "pid", p->pid);
		json_bool(j, "ended", p->ended);
		json_string(j, "state", states[p->state]);
		if (p->executed)
			json_string(j, "executed", p->executed);
		if (p->rank)
			json_uint(j, "rank", p->rank - 1);
		json_bool(j, "recorder", p->recorder);
		json_string(j, "clock", p->counter ? "counter" : "monotonic");
		json_real(j, "frequency", p->frequency);
		json_string(j, "kernel_clock", p->source[0] ? p->source : NULL);
		breaks_json(j, p);
		json_uint(j, "threads", p->nthreads);
		json_uint(j, "events", process_events(t, p));
		json_uint(j, "dropped", p->dropped);
		json_real(j, "event_cost", (double)p->event_cost / 1000);
		json_real(j, "overhead", process_overhead(t, p).share);
		json_close(j);
	}
	json_close(j);
}

static void missing_json(struct json *j, const struct trace *t)
{
	json_array(j, "not_recorded");
	for (size_t i = 0; i < t->nmissing; i++) {
		json_object(j, NULL);
		json_string(j, "program", t->missing[i].program);
		json_uint(j, "pid", t->missing[i].pid);
		json_string(j, "reason", t->missing[i].reason);
		json_close(j);
	}
	json_close(j);
}

static void threads_json(struct json *j, const struct trace *t)
{
	json_array(j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];

		json_object(j, NULL);
		json_uint(j, "number", thread->number);
		json_string(j, "name", thread->name);
		json_string(j, "label", thread->label);
		json_string(j, "log", thread->path);
		json_uint(j, "pid", thread->process);
		json_uint(j, "tid", thread->tid);
		json_uint(j, "events", thread->events);
		json_uint(j, "bytes", thread->bytes);
		json_uint(j, "lost", thread->lost);
		json_uint(j, "skipped", thread->skipped);
		json_int(j, "first", thread->first);
		json_int(j, "last", thread->last);
		json_close(j);
	}
	json_close(j);
}

static void types_json(struct json *j, const struct trace *t)
{
	json_array(j, "event_types");
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		json_object(j, NULL);
		json_string(j, "name", t->spec->events[i]->name);
		json_uint(j, "count", t->events_of_type[i]);
		json_close(j);
	}
	json_close(j);
}

static void info_json(FILE *out, struct trace *t)
{
	struct losses losses = losses_of(t);
	struct json j = json_begin(out, 2);

	json_object(&j, NULL);
	json_string(&j, "specification", t->spec->name);
	json_uint(&j, "events", t->events);
	json_int(&j, "duration", t->duration);
	json_int(&j, "origin", t->origin);
	if (t->origin_real)
		json_int(&j, "origin_real", t->origin_real);
	else
		json_null(&j, "origin_real");
	json_uint(&j, "lost", t->lost);
	json_uint(&j, "records_lost", losses.records);
	json_uint(&j, "not_kept", losses.not_kept);
	processes_json(&j, t);
	if (t->nmissing)
		missing_json(&j, t);
	threads_json(&j, t);
	types_json(&j, t);
	auto_off_json(&j, t);
	json_close(&j);
}

static int info_run(struct command_request *r)
{
	struct trace *t = start_names_add(
	    trace_open_even_empty(r->directories, r->ndirectories, r->spec, &r->diag));

	if (!t)
		return EXIT_ERROR;
	if (r->format == FORMAT_JSON)
		info_json(r->out, t);
	else
		info_text(r->out, t);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    LONG_OPTION("print the counts of all events, and which events did not occur"),
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_info = {
    .name = "info",
    .summary = "threads, events of each type, time span, losses, clock, overhead",
    .teaches =
	"Describes a trace: programs, threads, the number of events of each type, the time span,\n"
	"losses, the clock, and the overhead of logging. Only the 12 most frequent events are listed.\n",
    .examples = "  glimpse info run1\n"
		"  glimpse info --format=json run1 | jq '.threads[].name'\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = info_run,
};
