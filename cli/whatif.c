#include "analysis/graph/guessed_wakers.h"
#include "analysis/replay/answer/answer_json.h"
#include "analysis/replay/answer/changes_parse.h"
#include "analysis/replay/answer/changes_text.h"
#include "analysis/replay/answer/outcome.h"
#include "analysis/replay/answer/refusal.h"
#include "analysis/replay/changes/span_choice.h"
#include "analysis/replay/recorded/early_holds.h"
#include "analysis/replay/written/predicted.h"
#include "analysis/samples/spinning.h"
#include "base/array.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/lost.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include "cli/whatif_hand_out.h"
#include "cli/whatif_latencies.h"
#include "cli/whatif_models.h"
#include "cli/whatif_next.h"
#include "cli/whatif_sweep.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOCKS_SHOWN = 3 };

static struct change_set wanted;
static struct changes changes; /* of the set */
static bool anyway, explains;
static const char *interval;      /* whose latencies are asked for; NULL */
static enum clients_kind clients; /* CLIENTS_NONE: nobody says it */

/* ---- options ---- */

static void change_take(const char *option, const char *text)
{
	struct diag diag = {.out = stderr, .program = "glimpse"};
	char *wrong = changes_add(&wanted, option, text, &diag);

	if (wrong)
		usage_fail("%s", wrong);
}

#define TAKES(name, option) \
	static void take_##name(const char *text) \
	{ \
		change_take(option, text); \
	}
TAKES(speed, "speed")
TAKES(fix, "fix")
TAKES(time, "time")
TAKES(multiply, "multiply")
TAKES(io, "io")
TAKES(queue, "io-queue")
TAKES(cores, "cores")
TAKES(threads, "threads")
TAKES(schedule, "schedule")
TAKES(slice, "slice")
TAKES(lock, "lock")
TAKES(slots, "slots")
TAKES(hold, "hold")
TAKES(replays, "replays")
TAKES(seed, "seed")

static void take_anyway(const char *unused)
{
	(void)unused;
	anyway = true;
}

static void take_error(const char *unused)
{
	(void)unused;
	explains = true;
}

static void take_interval(const char *name)
{
	if (interval)
		usage_fail("--interval can be given once");
	interval = name;
}

static void take_clients(const char *kind)
{
	if (strcmp(kind, "open") == 0)
		clients = CLIENTS_OPEN;
	else if (strcmp(kind, "closed") == 0)
		clients = CLIENTS_CLOSED;
	else
		usage_fail("--clients: unknown kind '%s' (expected open or closed)", kind);
}

/* ---- the answer ---- */

static const char *cores_number(char text[UNITS_TEXT], unsigned cores)
{
	snprintf(text, UNITS_TEXT, cores ? "%u" : "unlimited", cores);
	return text;
}

static void cores_text(FILE *out, const struct prediction *p)
{
	static const char *const sources[] = {
	    [CORES_UNKNOWN] = "not recorded, and no thread waited for one",
	    [CORES_OBSERVED] = "observed: the most that ran at once",
	    [CORES_RECORDED] = "recorded",
	};
	char number[UNITS_TEXT];

	fprintf(out, "processors: %s (%s)", cores_number(number, p->cores),
		sources[p->model->cores_source]);
	if (changes.cores_given)
		fprintf(out, " -> %s (--cores)", cores_number(number, changes.cores));
	putc('\n', out);
}

/* Printed if it is much. */
static void others_text(FILE *out, const struct prediction *p)
{
	double others = prediction_others(p);

	if (others >= OTHERS_TOLD)
		fprintf(out,
			"other programs: took %.0f %% of the processor time that the threads could "
			"use; their share stays\n",
			100 * others);
}

static void waits_text(FILE *out, const struct prediction *p, const struct limit *l)
{
	char *limit = outcome_limit(p, l);
	size_t n;
	struct lock_outcome *rows = outcome_locks(p, &n);

	for (size_t i = 0; i < n && i < LOCKS_SHOWN; i++) {
		char before[UNITS_TEXT], after[UNITS_TEXT];

		fprintf(out, "%s%s %s -> %s", i ? ", " : "waits: ", rows[i].name,
			units_time(before, (double)rows[i].before),
			units_time(after, (double)rows[i].after));
	}
	if (limit)
		fprintf(out, "%snow limited by: %s", n ? "    " : "", limit);
	if (n || limit)
		putc('\n', out);
	free(limit);
	free(rows);
}

/* Printed if it is at least a thousandth of the run. */
static void cost_text(FILE *out, const struct prediction *p)
{
	char less[UNITS_TEXT];
	int64_t cost = p->unchanged->duration - p->base->duration;

	if (cost * 1000 > p->unchanged->duration)
		fprintf(out, "; %s without the cost of recording",
			units_time(less, (double)p->base->duration));
}

/* Printed if there are any. */
static void untied_text(FILE *out, const struct prediction *p)
{
	uint32_t n = p->changed->untied;

	if (n)
		fprintf(out,
			"order: %u wait%s without %s recorded wake-up, which now comes later\n", n,
			n == 1 ? " ends" : "s end", n == 1 ? "its" : "their");
}

/* Printed if there are any. */
static void expired_text(FILE *out, const struct prediction *p)
{
	uint32_t n = p->changed->expired;
	char time[UNITS_TEXT];

	if (!n)
		return;
	fprintf(out, "limits: %u wait%s now at the time limit, before the wake-up", n,
		n == 1 ? " ends" : "s end");
	if (p->changed->overdue)
		fprintf(out, " (%s later in total)", units_time(time, (double)p->changed->overdue));
	fprintf(out, "; what the program does after that is unknown\n");
}

/* Printed if there are any. */
static void outside_text(FILE *out, const struct prediction *p)
{
	char *waits = outcome_apart(p), time[UNITS_TEXT];

	if (waits)
		fprintf(
		    out,
		    "outside: waits for %s stay one after the other, as recorded; if they overlapped: "
		    "%s%s\n",
		    waits, units_time(time, (double)p->overlapping),
		    p->guessed ? ", which the range contains" : "");
	free(waits);
}

/* Printed if it matters. */
static void earlier_text(FILE *out, const struct prediction *p)
{
	char time[UNITS_TEXT];

	if (p->held_earlier >= 0)
		fprintf(out,
			"not seen: %s; if it began right after the release before: %s, which the "
			"range contains\n",
			HOLDS_UNSEEN, units_time(time, (double)p->held_earlier));
}

/* Printed if there are any. */
static void guessed_text(FILE *out, const struct prediction *p)
{
	char *guessed = guessed_waits_text(p->model->graph);

	if (guessed)
		fprintf(out, "guessed: %s\n", guessed);
	free(guessed);
}

/* Printed if it is at least a thousandth of the run. */
static void spinning_text(FILE *out, const struct prediction *p)
{
	char time[UNITS_TEXT];

	if (p->operations->spinning * 1000 > p->operations->duration)
		fprintf(
		    out,
		    "spinning: %s in try or yield loops with an unknown end keeps its recorded length\n",
		    units_time(time, (double)p->operations->spinning));
}

static void prediction_text(FILE *out, const struct prediction *p, const struct next_steps *next,
			    const struct service *s)
{
	char recorded[UNITS_TEXT], replayed[UNITS_TEXT], predicted[UNITS_TEXT], change[UNITS_TEXT];
	char low[UNITS_TEXT], high[UNITS_TEXT];
	char *asked = replay_changes_text(&changes);
	double before = (double)p->base->duration, after = (double)p->changed->duration;
	int width = (int)(strlen(asked) > 11 ? strlen(asked) : 11);

	fprintf(out, "%-*s  %s    replayed unchanged %s (%.1f %% off)", width, "as recorded",
		units_time(recorded, (double)p->operations->duration),
		units_time(replayed, (double)p->unchanged->duration), 100 * prediction_miss(p));
	cost_text(out, p);
	putc('\n', out);
	if (*asked)
		fprintf(out, "%-*s  %s    %s, %s to %s\n", width, asked,
			units_time(predicted, after), change_text(change, before, after),
			units_time(low, (double)p->low), units_time(high, (double)p->high));
	if (p->durations.n > 1)
		fprintf(out, "%zu replays with random lengths, seed %" PRIu64 "\n", p->durations.n,
			changes.seed ? changes.seed : DEFAULT_SEED);
	if (s->latencies)
		latencies_text(out, s);
	models_text(out, p, changes.spans);
	if (explains)
		range_text(out, p);
	cores_text(out, p);
	others_text(out, p);
	waits_text(out, p, &next->at[0].limit);
	next_text(out, p, next);
	outside_text(out, p);
	earlier_text(out, p);
	guessed_text(out, p);
	hand_out_text(out, p);
	untied_text(out, p);
	expired_text(out, p);
	spinning_text(out, p);
	free(asked);
}

static void prediction_csv(FILE *out, const struct prediction *p, const struct service *s)
{
	fputs("recorded,replayed,without_cost,predicted,low,high", out);
	if (s->latencies)
		latencies_csv_head(out);
	fprintf(out, "\n%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
		p->operations->duration, p->unchanged->duration, p->base->duration,
		p->changed->duration, p->low, p->high);
	if (s->latencies)
		latencies_csv(out, s);
	putc('\n', out);
}

/* ---- what cannot be answered ---- */

/* Reports what speaks against an answer. */
static bool may_answer(struct command_request *r, const struct prediction *p)
{
	return !prediction_is_refused(p, anyway, &r->diag);
}

static int predicted_fill(void *prediction, const char *path, struct diag *diag)
{
	return predicted_write(prediction, path, diag) ? EXIT_FINE : EXIT_ERROR;
}

/* Writes the predicted run, and says what it is. */
static int answer(struct command_request *r, struct prediction *p, const struct service *s)
{
	struct next_steps next;

	if (r->output && (!request_output_is_free(r, "directory") ||
			  directory_make(r->output, predicted_fill, p, &r->diag) != EXIT_FINE))
		return EXIT_ERROR;
	if (s->latencies)
		latencies_predict(s->latencies, p);
	if (r->format == FORMAT_CSV) {
		prediction_csv(r->out, p, s);
		return EXIT_FINE;
	}
	next = next_steps_of(p, &changes);
	if (r->format == FORMAT_JSON)
		answer_json(r->out, p, &changes, &next, s);
	else
		prediction_text(r->out, p, &next, s);
	return EXIT_FINE;
}

/* A faster loop that waits for another thread waits as long: the replay does not know it. */
static void spinning_remark(FILE *out, const struct instance_set *set)
{
	struct spinning s;
	bool speeds = false;

	for (size_t k = 0; k < changes.nspans; k++)
		speeds |= changes.spans[k].kind == SPAN_SPEED;
	if (!speeds)
		return;
	s = spinning_of(set->samples);
	for (size_t i = 0; i < s.counts.n; i++) {
		const struct spin_count *c = &s.counts.at[i];
		const char *name = symbols_numbered(set->trace, c->number);
		bool asked = false;

		for (size_t k = 0; k < changes.nspans && mostly_spins(c->spinning, c->all); k++)
			asked |= c->function && changes.spans[k].kind == SPAN_SPEED &&
				 change_names(changes.spans[k].what, changes.spans[k].exact, name);
		if (asked)
			fprintf(
			    out,
			    "spinning: %s possibly waits by spinning, and gains nothing from faster code\n",
			    name);
	}
	spinning_free(&s);
}

/* Ends the program if changes are asked for with what they cannot be combined with. */
static void combination_test(bool written, bool swept)
{
	if ((interval || clients != CLIENTS_NONE) && swept)
		usage_fail("--%s cannot be combined with --sweep",
			   interval ? "interval" : "clients");
	if ((written || swept || interval) && team_is_changed(&changes.team))
		usage_fail("%s cannot be combined with --threads and --schedule%s",
			   written    ? "-o"
			   : interval ? "--interval"
				      : "--sweep",
			   swept && !written ? ""
					     : ": the recorded events belong to other threads");
}

/*
 * Finds the instances that are asked for, and their clients. Sets *open to the threads that serve
 * open ones, or NULL. Returns false after a report.
 */
static bool service_find(struct command_request *r, struct prediction *p, struct service *s,
			 bool **open)
{
	if (interval) {
		s->latencies = latencies_of(p, interval, &r->diag);
		if (!s->latencies)
			return false;
		s->clients = clients_of(p, s->latencies);
	}
	if (clients != CLIENTS_NONE) {
		s->clients.kind = clients;
		s->clients.asked = true;
	}
	*open = s->clients.kind == CLIENTS_OPEN ? clients_served(p) : NULL;
	if (s->clients.kind == CLIENTS_OPEN && !*open) {
		diag_error(&r->diag, DIAG_NOWHERE,
			   "--clients: no thread waits for requests from outside the program");
		return false;
	}
	if (*open)
		prediction_set_open(p, *open);
	return true;
}

/* Replays the changes and prints the answer. */
static int change_answer(struct command_request *r, struct prediction *p)
{
	struct service s = {0};
	const char *unknown = NULL;
	bool *open = NULL;
	int status = EXIT_ERROR;

	if (service_find(r, p, &s, &open)) {
		if (!prediction_choose(p, &changes, &unknown) ||
		    !prediction_change(p, &changes, &unknown))
			refuse_change(&r->diag, p, unknown);
		else if (may_answer(r, p))
			status = answer(r, p, &s);
	}
	if (s.latencies)
		latencies_free(s.latencies);
	free(open);
	return status;
}

/* Whether something is asked or answered about names that samples and calls give. */
static bool is_named_asked(void)
{
	return changes.next || wanted.fixes.n || sweep_is_asked();
}

static void subjects_resolve(const struct prediction *p)
{
	struct changes resolved;

	changes_resolve(&wanted, p->model);
	resolved = changes_of(&wanted);
	changes.spans = resolved.spans, changes.nspans = resolved.nspans;
	changes.locks = resolved.locks, changes.nlocks = resolved.nlocks;
}

static int whatif_run(struct command_request *r)
{
	struct trace *t = request_open(r);
	struct instance_set *set;
	struct prediction *p;
	int status = EXIT_ERROR;

	if (!t)
		return EXIT_ERROR;
	changes = changes_of(&wanted);
	combination_test(r->output != NULL, sweep_is_asked());
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
	changes.written = r->output != NULL;
	changes.moments = interval != NULL;
	changes.next = r->format != FORMAT_CSV;
	prediction_announce(t);
	set = instance_set_of(t, SPANS_ALL | (is_named_asked() ? SPANS_NAMED : 0), NULL, 0);
	p = prediction_of(set, changes.slice);
	subjects_resolve(p);
	if (sweep_is_asked()) {
		status = may_answer(r, p) ? sweep_answer(r, p) : EXIT_ERROR;
		if (status == EXIT_FINE && r->format == FORMAT_TEXT)
			cores_text(r->out, p);
	} else {
		status = change_answer(r, p);
	}
	if (status == EXIT_FINE && r->format == FORMAT_TEXT) {
		spinning_remark(r->out, set);
		cut_remark(r->out, t);
		unrecorded_remark(r->out, t, UNRECORDED_STATES | UNRECORDED_SAMPLES);
	}
	prediction_free(p);
	instance_set_free(set);
	trace_close(t);
	return status;
}

static const struct choice options[] = {
    {0, "speed", "WHAT=K", "make WHAT K times as fast (below 1: slower; inf: takes no time)",
     take_speed},
    {0, "fix", "KIND:NAME",
     "improve what one row of rank is about: function, interval, lock, site or thread.\n"
     "It takes half the time, a lock is held half as long; KIND:NAME=K: K times as fast;\n"
     "lock:NAME=none: no lock",
     take_fix},
    {0, "time", "WHAT=LENGTH",
     "make WHAT take that long: 5ms, uniform(1ms,3ms), measured, fit(ATTRIBUTE), ...", take_time},
    {0, "multiply", NULL, "multiply nested changes (default: the innermost applies)",
     take_multiply},
    {0, "io", "WHAT=K",
     "make input or output WHAT K times as fast, including its waits;\n"
     "WHAT=200MB/s,0.1ms: use a device with this bandwidth and latency",
     take_io},
    {0, "io-queue", "N",
     "let the device serve N requests at once (default for a device of --io: 1)", take_queue},
    {0, "cores", "N", "run on N processors; inf: unlimited", take_cores},
    {0, "threads", "GROUP=N", "use N threads of GROUP, whose threads take items", take_threads},
    {0, "schedule", "LOOP=SCHEDULE",
     "schedule an OpenMP loop: static, dynamic or guided, with an optional ,CHUNK", take_schedule},
    {0, "slice", "TIME", "let a thread run at most TIME while others are ready (default 3ms)",
     take_slice},
    {0, "lock", "WHAT=ORDER",
     "order in which threads acquire a lock: fifo, lifo, free (the first that tries);\n"
     "none: no lock; ticket, spin: threads spin for it; readers-writer,\n"
     "readers-writer(WHO): WHO only reads; split=N by ATTRIBUTE: N locks instead",
     take_lock},
    {0, "slots", "WHAT=N", "N threads at most have a slot of semaphore WHAT at once", take_slots},
    {0, "hold", "WHAT=LENGTH", "hold lock WHAT for that long each time", take_hold},
    {0, "sweep", "WHAT=1..8",
     "predict the run for each speed of WHAT; cores=1..8; best: find the largest gains",
     sweep_take},
    {'n', "top", "N",
     "with --sweep best: print N rows, or all, and try at least N candidates\n"
     "(default 10 rows, 30 candidates)",
     top_take},
    {'i', "interval", "NAME",
     "also predict how many instances of an interval there are a second, and how long\n"
     "they take: 50, 90 and 99 %",
     take_interval},
    {0, "clients", "KIND",
     "open: requests come by time; closed: each comes some time after the last answer\n"
     "(default: as --interval finds it; closed)",
     take_clients},
    {0, "replays", "N",
     "replay N times with random lengths, for the range (default 20; fewer for a long run)",
     take_replays},
    {0, "seed", "N", "use N as the seed of the random lengths", take_seed},
    {'o', "output", "DIRECTORY", "write the predicted run, which all other tools read",
     request_take_output},
    {0, "error", NULL, "print the sources of the range's width", take_error},
    {0, "anyway", NULL, "answer even if the replay misses the recorded run by more than 10 %",
     take_anyway},
    {0},
};

const struct command cmd_whatif = {
    .name = "whatif",
    .summary = "how long the run would have taken with parts of it faster, slower or removed",
    .teaches =
	"Replays the run in virtual time with changes. Threads compute the same, acquire the same locks\n"
	"and wait for the same threads; waiting times are computed anew. WHAT is a pattern for a function,\n"
	"an interval, a lock (while it is held) or a call site; or thread:NAME. Changing a function changes\n"
	"all it calls as well; own(NAME) changes the function alone. Of nested changes the innermost applies.\n"
	"Items that threads share through a queue, a counter or a loop go to the first thread that is ready;\n"
	"the line \"hand-out\" names them, or says why they stay with their threads.\n"
	"The run is first replayed without changes. Its difference from the recorded time is the error of\n"
	"the answer. doc/whatif.md describes the method and its limits.\n"
	"In gorge's page the field 'what if' shows the predicted run above the recorded one.\n",
    .examples = "  glimpse whatif run1 --speed compress=2\n"
		"  glimpse whatif run1 --fix lock:queue_lock\n"
		"  glimpse whatif run1 --cores 4 -o run1.4cores\n"
		"  glimpse whatif run1 --threads worker=8\n"
		"  glimpse whatif run1 --speed 'queue_lock=inf' --lock other_lock=fifo\n"
		"  glimpse whatif run1 --sweep compress=1..8 --sweep cores=1..8\n"
		"  glimpse whatif run1 --sweep best\n"
		"  glimpse whatif run1 --speed parse=2 --interval Request\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = whatif_run,
};
