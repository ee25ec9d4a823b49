#include "base/array.h"
#include "base/output.h"
#include "cli/common/command.h"
#include "cli/sql_by.h"
#include "spec/equal.h"
#include "sql/analyses.h"
#include "sql/summary.h"
#include "sql/tables.h"
#include "sql/window.h"
#include <stdlib.h>
#include <string.h>

enum { EXIT_REFUSED = 3 };

static enum dialect dialect = DIALECT_DUCKDB;

static void take_dialect(const char *value)
{
	const char *names[NDIALECTS];

	for (unsigned d = 0; d < NDIALECTS; d++)
		names[d] = dialect_name(d);
	dialect = usage_choice("--dialect", "dialect", names, NDIALECTS, value);
}

static const char *data; /* --data: a directory of tables; NULL: they are there already */

static void take_data(const char *path)
{
	data = path;
}

static struct {
	bool given;
	int64_t from, to;
} window = {false, 0, INT64_MAX};

/* FROM..TO, each of which may be missing. */
static void take_window(const char *value)
{
	const char *dots = strstr(value, "..");
	char *from = text_format("%.*s", dots ? (int)(dots - value) : 0, value);

	if (!dots)
		usage_fail("--window: invalid window '%s' (expected FROM..TO such as 1s..1.5s)",
			   value);
	if (*from)
		window.from = usage_time("--window", from);
	if (dots[2])
		window.to = usage_time("--window", dots + 2);
	if (window.from > window.to)
		usage_fail("--window: '%s' ends before it begins", value);
	window.given = true;
	free(from);
}

/* ---- what can be asked ---- */

/* Takes the text over. */
static int select_write(struct command_request *r, struct query *q, char *select)
{
	query_write(q, select, r->out);
	free(select);
	return EXIT_FINE;
}

static const char order[] = "ORDER BY anchor_time, anchor_thread, anchor_seq";

static int interval_write(struct command_request *r, struct query *q, const struct interval *i)
{
	const struct query_interval *own = query_interval(q, i);

	if (own)
		return select_write(r, q, text_format("SELECT * FROM %s\n%s", own->name, order));
	diag_error(&r->diag, i->where, "%s", q->refusal);
	return EXIT_REFUSED;
}

/* ---- a SELECT for each interval or assertion ---- */

struct selects {
	FILE *out;
	char *text;
	size_t size;
	bool any;
};

static void select_add(struct selects *s, char *select)
{
	fprintf(s->out, "%s%s", s->any ? "\nUNION ALL " : "", select);
	s->any = true;
	free(select);
}

/* What SQL cannot say is left out. */
static void left_out(struct query *q, struct diag *diag, struct span where)
{
	diag_warning(diag, NULL, where, "left out: %s", q->refusal);
	free(q->refusal);
	q->refusal = NULL;
}

static char *match_select(struct query *q, const struct interval *i)
{
	const struct query_interval *own = query_interval(q, i);
	char *word, *select;

	if (!own)
		return NULL;
	word = sql_identifier(q->dialect, "interval");
	select =
	    text_format("SELECT '%s' AS %s, anchor_time, anchor_thread, anchor_seq, partner_time, "
			"partner_thread, partner_seq, duration FROM %s",
			i->name, word, own->name);
	free(word);
	return select;
}

static void intervals_select(struct selects *s, struct query *q, struct diag *diag,
			     char *(*select)(struct query *, const struct interval *))
{
	for (unsigned i = 0; i < q->spec->nintervals; i++) {
		char *one = select(q, q->spec->intervals[i]);

		if (one)
			select_add(s, one);
		else
			left_out(q, diag, q->spec->intervals[i]->where);
	}
}

/* ---- statistics in groups ---- */

/* Whether the same keys of two intervals can be one column. */
static bool by_agrees(const struct grouped_by *a, const struct grouped_by *b)
{
	for (unsigned k = 0; k < a->n; k++)
		if (sql_expr_type(a->keys[k]) != sql_expr_type(b->keys[k]))
			return false;
	return true;
}

/* Finds the keys of the intervals that have all of them. With none, says what the first lacks. */
static unsigned by_find(const struct query *q, const struct interval *only, struct grouped_by *by,
			struct diag *diag)
{
	unsigned found = 0;

	for (unsigned i = 0; i < q->spec->nintervals; i++) {
		const struct interval *interval = q->spec->intervals[i];
		struct diag quiet = {.out = NULL};

		if ((only && only != interval) || !sql_by_of(q->spec, interval, &by[i], &quiet))
			by[i].n = 0;
		found += by[i].n > 0;
	}
	if (!found && q->spec->nintervals)
		sql_by_of(q->spec, only ? only : q->spec->intervals[0], &by[q->spec->nintervals],
			  diag);
	return found;
}

static bool by_select(struct selects *s, struct query *q, struct diag *diag,
		      const struct grouped_by *by)
{
	const struct grouped_by *first = NULL;

	for (unsigned i = 0; i < q->spec->nintervals; i++)
		for (unsigned k = 0; k < by[i].n; k++)
			query_ask(q, q->spec->intervals[i], by[i].keys[k]);
	for (unsigned i = 0; i < q->spec->nintervals; i++) {
		char *one;

		if (!by[i].n)
			continue;
		first = first ? first : &by[i];
		if (!by_agrees(first, &by[i])) {
			diag_error(
			    diag, q->spec->intervals[i]->where,
			    "--by: the expression has different types in different intervals; name one "
			    "interval");
			return false;
		}
		one = grouped_select(q, q->spec->intervals[i], &by[i]);
		if (one)
			select_add(s, one);
		else
			left_out(q, diag, q->spec->intervals[i]->where);
	}
	return true;
}

static void assertions_select(struct selects *s, struct query *q, struct diag *diag)
{
	for (unsigned i = 0; i < q->spec->nassertions; i++) {
		char *one = check_select(q, q->spec->assertions[i]);

		if (one)
			select_add(s, one);
		else
			left_out(q, diag, q->spec->assertions[i]->where);
	}
}

static void selects_begin(struct selects *s)
{
	*s = (struct selects){0};
	s->out = open_memstream(&s->text, &s->size);
	if (!s->out)
		array_exhausted();
}

static int by_write(struct command_request *r, struct query *q, const struct interval *only)
{
	struct grouped_by *by = array_zero(q->spec->nintervals + 1, sizeof *by);
	int status = EXIT_REFUSED;
	struct selects s;

	selects_begin(&s);
	if (!sql_by_begin(q->spec, &r->diag) || !by_find(q, only, by, &r->diag))
		status = EXIT_ERROR;
	else if (!by_select(&s, q, &r->diag, by))
		s.any = false;
	else if (!s.any)
		diag_error(&r->diag, DIAG_NOWHERE, "no interval is left to query");
	fclose(s.out);
	if (s.any) {
		query_write(q, s.text, r->out);
		status = EXIT_FINE;
	}
	free(s.text);
	free(by);
	sql_by_end();
	return status;
}

static int all_write(struct command_request *r, struct query *q, const char *what)
{
	struct selects s;

	selects_begin(&s);
	if (strcmp(what, "check") == 0)
		assertions_select(&s, q, &r->diag);
	else
		intervals_select(&s, q, &r->diag,
				 strcmp(what, "stats") == 0 ? stats_select : match_select);
	fclose(s.out);
	if (s.any)
		query_write(q, s.text, r->out);
	else
		diag_error(&r->diag, DIAG_NOWHERE, "%s has no %s that SQL can express", r->spec,
			   strcmp(what, "check") == 0 ? "assertion" : "interval");
	free(s.text);
	return s.any ? EXIT_FINE : EXIT_REFUSED;
}

/* ---- analyses ---- */

static const struct analysis {
	const char *name;
	char *(*select)(struct query *q);
} analyses[] = {{"threads", threads_select},
		{"locks", locks_select},
		{"profile", profile_select},
		{NULL, NULL}};

static const struct analysis *analysis_find(const char *name)
{
	const struct analysis *a = analyses;

	while (a->name && strcmp(a->name, name))
		a++;
	return a->name ? a : NULL;
}

static int analysis_write(struct command_request *r, struct query *q, const struct analysis *a)
{
	char *select = a->select(q);

	if (select)
		return select_write(r, q, select);
	diag_error(&r->diag, DIAG_NOWHERE, "%s: %s", a->name, q->refusal);
	return EXIT_REFUSED;
}

/* ---- all ---- */

static int verify_write(struct command_request *r, struct query *q)
{
	if (window.given)
		usage_fail("verify counts all events and cannot be combined with --window");
	return select_write(r, q, tables_verify(q));
}

static int what_write(struct command_request *r, struct query *q, const char *what)
{
	const struct analysis *analysis;

	if (sql_by_wanted() && (!what || (strcmp(what, "stats") && !spec_interval(q->spec, what))))
		usage_fail("--by needs stats or an interval");
	if (sql_by_wanted())
		return by_write(r, q, spec_interval(q->spec, what));
	if (!what)
		return window.given ? select_write(r, q, window_select(q))
				    : all_write(r, q, "match");
	if (spec_interval(q->spec, what))
		return interval_write(r, q, spec_interval(q->spec, what));
	if (strcmp(what, "tables") == 0)
		return EXIT_FINE;
	if (strcmp(what, "verify") == 0)
		return verify_write(r, q);
	if (strcmp(what, "match") == 0 || strcmp(what, "stats") == 0 || strcmp(what, "check") == 0)
		return all_write(r, q, what);
	analysis = analysis_find(what);
	if (analysis)
		return analysis_write(r, q, analysis);
	diag_error(&r->diag, DIAG_NOWHERE,
		   "there is no interval '%s' in %s; match, stats and check query all intervals",
		   what, r->spec);
	return EXIT_ERROR;
}

/* The tables have their specification with them. */
static struct spec *of_data; /* the tables' own, to compare with that of -s; NULL: there is none */
static bool is_known;        /* the tables are sure to have the events that are asked for */

static int options_check(struct command_request *r)
{
	char *own;

	if (r->ndirectories > 1)
		usage_fail("expected one of match, stats, check, tables, verify, an analysis or an "
			   "interval");
	if (!r->spec && !data)
		usage_fail(
		    "no specification; give it with -s FILE, or the tables with --data DIRECTORY");
	if (data && dialect == DIALECT_POSTGRESQL)
		usage_fail(
		    "PostgreSQL cannot read Parquet; load the tables once with glimpse export "
		    "--format=postgresql");
	if (!data)
		return EXIT_FINE;
	own = text_format("%s/specification.spec", data);
	if (!r->spec) {
		r->spec = own;
		is_known = true;
		return EXIT_FINE;
	}
	/* what lies in another place, such as hdfs://, the engine alone can read */
	if (strstr(data, "://"))
		return EXIT_FINE;
	of_data = spec_read_for_logs(own, &r->diag);
	free(own);
	is_known = of_data != NULL;
	return is_known ? EXIT_FINE : EXIT_ERROR;
}

/* Returns whether the tables have an event, with the same attributes; or reports that. */
static bool event_is_there(const struct event_type *e, struct diag *diag)
{
	const struct event_type *table = spec_event(of_data, e->name);
	bool same = table && attributes_equal(table, e);

	if (!same)
		diag_error(diag, e->where,
			   table ? "the tables in %s have event %s with "
				   "different attributes"
				 : "the tables in %s have no event %s",
			   data, e->name);
	return same;
}

static bool events_are_there(const struct spec *spec, struct diag *diag)
{
	for (unsigned i = 0; of_data && i < spec->nevents; i++)
		if (!event_is_there(spec->events[i], diag))
			return false;
	return true;
}

static int request_write(struct command_request *r, const struct spec *spec)
{
	struct query q;
	int status;

	query_begin(&q, spec, dialect);
	if (data)
		tables_write(&q, data, is_known, r->out);
	if (window.given)
		query_window(&q, window.from, window.to);
	status = what_write(r, &q, r->ndirectories ? r->directories[0] : NULL);
	query_free(&q);
	return status;
}

static int sql_run(struct command_request *r)
{
	struct spec *spec = spec_read_for_logs(r->spec, &r->diag);
	int status = EXIT_ERROR;

	if (spec && events_are_there(spec, &r->diag))
		status = request_write(r, spec);
	spec_free(spec);
	spec_free(of_data);
	return status;
}

static const struct choice options[] = {
    {0, "dialect", "DIALECT", "write the query for duckdb, postgresql or spark [duckdb]",
     take_dialect},
    {0, "data", "DIRECTORY", "read the tables that `glimpse export --format=parquet` wrote there",
     take_data},
    {0, "by", "EXPRESSION", "group statistics by the value of this expression (repeatable)",
     sql_by_take},
    {0, "window", "FROM..TO",
     "only events in this window: 1s..1.5s; without a name, print the query\n"
     "that fetches these events as JSON lines, which glimpse import reads",
     take_window},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_sql = {
    .name = "sql",
    .summary = "print a query that finds the intervals in another engine",
    .operands = "[match|stats|check|threads|locks|profile|tables|verify|INTERVAL]",
    .teaches =
	"Prints a query for tables that `glimpse export` wrote, as Parquet or for PostgreSQL:\n"
	"  INTERVAL  the instances that `glimpse match` finds, anchors without a partner included\n"
	"  match     the instances of all intervals, without metrics (default)\n"
	"  stats     statistics of durations, as `glimpse stats`; with --by, per group\n"
	"  check     the assertions, as `glimpse check`\n"
	"  threads   how long each thread was running, ready and blocked, as `glimpse threads`\n"
	"  locks     waits and holds of each lock, as `glimpse locks`; locks are addresses\n"
	"  profile   calls, real time and own time of each function, as `glimpse profile`;\n"
	"            functions are addresses; times are NULL if the calls of a thread do not nest\n"
	"  tables    only the views that --data adds to each query\n"
	"  verify    the threads with missing or duplicate rows; if there are none, the tables are "
	"complete\n"
	"If SQL cannot express an interval, the command refuses it (exit status 3). A query for all\n"
	"intervals leaves it out, with a warning. With --window a query sees only the events in the\n"
	"window, as if the trace had no others.\n",
    .examples =
	"  glimpse export run1 --format=parquet -o data\n"
	"  glimpse sql --data data Transit | duckdb\n"
	"  glimpse sql -s messages.spec --dialect postgresql check | psql\n"
	"  glimpse sql --data data --by thread stats | duckdb\n"
	"  glimpse sql --data data --window 1s..1.5s | duckdb -list -noheader >part.jsonl\n",
    .options = options,
    .before = options_check,
    .run = sql_run,
};
