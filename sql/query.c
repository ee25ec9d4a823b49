#include "sql/query.h"
#include "spec/print.h"
#include "sql/windows.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

void query_begin(struct query *q, const struct spec *spec, enum dialect dialect)
{
	*q = (struct query){.dialect = dialect, .spec = spec};
	q->tables = event_tables_name(spec);
	for (size_t i = 0; i < q->tables.names.n; i++)
		field_name_add(&q->names, q->tables.names.names[i]);
	q->event_tables = array_zero(spec->nevents, sizeof *q->event_tables);
	for (unsigned i = 0; i < spec->nevents; i++)
		q->event_tables[i] = sql_identifier(dialect, q->tables.of_event[i]);
	q->intervals = array_zero(spec->nintervals, sizeof *q->intervals);
	q->with = open_memstream(&q->text, &q->size);
	if (!q->with)
		array_exhausted();
}

void query_window(struct query *q, int64_t from, int64_t to)
{
	q->windowed = true;
	for (unsigned i = 0; i < q->spec->nevents; i++) {
		char *table = q->event_tables[i];

		q->event_tables[i] =
		    text_format("(SELECT * FROM %s WHERE time BETWEEN %" PRId64 " AND %" PRId64 ")",
				table, from, to);
		free(table);
	}
}

void query_free(struct query *q)
{
	if (q->with)
		fclose(q->with);
	free(q->text);
	for (unsigned i = 0; i < q->spec->nevents; i++)
		free(q->event_tables[i]);
	for (unsigned i = 0; i < q->spec->nintervals; i++) {
		free(q->intervals[i].name);
		free(q->intervals[i].pairs);
		free(q->intervals[i].rows[SIDE_ANCHOR]);
		free(q->intervals[i].rows[SIDE_PARTNER]);
		free(q->intervals[i].asked.at);
		sql_end_free(&q->intervals[i].ends[SIDE_ANCHOR]);
		sql_end_free(&q->intervals[i].ends[SIDE_PARTNER]);
	}
	free(q->event_tables);
	free(q->intervals);
	event_tables_free(&q->tables);
	field_names_free(&q->names);
	free(q->refusal);
}

char *query_expression(struct query *q, const char *name)
{
	char *quoted = sql_identifier(q->dialect, field_name_add(&q->names, name));

	fprintf(q->with, "%s%s AS (\n", q->nexpressions++ ? ",\n" : "WITH ", quoted);
	return quoted;
}

void query_write(struct query *q, const char *select, FILE *out)
{
	fclose(q->with);
	q->with = NULL;
	fprintf(out, "%s%s%s;\n", q->text, q->nexpressions ? "\n" : "", select);
}

struct sql_scope query_scope(const struct query *q, const struct query_interval *i)
{
	return (struct sql_scope){.dialect = q->dialect, .ends = i->ends, .joined = true};
}

struct field_names query_metric_names(const struct interval *i)
{
	static const char *const fixed[QUERY_COLUMNS] = {
	    "anchor_time",    "anchor_thread", "anchor_seq", "partner_time",
	    "partner_thread", "partner_seq",   "duration"};
	struct field_names f = {NULL, 0};

	for (int k = 0; k < QUERY_COLUMNS; k++)
		field_name_add(&f, fixed[k]);
	for (unsigned k = 0; k < i->nmetrics; k++)
		field_name_add(&f, i->metrics[k].name);
	return f;
}

/* ---- the columns that are asked for ---- */

static void column_add(struct pair_columns *c, enum side side, const char *name, enum sql_type type)
{
	for (size_t i = 0; i < c->of[side].n; i++)
		if (strcmp(c->of[side].at[i].name, name) == 0)
			return;
	*vector_add(&c->of[side]) = (struct pair_column){name, type};
}

static void columns_add(struct pair_columns *c, const struct sql_end *ends, const struct expr *e)
{
	if (expr_is_of_side(e->op))
		column_add(c, e->side, sql_leaf_name(&ends[e->side], e), sql_expr_type(e));
	if (e->op == EXPR_METRIC)
		columns_add(c, ends, e->metric->value);
	if (e->left)
		columns_add(c, ends, e->left);
	if (e->right)
		columns_add(c, ends, e->right);
}

static struct pair_columns columns_of(const struct query *q, const struct interval *i,
				      const struct sql_end *ends, const struct conjuncts *c)
{
	struct pair_columns columns = {0};

	for (int side = 0; side < 2; side++)
		for (int k = 0; k < EVENT_COLUMNS; k++)
			column_add(&columns, side, ends[side].columns.at[k].name, SQL_BIGINT);
	for (size_t k = 0; k < c->rest.n; k++)
		columns_add(&columns, ends, c->rest.at[k]);
	for (unsigned k = 0; k < i->nmetrics; k++)
		columns_add(&columns, ends, i->metrics[k].value);
	for (unsigned k = 0; k < q->spec->nassertions; k++)
		if (q->spec->assertions[k]->interval == i)
			columns_add(&columns, ends, q->spec->assertions[k]->condition);
	for (size_t k = 0; k < q->intervals[i->index].asked.n; k++) {
		const struct asked_column *a = &q->intervals[i->index].asked.at[k];

		column_add(&columns, a->side, a->name, a->type);
	}
	return columns;
}

/* Returns what is known of an interval, whose ends have their names. */
static struct query_interval *interval_look(struct query *q, const struct interval *i)
{
	struct query_interval *own = &q->intervals[i->index];

	if (!own->ends[SIDE_ANCHOR].event) {
		own->ends[SIDE_ANCHOR] = sql_end_of(end_event(&i->anchor));
		own->ends[SIDE_PARTNER] = sql_end_of(end_event(&i->partner));
	}
	return own;
}

static char *ask(struct query *q, const struct interval *i, enum side side, const char *column,
		 enum sql_type type)
{
	*vector_add(&interval_look(q, i)->asked) = (struct asked_column){side, column, type};
	return sql_joined_column(q->dialect, side, column);
}

char *query_ask_attribute(struct query *q, const struct interval *i, enum side side,
			  unsigned attribute)
{
	const struct sql_end *end = &interval_look(q, i)->ends[side];

	return ask(q, i, side, sql_attribute_name(end, attribute),
		   sql_type_of(end->event->attributes[attribute].type));
}

char *query_ask_process(struct query *q, const struct interval *i, enum side side)
{
	return ask(q, i, side, interval_look(q, i)->ends[side].process, SQL_BIGINT);
}

void query_ask(struct query *q, const struct interval *i, const struct expr *e)
{
	struct query_interval *own = interval_look(q, i);
	struct pair_columns columns = {0};

	columns_add(&columns, own->ends, e);
	for (enum side side = 0; side < 2; side++) {
		for (size_t k = 0; k < columns.of[side].n; k++)
			*vector_add(&own->asked) = (struct asked_column){
			    side, columns.of[side].at[k].name, columns.of[side].at[k].type};
		free(columns.of[side].at);
	}
}

/* ---- the rows of an end ---- */

/* Whether a name is of what the event's thread has. */
static bool is_of_thread(const struct sql_end *end, const char *name)
{
	return name == end->owner || name == end->process;
}

static bool asks_thread(const struct conjuncts *c, enum side side,
			const struct pair_columns *columns, const struct sql_end *end)
{
	for (size_t i = 0; i < c->filter[side].n; i++)
		if (expr_asks_thread(c->filter[side].at[i]))
			return true;
	for (size_t i = 0; i < c->keys.n; i++)
		if (expr_asks_thread(c->keys.at[i].value[side]))
			return true;
	for (size_t i = 0; i < columns->of[side].n; i++)
		if (is_of_thread(end, columns->of[side].at[i].name))
			return true;
	return false;
}

/* The type in which both sides of a key are compared. */
static enum sql_type key_type(const struct conjunct_key *k)
{
	return sql_common_type(k->value[SIDE_ANCHOR], k->value[SIDE_PARTNER]);
}

char *query_key(const struct sql_scope *s, const struct conjunct_key *k, enum side side)
{
	return sql_expr_as_key(s, k->value[side], key_type(k));
}

/* A column of the event, or of its thread. */
static void own_column_write(struct query *q, const struct sql_end *end, const char *name)
{
	char *quoted = sql_identifier(q->dialect, name);

	if (is_of_thread(end, name))
		fputs(name == end->owner ? "t.owner" : "t.process", q->with);
	else
		fprintf(q->with, "e.%s", quoted);
	free(quoted);
}

static void from_write(struct query *q, const struct interval_end *end, bool thread)
{
	fprintf(q->with, "FROM %s AS e", q->event_tables[end_event(end)->index]);
	if (end->interval) {
		const char *side =
		    interval_side(end->interval, end->moment) == SIDE_ANCHOR ? "anchor" : "partner";

		fprintf(q->with,
			" JOIN %s AS i ON i.%s_thread = e.thread AND i.%s_seq = e.seq AND "
			"i.partner_thread IS NOT NULL",
			q->intervals[end->interval->index].name, side, side);
	}
	if (thread) {
		char *threads = sql_identifier(q->dialect, "threads");

		fprintf(q->with, " JOIN %s AS t ON t.thread = e.thread", threads);
		free(threads);
	}
}

static void condition_write(FILE *out, const char **word, char *sql)
{
	fprintf(out, "\n%s %s", *word, sql);
	*word = "AND";
	free(sql);
}

/* Partners of which a key is no number or has a fault are nobody's. */
static void key_conditions_write(struct query *q, const struct sql_scope *s,
				 const struct conjuncts *c, const char **word)
{
	for (size_t i = 0; i < c->keys.n; i++) {
		const struct conjunct_key *k = &c->keys.at[i];
		char *value = query_key(s, k, SIDE_PARTNER);

		if (sql_may_fault(k->value[SIDE_PARTNER]))
			condition_write(q->with, word, text_format("%s IS NOT NULL", value));
		if (key_type(k) == SQL_DOUBLE) {
			char *nan = sql_is_nan(q->dialect, value);

			condition_write(q->with, word, text_format("NOT %s", nan));
			free(nan);
		}
		free(value);
	}
}

static char *rows_write(struct query *q, const struct interval *i, const struct sql_end *ends,
			enum side side, const struct conjuncts *c,
			const struct pair_columns *columns)
{
	struct sql_scope s = {.dialect = q->dialect, .ends = ends};
	char *name = text_format("%s_%s", i->name, side == SIDE_ANCHOR ? "anchors" : "partners");
	char *quoted = query_expression(q, name);
	const char *word = "WHERE";

	for (size_t k = 0; k < columns->of[side].n; k++) {
		char *column = sql_joined_column(q->dialect, side, columns->of[side].at[k].name);

		fputs(k ? ", " : "SELECT ", q->with);
		own_column_write(q, &ends[side], columns->of[side].at[k].name);
		fprintf(q->with, " AS %s", column);
		free(column);
	}
	for (size_t k = 0; k < c->keys.n; k++) {
		char *sql = query_key(&s, &c->keys.at[k], side);

		fprintf(q->with, ", %s AS k%zu", sql, k);
		free(sql);
	}
	putc('\n', q->with);
	from_write(q, side == SIDE_ANCHOR ? &i->anchor : &i->partner,
		   asks_thread(c, side, columns, &ends[side]));
	for (size_t k = 0; k < c->filter[side].n; k++)
		condition_write(q->with, &word, sql_expr(&s, c->filter[side].at[k]));
	if (side == SIDE_PARTNER)
		key_conditions_write(q, &s, c, &word);
	fputs(")", q->with);
	free(name);
	return quoted;
}

/* ---- pairs ---- */

static void refuse(struct query *q, const struct interval *i, const struct conjuncts *c)
{
	char *rest = expr_text(c->rest.at[0], i);

	if (i->once || i->nested)
		q->refusal = text_format(
		    "%s: '%s' with a condition that is no equality: %s. Who is left depends on "
		    "all pairs before, "
		    "which SQL cannot say; glimpse spark-submit finds them",
		    i->name, i->once ? "once" : "nested", rest);
	else
		q->refusal = text_format(
		    "%s: no equality between the two events, and no bound on the time between "
		    "them, goes with "
		    "the condition %s, so that SQL would test all pairs; glimpse spark-submit "
		    "finds them",
		    i->name, rest);
	free(rest);
}

static bool pairs_write(struct query *q, struct pairs *p)
{
	const struct interval *i = p->interval;

	if (p->conjuncts->rest.n && (i->once || i->nested ||
				     (!p->conjuncts->only_bounds && !p->conjuncts->keys.n &&
				      !p->conjuncts->bound.is_bounded))) {
		refuse(q, i, p->conjuncts);
		return false;
	}
	p->anchors = rows_write(q, i, p->ends, SIDE_ANCHOR, p->conjuncts, &p->columns);
	p->partners = rows_write(q, i, p->ends, SIDE_PARTNER, p->conjuncts, &p->columns);
	if (i->nested || (i->once && i->direction == BACKWARDS))
		stack_write(q, p);
	else if (i->once)
		queue_write(q, p);
	else if (p->conjuncts->only_bounds)
		nearest_write(q, p);
	else
		candidates_write(q, p);
	return true;
}

/* The instances, of the pairs. */
static void instances_write(struct query *q, const struct interval *i, struct query_interval *own,
			    const char *pairs)
{
	struct field_names names = query_metric_names(i);
	struct sql_scope s = query_scope(q, own);

	own->name = query_expression(q, i->name);
	fputs("SELECT anchor_time, anchor_thread, anchor_seq, partner_time, partner_thread, "
	      "partner_seq, "
	      "abs(partner_time - anchor_time) AS duration",
	      q->with);
	for (unsigned k = 0; k < i->nmetrics; k++) {
		char *sql = sql_expr(&s, i->metrics[k].value),
		     *name = sql_identifier(q->dialect, names.names[QUERY_COLUMNS + k]);

		fprintf(q->with, ",\n\tCASE WHEN partner_thread IS NOT NULL THEN %s END AS %s", sql,
			name);
		free(sql);
		free(name);
	}
	fprintf(q->with, "\nFROM %s)", pairs);
	field_names_free(&names);
}

static bool end_prepare(struct query *q, const struct interval_end *end)
{
	return !end->interval || query_interval(q, end->interval);
}

const struct query_interval *query_interval(struct query *q, const struct interval *i)
{
	struct query_interval *own = interval_look(q, i);
	struct conjuncts c;
	struct pairs p;
	bool good;

	if (own->name)
		return own;
	if (!end_prepare(q, &i->anchor) || !end_prepare(q, &i->partner))
		return NULL;
	c = conjuncts_of(i);
	p = (struct pairs){.interval = i, .ends = own->ends, .conjuncts = &c};
	p.columns = columns_of(q, i, own->ends, &c);
	good = pairs_write(q, &p);
	if (good) {
		own->pairs = p.name;
		own->rows[SIDE_ANCHOR] = p.anchors;
		own->rows[SIDE_PARTNER] = p.partners;
		instances_write(q, i, own, p.name);
	}
	free(p.columns.of[SIDE_ANCHOR].at);
	free(p.columns.of[SIDE_PARTNER].at);
	conjuncts_free(&c);
	return good ? own : NULL;
}
