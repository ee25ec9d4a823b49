#include "recorder/summary.h"
#include "analysis/activity/throttled.h"
#include "analysis/activity/unrecorded.h"
#include "analysis/samples/cut_stacks.h"
#include "base/units.h"
#include "base/visible.h"
#include "match/join/pair_stream.h"
#include "recorder/obstacles.h"
#include "recorder/refusals.h"
#include "trace/open/opened.h"
#include "trace/stream/unseen.h"
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The minor version of Python 3 from which on PYTHONPERFSUPPORT has a meaning. */
enum { PYTHON_TELLS = 12 };

static const char *summary_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Prints a name so that a shell reads it as one word. */
static void word_print(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_./,:=+@%^-";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			visible_print(out, word, 1);
	putc('\'', out);
}

static void ended_print(FILE *out, const struct run_summary *e)
{
	char time[UNITS_TEXT];

	fputs("glimpse record: ", out);
	visible_puts(out, e->program);
	if (e->status < 0)
		fputs(": observed", out);
	else if (WIFSIGNALED(e->status))
		fprintf(out, ": ended by signal %d, %s,", WTERMSIG(e->status),
			strsignal(WTERMSIG(e->status)));
	else
		fprintf(out, ": exit status %d", WEXITSTATUS(e->status));
	fprintf(out, e->status < 0 ? " for %s\n" : " after %s\n",
		units_time(time, (double)e->duration));
}

static void recorded_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	char count[UNITS_TEXT], span[UNITS_TEXT];

	if (t)
		fprintf(out, "  recorded  %u process%s, %u thread%s, %s event%s in %s (%s)\n",
			t->nprocesses, t->nprocesses == 1 ? "" : "es", t->nthreads,
			summary_plural(t->nthreads), units_count(count, t->events),
			summary_plural(t->events), units_time(span, (double)t->duration),
			e->probes);
	else
		fprintf(out, "  recorded  no readable logs (%s)\n", e->probes);
}

/* Says one thing that the trace lacks after the others. */
__attribute__((format(printf, 3, 4))) static void lack_print(FILE *out, bool *lacks,
							     const char *format, ...)
{
	va_list arguments;

	if (*lacks)
		fputs(", ", out);
	*lacks = true;
	va_start(arguments, format);
	vfprintf(out, format, arguments);
	va_end(arguments);
}

static void lacks_print(FILE *out, const struct run_summary *e, const struct trace *t,
			uint64_t skipped)
{
	char text[UNITS_TEXT], *line = refusal_unprobed(&e->found, e->inside);
	char *unprobed = unprobed_text(line);
	bool lacks = false;

	if (t && t->nmissing)
		lack_print(out, &lacks, "%zu process%s not recorded: %s%s", t->nmissing,
			   t->nmissing == 1 ? "" : "es", t->missing->reason,
			   t->nmissing == 1 ? "" : "; glimpse info lists them");
	if (t && t->lost)
		lack_print(out, &lacks, "%s event%s lost", units_count(text, t->lost),
			   summary_plural(t->lost));
	else if (skipped)
		lack_print(out, &lacks, "%s of it are unreadable", units_bytes(text, skipped));
	if (!t)
		lack_print(out, &lacks, "no readable logs");
	if (e->found.ran && e->used && unseen_matters(e->found.ran, e->used))
		lack_print(out, &lacks, "%.0f %% of the processor time not seen",
			   100 * (1 - unseen_share(e->found.ran, e->used)));
	if (unprobed)
		lack_print(out, &lacks, "%s", unprobed);
	if (e->found.left)
		lack_print(out, &lacks, "%u process%s went on, not recorded any more: %s",
			   e->found.left, e->found.left == 1 ? "" : "es", e->found.one_left);
	if (e->found.lost)
		lack_print(out, &lacks, "%s kernel record%s lost", units_count(text, e->found.lost),
			   summary_plural(e->found.lost));
	if (!lacks)
		fputs("nothing lost", out);
	free(line);
	free(unprobed);
}

static uint64_t disk_bytes; /* what the directory has on the disk */

static int disk_add(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)path, (void)ftw;
	if (type == FTW_F)
		disk_bytes += (uint64_t)st->st_blocks * 512 / st->st_nlink;
	return 0;
}

static void place_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	char text[UNITS_TEXT];
	uint64_t bytes = 0, skipped = 0;

	for (unsigned i = 0; t && i < t->nthreads; i++) {
		bytes += t->threads[i].bytes;
		skipped += t->threads[i].skipped;
	}
	disk_bytes = 0;
	nftw(e->directory, disk_add, 16, FTW_PHYS);
	fputs("  in        ", out);
	visible_puts(out, e->directory);
	fprintf(out, ", %s, ", units_bytes(text, bytes));
	fprintf(out, "%s on disk; ", units_bytes(text, disk_bytes));
	lacks_print(out, e, t, skipped);
	putc('\n', out);
}

/* What the events took, as the runtime measured an event in each process. */
static void cost_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	double ns = 0, lived = 0;
	char time[UNITS_TEXT];

	for (unsigned p = 0; t && p < t->nprocesses; p++)
		for (uint32_t i = 0; i < t->processes[p].nthreads; i++) {
			const struct trace_thread *thread =
			    &t->threads[t->processes[p].first_thread + i];

			ns += (double)thread->events * (double)t->processes[p].event_cost / 1000;
			lived += (double)(thread->last - thread->first);
		}
	if (ns > 0 && lived > 0)
		fprintf(out, "  cost      about %s for the events, %.3f %% of the threads' time; ",
			units_time(time, ns), 100 * ns / lived);
	else
		fputs("  cost      ", out);
	fprintf(out, "%s in the recorder\n", units_time(time, (double)e->recorder));
}

/* Says that events of the program may not have decided when some blocked threads could go on. */
static void states_print(FILE *out, const struct run_summary *e)
{
	char count[UNITS_TEXT], most[UNITS_TEXT];

	if (!e->found.unsure)
		return;
	fprintf(out, "  states    the end of up to %s blocked period%s is estimated: ",
		units_count(count, e->found.unsure), summary_plural(e->found.unsure));
	fprintf(out, "more than %s events waited for a later one\n",
		units_count(most, pair_stream_most));
}

static void python_print(FILE *out, const struct run_summary *e)
{
	if (e->found.python < PYTHON_TELLS)
		fprintf(
		    out,
		    "  python    samples have no functions of Python 3.%d; Python 3.%d or later names them with --jit\n",
		    e->found.python, PYTHON_TELLS);
}

/* Returns whether an event of that specification was logged. */
static bool spec_logged(const struct trace *t, const char *name)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const char *home = t->spec->events[i]->home;

		if (t->events_of_type[i] && strcmp(home ? home : t->spec->name, name) == 0)
			return true;
	}
	return false;
}

/* Returns how many events of that name the probe samples logged. */
static uint64_t samples_count(const struct trace *t, const char *name)
{
	uint64_t n = 0;

	for (unsigned i = 0; t && i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];

		if (strcmp(e->home ? e->home : t->spec->name, "samples") == 0 &&
		    strcmp(e->name, name) == 0)
			n += t->events_of_type[i];
	}
	return n;
}

/* Returns whether a process had the library that takes samples by timers. */
static bool timers_loaded(const struct run_summary *e, const struct trace *t)
{
	for (unsigned i = 0; e->timers && t && i < t->spec->nevents; i++) {
		const char *home = t->spec->events[i]->home;

		if (strcmp(home ? home : t->spec->name, "samples") == 0)
			return true;
	}
	return false;
}

/* Says how many samples there are of those that the kernel refused to take, and where none. */
static void samples_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	uint64_t n = samples_count(t, "Sample"), without = samples_count(t, "SamplesNone");
	char count[UNITS_TEXT];

	if (e->timers && n)
		fprintf(out, "  samples   %s, by timers in the program\n", units_count(count, n));
	else if (timers_loaded(e, t) && !without)
		fputs("  samples   none, by timers in the program\n", out);
	if (without)
		fputs("  samples   none of programs that valgrind runs: timers would disturb it\n",
		      out);
}

/* Says that samples would have cost too much. */
static void thinned_print(FILE *out, const struct run_summary *e)
{
	if (e->found.thinned > 1)
		fprintf(out,
			"  samples   one of up to %u was taken: all would have cost more than 2 %% "
			"of the machine; --full takes all\n",
			e->found.thinned);
}

static bool calls_logged(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *call = t->spec->intervals[i];

		if (call->kind == KIND_CALL && t->events_of_type[call->anchor.event->index])
			return true;
	}
	return false;
}

static void needs_print(FILE *out, const char *probe)
{
	static const char root[] = ", or root";
	char *needs = probe_needs(probe), *advice = needs ? strstr(needs, root) : NULL;
	size_t n;

	if (advice && !geteuid()) /* who is root */
		memmove(advice, advice + strlen(root), strlen(advice + strlen(root)) + 1);
	n = needs ? strlen(needs) : 0;
	fprintf(out, "  nothing   was logged by the probe %s", probe);
	if (n)
		fprintf(out, ": it needs %.*s", (int)(n - (needs[n - 1] == '.')), needs);
	putc('\n', out);
	free(needs);
}

/* Says which probes logged nothing, and what they need. */
static void silent_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	for (size_t i = 0; i < e->asked->count; i++) {
		const char *probe = e->asked->names[i];
		/* by samples_print() */
		bool said = strcmp(probe, "samples") == 0 && timers_loaded(e, t);

		if (probes_known(probe) && !said && !(t && spec_logged(t, probe)))
			needs_print(out, probe);
	}
	if (t && e->functions && probes_have(e->asked, "java") && spec_logged(t, "java") &&
	    !calls_logged(t))
		fputs(
		    "  nothing   was logged of methods; they need Debian's libasm-java and names such as "
		    "--functions 'PACKAGE.CLASS.METHOD'\n",
		    out);
}

/* Says that acquisitions were counted, and not logged. */
static void counted_print(FILE *out, const struct trace *t)
{
	for (unsigned i = 0; t && i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];

		if (e->takes_attribute < 0 || e->counts_attribute < 0 || !t->events_of_type[i])
			continue;
		fputs("  counted   acquisitions of free locks, too frequent to log each: "
		      "glimpse locks has the sums, --full logs all\n",
		      out);
		return;
	}
}

/* Says which processes filter their system calls, and are not logged since. */
static void filters_print(FILE *out, const struct trace *t)
{
	for (unsigned i = 0; t && i < t->nprocesses; i++)
		if (t->processes[i].state == PROCESS_FILTERED)
			fprintf(
			    out,
			    "  seccomp   %s (%u) logged nothing after it installed a seccomp filter\n",
			    t->processes[i].program, t->processes[i].pid);
}

static void stacks_print(FILE *out, const struct trace *t)
{
	char *text = t ? cut_stacks_text(t) : NULL;

	if (text)
		fprintf(out, "  stacks    %s\n", text);
	free(text);
}

static void throttled_print(FILE *out, const struct trace *t)
{
	char *text = t ? throttled_text(t) : NULL;

	if (text)
		fprintf(out, "  throttled %s\n", text);
	free(text);
}

/* Says what else is missing; lines at the start said what the kernel refused. */
static void unrecorded_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	uint32_t quiet =
	    UNRECORDED_WAKEUPS | UNRECORDED_WAITS | (e->timers ? 0 : UNRECORDED_KERNEL);
	char *text = t ? unrecorded_text(t, quiet) : NULL;

	if (text)
		fprintf(out, "  missing   %s\n", text);
	free(text);
}

/* Says how locks appear where no probe can be loaded, and what to do. */
static void static_print(FILE *out, const struct run_summary *e)
{
	const char *why = e->found.obstacles;

	if (why && probes_have(e->asked, "threads") && strstr(why, OBSTACLE_GO))
		fputs(
		    "  locks     of Go are seen only as waits of its threads in the kernel; for goroutines, "
		    "record Go's own trace (runtime/trace) and read it with go tool trace\n",
		    out);
	else if (why && probes_have(e->asked, "threads") && strstr(why, OBSTACLE_STATIC))
		fputs(
		    "  locks     of a static program are seen only as waits of its threads in the "
		    "kernel; to see who holds them, link it dynamically\n",
		    out);
}

static void lines_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	ended_print(out, e);
	recorded_print(out, e, t);
	place_print(out, e, t);
	cost_print(out, e, t);
	counted_print(out, t);
	filters_print(out, t);
	states_print(out, e);
	python_print(out, e);
	samples_print(out, e, t);
	thinned_print(out, e);
	stacks_print(out, t);
	throttled_print(out, t);
	unrecorded_print(out, e, t);
	static_print(out, e);
	silent_print(out, e, t);
	if (!t) { /* what each probe needs */
		fputs("  next      glimpse record --probes list\n", out);
		return;
	}
	fputs("  next      glimpse why ", out);
	word_print(out, e->directory);
	fputs(", or gorge ", out);
	word_print(out, e->directory);
	putc('\n', out);
}

void summary_print(FILE *out, const struct run_summary *e, const struct trace *t)
{
	char *text = NULL;
	size_t size;
	FILE *lines = open_memstream(&text, &size);

	if (lines)
		lines_print(lines, e, t);
	if (lines && fclose(lines) == 0)
		fputs(text, out); /* in one piece */
	free(text);
}
