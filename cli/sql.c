#include "base/array.h"
#include "base/output.h"
#include "cli/common/command.h"
#include "sql/query.h"
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

/* Leaves out what SQL cannot say. */
static void match_write(struct query *q, struct diag *diag, FILE *out)
{
	char *select;
	size_t size;
	FILE *all = open_memstream(&select, &size);
	const char *word = "";

	for (unsigned i = 0; i < q->spec->nintervals; i++) {
		const struct interval *interval = q->spec->intervals[i];
		const struct query_interval *own = query_interval(q, interval);

		if (!own) {
			diag_warning(diag, NULL, interval->where, "%s", q->refusal);
			free(q->refusal);
			q->refusal = NULL;
			continue;
		}
		fprintf(
		    all,
		    "%sSELECT '%s' AS %s, anchor_time, anchor_thread, anchor_seq, partner_time, partner_thread, "
		    "partner_seq, duration FROM %s",
		    word, interval->name, dialect == DIALECT_SPARK ? "`interval`" : "\"interval\"",
		    own->name);
		word = "\nUNION ALL ";
	}
	fclose(all);
	if (*word)
		query_write(q, select, out);
	free(select);
}

static int what_write(struct request *r, struct query *q, const char *what)
{
	if (spec_interval(q->spec, what)) {
		if (interval_write(q, what, r->out))
			return EXIT_FINE;
		diag_error(&r->diag, spec_interval(q->spec, what)->where, "%s", q->refusal);
		return EXIT_REFUSED;
	}
	if (strcmp(what, "match") == 0) {
		match_write(q, &r->diag, r->out);
		return EXIT_FINE;
	}
	diag_error(&r->diag, DIAG_NOWHERE,
		   "there is no interval '%s' in %s; match asks for all of them", what, r->spec);
	return EXIT_ERROR;
}

static int sql_run(struct request *r)
{
	const char *what = r->ndirectories ? r->directories[0] : "match";
	struct spec *spec;
	struct query q;
	int status;

	if (r->ndirectories > 1)
		usage_fail("give one of them: match, or an interval");
	if (!r->spec)
		usage_fail("give the specification with -s FILE");
	spec = spec_read(r->spec, &r->diag);
	if (!spec)
		return EXIT_ERROR;
	query_begin(&q, spec, dialect);
	status = what_write(r, &q, what);
	query_free(&q);
	spec_free(spec);
	return status;
}

static const struct choice options[] = {
    {0, "dialect", "DIALECT", "duckdb [the default], postgresql or spark", take_dialect},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_sql = {
    .name = "sql",
    .summary = "the query that finds the intervals in another engine",
    .operands = "[match|INTERVAL]",
    .teaches =
	"Prints a query for tables that `glimpse export --format=parquet` or `--format=postgresql` wrote. It finds\n"
	"the instances that `glimpse match` finds, anchors without a partner included. What SQL cannot say is refused\n"
	"(exit status 3), or left out of a query for all intervals, with a warning.\n",
    .examples = "  glimpse sql -s messages.spec Transit | duckdb\n"
		"  glimpse sql -s messages.spec --dialect spark match\n",
    .options = options,
    .run = sql_run,
};
