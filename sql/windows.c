#include "sql/windows.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- what all forms write ---- */

static char *part_begin(struct query *q, const struct pairs *p, const char *part)
{
	char *name = text_format("%s_%s", p->interval->name, part);
	char *quoted = query_expression(q, name);

	free(name);
	return quoted;
}

typedef void column_write(struct query *q, enum side side, const struct pair_column *c,
			  const char *quoted);

static void side_write(struct query *q, const struct pairs *p, enum side side, const char *comma,
		       column_write *write)
{
	for (size_t i = 0; i < p->columns.of[side].n; i++, comma = ", ") {
		const struct pair_column *c = &p->columns.of[side].at[i];
		char *quoted = sql_joined_column(q->dialect, side, c->name);

		fputs(comma, q->with);
		write(q, side, c, quoted);
		free(quoted);
	}
}

/* Writes the columns of both sides; before: what stands before the first one. */
static void columns_write(struct query *q, const struct pairs *p, const char *before,
			  column_write *anchor, column_write *partner)
{
	side_write(q, p, SIDE_ANCHOR, before, anchor);
	side_write(q, p, SIDE_PARTNER, ", ", partner);
}

static void plain_write(struct query *q, enum side side, const struct pair_column *c,
			const char *quoted)
{
	(void)side;
	(void)c;
	fputs(quoted, q->with);
}

static void null_write(struct query *q, enum side side, const struct pair_column *c,
		       const char *quoted)
{
	(void)side;
	fprintf(q->with, "CAST(NULL AS %s) AS %s", sql_type_name(q->dialect, c->type), quoted);
}

/* Unsigned columns have a type of their own, which a union of them with NULL would not have. */
static void typed_write(struct query *q, enum side side, const struct pair_column *c,
			const char *quoted)
{
	(void)side;
	if (c->type == SQL_WIDE)
		fprintf(q->with, "CAST(%s AS %s) AS ", quoted, sql_type_name(q->dialect, c->type));
	fputs(quoted, q->with);
}

static void keys_write(struct query *q, const struct pairs *p, const char *before)
{
	for (size_t i = 0; i < p->conjuncts->keys.n; i++)
		fprintf(q->with, "%sk%zu", i ? ", " : before, i);
}

/* The rows of both sides, one below the other: side 0 are anchors. */
static char *rows_write(struct query *q, const struct pairs *p)
{
	char *name = part_begin(q, p, "rows");

	for (enum side side = 0; side < 2; side++) {
		const char *word = side == SIDE_ANCHOR ? "anchor" : "partner";

		fprintf(q->with,
			"%sSELECT %d AS side, %s_time AS time, %s_thread AS thread, %s_seq AS seq",
			side ? "\nUNION ALL " : "", (int)side, word, word, word);
		keys_write(q, p, ", ");
		columns_write(q, p, ", ", side == SIDE_ANCHOR ? typed_write : null_write,
			      side == SIDE_PARTNER ? typed_write : null_write);
		fprintf(q->with, " FROM %s", side == SIDE_ANCHOR ? p->anchors : p->partners);
	}
	fputs(")", q->with);
	return name;
}

/* How rows are sorted: in the direction of the search; which side is first of two at one event. */
struct row_order {
	bool down, partners_first;
	const char *ties; /* sorts the rows of one event and side, or NULL */
};

static void order_write(struct query *q, struct row_order o)
{
	const char *down = o.down ? " DESC" : "";

	fprintf(q->with, "ORDER BY time%s, thread%s, seq%s, side%s", down, down, down,
		o.partners_first ? " DESC" : "");
	if (o.ties)
		fprintf(q->with, ", %s", o.ties);
}

/* Writes a window over the rows of a key, and of what more tells them apart. */
static void window_write(struct query *q, const struct pairs *p, const char *more,
			 struct row_order o, const char *frame)
{
	fputs("(", q->with);
	keys_write(q, p, "PARTITION BY ");
	if (more)
		fprintf(q->with, "%s%s", p->conjuncts->keys.n ? ", " : "PARTITION BY ", more);
	fputs(p->conjuncts->keys.n || more ? " " : "", q->with);
	order_write(q, o);
	fprintf(q->with, "%s%s)", *frame ? " " : "", frame);
}

static const char so_far[] = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
static const char before[] = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING";

/* ---- the nearest partner ---- */

static void first_write(struct query *q, enum side side, const struct pair_column *c,
			const char *quoted)
{
	(void)side;
	(void)c;
	fprintf(q->with, "first_value(%s) OVER w AS %s", quoted, quoted);
}

static void tested_write(struct query *q, enum side side, const struct pair_column *c,
			 const char *quoted)
{
	(void)side;
	(void)c;
	fprintf(q->with, "CASE WHEN holds THEN %s END AS %s", quoted, quoted);
}

/* Writes the conjuncts of both sides, each true. */
static void rest_write(struct query *q, const struct pairs *p)
{
	struct sql_scope s = {.dialect = q->dialect, .ends = p->ends, .joined = true};

	for (size_t i = 0; i < p->conjuncts->rest.n; i++) {
		char *sql = sql_expr(&s, p->conjuncts->rest.at[i]);

		fprintf(q->with, "%s%s", i ? " AND " : "", sql);
		free(sql);
	}
}

/* Only the pairs that hold; those that do not hold have no partner. */
static char *test_write(struct query *q, const struct pairs *p, const char *from)
{
	char *tested = part_begin(q, p, "tested"), *name;

	fputs("SELECT *, ", q->with);
	rest_write(q, p);
	fprintf(q->with, " AS holds FROM %s)", from);
	name = part_begin(q, p, "pairs");
	columns_write(q, p, "SELECT ", plain_write, tested_write);
	fprintf(q->with, " FROM %s)", tested);
	free(tested);
	return name;
}

/* A run begins with a partner, and has the anchors after it up to the next one. */
void nearest_write(struct query *q, struct pairs *p)
{
	struct row_order order = {.down = p->interval->direction == FORWARDS};
	char *rows = rows_write(q, p), *runs = part_begin(q, p, "runs"), *near, *nearest;

	fputs("SELECT *, sum(side) OVER ", q->with);
	window_write(q, p, NULL, order, so_far);
	fprintf(q->with, " AS run FROM %s)", rows);
	near = part_begin(q, p, "near");
	fputs("SELECT side", q->with);
	columns_write(q, p, ", ", plain_write, first_write);
	fprintf(q->with, "\nFROM %s WINDOW w AS ", runs);
	window_write(q, p, "run", order, so_far);
	fputs(")", q->with);
	nearest = part_begin(q, p, p->conjuncts->rest.n ? "nearest" : "pairs");
	fprintf(q->with, "SELECT * FROM %s WHERE side = 0)", near);
	p->name = p->conjuncts->rest.n ? test_write(q, p, nearest) : nearest;
	if (p->conjuncts->rest.n)
		free(nearest);
	free(rows);
	free(runs);
	free(near);
}

/* ---- queues and stacks ---- */

/*
 * Writes how many wait after each row, and which rows come when nobody waits: they lower the sum of
 * those that come and go below all that it was.
 */
static char *depths_write(struct query *q, const struct pairs *p, enum side waits,
			  struct row_order order)
{
	char *rows = rows_write(q, p), *sums = part_begin(q, p, "sums"), *least, *depths;

	fprintf(q->with, "SELECT *, sum(CASE WHEN side = %d THEN 1 ELSE -1 END) OVER ", (int)waits);
	window_write(q, p, NULL, order, so_far);
	fprintf(q->with, " AS total FROM %s)", rows);
	/* another window may sort equal rows in another way: they stay as they were when summed */
	order.ties = waits == SIDE_ANCHOR ? "CASE WHEN side = 0 THEN total ELSE -total END"
					  : "CASE WHEN side = 0 THEN -total ELSE total END";
	least = part_begin(q, p, "least");
	fputs("SELECT *, least(0, coalesce(min(total) OVER ", q->with);
	window_write(q, p, NULL, order, before);
	fprintf(q->with, ", 0)) AS lowest FROM %s)", sums);
	depths = part_begin(q, p, "depths");
	fprintf(
	    q->with,
	    "SELECT *, (side <> %d AND total < lowest) AS idle, CASE WHEN side = %d THEN total - "
	    "lowest ELSE total - lowest + 1 END "
	    "AS depth FROM %s)",
	    (int)waits, (int)waits, least);
	free(rows);
	free(sums);
	free(least);
	return depths;
}

static void lead_write(struct query *q, enum side side, const struct pair_column *c,
		       const char *quoted)
{
	(void)side;
	(void)c;
	fprintf(q->with, "lead(%s) OVER w AS %s", quoted, quoted);
}

static void lag_write(struct query *q, enum side side, const struct pair_column *c,
		      const char *quoted)
{
	(void)side;
	(void)c;
	fprintf(q->with, "lag(%s) OVER w AS %s", quoted, quoted);
}

/* Of rows that follow each other in a window an anchor has the partner beside it. */
static void beside_write(struct query *q, struct pairs *p, const char *from, const char *more,
			 struct row_order order, column_write *partner)
{
	char *beside = part_begin(q, p, "beside");

	fputs("SELECT side", q->with);
	columns_write(q, p, ", ", plain_write, partner);
	fprintf(q->with, "\nFROM %s WINDOW w AS ", from);
	window_write(q, p, more, order, "");
	fputs(")", q->with);
	p->name = part_begin(q, p, "pairs");
	fprintf(q->with, "SELECT * FROM %s WHERE side = 0)", beside);
	free(beside);
}

void queue_write(struct query *q, struct pairs *p)
{
	struct row_order order = {.partners_first = true};
	char *depths = depths_write(q, p, SIDE_ANCHOR, order), *turns = part_begin(q, p, "turns");

	fputs("SELECT *, row_number() OVER ", q->with);
	window_write(q, p, "side, idle", order, "");
	fprintf(q->with, " AS turn FROM %s)", depths);
	beside_write(q, p, turns, "turn, idle", (struct row_order){0}, lead_write);
	free(depths);
	free(turns);
}

void stack_write(struct query *q, struct pairs *p)
{
	bool nested = p->interval->nested;
	/*
	 * who takes comes before who waits, of two at one event: an event is never its own partner
	 */
	struct row_order order = {.partners_first = nested};
	char *depths = depths_write(q, p, nested ? SIDE_ANCHOR : SIDE_PARTNER, order);

	beside_write(q, p, depths, "depth, idle", order, nested ? lead_write : lag_write);
	free(depths);
}

/* ---- candidates ---- */

/*
 * So many partners of each anchor are tested first: where one of them holds, no others are joined.
 */
enum { NEAR = 4 };

static void of_pair_write(struct query *q, enum side side, const struct pair_column *c,
			  const char *quoted)
{
	(void)c;
	fprintf(q->with, "%s.%s", side == SIDE_ANCHOR ? "a" : "b", quoted);
}

/* The rows of one side, each with the number of its key's partners up to it. */
static char *numbered_write(struct query *q, const struct pairs *p, enum side side,
			    const char *counts)
{
	char *name = part_begin(q, p, side == SIDE_ANCHOR ? "from" : "to");

	fputs("SELECT n", q->with);
	keys_write(q, p, ", ");
	side_write(q, p, side, ", ", plain_write);
	fprintf(q->with, " FROM %s WHERE side = %d)", counts, (int)side);
	return name;
}

static void keys_join_write(struct query *q, const struct pairs *p)
{
	for (size_t i = 0; i < p->conjuncts->keys.n; i++)
		fprintf(q->with, "a.k%zu = b.k%zu AND ", i, i);
}

/* The nearest partners, by their numbers. */
static char *near_write(struct query *q, const struct pairs *p, const char *from, const char *to)
{
	bool forwards = p->interval->direction == FORWARDS;
	char *name = part_begin(q, p, "near");

	columns_write(q, p, "SELECT ", of_pair_write, of_pair_write);
	fprintf(q->with, "\nFROM %s AS a CROSS JOIN (", from);
	for (int i = 0; i < NEAR; i++)
		fprintf(q->with, "%sSELECT %d AS step", i ? " UNION ALL " : "",
			forwards ? i + 1 : -i);
	fprintf(q->with, ") AS s JOIN %s AS b ON ", to);
	keys_join_write(q, p);
	fputs("b.n = a.n + s.step\nWHERE ", q->with);
	rest_write(q, p);
	fputs(")", q->with);
	return name;
}

/* The part of time, each as long as the bound, that an event is in. */
static void bucket_write(struct query *q, const char *time, int64_t width)
{
	fprintf(q->with, "(%s %s %" PRId64 ")", time, sql_divide(q->dialect), width);
}

/*
 * The anchors that have no partner yet. No NOT EXISTS: Spark 3.5 takes the columns of both sides,
 * which come from one expression, for the same.
 */
static char *open_write(struct query *q, const struct pairs *p, const char *from, const char *near)
{
	char *name = part_begin(q, p, "open");

	fprintf(
	    q->with,
	    "SELECT a.* FROM %s AS a LEFT JOIN\n"
	    "(SELECT DISTINCT anchor_thread AS near_thread, anchor_seq AS near_seq FROM %s) AS b\n"
	    "ON b.near_thread = a.anchor_thread AND b.near_seq = a.anchor_seq\n"
	    "WHERE b.near_thread IS NULL)",
	    from, near);
	return name;
}

/* The partners beyond those, of such anchors: all of their key, or those near in time. */
static char *far_write(struct query *q, const struct pairs *p, const char *open, const char *to)
{
	const struct time_bound *bound = &p->conjuncts->bound;
	int64_t width = bound->most < 0 ? 1 : bound->most + 1;
	bool forwards = p->interval->direction == FORWARDS;
	char *name = part_begin(q, p, "far");

	columns_write(q, p, "SELECT ", of_pair_write, of_pair_write);
	fprintf(q->with, "\nFROM %s AS a ", open);
	if (bound->is_bounded)
		fprintf(q->with, "CROSS JOIN (SELECT 0 AS step UNION ALL SELECT %d AS step) AS s ",
			forwards ? 1 : -1);
	fprintf(q->with, "JOIN %s AS b ON ", to);
	keys_join_write(q, p);
	if (bound->is_bounded) {
		bucket_write(q, "b.partner_time", width);
		fputs(" = ", q->with);
		bucket_write(q, "a.anchor_time", width);
		fputs(" + s.step AND ", q->with);
	}
	fprintf(q->with, forwards ? "b.n > a.n + %d" : "b.n <= a.n - %d", NEAR);
	fputs("\nWHERE ", q->with);
	rest_write(q, p);
	fputs(")", q->with);
	return name;
}

void candidates_write(struct query *q, struct pairs *p)
{
	bool forwards = p->interval->direction == FORWARDS;
	const char *down = forwards ? "" : " DESC";
	char *rows = rows_write(q, p), *counts = part_begin(q, p, "counts"), *from, *to, *near,
	     *open, *far, *candidates;

	/*
	 * an event is never its own partner: forwards it counts among those before, backwards among
	 * those after
	 */
	fputs("SELECT *, sum(side) OVER ", q->with);
	window_write(q, p, NULL, (struct row_order){.partners_first = forwards}, so_far);
	fprintf(q->with, " AS n FROM %s)", rows);
	from = numbered_write(q, p, SIDE_ANCHOR, counts);
	to = numbered_write(q, p, SIDE_PARTNER, counts);
	near = near_write(q, p, from, to);
	open = open_write(q, p, from, near);
	far = far_write(q, p, open, to);
	candidates = part_begin(q, p, "candidates");
	fprintf(q->with,
		"SELECT *, row_number() OVER (PARTITION BY anchor_thread, anchor_seq ORDER BY "
		"partner_time%s, partner_thread%s, "
		"partner_seq%s) AS place\nFROM (SELECT * FROM %s UNION ALL SELECT * FROM %s) AS c)",
		down, down, down, near, far);
	p->name = part_begin(q, p, "pairs");
	columns_write(q, p, "SELECT ", of_pair_write, of_pair_write);
	fprintf(q->with,
		"\nFROM %s AS a LEFT JOIN %s AS b ON a.anchor_thread = b.anchor_thread AND "
		"a.anchor_seq = b.anchor_seq "
		"AND b.place = 1)",
		p->anchors, candidates);
	free(rows);
	free(counts);
	free(from);
	free(to);
	free(near);
	free(open);
	free(far);
	free(candidates);
}
