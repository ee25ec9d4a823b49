#include "analysis/replay/answer/changes_text.h"
#include "analysis/replay/answer/outcome.h"
#include "analysis/replay/answer/refusal.h"
#include "analysis/replay/changes/span_choice.h"
#include "analysis/replay/written/predicted.h"
#include "analysis/samples/spinning.h"
#include "base/array.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/lost.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include "cli/whatif_hand_out.h"
#include "cli/whatif_models.h"
#include "cli/whatif_next.h"
#include "cli/whatif_sweep.h"
#include "cli/whatif_team.h"
#include "grammar/parse.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOCKS_SHOWN = 3 };

static VECTOR(struct span_change) spans;
static VECTOR(struct lock_change) locks;
static struct changes changes = {.only = NOT_CHANGED};
static bool anyway, explains;

/* ---- options ---- */

/* Returns what comes before the last '=', and sets *value to what is after it. */
static char *part(const char *option, const char *text, const char **value)
{
	const char *equals = strrchr(text, '=');

	if (!equals || equals == text || !equals[1])
		usage_fail("--%s: expected WHAT=VALUE, not '%s'", option, text);
	*value = equals + 1;
	return text_format("%.*s", (int)(equals - text), text);
}

/* own(WHAT) is WHAT without what it calls. Changes the text. */
static const char *own_part(char *what, bool *own)
{
	size_t n = strlen(what);

	*own = n > 5 && strncmp(what, "own(", 4) == 0 && what[n - 1] == ')';
	if (*own) {
		what[n - 1] = 0;
		memmove(what, what + 4, n - 4);
	}
	return what;
}

static void condition_test(const char *option, const char *condition)
{
	struct diag diag = {.out = stderr, .program = "glimpse"};
	struct source *source = source_text(option, condition);
	struct ast *tree = parse_series(source, &diag);

	if (!tree)
		usage_fail("--%s: invalid condition '%s'", option, condition);
	ast_free(tree);
	source_free(source);
}

/* Parses WHAT [where CONDITION]=VALUE. */
static struct span_change *span_add(enum span_change_kind kind, const char *option,
				    const char *text, const char **value)
{
	static const char where[] = " where ";
	char *what = part(option, text, value), *condition = strstr(what, where);
	struct span_change *c;

	if (spans.n == MOST_CHANGES)
		usage_fail("--%s: too many changes (at most %d)", option, MOST_CHANGES);
	c = vector_add(&spans);
	c->kind = kind;
	if (condition) {
		*condition = 0;
		c->where = condition + sizeof where - 1;
		condition_test(option, c->where);
	}
	c->what = own_part(what, &c->own);
	return c;
}

static void take_factor(enum span_change_kind kind, const char *option, const char *text)
{
	const char *value;
	struct span_change *c = span_add(kind, option, text, &value);
	char *end;

	c->factor = strtod(value, &end);
	if (*end || !(c->factor > 0))
		usage_fail("--%s %s: invalid factor '%s' (expected a number above 0, or inf)",
			   option, text, value);
}

static void take_speed(const char *text)
{
	take_factor(SPAN_SPEED, "speed", text);
}

static void take_device(const char *text)
{
	const char *value;
	struct span_change *c = span_add(SPAN_IO, "io", text, &value);

	c->factor = 1;
	c->device_text = value;
	if (!device_parse(value, &c->device))
		usage_fail(
		    "--io %s: invalid device '%s' (expected BANDWIDTH/s,LATENCY such as 200MB/s,0.1ms; units are "
		    "kB, MB, GB, KiB, MiB, GiB and ns, us, ms, s)",
		    text, value);
}

static void take_io(const char *text)
{
	const char *value = strrchr(text, '=');

	if (value && (strchr(value, '/') || strchr(value, ',')))
		take_device(text);
	else
		take_factor(SPAN_IO, "io", text);
}

static void take_length(enum span_change_kind kind, const char *option, const char *text)
{
	const char *value;
	struct span_change *c = span_add(kind, option, text, &value);

	if (!distribution_parse(value, &c->length))
		usage_fail(
		    "--%s %s: invalid length '%s' (expected 5ms, uniform(1ms,3ms), normal(MEAN,DEVIATION), "
		    "lognormal(MEDIAN,SIGMA), exponential(MEAN), measured or fit(ATTRIBUTE))",
		    option, text, value);
}

static void take_time(const char *text)
{
	take_length(SPAN_TIME, "time", text);
}

static void take_hold(const char *text)
{
	take_length(SPAN_HOLD, "hold", text);
}

static unsigned long number_part(const char *option, const char *text, unsigned long most)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || n < 1 || n > most)
		usage_fail("--%s: invalid number '%s' (expected 1 to %lu)", option, text, most);
	return n;
}

static void take_queue(const char *text)
{
	changes.served = (unsigned)number_part("io-queue", text, 1000000);
}

static void take_seed(const char *text)
{
	changes.seed = number_part("seed", text, ULONG_MAX);
}

static void take_replays(const char *text)
{
	changes.replays = (unsigned)number_part("replays", text, 100000);
}

static void take_slice(const char *text)
{
	if (!units_parse_time(text, &changes.slice) || changes.slice <= 0)
		usage_fail("--slice: invalid time '%s' (expected a time such as 3ms)", text);
}

static void take_multiply(const char *unused)
{
	(void)unused;
	changes.multiply = true;
}

/* Parses readers-writer(WHO). */
static bool readers_part(const char *value, struct lock_change *c)
{
	static const char word[] = "readers-writer(";
	size_t n = strlen(value), length = sizeof word - 1;

	if (strncmp(value, word, length) != 0 || n < length + 2 || value[n - 1] != ')')
		return false;
	c->readers = text_format("%.*s", (int)(n - length - 1), value + length);
	return true;
}

/* Parses what comes before " by ATTRIBUTE", N. */
static bool split_part(const char *value, struct lock_change *c)
{
	const char *by = strstr(value, " by ");
	char *end;

	c->parts = (unsigned)strtoul(value, &end, 10);
	c->by = by ? by + 4 : NULL;
	return by && end == by && *c->by && c->parts >= 2 && c->parts <= MOST_PARTS;
}

static void take_lock(const char *text)
{
	static const char *const names[] = {"free",
					    "fifo",
					    "lifo",
					    "none",
					    "ticket",
					    "spin",
					    "readers-writer",
					    "readers-writer(WHO READS)",
					    "split=N by ATTRIBUTE"};
	enum { PLAIN = 6 }; /* so many are enum discipline */
	static const char split[] = "=split";
	const char *value;
	char *what = part("lock", text, &value);
	size_t n = strlen(what), length = sizeof split - 1;
	struct lock_change c = {.what = what};
	bool good = readers_part(value, &c);
	const char *near;

	c.shared = strcmp(value, "readers-writer") == 0;
	good |= c.shared;
	if (n > length && strcmp(what + n - length, split) == 0) {
		what[n - length] = 0;
		good = split_part(value, &c);
	}
	for (size_t i = 0; i < PLAIN; i++)
		if (strcmp(value, names[i]) == 0) {
			c.discipline = (enum discipline)i;
			good = true;
		}
	near = good ? NULL : diag_nearest(value, names, PLAIN);
	if (near)
		usage_fail("--lock %s: unknown order '%s'; did you mean '%s'?", text, value, near);
	if (!good)
		usage_unknown(text_format("--lock %s", text), "order", names,
			      sizeof names / sizeof *names, value, strlen(value));
	*vector_add(&locks) = c;
}

static void take_cores(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	changes.cores_given = true;
	if (strcmp(text, "inf") == 0)
		return;
	if (*end || n < 1 || n > 1000000)
		usage_fail(
		    "--cores: invalid number of processors '%s' (expected 1 or more, or inf)",
		    text);
	changes.cores = (unsigned)n;
}

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

static void prediction_text(FILE *out, const struct prediction *p, const struct bottleneck *next)
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
	models_text(out, p, spans.at);
	if (explains)
		range_text(out, p);
	cores_text(out, p);
	others_text(out, p);
	waits_text(out, p, &next->limit);
	next_text(out, p, next);
	hand_out_text(out, p);
	untied_text(out, p);
	expired_text(out, p);
	spinning_text(out, p);
	free(asked);
}

/* An unlimited number has no value. */
static void cores_json(struct json *j, const char *name, unsigned cores)
{
	if (cores)
		json_uint(j, name, cores);
	else
		json_null(j, name);
}

static void all_cores_json(struct json *j, const struct prediction *p)
{
	static const char *const sources[] = {
	    [CORES_UNKNOWN] = "unknown",
	    [CORES_OBSERVED] = "observed",
	    [CORES_RECORDED] = "recorded",
	};
	const char *source = sources[p->model->cores_source];

	cores_json(j, "cores", p->cores);
	json_string(j, "cores_source", source);
	cores_json(j, "predicted_cores", changes.cores_given ? changes.cores : p->cores);
	json_string(j, "predicted_cores_source", changes.cores_given ? "asked" : source);
}

static void prediction_json(FILE *out, const struct prediction *p, const struct bottleneck *next)
{
	struct json j = json_begin(out, 2);
	struct losses losses = losses_of(p->model->trace);
	size_t n;
	struct lock_outcome *rows = outcome_locks(p, &n);

	json_object(&j, NULL);
	losses_json(&j, &losses);
	json_int(&j, "recorded", p->operations->duration);
	json_int(&j, "replayed", p->unchanged->duration);
	json_int(&j, "without_cost", p->base->duration);
	json_int(&j, "predicted", p->changed->duration);
	if (prediction_has_states(p))
		json_int(&j, "predicted_running", p->changed->running);
	else
		json_null(&j, "predicted_running");
	json_int(&j, "low", p->low);
	json_int(&j, "high", p->high);
	range_json(&j, p);
	next_json(&j, p, next);
	all_cores_json(&j, p);
	json_real(&j, "others", prediction_others(p));
	json_int(&j, "unexplained", p->operations->unexplained);
	json_int(&j, "spinning", p->operations->spinning);
	json_uint(&j, "untied", p->changed->untied);
	json_uint(&j, "expired", p->changed->expired);
	hand_out_json(&j, p);
	json_array(&j, "replays");
	for (size_t i = 0; i < p->durations.n; i++)
		json_int(&j, NULL, p->durations.at[i]);
	json_close(&j);
	models_json(&j, p, spans.at);
	json_array(&j, "locks");
	for (size_t i = 0; i < n; i++) {
		json_object(&j, NULL);
		json_string(&j, "lock", rows[i].name);
		json_int(&j, "wait_replayed", rows[i].before);
		json_int(&j, "wait_predicted", rows[i].after);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	free(rows);
}

static void prediction_csv(FILE *out, const struct prediction *p)
{
	fputs("recorded,replayed,without_cost,predicted,low,high\n", out);
	fprintf(out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
		p->operations->duration, p->unchanged->duration, p->base->duration,
		p->changed->duration, p->low, p->high);
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
static int answer(struct command_request *r, struct prediction *p)
{
	struct bottleneck next;

	if (r->output && (!request_output_is_free(r, "directory") ||
			  directory_make(r->output, predicted_fill, p, &r->diag) != EXIT_FINE))
		return EXIT_ERROR;
	if (r->format == FORMAT_CSV) {
		prediction_csv(r->out, p);
		return EXIT_FINE;
	}
	next = next_bottleneck(p, &changes);
	if (r->format == FORMAT_JSON)
		prediction_json(r->out, p, &next);
	else
		prediction_text(r->out, p, &next);
	return EXIT_FINE;
}

/* A faster loop that waits for another thread waits as long: the replay does not know it. */
static void spinning_remark(FILE *out, const struct instance_set *set)
{
	struct spinning s;
	bool speeds = false;

	for (size_t k = 0; k < spans.n; k++)
		speeds |= spans.at[k].kind == SPAN_SPEED;
	if (!speeds)
		return;
	s = spinning_of(set->samples);
	for (size_t i = 0; i < s.counts.n; i++) {
		const struct spin_count *c = &s.counts.at[i];
		const char *name = symbols_numbered(set->trace, c->number);
		bool asked = false;

		for (size_t k = 0; k < spans.n && mostly_spins(c->spinning, c->all); k++)
			asked |= c->function && spans.at[k].kind == SPAN_SPEED &&
				 change_names(spans.at[k].what, spans.at[k].exact, name);
		if (asked)
			fprintf(
			    out,
			    "spinning: %s possibly waits by spinning, and gains nothing from faster code\n",
			    name);
	}
	spinning_free(&s);
}

static int whatif_run(struct command_request *r)
{
	struct trace *t = request_open(r);
	struct instance_set *set;
	struct prediction *p;
	const char *unknown = NULL;
	int status = EXIT_ERROR;

	if (!t)
		return EXIT_ERROR;
	team_test(r->output != NULL, sweep_is_asked());
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
	changes.spans = spans.at, changes.nspans = (unsigned)spans.n;
	changes.locks = locks.at, changes.nlocks = (unsigned)locks.n;
	changes.team = team_asked();
	changes.written = r->output != NULL;
	changes.next = r->format != FORMAT_CSV;
	prediction_announce(t);
	set = instance_set_of(t, SPANS_ALL | (changes.next || sweep_is_asked() ? SPANS_NAMED : 0),
			      NULL, 0);
	p = prediction_of(set, changes.slice);
	if (sweep_is_asked()) {
		status = may_answer(r, p) ? sweep_answer(r, p) : EXIT_ERROR;
		if (status == EXIT_FINE && r->format == FORMAT_TEXT)
			cores_text(r->out, p);
	} else if (!prediction_choose(p, &changes, &unknown) ||
		   !prediction_change(p, &changes, &unknown))
		refuse_change(&r->diag, p, unknown);
	else if (may_answer(r, p))
		status = answer(r, p);
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
    {0, "threads", "GROUP=N", "use N threads of GROUP, whose threads take items",
     team_take_threads},
    {0, "schedule", "LOOP=SCHEDULE",
     "schedule an OpenMP loop: static, dynamic or guided, with an optional ,CHUNK",
     team_take_schedule},
    {0, "slice", "TIME", "let a thread run at most TIME while others are ready (default 3ms)",
     take_slice},
    {0, "lock", "WHAT=ORDER",
     "order in which threads acquire a lock: fifo, lifo, free (the first that tries);\n"
     "none: no lock; ticket, spin: threads spin for it; readers-writer,\n"
     "readers-writer(WHO): WHO only reads; split=N by ATTRIBUTE: N locks instead",
     take_lock},
    {0, "hold", "WHAT=LENGTH", "hold lock WHAT for that long each time", take_hold},
    {0, "sweep", "WHAT=1..8",
     "predict the run for each speed of WHAT; cores=1..8; best: find the largest gains",
     sweep_take},
    {'n', "top", "N",
     "with --sweep best: print N rows, or all, and try at least N candidates\n"
     "(default 10 rows, 30 candidates)",
     top_take},
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
		"  glimpse whatif run1 --cores 4 -o run1.4cores\n"
		"  glimpse whatif run1 --threads worker=8\n"
		"  glimpse whatif run1 --speed 'queue_lock=inf' --lock other_lock=fifo\n"
		"  glimpse whatif run1 --sweep compress=1..8 --sweep cores=1..8\n"
		"  glimpse whatif run1 --sweep best\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = whatif_run,
};
