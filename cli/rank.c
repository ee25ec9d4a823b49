#include "analysis/rank/rank.h"
#include "analysis/replay/answer/rank_replay.h"
#include "analysis/replay/recorded/early_holds.h"
#include "analysis/replay/recorded/model.h"
#include "base/array.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/fields.h"
#include "cli/common/inversions.h"
#include "cli/common/lost.h"
#include "cli/common/names_remark.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include "trace/plain_name.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 8, ROWS_LONG = 20, CELL = 64 };

static unsigned kinds;
static bool path_only, replay_asked;

static void take_kinds(const char *list)
{
	const char *names[NSUBJECTS];

	for (enum subject_kind k = 0; k < NSUBJECTS; k++)
		names[k] = subject_kind_name(k);
	for (;; list++) {
		size_t n = strcspn(list, ",");

		kinds |= 1u << usage_choice_part("--by", "kind", names, NSUBJECTS, list, n);
		list += n;
		if (!*list)
			return;
	}
}

static void take_path(const char *unused)
{
	(void)unused;
	path_only = true;
}

static void take_whatif(const char *unused)
{
	(void)unused;
	replay_asked = true;
}

/* ---- the table ---- */

enum {
	SHOWN_ZEROING,
	SHOWN_SLACK,
	SHOWN_WHATIF,
	SHOWN_REMOVED,
	SHOWN_PATH,
	SHOWN_NPT,
	SHOWN_CPU,
	SHOWN_SHARE,
	SHOWN_OF,
	SHOWN_KIND,
	SHOWN_WHAT,
	NCOLUMNS
};
static const char *const heads[NCOLUMNS] = {"zeroing", "slack", "what if", "removed", "path", "npt",
					    "cpu",     "share", "of",      "",        "what"};

/*
 * "12.3 %, 10.1 to 14.2": how much shorter the replay is, and between which it should be. Rows
 * after the first ones have no range of their own: "about 12.3 %".
 */
static void whatif_text(char cell[CELL], const struct rank_row *row)
{
	struct rank_gain g = rank_gain_of(row, false);
	char gain[UNITS_TEXT];

	if (!row->replayed || row->known <= 0) {
		strcpy(cell, "-");
		return;
	}
	percent_text(gain, (double)row->whatif, (double)row->known);
	if (g.known)
		snprintf(cell, CELL, "%s, %.1f to %.1f", gain, 100 * g.low, 100 * g.high);
	else
		snprintf(cell, CELL, "about %s", gain);
}

/* columns: the bits 1 << column, for each column that is shown. */
static void row_text(struct columns *table, unsigned columns, const struct rank *r,
		     const struct rank_row *row)
{
	char cells[NCOLUMNS][CELL], *name = plain_name_short(row->subject.name);
	const char *texts[NCOLUMNS], *shown[NCOLUMNS];
	unsigned n = 0;

	for (unsigned i = 0; i < NCOLUMNS; i++) {
		strcpy(cells[i], "-");
		texts[i] = cells[i];
	}
	if (row->found) {
		percent_text(cells[SHOWN_ZEROING], row->zeroing, (double)row->known);
		units_time(cells[SHOWN_SLACK], row->slack);
	}
	whatif_text(cells[SHOWN_WHATIF], row);
	if (row->removed)
		percent_text(cells[SHOWN_REMOVED], (double)row->removal, (double)row->known);
	percent_text(cells[SHOWN_PATH], (double)row->worth.path, (double)row->known);
	percent_text(cells[SHOWN_NPT], row->worth.npt, (double)row->known_busy);
	units_time(cells[SHOWN_CPU], (double)row->worth.cpu);
	percent_text(cells[SHOWN_SHARE], (double)row->worth.time, (double)row->known_lives);
	texts[SHOWN_OF] =
	    row->known < r->duration ? units_time(cells[SHOWN_OF], (double)row->known) : "";
	texts[SHOWN_KIND] = subject_kind_name(row->subject.kind);
	texts[SHOWN_WHAT] = name;
	for (unsigned i = 0; i < NCOLUMNS; i++)
		if (columns & 1u << i)
			shown[n++] = texts[i];
	columns_add(table, shown);
	free(name);
}

/* Whether events of one of the first n rows were off for part of the run. */
static bool is_part(const struct rank *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (r->rows[i].known < r->duration)
			return true;
	return false;
}

/* Says of the first n rows which spin. */
static void spinning_text(FILE *out, const struct rank *r, size_t n)
{
	const char *before = "possibly wait by spinning, and gain nothing from faster code: ";

	for (size_t i = 0; i < n; i++) {
		const struct rank_row *row = &r->rows[i];
		char *name;

		if (!row->spins)
			continue;
		name = plain_name_short(row->subject.name);
		fprintf(out, "%s%s %s", before, subject_kind_name(row->subject.kind), name);
		free(name);
		before = ", ";
	}
	if (*before == ',')
		putc('\n', out);
}

/* Says of the first n rows which may gain more. */
static void unseen_text(FILE *out, const struct rank *r, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct rank_row *row = &r->rows[i];
		char *name;

		if (!rank_may_gain_more(row))
			continue;
		name = plain_name_short(row->subject.name);
		fprintf(out, "%s %s %s %.1f %%",
			any ? "," : "may gain more:", subject_kind_name(row->subject.kind), name,
			100 * (double)row->whatif_unseen / (double)row->known);
		free(name);
		any = true;
	}
	if (any)
		fprintf(out, "; %s\n", HOLDS_UNSEEN);
}

/*
 * Returns which columns the first n rows have. Without --long the gain, the share of the path and
 * what it is; the gain is that of zeroing where no row was replayed.
 */
static unsigned columns_wanted(const struct rank *r, size_t n)
{
	unsigned columns = 1u << SHOWN_PATH | 1u << SHOWN_KIND | 1u << SHOWN_WHAT;
	bool replayed = false;

	if (long_is_wanted())
		columns = (1u << NCOLUMNS) - 1;
	for (size_t i = 0; i < n; i++)
		replayed |= r->rows[i].replayed;
	columns |= replayed ? 1u << SHOWN_WHATIF : 1u << SHOWN_ZEROING;
	return is_part(r, n) ? columns | 1u << SHOWN_OF : columns & ~(1u << SHOWN_OF);
}

static void head_text(struct columns *table, unsigned columns)
{
	const char *shown[NCOLUMNS];

	for (unsigned i = 0; i < NCOLUMNS; i++)
		if (columns & 1u << i)
			shown[table->count++] = heads[i];
	columns_add(table, shown);
}

static void rank_text(FILE *out, const struct rank *r)
{
	size_t n = top_rows(r->n, long_is_wanted() ? ROWS_LONG : ROWS_SHOWN);
	struct columns table = {.last_left = true};
	unsigned columns = columns_wanted(r, n);

	head_text(&table, columns);
	for (size_t i = 0; i < n; i++)
		row_text(&table, columns, r, &r->rows[i]);
	columns_print(&table, out);
	if (is_part(r, n))
		fputs(
		    "of: the time in which the events of the row were on; its numbers are relative to that time\n",
		    out);
	spinning_text(out, r, n);
	unseen_text(out, r, n);
	if (n < r->n)
		fprintf(out, "and %zu more with smaller gains: --top all%s\n", r->n - n,
			long_is_wanted() ? "" : "; --long prints all measures");
}

/* The nearest nanosecond: the same in csv and json. */
static int64_t whole(double ns)
{
	return (int64_t)(ns + 0.5);
}

enum {
	ROW_WHAT,
	ROW_BY,
	ROW_LOGGED,
	ROW_SHARE,
	ROW_CPU,
	ROW_NPT,
	ROW_PATH,
	ROW_ZEROING,
	ROW_SLACK,
	ROW_WHATIF,
	ROW_WHATIF_LOW,
	ROW_WHATIF_HIGH,
	ROW_REMOVAL,
	ROW_FIELDS
};
static const struct field row_fields[ROW_FIELDS] = {
    [ROW_WHAT] = {"what", 1},
    [ROW_BY] = {"by", 9},
    [ROW_LOGGED] = {"logged", 11},
    [ROW_SHARE] = {"share", 2},
    [ROW_CPU] = {"cpu", 3},
    [ROW_NPT] = {"npt", 4},
    [ROW_PATH] = {"critical_path", 5},
    [ROW_ZEROING] = {"logical_zeroing", 6},
    [ROW_SLACK] = {"slack", 7},
    [ROW_WHATIF] = {"whatif", 8},
    [ROW_WHATIF_LOW] = {"whatif_low", 12},
    [ROW_WHATIF_HIGH] = {"whatif_high", 13},
    [ROW_REMOVAL] = {"removal", 10},
};

static void row_cells(struct table_cell cells[ROW_FIELDS], const struct rank_row *row)
{
	cells[ROW_WHAT] = cell_text(row->subject.name);
	cells[ROW_BY] = cell_text(subject_kind_name(row->subject.kind));
	cells[ROW_LOGGED] = cell_int(row->known);
	cells[ROW_SHARE] =
	    cell_real(row->known_lives ? (double)row->worth.time / (double)row->known_lives : NAN);
	cells[ROW_CPU] = cell_int(row->worth.cpu);
	cells[ROW_NPT] = cell_int(whole(row->worth.npt));
	cells[ROW_PATH] = cell_int(row->worth.path);
	cells[ROW_ZEROING] = cell_known(row->found, whole(row->zeroing));
	cells[ROW_SLACK] = cell_known(row->found, whole(row->slack));
	cells[ROW_WHATIF] = cell_known(row->replayed, row->whatif);
	cells[ROW_WHATIF_LOW] = cell_known(row->replayed, row->whatif_low);
	cells[ROW_WHATIF_HIGH] = cell_known(row->replayed, row->whatif_high);
	cells[ROW_REMOVAL] = cell_known(row->removed, row->removal);
}

/* j NULL: as csv */
static void rank_rows(FILE *out, struct json *j, const struct rank *r)
{
	struct table_cell cells[ROW_FIELDS];
	struct field_rows rows = {.fields = row_fields, .n = ROW_FIELDS};

	fields_begin(&rows, out, j);
	for (size_t i = 0; i < r->n; i++) {
		row_cells(cells, &r->rows[i]);
		fields_row(&rows, cells);
	}
}

static void rank_json(FILE *out, const struct rank *r, const struct trace *t)
{
	struct json j = json_begin(out, 2);
	struct losses losses = losses_of(t);

	json_object(&j, NULL);
	json_int(&j, "duration", r->duration);
	json_int(&j, "busy", r->busy);
	json_int(&j, "lives", r->lives);
	losses_json(&j, &losses);
	json_array(&j, "rows");
	rank_rows(out, &j, r);
	json_close(&j);
	json_close(&j);
}

/* ---- the path ---- */

static const char *const activity_names[NACTIVITIES] = {"running", "ready", "waiting", "blocked"};

/* Writes what happens in a piece: "running", "LockWait", "LockWait over". Returns cell. */
static const char *piece_text(char cell[CELL], const struct graph *g, const struct path_piece *p)
{
	const char *wait = p->role == NO_ROLE ? "" : g->waits[p->role].interval->name;

	switch (p->kind) {
	case PATH_STRETCH:
		snprintf(cell, CELL, "%s", *wait ? wait : activity_names[p->activity]);
		break;
	case PATH_HANDOVER:
		snprintf(cell, CELL, "%s%sover", wait, *wait ? " " : "");
		break;
	case PATH_START:
		snprintf(cell, CELL, "begins");
		break;
	case PATH_NOBODY:
		snprintf(cell, CELL, "not begun");
		break;
	}
	return cell;
}

/* Returns what ends a wait that no thread ends; "" if unknown. */
static const char *piece_until(const struct graph *g, const struct path_piece *p)
{
	const char *until = p->kind == PATH_STRETCH ? graph_until(g, p->role, p->timed_out) : NULL;

	return until ? until : "";
}

static const char *thread_label(const struct trace *t, uint32_t thread)
{
	return thread == NO_THREAD ? "" : t->threads[thread].label;
}

/*
 * Joins neighbouring pieces of a thread that is preempted again and again: it runs. Returns, by
 * piece, the time (ns) in which the thread was ready instead, to be freed.
 */
static int64_t *path_compress(struct critical_path *p)
{
	int64_t *ready = array_zero(p->n + 1, sizeof *ready);
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct path_piece *last = n ? &p->pieces[n - 1] : NULL, x = p->pieces[i];
		int64_t waits = 0;

		if (x.kind == PATH_STRETCH && x.activity == ACTIVITY_READY) {
			x.activity = ACTIVITY_RUNNING;
			waits = x.to - x.from;
		}
		if (last && last->kind == PATH_STRETCH && x.kind == PATH_STRETCH &&
		    last->thread == x.thread && last->activity == x.activity &&
		    last->role == x.role)
			last->to = x.to;
		else
			p->pieces[n++] = x;
		ready[n - 1] += waits;
	}
	for (size_t i = 0; i < n; i++)
		if (ready[i] && ready[i] == p->pieces[i].to - p->pieces[i].from)
			p->pieces[i].activity = ACTIVITY_READY;
	p->n = n;
	return ready;
}

static void path_text(FILE *out, const struct trace *t, const struct graph *g,
		      struct critical_path *p)
{
	struct columns columns = {.count = 6, .left = 2};
	int64_t *ready = path_compress(p);

	columns_add(&columns,
		    (const char *[]){"thread", "state", "from", "for", "ready", "unblocked by"});
	for (size_t i = 0; i < p->n; i++) {
		const struct path_piece *x = &p->pieces[i];
		char what[CELL], from[UNITS_TEXT], length[UNITS_TEXT], waits[UNITS_TEXT];

		columns_add(&columns,
			    (const char *[]){thread_label(t, x->thread), piece_text(what, g, x),
					     units_time(from, (double)x->from),
					     units_time(length, (double)(x->to - x->from)),
					     ready[i] ? units_time(waits, (double)ready[i]) : "-",
					     x->other == NO_THREAD ? piece_until(g, x)
								   : thread_label(t, x->other)});
	}
	columns_print(&columns, out);
	free(ready);
}

enum {
	PATH_FROM,
	PATH_TO,
	PATH_THREAD,
	PATH_NAME,
	PATH_LABEL,
	PATH_WHAT,
	PATH_OTHER,
	PATH_UNTIL,
	PATH_FIELDS
};
static const struct field path_fields[PATH_FIELDS] = {
    [PATH_FROM] = {"from", 1},   [PATH_TO] = {"to", 2},       [PATH_THREAD] = {"thread", 3},
    [PATH_NAME] = {"name", 4},   [PATH_LABEL] = {"label", 0}, [PATH_WHAT] = {"what", 5},
    [PATH_OTHER] = {"other", 6}, [PATH_UNTIL] = {"until", 7},
};

static void path_data(FILE *out, enum format format, const struct trace *t, const struct graph *g,
		      const struct critical_path *p)
{
	struct losses losses = losses_of(t);
	struct field_rows rows = {.fields = path_fields, .n = PATH_FIELDS, .losses = &losses};

	fields_open(&rows, out, format);
	for (size_t i = 0; i < p->n; i++) {
		const struct path_piece *x = &p->pieces[i];
		const struct trace_thread *thread = &t->threads[x->thread];
		const char *until = piece_until(g, x);
		char what[CELL];

		fields_row(&rows,
			   (struct table_cell[PATH_FIELDS]){
			       cell_int(x->from),
			       cell_int(x->to),
			       cell_uint(thread->number),
			       cell_text(thread->name),
			       cell_text(thread->label),
			       cell_text(piece_text(what, g, x)),
			       x->other == NO_THREAD ? cell_left_out()
						     : cell_uint(t->threads[x->other].number),
			       *until ? cell_text(until) : cell_left_out(),
			   });
	}
	fields_close(&rows);
}

static void path_print(const struct command_request *r, const struct trace *t,
		       const struct graph *g, struct critical_path *p)
{
	if (r->format == FORMAT_TEXT)
		path_text(r->out, t, g, p);
	else
		path_data(r->out, r->format, t, g, p);
}

/* ---- all ---- */

static void rank_replayed(struct rank *rank, const struct instance_set *set)
{
	struct replay_plan plan = replay_plan_of(set->trace, replay_asked);
	struct prediction *p = rank_predict(rank, set, &plan);

	if (p)
		prediction_free(p);
}

static void rank_print(const struct command_request *r, const struct rank *rank,
		       const struct trace *t)
{
	if (r->format == FORMAT_TEXT)
		rank_text(r->out, rank);
	else if (r->format == FORMAT_CSV)
		rank_rows(r->out, NULL, rank);
	else
		rank_json(r->out, rank, t);
}

static int rank_run(struct command_request *r)
{
	struct trace *t = request_open(r);
	struct instance_set *set;
	struct critical_path *p;
	struct graph *g;
	uint32_t needs = UNRECORDED_STATES | UNRECORDED_SAMPLES | UNRECORDED_WAITS;

	if (!t)
		return EXIT_ERROR;
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
	prediction_announce(t);
	set = instance_set_of(t, path_only ? graph_spans(t) : SPANS_ALL | SPANS_NAMED, NULL, 0);
	g = graph_from(set);
	p = critical_path_of(g);
	if (path_only) {
		path_print(r, t, g, p);
	} else {
		struct rank *rank = rank_of(set, g, p, kinds ? kinds : (1u << NSUBJECTS) - 1, true);

		rank_replayed(rank, set);
		needs |= rank->is_unknown ? UNRECORDED_WAKEUPS : 0;
		rank_print(r, rank, t);
		if (r->format == FORMAT_TEXT) {
			inversions_remark(r->out, t);
			cut_remark(r->out, t);
			names_remark(r->out, t, r->directories[0]);
		}
		rank_free(rank);
	}
	if (r->format == FORMAT_TEXT)
		unrecorded_remark(r->out, t, needs);
	critical_path_free(p);
	graph_free(g);
	instance_set_free(set);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    {0, "by", "LIST", "rank only these kinds: function, interval, lock, site, thread", take_kinds},
    TOP_OPTION("8; with --long 20"),
    LONG_OPTION("print all measures: zeroing, slack, removed, npt, cpu and share, too"),
    {0, "whatif", NULL, "fill the column \"what if\" however many events the trace has",
     take_whatif},
    {0, "path", NULL, "print the critical path instead", take_path},
    {0},
};

const struct command cmd_rank = {
    .name = "rank",
    .summary =
	"what to fix first: functions, locks, call sites, intervals and threads, by what that would gain",
    .teaches =
	"Ranks functions, intervals, locks, call sites and threads. The text has \"what if\", with the range\n"
	"of the prediction, and \"path\"; --long prints all of these:\n"
	"  zeroing  how much shorter the run would be if the row took no time\n"
	"  slack    how much the row can shrink before another path becomes critical\n"
	"  what if  how much shorter a replay of the run is if the row is fixed: a lock is held half as\n"
	"           long, a function or thread computes twice as fast, input and output take half the time.\n"
	"           For a wait, the threads that end it do everything in half the time\n"
	"  removed  how much shorter the run would be without the lock, as glimpse whatif --lock WHAT=none\n"
	"           predicts\n"
	"  path     share of the run in which the row is on the critical path\n"
	"  npt      normalised processor time, which counts moments with few running threads more\n"
	"  cpu      time in which the thread ran\n"
	"  share    share of the lifetime of all threads\n"
	"Replays are limited. In a trace of at most 1 million events, or with --whatif, the first 20 rows and\n"
	"8 threads have both columns. In one of at most 30 million, the first 2 contended locks have \"removed\".\n"
	"If the replay without changes differs from the run by more than 10 %, no row has them. The first 8\n"
	"rows (3 above 100,000 events) have a range: glimpse why and glimpse whatif --fix say the same.\n"
	"Below the table stand locks and semaphores that threads of lower priority let more urgent ones wait for.\n"
	"If the events of a row were on for only part of the run, as after glimpse why -- PROGRAM, its numbers\n"
	"are relative to that part. The column \"of\" (in CSV and JSON \"logged\") has its length.\n"
	"A function counts the time of its own code, a lock its hold time, a thread the time in which it\n"
	"could run. doc/activity-graph.md describes the computation.\n",
    .examples = "  glimpse rank run1\n"
		"  glimpse rank run1 --by lock,site\n"
		"  glimpse rank run1 --path\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = rank_run,
};
