/*
 * What functions cost. The begins and ends of calls, in the order of their thread, have the depth
 * of its stack as a running sum:
 *
 *	mark       begin A   begin B   end B   begin C   end C   end A
 *	depth      1         2         1       2         1       0
 *	own time   of A      of B      of A    of C      of A
 *
 * The time after a mark belongs to the call that began last at the mark's depth. Where another call
 * ends than the one that began last, depths say nothing, and no times of the thread are given.
 */
#include "analysis/activity/roles.h"
#include "base/array.h"
#include "sql/analyses.h"
#include <inttypes.h>
#include <stdlib.h>

struct call_source {
	struct role role;
	char *function; /* the column of its pairs, in quotes; NULL: there is none */
};

/* ---- which intervals ---- */

/* Whether ends are paired as a stack does: in a thread, by the function or by nothing else. */
static bool is_stack(const struct role *r)
{
	const struct interval *i = r->interval;
	struct conjuncts c = conjuncts_of(i);
	bool plain = i->nested && i->direction == FORWARDS && !c.rest.n &&
		     !c.filter[SIDE_ANCHOR].n && !c.filter[SIDE_PARTNER].n;
	unsigned threads = 0;

	for (size_t k = 0; k < c.keys.n && plain; k++) {
		const struct expr *const *value = c.keys.at[k].value;
		bool thread = key_is_thread(&c.keys.at[k]);

		threads += thread;
		plain = thread || (expr_is_attribute(value[SIDE_ANCHOR], r->start.code[0]) &&
				   expr_is_attribute(value[SIDE_PARTNER], r->end.code[0]));
	}
	conjuncts_free(&c);
	return plain && threads == 1;
}

static bool source_prepare(struct query *q, struct call_source *s, const struct interval *i)
{
	if (i->anchor.interval || i->partner.interval || !is_stack(&s->role)) {
		q->refusal = text_format(
		    "%s: calls that are not paired by \"nested\" in a thread, by the function or "
		    "by nothing else, have no depths that SQL can count",
		    i->name);
		return false;
	}
	if (s->role.start.code[0] >= 0)
		s->function =
		    query_ask_attribute(q, i, SIDE_ANCHOR, (unsigned)s->role.start.code[0]);
	return query_interval(q, i);
}

/* Returns how many sources there are; *good is set if all can be said. */
static unsigned sources_prepare(struct query *q, struct call_source *sources, bool *good)
{
	unsigned n = 0;

	*good = true;
	for (unsigned i = 0; i < q->spec->nintervals && *good; i++) {
		const struct interval *interval = q->spec->intervals[i];

		if (interval->kind != KIND_CALL)
			continue;
		sources[n].role = role_of(interval);
		*good = source_prepare(q, &sources[n++], interval);
	}
	if (!n) {
		q->refusal = text_format("no interval is of kind \"call\"");
		*good = false;
	}
	return n;
}

/* ---- marks ---- */

/*
 * At one event ends come before begins; ends of calls without one, at the end of the thread, the
 * last begin first.
 */
static const char mark_order[] = "ORDER BY time, seq, opens, turn, place";

static void source_marks_write(struct query *q, const struct call_source *s, unsigned number,
			       const char *ends)
{
	const char *pairs = q->intervals[s->role.interval->index].pairs;
	const char *wide = sql_type_name(q->dialect, SQL_WIDE);
	char *name = sql_text(q->dialect, s->function ? "" : s->role.interval->name);
	char *call = text_format("CAST(%s AS %s) AS function, %s AS name, %u AS source,\n"
				 "\tanchor_seq AS called",
				 s->function ? s->function : "NULL", wide, name, number);

	fprintf(
	    q->with,
	    "%sSELECT anchor_thread AS thread, anchor_time AS time, anchor_seq AS seq, 1 AS opens, "
	    "%s,\n\t0 AS turn, %u AS place, 0 AS unfinished FROM %s",
	    number ? "\nUNION ALL " : "", call, number, pairs);
	fprintf(
	    q->with,
	    "\nUNION ALL SELECT anchor_thread, partner_time, partner_seq, 0, %s, -anchor_seq, -%u, "
	    "0 FROM %s\nWHERE partner_thread IS NOT NULL",
	    call, number, pairs);
	fprintf(q->with,
		"\nUNION ALL SELECT anchor_thread, t.last, CAST('%" PRId64 "' AS %s), 0, %s,\n"
		"\t-anchor_seq, -%u, 1 FROM %s AS i JOIN %s AS t ON t.thread = i.anchor_thread "
		"WHERE partner_thread IS NULL",
		INT64_MAX, sql_type_name(q->dialect, SQL_BIGINT), call, number, pairs, ends);
	free(call);
	free(name);
}

static char *marks_write(struct query *q, const struct call_source *sources, unsigned n)
{
	char *ends = thread_ends_write(q), *marks = query_expression(q, "call_marks");

	for (unsigned i = 0; i < n; i++)
		source_marks_write(q, &sources[i], i, ends);
	fputs(")", q->with);
	free(ends);
	return marks;
}

/* ---- depths and times ---- */

/* The depth after each mark, how long it lasts, and how often the function is open after it. */
static char *depths_write(struct query *q, const char *marks)
{
	char *depths = query_expression(q, "call_depths"), *own;

	fprintf(
	    q->with,
	    "SELECT *, sum(2 * opens - 1) OVER (PARTITION BY thread %s ROWS UNBOUNDED PRECEDING) "
	    "AS depth,\n\tlead(time) OVER (PARTITION BY thread %s) - time AS span,\n"
	    "\tsum(2 * opens - 1) OVER (PARTITION BY thread, source, function %s ROWS UNBOUNDED "
	    "PRECEDING) AS recursion\nFROM %s)",
	    mark_order, mark_order, mark_order, marks);
	own = query_expression(q, "call_levels");
	/* an end and its begin follow each other among the marks of their depth */
	fprintf(q->with,
		"SELECT *, lag(time) OVER v AS began, lag(called) OVER v AS last_called, "
		"lag(source) OVER v AS last_source,\n"
		"\tsum(opens) OVER w AS run\nFROM %s WINDOW v AS (PARTITION BY thread, depth + 1 - "
		"opens %s),\n\tw AS (PARTITION BY thread, depth %s ROWS UNBOUNDED PRECEDING))",
		depths, mark_order, mark_order);
	free(depths);
	return own;
}

static bool switches_stacks(const struct event_type *e)
{
	return e->context_attribute >= 0;
}

/* The threads whose calls do not end in the order of a stack. */
static char *crossed_write(struct query *q, const char *levels)
{
	char *crossed = query_expression(q, "call_crossings");

	fprintf(
	    q->with,
	    "SELECT thread FROM %s WHERE opens = 0 AND (began IS NULL OR last_called <> called OR "
	    "last_source <> source)",
	    levels);
	for (unsigned i = 0; i < q->spec->nevents; i++)
		if (switches_stacks(q->spec->events[i]))
			fprintf(q->with, "\nUNION SELECT thread FROM %s AS e", q->event_tables[i]);
	fputs("\nGROUP BY thread)", q->with);
	return crossed;
}

/* Of each thread: what calls take in all, and of their own. */
static char *sums_write(struct query *q, const char *levels)
{
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);
	char *own, *total, *sums;

	own = query_expression(q, "call_own");
	fprintf(q->with,
		"SELECT thread, max(CASE WHEN opens = 1 THEN function END) AS function,\n"
		"\tmax(CASE WHEN opens = 1 THEN name END) AS name, sum(span) AS self\n"
		"FROM %s WHERE depth > 0 GROUP BY thread, depth, run)",
		levels);
	total = query_expression(q, "call_total");
	fprintf(q->with,
		"SELECT thread, function, name, count(*) AS calls, sum(unfinished) AS unfinished,\n"
		"\tsum(CASE WHEN recursion = 0 THEN time - began ELSE 0 END) AS total\n"
		"FROM %s WHERE opens = 0 GROUP BY thread, function, name)",
		levels);
	sums = query_expression(q, "call_sums");
	fprintf(
	    q->with,
	    "SELECT thread, function, name, CAST(sum(calls) AS %s) AS calls, CAST(sum(unfinished) "
	    "AS %s) AS unfinished,\n\tCAST(sum(total) AS %s) AS total, "
	    "CAST(sum(self) AS %s) AS self\n"
	    "FROM (SELECT thread, function, name, calls, unfinished, total, 0 AS self FROM %s\n"
	    "UNION ALL SELECT thread, function, name, 0, 0, 0, self FROM %s) AS u\n"
	    "GROUP BY thread, function, name)",
	    bigint, bigint, bigint, bigint, total, own);
	free(own);
	free(total);
	return sums;
}

static char *rows_select(struct query *q, const char *levels)
{
	char *crossed = crossed_write(q, levels), *sums = sums_write(q, levels),
	     *threads = sql_identifier(q->dialect, "threads");
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);
	char *select = text_format(
	    "SELECT * FROM (\nSELECT t.process, s.function, s.name, CAST(sum(calls) AS %s) AS "
	    "calls,\n"
	    "\tCAST(sum(unfinished) AS %s) AS unfinished,\n"
	    "\tCASE WHEN count(c.thread) = 0 THEN CAST(sum(total) AS %s) END AS total,\n"
	    "\tCASE WHEN count(c.thread) = 0 THEN CAST(sum(self) AS %s) END AS self\n"
	    "FROM %s AS s JOIN %s AS t ON t.thread = s.thread LEFT JOIN %s AS c "
	    "ON c.thread = s.thread\n"
	    "GROUP BY t.process, s.function, s.name) AS p\n"
	    "ORDER BY coalesce(self, -1) DESC, process, function, name",
	    bigint, bigint, bigint, bigint, sums, threads, crossed);

	free(crossed);
	free(sums);
	free(threads);
	return select;
}

/* ---- all ---- */

char *profile_select(struct query *q)
{
	struct call_source *sources = array_zero(q->spec->nintervals + 1, sizeof *sources);
	char *select = NULL;
	bool good;
	unsigned n = sources_prepare(q, sources, &good);

	if (good) {
		char *marks = marks_write(q, sources, n), *levels = depths_write(q, marks);

		select = rows_select(q, levels);
		free(marks);
		free(levels);
	}
	for (unsigned i = 0; i < n; i++)
		free(sources[i].function);
	free(sources);
	return select;
}
