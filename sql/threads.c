#include "analysis/activity/roles.h"
#include "base/array.h"
#include "sql/analyses.h"
#include <stdlib.h>

/* ---- when threads end ---- */

static bool ends_life(const struct role *lives, unsigned n, const struct event_type *e)
{
	for (unsigned i = 0; i < n; i++)
		if (lives[i].end.event == e)
			return true;
	return false;
}

/* The threads of a window end with their last event in it, which only the events tell. */
static void window_ends_write(struct query *q, const struct role *lives, unsigned n)
{
	fputs("SELECT thread, max(last) AS last, max(finished) AS finished FROM (\n", q->with);
	for (unsigned i = 0; i < q->spec->nevents; i++)
		fprintf(q->with,
			"%sSELECT thread, max(time) AS last, %d AS finished FROM %s AS e "
			"GROUP BY thread",
			i ? "\nUNION ALL " : "", ends_life(lives, n, q->spec->events[i]),
			q->event_tables[i]);
	fputs(") AS m GROUP BY thread)", q->with);
}

static void trace_ends_write(struct query *q, const struct role *lives, unsigned n)
{
	char *threads = sql_identifier(q->dialect, "threads");

	fputs("SELECT t.thread, t.last, CASE WHEN l.thread IS NULL THEN 0 ELSE 1 END AS finished\n",
	      q->with);
	fprintf(q->with, "FROM %s AS t LEFT JOIN (SELECT thread FROM %s WHERE thread < 0", threads,
		threads);
	for (unsigned i = 0; i < q->spec->nevents; i++)
		if (ends_life(lives, n, q->spec->events[i]))
			fprintf(q->with, "\nUNION SELECT thread FROM %s AS e", q->event_tables[i]);
	fputs(") AS l ON l.thread = t.thread)", q->with);
	free(threads);
}

char *thread_ends_write(struct query *q)
{
	unsigned n;
	struct role *lives = roles_of_threads(q->spec, &n);
	char *name = query_expression(q, "thread_ends");

	if (q->windowed)
		window_ends_write(q, lives, n);
	else
		trace_ends_write(q, lives, n);
	free(lives);
	return name;
}

/* ---- states ---- */

static bool is_named(const struct role *r)
{
	return r->state != STATE_OTHER && r->same_thread;
}

/* Whether a state that has begun lasts until its thread ends, if nothing ends it. */
static bool counts_open(const struct interval *i)
{
	struct conjuncts c = conjuncts_of(i);
	bool plain = c.keys.n == 1 && !c.rest.n && !c.filter[SIDE_ANCHOR].n &&
		     !c.filter[SIDE_PARTNER].n &&
		     c.keys.at[0].value[SIDE_ANCHOR]->op == EXPR_THREAD &&
		     c.keys.at[0].value[SIDE_PARTNER]->op == EXPR_THREAD;

	conjuncts_free(&c);
	return plain && i->direction == FORWARDS && !i->once && !i->nested;
}

static void state_write(struct query *q, const struct role *r, const char *ends, const char *word)
{
	const char *state = thread_state_name(r->state),
		   *instances = q->intervals[r->interval->index].name;

	fprintf(q->with,
		"%sSELECT anchor_thread AS thread, '%s' AS state, duration AS span FROM %s "
		"WHERE partner_thread IS NOT NULL",
		word, state, instances);
	if (counts_open(r->interval))
		fprintf(q->with,
			"\nUNION ALL SELECT anchor_thread, '%s', last - anchor_time FROM %s AS i\n"
			"JOIN %s AS t ON t.thread = i.anchor_thread WHERE partner_thread IS NULL",
			state, instances, ends);
}

static char *states_write(struct query *q, const struct role *roles, unsigned n, const char *ends)
{
	char *states = query_expression(q, "thread_states");
	const char *word = "";

	for (unsigned i = 0; i < n; i++)
		if (is_named(&roles[i])) {
			state_write(q, &roles[i], ends, word);
			word = "\nUNION ALL ";
		}
	fputs(")", q->with);
	return states;
}

/* A thread without events in a window is not there. */
static char *sums_select(struct query *q, const char *states, const char *ends)
{
	char *threads = sql_identifier(q->dialect, "threads"),
	     *sums = query_expression(q, "thread_sums"), *there, *select;
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);

	fputs("SELECT thread", q->with);
	for (enum thread_state s = STATE_RUNNING; s < NSTATES; s++)
		fprintf(q->with,
			",\n\tCAST(sum(CASE WHEN state = '%s' THEN span ELSE 0 END) AS %s) AS %s",
			thread_state_name(s), bigint, thread_state_name(s));
	fprintf(q->with, "\nFROM %s GROUP BY thread)", states);
	there = q->windowed ? text_format("JOIN %s AS l ON l.thread = t.thread\n", ends)
			    : text_format("%s", "");
	select = text_format("SELECT t.thread, t.name, running, ready, blocked FROM %s AS t\n"
			     "%sLEFT JOIN %s AS s ON s.thread = t.thread ORDER BY t.thread",
			     threads, there, sums);
	free(there);
	free(threads);
	free(sums);
	return select;
}

static bool states_prepare(struct query *q, const struct role *roles, unsigned n)
{
	bool any = false;

	for (unsigned i = 0; i < n; i++) {
		if (!is_named(&roles[i]))
			continue;
		any = true;
		if (!query_interval(q, roles[i].interval))
			return false;
	}
	if (!any)
		q->refusal =
		    text_format("no interval of kind \"state\" within threads has the label "
				"running, ready or blocked");
	return any;
}

char *threads_select(struct query *q)
{
	unsigned n;
	struct role *roles = roles_of_kind(q->spec, KIND_STATE, &n);
	char *select = NULL;

	if (states_prepare(q, roles, n)) {
		char *ends = thread_ends_write(q), *states = states_write(q, roles, n, ends);

		select = sums_select(q, states, ends);
		free(ends);
		free(states);
	}
	free(roles);
	return select;
}
