#include "analysis/activity/instance_set.h"
#include "formats/export.h"
#include "formats/firefox_markers.h"
#include "formats/firefox_tables.h"
#include <stdlib.h>

/*
 * Of the processed format: the first whose tables are shared by all threads. Newer profilers
 * upgrade it.
 */
enum { FIREFOX_VERSION = 60 };

/* ---- samples ---- */

/* What a thread ran since the entry before, and in which stack. */
struct sample_entry {
	int64_t time, ran;
	uint32_t stack;
};
typedef VECTOR(struct sample_entry) entry_vector;

/* Shorter pauses have no entries: what a thread ran shows them. */
enum { PAUSE_LEAST = 1000000 };

/* The running time of a thread, in its order. */
struct running_time {
	const struct instance_set *set;
	const struct instance_span *at, *end;
	int64_t ran; /* since the last entry */
	entry_vector entries;
};

static void entry_add(struct running_time *r, int64_t time, uint32_t stack)
{
	*vector_add(&r->entries) = (struct sample_entry){time, r->ran, stack};
	r->ran = 0;
}

/* The thread does not run. Up to the pause it is in the stack, from then on in none. */
static void pause_pass(struct running_time *r, int64_t from, int64_t to, uint32_t stack)
{
	if (to - from < PAUSE_LEAST)
		return;
	if (r->ran)
		entry_add(r, from, stack);
	else if (r->entries.at[r->entries.n - 1].time < from)
		entry_add(r, from, STACK_WHOLE);
	entry_add(r, to, STACK_WHOLE);
}

/* Passes the time that a sample stands for. */
static void sample_pass(struct running_time *r, int64_t from, int64_t to, uint32_t stack)
{
	for (; from < to && r->at < r->end; r->at++) {
		int64_t end = r->at->end < to ? r->at->end : to;

		if (span_role(r->set, r->at)->state != STATE_RUNNING || r->at->end <= from)
			continue;
		if (r->at->start >= to)
			break;
		if (r->at->start > from)
			pause_pass(r, from, r->at->start, stack);
		from = r->at->start > from ? r->at->start : from;
		r->ran += end - from;
		from = end;
		if (r->at->end > to)
			break;
	}
	if (from < to)
		pause_pass(r, from, to, stack);
	if (r->ran || r->entries.at[r->entries.n - 1].time < to)
		entry_add(r, to, stack);
}

static bool has_running(const struct instance_set *set, const span_vector *states)
{
	for (size_t i = 0; i < states->n; i++)
		if (span_role(set, &states->at[i])->state == STATE_RUNNING)
			return true;
	return false;
}

/* Lists what a thread's samples stand for; to be freed. *known: it is known when it ran. */
static entry_vector entries_of(const struct instance_set *set, const struct samples *s,
			       size_t thread, bool *known)
{
	const struct trace_thread *t = &set->trace->threads[thread];
	const span_vector *states = instance_spans(set, SPANS_STATE, (uint32_t)thread);
	struct running_time r = {.set = set, .at = states->at, .end = states->at + states->n};
	size_t n = s ? s->threads[thread].list.n : 0;

	*known = has_running(set, states);
	if (!n && !*known)
		return r.entries;
	entry_add(&r, t->first, STACK_WHOLE);
	for (size_t i = 0; i < n; i++) {
		const struct stack_sample *sample = &s->threads[thread].list.at[i];
		int64_t to = sample->to == INT64_MAX ? t->last : sample->to;

		if (*known)
			sample_pass(&r, sample->from, to, sample->stack);
		else
			entry_add(&r, to, sample->stack);
	}
	if (!n)
		sample_pass(&r, t->first, t->last, STACK_WHOLE);
	return r.entries;
}

static void samples_write(struct json *j, const entry_vector *entries, bool known)
{
	json_object(j, "samples");
	json_uint(j, "length", entries->n);
	json_string(j, "weightType", known ? "tracing-ms" : "samples");
	json_array(j, "stack");
	for (size_t i = 0; i < entries->n; i++)
		firefox_stack_write(j, entries->at[i].stack);
	json_close(j);
	json_array(j, "time");
	for (size_t i = 0; i < entries->n; i++)
		json_real(j, NULL, (double)entries->at[i].time / 1e6);
	json_close(j);
	if (known) {
		json_array(j, "weight");
		for (size_t i = 0; i < entries->n; i++)
			json_real(j, NULL, (double)entries->at[i].ran / 1e6);
		json_close(j);
		json_array(j, "threadCPUDelta");
		for (size_t i = 0; i < entries->n; i++)
			json_int(j, NULL, entries->at[i].ran);
		json_close(j);
	} else {
		json_null(j, "weight");
	}
	json_close(j);
}

/* ---- threads ---- */

struct firefox {
	struct trace *trace;
	struct samples *samples;
	struct instance_set *states;
	struct firefox_tables tables;
	struct firefox_markers markers;
};

static bool is_main(const struct trace *t, const struct trace_thread *thread)
{
	if (thread->tid)
		return thread->tid == thread->process;
	return thread == &t->threads[t->processes[thread->directory].first_thread];
}

static void thread_write(struct json *j, struct firefox *f, size_t i)
{
	const struct trace_thread *t = &f->trace->threads[i];
	const struct trace_process *p = &f->trace->processes[t->directory];
	char *pid = text_format("%u", t->process ? t->process : t->directory);
	entry_vector entries;
	bool known;

	json_object(j, NULL);
	json_string(j, "processType", "default");
	json_real(j, "processStartupTime", 0);
	json_null(j, "processShutdownTime");
	json_real(j, "registerTime", (double)t->first / 1e6);
	json_real(j, "unregisterTime", (double)t->last / 1e6);
	json_array(j, "pausedRanges");
	json_close(j);
	json_string(j, "name", t->name);
	json_bool(j, "isMainThread", is_main(f->trace, t));
	json_string(j, "processName", *p->program ? p->program : pid);
	json_string(j, "pid", pid);
	json_uint(j, "tid", t->tid ? t->tid : t->number);
	entries = entries_of(f->states, f->samples, i, &known);
	samples_write(j, &entries, known);
	firefox_markers_write(j, &f->markers, i, &f->tables);
	json_close(j);
	free(entries.at);
	free(pid);
}

/* ---- what the profile says of itself ---- */

static void category_write(struct json *j, const char *name, const char *colour)
{
	json_object(j, NULL);
	json_string(j, "name", name);
	json_string(j, "color", colour);
	json_array(j, "subcategories");
	json_string(j, NULL, "Other");
	json_close(j);
	json_close(j);
}

static void categories_write(struct json *j)
{
	/* by enum interval_kind */
	static const char *const colours[] = {"darkgrey",  "green",   "red",     "purple",
					      "orange",    "blue",    "brown",   "yellow",
					      "lightblue", "magenta", "lightred"};

	json_array(j, "categories");
	category_write(j, "Other", "grey");
	category_write(j, "Code", "blue");
	for (unsigned i = KIND_NONE; i <= KIND_SPIN; i++)
		category_write(
		    j, i == KIND_NONE ? "interval" : interval_kind_name((enum interval_kind)i),
		    colours[i]);
	json_close(j);
}

/* Returns how long a sample stands for, on the average, in milliseconds. */
static double period_of(const struct firefox *f, const bool *threads)
{
	int64_t ran = 0;
	uint64_t n = 0;

	for (unsigned i = 0; f->samples && i < f->trace->nthreads; i++) {
		const span_vector *states = instance_spans(f->states, SPANS_STATE, i);

		if (threads && !threads[i])
			continue;
		n += f->samples->threads[i].list.n;
		for (size_t k = 0; k < states->n && f->samples->threads[i].list.n; k++)
			if (span_role(f->states, &states->at[k])->state == STATE_RUNNING)
				ran += (states->at[k].end == INT64_MAX ? f->trace->threads[i].last
								       : states->at[k].end) -
				       states->at[k].start;
	}
	return n && ran > 0 ? (double)ran / (double)n / 1e6 : 1;
}

static void meta_write(struct json *j, const struct firefox *f, const bool *threads)
{
	const struct trace *t = f->trace;
	const char *program = t->processes[0].program;

	json_object(j, "meta");
	json_uint(j, "version",
		  24); /* of the other format: nobody reads it, and it must be there */
	json_uint(j, "preprocessedProfileVersion", FIREFOX_VERSION);
	json_real(j, "interval", period_of(f, threads));
	json_real(j, "startTime", (double)t->origin_real / 1e6);
	json_int(j, "startTimeAsClockMonotonicNanosecondsSinceBoot", t->origin);
	json_real(j, "profilingStartTime", 0);
	json_real(j, "profilingEndTime", (double)t->duration / 1e6);
	json_uint(j, "processType", 0);
	json_string(j, "product", *program ? program : "glimpse");
	json_string(j, "importedFrom", "glimpse");
	json_uint(j, "stackwalk", 1);
	json_bool(j, "debug", false);
	json_bool(j, "symbolicated", true);
	json_bool(j, "usesOnlyOneStackType", true);
	json_bool(j, "sourceCodeIsNotOnSearchfox", true);
	json_bool(j, "keepProfileThreadOrder", true);
	json_object(j, "sampleUnits");
	json_string(j, "time", "ms");
	json_string(j, "eventDelay", "ms");
	json_string(j, "threadCPUDelta", "ns");
	json_close(j);
	categories_write(j);
	firefox_schema_write(j, &f->markers);
	json_close(j);
}

/*
 * Writes the threads, by index (NULL: all), with their samples and processor use, and the instances
 * of intervals, a list that ends with NULL, as markers of their anchors' threads. Left out:
 * running, which the processor use shows, and causes, which only lead from event to event. The
 * trace makes event lists, for one caller at a time.
 */
static void firefox_write(FILE *out, struct trace *t, const bool *threads,
			  const struct interval *const *intervals)
{
	struct firefox f = {.trace = t, .samples = samples_of(t, SAMPLE_FUNCTIONS)};
	struct json j = json_begin(out, 3);

	f.states = instance_set_of(t, 1u << SPANS_STATE, NULL, 0);
	firefox_tables_make(&f.tables, t, f.samples);
	firefox_markers_make(&f.markers, t, threads, intervals);
	json_object(&j, NULL);
	meta_write(&j, &f, threads);
	json_array(&j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++)
		if (!threads || threads[i])
			thread_write(&j, &f, i);
	json_close(&j);
	firefox_libs_write(&j, &f.tables);
	firefox_shared_write(&j, &f.tables);
	json_close(&j);
	firefox_markers_free(&f.markers);
	firefox_tables_free(&f.tables);
	instance_set_free(f.states);
	samples_free(f.samples);
}

static bool firefox_of(FILE *out, const struct export_request *r)
{
	firefox_write(out, r->trace, r->threads, r->intervals);
	return true;
}

const struct export_format export_firefox = {
    .name = "firefox",
    .summary = "threads, samples, processor use and intervals, for profiler.firefox.com",
    .intervals = true,
    .write = firefox_of,
};
