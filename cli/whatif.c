#include "analysis/replay/predicted.h"
#include "base/array.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOCKS_SHOWN = 3, THREADS_SHOWN = 4 };
static const double most_miss = 0.1;

static VECTOR(struct speed_change) speeds;
static VECTOR(struct lock_change) locks;
static struct changes changes;
static bool anyway;

/* ---- options ---- */

/* Returns what comes before the last '=', and sets *value to what is after it. */
static const char *part(const char *option, const char *text, const char **value)
{
	const char *equals = strrchr(text, '=');

	if (!equals || equals == text || !equals[1])
		usage_fail("--%s: '%s' is not WHAT=VALUE", option, text);
	*value = equals + 1;
	return text_format("%.*s", (int)(equals - text), text);
}

/* own(WHAT) is WHAT without what it calls. */
static const char *own_part(const char *what, bool *own)
{
	size_t n = strlen(what);

	*own = n > 5 && strncmp(what, "own(", 4) == 0 && what[n - 1] == ')';
	return *own ? text_format("%.*s", (int)n - 5, what + 4) : what;
}

static void take_speed(const char *text)
{
	const char *value;
	struct speed_change c = {.what = part("speed", text, &value)};
	char *end;

	c.what = own_part(c.what, &c.own);
	c.factor = strtod(value, &end);
	if (*end || !(c.factor > 0))
		usage_fail("--speed %s: '%s' is no factor: a number above 0, or inf", text, value);
	*vector_add(&speeds) = c;
}

static void take_lock(const char *text)
{
	static const char *const names[] = {"free", "fifo", "lifo", "none"};
	const char *value;
	struct lock_change c = {.what = part("lock", text, &value)};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(value, names[i]) == 0) {
			c.discipline = (enum discipline)i;
			*vector_add(&locks) = c;
			return;
		}
	usage_fail("--lock %s: '%s' is none of free, fifo, lifo, none", text, value);
}

static void take_cores(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	changes.cores_given = true;
	if (strcmp(text, "inf") == 0)
		return;
	if (*end || n < 1 || n > 1000000)
		usage_fail("--cores: '%s' is no number of processors: 1 or more, or inf", text);
	changes.cores = (unsigned)n;
}

static void take_anyway(const char *unused)
{
	(void)unused;
	anyway = true;
}

/* ---- what the answer says ---- */

static const char *change_text(char text[UNITS_TEXT], double before, double after)
{
	double change = before ? (after - before) / before * 100 : 0;

	snprintf(text, UNITS_TEXT, "%+.1f %%", change);
	return text;
}

/* "compress x 2, on 4 processors": what was asked for. */
static char *asked_text(void)
{
	char *text = text_format("%s", ""), *longer;

	for (size_t i = 0; i < speeds.n; i++) {
		longer = text_format("%s%s%s%s%s x %g", text, *text ? ", " : "",
				     speeds.at[i].own ? "own(" : "", speeds.at[i].what,
				     speeds.at[i].own ? ")" : "", speeds.at[i].factor);
		free(text), text = longer;
	}
	for (size_t i = 0; i < locks.n; i++) {
		static const char *const words[] = {"free", "first come first served", "last come first served",
						    "never held"};

		longer = text_format("%s%s%s %s", text, *text ? ", " : "", locks.at[i].what,
				     words[locks.at[i].discipline]);
		free(text), text = longer;
	}
	if (changes.cores_given) {
		longer = changes.cores
			     ? text_format("%s%son %u processor%s", text, *text ? ", " : "", changes.cores,
					   changes.cores == 1 ? "" : "s")
			     : text_format("%s%son as many processors as are wanted", text, *text ? ", " : "");
		free(text), text = longer;
	}
	return text;
}

struct lock_row {
	const char *name;
	int64_t before, after;
};

static int by_change(const void *a, const void *b)
{
	const struct lock_row *x = a, *y = b;
	int64_t p = llabs(x->after - x->before), q = llabs(y->after - y->before);

	return (p < q) - (p > q);
}

/* The locks whose waits change most. Returns how many there are; the caller frees them. */
static struct lock_row *lock_rows(const struct prediction *p, size_t *n)
{
	const struct lock_register *r = &p->model->locks;
	struct lock_row *rows = array_new(r->locks.n, sizeof *rows);

	*n = 0;
	for (size_t i = 0; i < r->locks.n; i++)
		if (p->unchanged->lock_waits[i] || p->changed->lock_waits[i])
			rows[(*n)++] = (struct lock_row){r->locks.at[i].name, p->unchanged->lock_waits[i],
							 p->changed->lock_waits[i]};
	if (*n)
		qsort(rows, *n, sizeof *rows, by_change);
	return rows;
}

static void locks_text(FILE *out, const struct prediction *p)
{
	size_t n;
	struct lock_row *rows = lock_rows(p, &n);

	for (size_t i = 0; i < n && i < LOCKS_SHOWN; i++) {
		char before[UNITS_TEXT], after[UNITS_TEXT];

		fprintf(out, "%s%s %s -> %s", i ? ", " : "waits for: ", rows[i].name,
			units_time(before, (double)rows[i].before), units_time(after, (double)rows[i].after));
	}
	if (n)
		putc('\n', out);
	free(rows);
}

static void prediction_text(FILE *out, const struct prediction *p)
{
	char recorded[UNITS_TEXT], replayed[UNITS_TEXT], predicted[UNITS_TEXT], change[UNITS_TEXT];
	char low[UNITS_TEXT], high[UNITS_TEXT];
	char *asked = asked_text();
	double before = (double)p->unchanged->duration, after = (double)p->changed->duration;
	int width = (int)(strlen(asked) > 11 ? strlen(asked) : 11);

	fprintf(out, "%-*s  %s    replayed unchanged %s (%.1f %% off)\n", width, "as recorded",
		units_time(recorded, (double)p->operations->duration), units_time(replayed, before),
		100 * prediction_miss(p));
	if (*asked)
		fprintf(out, "%-*s  %s    %s, %s to %s\n", width, asked, units_time(predicted, after),
			change_text(change, before, after), units_time(low, (double)p->low),
			units_time(high, (double)p->high));
	locks_text(out, p);
	free(asked);
}

static void prediction_json(FILE *out, const struct prediction *p)
{
	struct json j = json_begin(out, 2);
	size_t n;
	struct lock_row *rows = lock_rows(p, &n);

	json_object(&j, NULL);
	json_int(&j, "recorded", p->operations->duration);
	json_int(&j, "replayed", p->unchanged->duration);
	json_int(&j, "predicted", p->changed->duration);
	json_int(&j, "low", p->low);
	json_int(&j, "high", p->high);
	json_uint(&j, "cores", p->cores);
	json_int(&j, "unexplained", p->operations->unexplained);
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

/* ---- what cannot be answered ---- */

static void stuck_report(struct diag *diag, const struct trace *t, const struct replay *r)
{
	char *names = text_format("%s", "");

	for (uint32_t i = 0; i < r->nstuck && i < THREADS_SHOWN; i++) {
		char *longer = text_format("%s%s%s (%u)", names, i ? ", " : "",
					   t->threads[r->stuck_threads[i]].name,
					   t->threads[r->stuck_threads[i]].number);

		free(names), names = longer;
	}
	diag_error(diag, DIAG_NOWHERE, "the replay comes to a standstill: %u threads wait for one another: %s%s",
		   r->nstuck, names, r->nstuck > THREADS_SHOWN ? ", ..." : "");
	free(names);
}

/* Reports what speaks against an answer. */
static bool may_answer(struct request *r, const struct trace *t, const struct prediction *p)
{
	char unexplained[UNITS_TEXT];

	if (p->unchanged->stuck || p->changed->stuck) {
		stuck_report(&r->diag, t, p->unchanged->stuck ? p->unchanged : p->changed);
		return false;
	}
	if (anyway || prediction_miss(p) <= most_miss)
		return true;
	diag_error(&r->diag, DIAG_NOWHERE,
		   "the replay without changes misses the recorded run by %.0f %%; of its threads' waiting "
		   "%s have no known cause. Record with --probes threads,scheduler, or ask with --anyway",
		   100 * prediction_miss(p), units_time(unexplained, (double)p->operations->unexplained));
	return false;
}

static int predicted_fill(void *prediction, const char *path, struct diag *diag)
{
	return predicted_write(prediction, path, diag) ? EXIT_FINE : EXIT_ERROR;
}

/* Writes the predicted run, and says what it is. */
static int answer(struct request *r, const struct prediction *p)
{
	if (r->output &&
	    (!request_output_is_free(r, "directory") ||
	     directory_make(r->output, predicted_fill, (void *)p, &r->diag) != EXIT_FINE))
		return EXIT_ERROR;
	if (r->format == FORMAT_JSON)
		prediction_json(r->out, p);
	else
		prediction_text(r->out, p);
	return EXIT_FINE;
}

static int whatif_run(struct request *r)
{
	struct trace *t = request_open(r);
	struct prediction *p;
	const char *unknown = NULL;
	int status = EXIT_ERROR;

	if (!t)
		return EXIT_ERROR;
	changes.speeds = speeds.at, changes.nspeeds = (unsigned)speeds.n;
	changes.locks = locks.at, changes.nlocks = (unsigned)locks.n;
	p = prediction_of(t, &changes, &unknown);
	if (!p) {
		diag_error(&r->diag, DIAG_NOWHERE,
			   "nothing in the trace is called '%s': glimpse rank lists what there is", unknown);
	} else if (may_answer(r, t, p)) {
		status = answer(r, p);
	}
	if (p)
		prediction_free(p);
	trace_close(t);
	return status;
}

static const struct choice options[] = {
    {0, "speed", "WHAT=K", "WHAT is K times as fast (below 1: slower; inf: gone)", take_speed},
    {0, "cores", "N", "on N processors; inf: as many as are wanted", take_cores},
    {0, "lock", "WHAT=ORDER", "who gets a released lock: fifo, lifo, free (who takes it first); none: no lock",
     take_lock},
    {'o', "output", "DIRECTORY", "write the predicted run, for all other tools", request_take_output},
    {0, "anyway", NULL, "answer also if the replay misses the recorded run by more than 10 %", take_anyway},
    {0},
};

const struct command cmd_whatif = {
    .name = "whatif",
    .summary = "how long the run would have been with something faster, slower or gone",
    .teaches =
	"Replays the run in virtual time with changes: what threads compute, which locks they take and\n"
	"whom they wait for stay the same; waiting comes about anew. WHAT is a pattern of a function,\n"
	"an interval, a lock (while it is held) or a place in the program; or thread:NAME. A function is\n"
	"changed with all it calls, own(NAME) without; where several changes apply, the innermost.\n"
	"First the run is replayed without changes: by how much that misses the recorded time is the\n"
	"error of the answer. doc/whatif.md says how this is done and when it is wrong.\n",
    .examples = "  glimpse whatif run1 --speed compress=2\n"
		"  glimpse whatif run1 --cores 4 -o run1.4cores\n"
		"  glimpse whatif run1 --speed 'queue_lock=inf' --lock other_lock=fifo\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = whatif_run,
};
