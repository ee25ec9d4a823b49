#include "analysis/activity/roles.h"
#include "base/array.h"
#include "sql/analyses.h"
#include <stdlib.h>
#include <string.h>

enum { OWNER_DIED = 130 }; /* an errno value: the thread has the lock all the same */

/* How the begins are found that have no end. */
enum open_rule {
	OPEN_ANCHORS, /* anchors without a partner */
	OPEN_LATEST,  /* the last begin of a thread and an object, if no end of it comes later */
	OPEN_LAST,    /* the last begin of a thread, if no end comes after it */
};

/* An interval of kind "hold" or "wait", and how its pairs call what a lock is told by. */
struct sql_lock_source {
	struct role role;
	enum open_rule open;
	char *process, *object, *error; /* columns in quotes; NULL: there is none */
};

/* ---- what is open ---- */

static bool is_object_key(const struct conjunct_key *k, const struct role *r)
{
	return expr_is_attribute(k->value[r->start.side], r->start.object) &&
	       expr_is_attribute(k->value[r->end.side], r->end.object);
}

/* Whether ends meet in a thread, by the object or by nothing else. */
static bool is_joined(const struct conjuncts *c, const struct role *r)
{
	unsigned threads = 0, objects = 0;

	for (size_t i = 0; i < c->keys.n; i++) {
		threads += key_is_thread(&c->keys.at[i]);
		objects += is_object_key(&c->keys.at[i], r);
	}
	return threads == 1 && objects <= 1 && threads + objects == c->keys.n && !c->rest.n;
}

static bool open_rule_find(struct query *q, struct sql_lock_source *s)
{
	const struct interval *i = s->role.interval;
	struct conjuncts c = conjuncts_of(i);
	bool joined = is_joined(&c, &s->role), filtered = c.filter[s->role.end.side].n;

	conjuncts_free(&c);
	s->open = OPEN_LAST;
	if (!joined)
		return true;
	s->open = i->direction == FORWARDS ? OPEN_ANCHORS : OPEN_LATEST;
	if (i->direction == FORWARDS ? !filtered : !i->once && !i->nested)
		return true;
	q->refusal = text_format(
	    "%s: which instances are open at the end of the trace depends on the order of all "
	    "ends, which SQL cannot say",
	    i->name);
	return false;
}

/* What is open lasts to the end of a thread that ended, and of the trace otherwise. */
static const char until[] =
    "CASE WHEN t.finished = 1 THEN t.last ELSE (SELECT max(last) FROM %s) END";

static void no_end_write(struct query *q, const struct sql_lock_source *s, const char *start)
{
	const struct role *r = &s->role;
	char *start_object = s->object, *end_object;

	if (s->open == OPEN_LAST) {
		const char *end = r->end.side == SIDE_ANCHOR ? "anchor" : "partner";

		fprintf(q->with,
			"\nAND NOT EXISTS (SELECT 1 FROM %s AS e WHERE e.%s_thread = i.%s_thread "
			"AND e.%s_time >= i.%s_time AND e.%s_seq <> i.%s_seq)",
			q->intervals[r->interval->index].rows[r->end.side], end, start, end, start,
			end, start);
		return;
	}
	fprintf(q->with, "\nAND NOT EXISTS (SELECT 1 FROM %s AS e WHERE e.thread = i.%s_thread",
		q->event_tables[r->end.event->index], start);
	if (start_object) {
		const struct sql_end *end = &q->intervals[r->interval->index].ends[r->end.side];

		end_object =
		    sql_identifier(q->dialect, sql_attribute_name(end, (unsigned)r->end.object));
		fprintf(q->with, " AND e.%s = i.%s", end_object, start_object);
		free(end_object);
	}
	fprintf(q->with, " AND e.seq > i.%s_seq)", start);
}

/* Writes the table `i` of the begins that may be open, each the last of its thread and object. */
static void last_begins_write(struct query *q, const struct sql_lock_source *s, const char *start)
{
	fprintf(q->with, "(SELECT *, row_number() OVER (PARTITION BY %s_thread", start);
	if (s->open == OPEN_LATEST && s->object)
		fprintf(q->with, ", %s", s->object);
	fprintf(q->with, " ORDER BY %s_time DESC, %s_seq DESC) AS place FROM %s) AS i", start,
		start, q->intervals[s->role.interval->index].rows[s->role.start.side]);
}

/* ---- spans ---- */

static const char *start_word(const struct sql_lock_source *s)
{
	return s->role.start.side == SIDE_ANCHOR ? "anchor" : "partner";
}

/* Writes what a lock is told by, and the start: the columns before what, until, open and vain. */
static void lock_columns_write(struct query *q, const struct sql_lock_source *s)
{
	const struct role *r = &s->role;
	const char *start = start_word(s), *wide = sql_type_name(q->dialect, SQL_WIDE);
	const char *shown = style_label(&r->interval->style, r->interval->name);
	char *kind =
	    sql_text(q->dialect, s->object ? r->start.event->attributes[r->start.object].name : "");
	char *label = s->object ? text_format("''") : sql_text(q->dialect, shown);

	fprintf(q->with,
		"SELECT i.%s AS process, %s AS kind, %s AS label, CAST(%s AS %s) AS address,\n"
		"\ti.%s_time AS time, i.%s_thread AS thread, i.%s_seq AS seq, ",
		s->process, kind, label, s->object ? s->object : "NULL", wide, start, start, start);
	free(kind);
	free(label);
}

static void matched_write(struct query *q, const struct sql_lock_source *s)
{
	const char *end = s->role.end.side == SIDE_ANCHOR ? "anchor" : "partner";

	lock_columns_write(q, s);
	fprintf(q->with, "'%s' AS what, %s_time AS until, 0 AS still, ",
		s->role.kind == KIND_HOLD ? "hold" : "wait", end);
	if (s->error)
		fprintf(q->with, "CASE WHEN %s IN (0, %d) THEN 0 ELSE 1 END AS vain", s->error,
			OWNER_DIED);
	else
		fputs("0 AS vain", q->with);
	fprintf(q->with, "\nFROM %s AS i WHERE partner_thread IS NOT NULL",
		q->intervals[s->role.interval->index].pairs);
}

static void open_write(struct query *q, const struct sql_lock_source *s, const char *ends)
{
	const char *start = start_word(s);

	fputs("\nUNION ALL ", q->with);
	lock_columns_write(q, s);
	fprintf(q->with, "'%s', ", s->role.kind == KIND_HOLD ? "hold" : "wait");
	fprintf(q->with, until, ends);
	fputs(", 1, 0\nFROM ", q->with);
	if (s->open == OPEN_ANCHORS)
		fprintf(q->with, "%s AS i", q->intervals[s->role.interval->index].pairs);
	else
		last_begins_write(q, s, start);
	fprintf(q->with, " JOIN %s AS t ON t.thread = i.%s_thread WHERE ", ends, start);
	if (s->open == OPEN_ANCHORS) {
		fputs("partner_thread IS NULL", q->with);
		return;
	}
	fputs("place = 1", q->with);
	no_end_write(q, s, start);
}

/* Of the events that take what is free, or count how often: `still` is the number. */
static void takes_write(struct query *q)
{
	char *threads = sql_identifier(q->dialect, "threads");

	for (unsigned i = 0; i < q->spec->nevents; i++) {
		const struct event_type *e = q->spec->events[i];
		struct sql_end end;
		char *object, *kind, *often;

		if (e->takes_attribute < 0)
			continue;
		end = sql_end_of(e);
		object = sql_identifier(q->dialect,
					sql_attribute_name(&end, (unsigned)e->takes_attribute));
		kind = sql_text(q->dialect, e->attributes[e->takes_attribute].name);
		often = e->counts_attribute < 0
			    ? text_format("1")
			    : text_format("e.%s",
					  sql_attribute_name(&end, (unsigned)e->counts_attribute));
		fprintf(
		    q->with,
		    "\nUNION ALL SELECT t.process, %s, '', CAST(e.%s AS %s), e.time, e.thread, "
		    "e.seq, '%s', e.time, %s, 0\nFROM %s AS e JOIN %s AS t ON t.thread = e.thread",
		    kind, object, sql_type_name(q->dialect, SQL_WIDE),
		    e->counts_attribute < 0 ? "take" : "counted", often, q->event_tables[i],
		    threads);
		free(often);
		free(object);
		free(kind);
		sql_end_free(&end);
	}
	free(threads);
}

static char *spans_write(struct query *q, const struct sql_lock_source *sources, unsigned n)
{
	char *ends = thread_ends_write(q), *spans = query_expression(q, "lock_spans");

	for (unsigned i = 0; i < n; i++) {
		fputs(i ? "\nUNION ALL " : "", q->with);
		matched_write(q, &sources[i]);
		open_write(q, &sources[i], ends);
	}
	takes_write(q);
	fputs(")", q->with);
	free(ends);
	return spans;
}

/* ---- an address is another object once an event has ended the one before ---- */

static bool spec_ends_objects(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		if (spec->events[i]->ends_attribute >= 0)
			return true;
	return false;
}

static void object_ends_write(struct query *q)
{
	char *threads = sql_identifier(q->dialect, "threads");

	for (unsigned i = 0; i < q->spec->nevents; i++) {
		const struct event_type *e = q->spec->events[i];
		struct sql_end end;
		char *object;

		if (e->ends_attribute < 0)
			continue;
		end = sql_end_of(e);
		object = sql_identifier(q->dialect,
					sql_attribute_name(&end, (unsigned)e->ends_attribute));
		fprintf(
		    q->with,
		    "\nUNION ALL SELECT t.process, '', '', CAST(e.%s AS %s), e.time, e.thread, "
		    "e.seq, '', e.time, 0, 0, 1\nFROM %s AS e JOIN %s AS t ON t.thread = e.thread "
		    "WHERE e.%s <> 0",
		    object, sql_type_name(q->dialect, SQL_WIDE), q->event_tables[i], threads,
		    object);
		free(object);
		sql_end_free(&end);
	}
	free(threads);
}

/* What an event ends is there for the whole of the event. */
static char *numbered_write(struct query *q, const char *spans)
{
	char *numbered = query_expression(q, "lock_numbers");

	if (!spec_ends_objects(q->spec)) {
		fprintf(q->with, "SELECT *, 0 AS ends, 0 AS number FROM %s)", spans);
		return numbered;
	}
	fprintf(
	    q->with,
	    "SELECT *, sum(ends) OVER (PARTITION BY process, address ORDER BY time, thread, seq, "
	    "ends\nROWS UNBOUNDED PRECEDING) AS number FROM (SELECT *, 0 AS ends FROM %s",
	    spans);
	object_ends_write(q);
	fputs(") AS u)", q->with);
	return numbered;
}

/* ---- rows ---- */

static void times_write(struct query *q, const char *what)
{
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);

	fprintf(q->with,
		",\n\tcount(CASE WHEN what = '%s' THEN 1 END) AS %ss, "
		"CAST(sum(CASE WHEN what = '%s' THEN until - time END) AS %s) AS %s_total,\n"
		"\tmax(CASE WHEN what = '%s' THEN until - time END) AS %s_max, "
		"sum(CASE WHEN what = '%s' THEN still ELSE 0 END) AS %ss_open",
		what, what, what, bigint, what, what, what, what, what);
}

static char *sums_write(struct query *q, const char *numbered)
{
	char *sums = query_expression(q, "lock_sums"), *counted;

	fprintf(q->with,
		"SELECT process, min(kind) AS kind, address, CAST(number AS %s) AS number, label",
		sql_type_name(q->dialect, SQL_BIGINT));
	times_write(q, "hold");
	times_write(q, "wait");
	fprintf(
	    q->with,
	    ",\n\tsum(CASE WHEN what = 'take' THEN still ELSE 0 END) AS takes,\n"
	    "\tsum(CASE WHEN what = 'counted' THEN still ELSE 0 END) AS counted, sum(vain) AS vain\n"
	    "FROM %s WHERE ends = 0 GROUP BY process, address, number, label)",
	    numbered);
	counted = query_expression(q, "lock_rows");
	/* the hold that follows a wait may be beyond the trace */
	fprintf(q->with,
		"SELECT *, counted + CASE WHEN holds = 0 THEN takes + waits - waits_open - vain\n"
		"\tELSE greatest(holds, waits - waits_open - vain) END AS acquisitions FROM %s)",
		sums);
	free(sums);
	return counted;
}

static char *rows_select(struct query *q, const char *numbered)
{
	char *counted = sums_write(q, numbered);
	const char *real = sql_type_name(q->dialect, SQL_DOUBLE),
		   *bigint = sql_type_name(q->dialect, SQL_BIGINT);
	char *mean =
	    text_format("CASE WHEN %%ss > 0 THEN CAST(floor(CAST(%%s_total AS %s) / %%ss + "
			"CAST('0.5' AS %s)) AS %s) END AS %%s_mean",
			real, real, bigint);
	char *wait = text_format(mean, "wait", "wait", "wait", "wait"),
	     *hold = text_format(mean, "hold", "hold", "hold", "hold");
	char *select = text_format(
	    "SELECT process, kind, address, number, label, acquisitions, waits AS contended,\n"
	    "\twait_total, wait_max, %s,\n\thold_total, hold_max, %s,\n"
	    "\twaits_open, holds_open, vain AS waits_in_vain\n"
	    "FROM %s WHERE waits + acquisitions > 0\n"
	    "ORDER BY coalesce(wait_total, 0) DESC, coalesce(hold_total, 0) DESC, process, "
	    "address, number, label",
	    wait, hold, counted);

	free(counted);
	free(mean);
	free(wait);
	free(hold);
	return select;
}

/* ---- all ---- */

/* The objects that lives of threads are about are threads. */
static bool is_about_threads(const struct spec *spec, const struct role *r)
{
	unsigned n;
	struct role *lives = roles_of_threads(spec, &n);
	bool found = false;

	for (unsigned i = 0; i < n && r->start.object >= 0; i++) {
		const struct role_end *born = &lives[i].start;

		found |= born->object >= 0 &&
			 strcmp(born->event->attributes[born->object].name,
				r->start.event->attributes[r->start.object].name) == 0;
	}
	free(lives);
	return found;
}

/* Asks for the columns of one interval, then finds its instances. */
static bool source_prepare(struct query *q, struct sql_lock_source *s)
{
	const struct role *r = &s->role;
	int error = r->kind == KIND_WAIT ? r->end.event->errno_attribute : -1;

	s->process = query_ask_process(q, r->interval, r->start.side);
	if (r->start.object >= 0)
		s->object =
		    query_ask_attribute(q, r->interval, r->start.side, (unsigned)r->start.object);
	if (error >= 0)
		s->error = query_ask_attribute(q, r->interval, r->end.side, (unsigned)error);
	return open_rule_find(q, s) && query_interval(q, r->interval);
}

static unsigned sources_find(struct query *q, struct sql_lock_source *sources)
{
	static const enum interval_kind kinds[] = {KIND_HOLD, KIND_WAIT};
	unsigned found = 0, n;

	for (int k = 0; k < 2; k++) {
		struct role *roles = roles_of_kind(q->spec, kinds[k], &n);

		for (unsigned i = 0; i < n; i++)
			if (!is_about_threads(q->spec, &roles[i]))
				sources[found++].role = roles[i];
		free(roles);
	}
	return found;
}

char *locks_select(struct query *q)
{
	struct sql_lock_source *sources = array_zero(q->spec->nintervals + 1, sizeof *sources);
	unsigned n = sources_find(q, sources);
	char *select = NULL, *spans, *numbered;
	bool good = n;

	if (!n)
		q->refusal =
		    text_format("no interval between events is of kind \"hold\" or \"wait\"");
	for (unsigned i = 0; i < n && good; i++)
		good = source_prepare(q, &sources[i]);
	if (good) {
		spans = spans_write(q, sources, n);
		numbered = numbered_write(q, spans);
		select = rows_select(q, numbered);
		free(spans);
		free(numbered);
	}
	for (unsigned i = 0; i < n; i++) {
		free(sources[i].process);
		free(sources[i].object);
		free(sources[i].error);
	}
	free(sources);
	return select;
}
