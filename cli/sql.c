#include "base/array.h"
#include "base/output.h"
#include "cli/common/command.h"
#include "sql/summary.h"
#include "sql/tables.h"
#include <stdlib.h>
#include <string.h>

enum { EXIT_REFUSED = 3 };

static enum dialect dialect = DIALECT_DUCKDB;

static void take_dialect(const char *value)
{
	for (unsigned d = 0; d < NDIALECTS; d++)
		if (strcmp(value, dialect_name(d)) == 0) {
			dialect = d;
			return;
		}
	usage_fail("unknown dialect '%s'; there are duckdb, postgresql and spark", value);
}

static const char *data; /* --data: a directory of tables; NULL: they are there already */

static void take_data(const char *path)
{
	data = path;
}

/* ---- what can be asked ---- */

static const char order[] = "ORDER BY anchor_time, anchor_thread, anchor_seq";

static bool interval_write(struct query *q, const char *name, FILE *out)
{
	const struct query_interval *own = query_interval(q, spec_interval(q->spec, name));
	char *select;

	if (!own)
		return false;
	select = text_format("SELECT * FROM %s\n%s", own->name, order);
	query_write(q, select, out);
	free(select);
	return true;
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

static int all_write(struct request *r, struct query *q, const char *what)
{
	struct selects s = {0};

	s.out = open_memstream(&s.text, &s.size);
	if (!s.out)
		array_exhausted();
	if (strcmp(what, "check") == 0)
		assertions_select(&s, q, &r->diag);
	else
		intervals_select(&s, q, &r->diag,
				 strcmp(what, "stats") == 0 ? stats_select : match_select);
	fclose(s.out);
	if (s.any)
		query_write(q, s.text, r->out);
	else
		diag_error(&r->diag, DIAG_NOWHERE,
			   "nothing is left to ask for: %s has no %s that SQL can say", r->spec,
			   strcmp(what, "check") == 0 ? "assertion" : "interval");
	free(s.text);
	return s.any ? EXIT_FINE : EXIT_REFUSED;
}

static int what_write(struct request *r, struct query *q, const char *what)
{
	if (spec_interval(q->spec, what)) {
		if (interval_write(q, what, r->out))
			return EXIT_FINE;
		diag_error(&r->diag, spec_interval(q->spec, what)->where, "%s", q->refusal);
		return EXIT_REFUSED;
	}
	if (strcmp(what, "tables") == 0)
		return EXIT_FINE;
	if (strcmp(what, "match") == 0 || strcmp(what, "stats") == 0 || strcmp(what, "check") == 0)
		return all_write(r, q, what);
	diag_error(&r->diag, DIAG_NOWHERE,
		   "there is no interval '%s' in %s; match, stats and check ask for all of them",
		   what, r->spec);
	return EXIT_ERROR;
}

/* The tables have their specification with them. */
static int options_check(struct request *r)
{
	if (r->ndirectories > 1)
		usage_fail("give one of them: match, stats, check, tables, or an interval");
	if (!r->spec && !data)
		usage_fail(
		    "give the specification with -s FILE, or the tables with --data DIRECTORY");
	if (data && dialect == DIALECT_POSTGRESQL)
		usage_fail(
		    "PostgreSQL reads no Parquet; give it the tables once, by glimpse export "
		    "--format=postgresql");
	if (!r->spec)
		r->spec = text_format("%s/specification.spec", data);
	return EXIT_FINE;
}

static int sql_run(struct request *r)
{
	struct spec *spec = spec_read_for_logs(r->spec, &r->diag);
	struct query q;
	int status;

	if (!spec)
		return EXIT_ERROR;
	query_begin(&q, spec, dialect);
	if (data)
		tables_write(&q, data, r->out);
	status = what_write(r, &q, r->ndirectories ? r->directories[0] : "match");
	query_free(&q);
	spec_free(spec);
	return status;
}

static const struct choice options[] = {
    {0, "dialect", "DIALECT", "duckdb [the default], postgresql or spark", take_dialect},
    {0, "data", "DIRECTORY",
     "tables of `glimpse export --format=parquet`: the query reads them from there", take_data},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_sql = {
    .name = "sql",
    .summary = "the query that finds the intervals in another engine",
    .operands = "[match|stats|check|tables|INTERVAL]",
    .teaches =
	"Prints a query for tables that `glimpse export --format=parquet` or "
	"`--format=postgresql` wrote. It finds\n"
	"the instances that `glimpse match` finds, anchors without a partner included. What SQL "
	"cannot say is refused\n"
	"(exit status 3), or left out of a query for all intervals, with a warning.\n",
    .examples = "  glimpse export run1 --format=parquet -o data\n"
		"  glimpse sql --data data Transit | duckdb\n"
		"  glimpse sql -s messages.spec --dialect postgresql check | psql\n",
    .options = options,
    .before = options_check,
    .run = sql_run,
};
