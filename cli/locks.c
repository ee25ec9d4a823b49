#include "analysis/locks/hang_text.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/auto_off.h"
#include "cli/common/command.h"
#include "cli/common/fields.h"
#include "cli/common/inversions.h"
#include "cli/common/lost.h"
#include "cli/common/selection_options.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 20, SITES_SHOWN = 15, CONVOYS_SHOWN = 5, CYCLES_SHOWN = 10, CELL = LOCK_TEXT };

enum show { SHOW_LOCKS, SHOW_SITES, SHOW_ORDER, SHOW_WAITING, NSHOWS };
static const char *const show_names[NSHOWS] = {"locks", "sites", "order", "waiting"};

static unsigned shows;

static void take_show(const char *name)
{
	shows |= 1u << usage_choice("--show", "table", show_names, NSHOWS, name);
}

static bool is_shown(enum show s)
{
	return !shows || shows & 1u << s;
}

/* ---- what is in cells ---- */

static const char *time_cell(char cell[CELL], double ns, bool known)
{
	return known ? units_time(cell, ns) : "-";
}

/* Of at least one. */
static int64_t mean_of(const struct lock_times *t)
{
	return (int64_t)((double)t->total / (double)t->n + 0.5);
}

static const char *name_of(const struct locks *l, uint32_t lock)
{
	return l->names.locks.at[lock].label;
}

static const char *thread_label(const struct locks *l, uint32_t thread)
{
	return l->trace->threads[thread].label;
}

/* ---- text ---- */

/* Of what is shown of the trace. */
static int64_t part_duration(const struct locks *l)
{
	int64_t from = 0, to = l->trace->duration;

	return lock_part_cut(&(struct lock_part){l->part.from, l->part.to, NULL}, 0, &from, &to)
		   ? to - from
		   : 0;
}

static void row_text(struct columns *columns, const struct locks *l, const struct lock_row *r)
{
	char cells[13][CELL];
	bool waits = r->wait.n, holds = r->hold.n;
	uint64_t requests = r->acquisitions + r->wait.open + r->vain + r->missed;

	columns_add(columns,
		    (const char *[]){
			lock_name_text(cells[0], l, r->lock),
			units_count(cells[1], r->acquisitions),
			r->free_known
			    ? percent_text(cells[2], (double)(r->contended_logged + r->missed),
					   (double)requests)
			    : "-",
			holds ? percent_text(cells[11], (double)r->path, (double)r->logged) : "-",
			time_cell(cells[12], (double)r->overhead, r->overhead_known),
			time_cell(cells[3], (double)r->wait.total, waits),
			waits ? units_time(cells[4], (double)mean_of(&r->wait)) : "-",
			time_cell(cells[5], (double)r->wait.p99, waits),
			time_cell(cells[6], (double)r->wait.max, waits),
			time_cell(cells[7], (double)r->hold.total, holds),
			holds ? units_time(cells[8], (double)mean_of(&r->hold)) : "-",
			time_cell(cells[9], (double)r->hold.p99, holds),
			time_cell(cells[10], (double)r->hold.max, holds),
		    });
}

/* Holds that were switched on for a part of the time are known of that part. */
static void logged_text(FILE *out, const struct locks *l, size_t n)
{
	char cell[CELL], all[UNITS_TEXT], logged[UNITS_TEXT];

	for (size_t i = 0; i < n; i++)
		if (l->rows[i].logged < part_duration(l))
			fprintf(
			    out,
			    "holds of %s were logged for %s of %s: acquired, contended, critical path and hold cover that time\n",
			    lock_name_text(cell, l, l->rows[i].lock),
			    units_time(logged, (double)l->rows[i].logged),
			    units_time(all, (double)part_duration(l)));
}

/* Free locks that were taken too often are only counted. */
static void counted_text(FILE *out, const struct locks *l)
{
	uint64_t counted = 0, nlocks = 0;
	char takings[UNITS_TEXT], names[UNITS_TEXT];

	for (size_t i = 0; i < l->nrows; i++) {
		counted += l->rows[i].counted;
		nlocks += l->rows[i].counted > 0;
	}
	if (counted)
		fprintf(
		    out,
		    "%s of %s were counted and not logged, as nobody waited: hold and critical path "
		    "do not contain them (glimpse record --full logs them)\n",
		    units_counted(takings, counted, "acquisition", "acquisitions"),
		    units_counted(names, nlocks, "lock", "locks"));
}

/* A sleep, too, is a wait, and has a row in csv and JSON, but is no lock for people. */
static bool is_lock(const struct locks *l, const struct lock_row *r)
{
	return !l->names.locks.at[r->lock].is_outside;
}

static size_t locks_count(const struct locks *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nrows; i++)
		n += is_lock(l, &l->rows[i]);
	return n;
}

static void rows_text(FILE *out, const struct locks *l)
{
	/* the p99 of holds and waits, their means, their maxima, the overhead */
	static const unsigned char spare[] = {11, 7, 10, 6, 12, 8, 4};
	struct columns columns = {.count = 13, .left = 1, .spare = spare, .nspare = sizeof spare};
	size_t all = locks_count(l), most = top_rows(all, ROWS_SHOWN), n = 0, shown = 0;

	if (!all) {
		fputs("no lock was acquired or waited for\n", out);
		return;
	}
	columns_add(&columns,
		    (const char *[]){"lock", "acquired", "contended", "critical path", "overhead",
				     "wait", "mean", "p99", "max", "hold", "mean", "p99", "max"});
	for (; shown < most; n++)
		if (is_lock(l, &l->rows[n])) {
			row_text(&columns, l, &l->rows[n]);
			shown++;
		}
	columns_print(&columns, out);
	logged_text(out, l, n);
	counted_text(out, l);
	if (shown < all)
		fprintf(out, "and %zu more locks with less wait time: --top all\n", all - shown);
}

static void sites_text(FILE *out, const struct locks *l)
{
	struct columns columns = {.count = 6, .left = 3};
	size_t n = top_rows(l->nblames, SITES_SHOWN);

	if (!n)
		return;
	fputs(
	    "\nwait sites, and where the holder acquired the lock or another thread ended the wait\n",
	    out);
	columns_add(&columns, (const char *[]){"lock", "wait site", "holder or waker site", "waits",
					       "total", "max"});
	for (size_t i = 0; i < n; i++) {
		const struct lock_blame *b = &l->blames[i];
		char cells[6][CELL];

		columns_add(&columns,
			    (const char *[]){lock_name_text(cells[0], l, b->lock),
					     lock_place_text(cells[1], l, b->waiter),
					     b->caused ? lock_place_text(cells[2], l, b->holder)
						       : "unknown",
					     units_count(cells[3], b->waits),
					     units_time(cells[4], (double)b->total),
					     units_time(cells[5], (double)b->max)});
	}
	columns_print(&columns, out);
	if (n < l->nblames)
		fprintf(out, "and %zu more sites with less wait time: --top all\n", l->nblames - n);
}

/* Whether it says more than that a thread waited for another one. */
static bool is_convoy(const struct lock_row *r)
{
	return r->convoy.most > 1 && r->hold.n;
}

static void convoys_text(FILE *out, const struct locks *l)
{
	struct columns columns = {.count = 5, .left = 1};
	unsigned shown = 0;

	for (size_t i = 0; i < l->nrows && shown < top_rows(l->nrows, CONVOYS_SHOWN); i++) {
		const struct lock_convoy *c = &l->rows[i].convoy;
		char cells[5][CELL];

		if (!is_convoy(&l->rows[i]))
			continue;
		if (!shown++)
			columns_add(&columns, (const char *[]){"longest convoy", "from", "duration",
							       "waits", "max waiters"});
		columns_add(&columns,
			    (const char *[]){lock_name_text(cells[0], l, l->rows[i].lock),
					     units_time(cells[1], (double)c->from),
					     units_time(cells[2], (double)(c->to - c->from)),
					     units_count(cells[3], c->waits),
					     units_count(cells[4], c->most)});
	}
	if (shown) {
		putc('\n', out);
		columns_print(&columns, out);
	}
}

static void step_text(FILE *out, const struct locks *l, const struct lock_step *s)
{
	char cells[4][CELL];

	fprintf(out, "  %s holds %s, acquired at %s,\n    and acquires %s at %s\n",
		thread_label(l, s->thread), lock_name_text(cells[0], l, s->held.lock),
		lock_place_text(cells[1], l, s->held.site),
		lock_name_text(cells[2], l, s->taken.lock),
		lock_place_text(cells[3], l, s->taken.site));
}

static void order_text(FILE *out, const struct locks *l)
{
	size_t n = l->order.cycles.n, shown = top_rows(n, CYCLES_SHOWN);
	char text[UNITS_TEXT];

	if (!n)
		return;
	fprintf(out, "\n%s: each thread waits for a lock that the next one holds\n",
		units_counted(text, n, "possible deadlock", "possible deadlocks"));
	for (size_t i = 0; i < shown; i++) {
		const struct lock_cycle *c = &l->order.cycles.at[i];

		fprintf(out, "%s%zu: %zu locks\n", i ? "\n" : "", i + 1, c->steps.n);
		for (size_t k = 0; k < c->steps.n; k++)
			step_text(out, l, &c->steps.at[k]);
	}
	if (shown < n)
		fprintf(out, "and %zu more: --top all\n", n - shown);
	if (l->order.incomplete)
		fputs(
		    "There may be more: these locks have too many acquisition orders to check them all.\n",
		    out);
}

static void waiter_text(FILE *out, const struct locks *l, const struct lock_waiter *w)
{
	char *wait = waiter_wait_text(l, w), *holder = waiter_holder_text(l, w);

	fprintf(out, "  %s%s%s\n", wait, holder ? ";\n    " : "", holder ? holder : "");
	free(wait);
	free(holder);
}

/* Whether a stuck thread is in no other list: no event says what it waits for. */
static bool is_unnamed_wait(const struct locks *l, const struct stuck_thread *s)
{
	for (size_t i = 0; i < l->hang.waiters.n; i++)
		if (l->hang.waiters.at[i].thread == s->thread)
			return false;
	return true;
}

/* Whether a thread of the process is so: else the list of all waits says everything. */
static bool has_unnamed_wait(const struct locks *l, const struct stuck *s, uint32_t process)
{
	for (size_t i = 0; i < s->threads.n; i++)
		if (l->trace->threads[s->threads.at[i].thread].directory == process &&
		    is_unnamed_wait(l, &s->threads.at[i]))
			return true;
	return false;
}

static void stuck_text(FILE *out, const struct locks *l, const struct stuck *s)
{
	const struct trace *t = l->trace;
	uint32_t process = UINT32_MAX;

	for (size_t i = 0; i < s->threads.n; i++) {
		const struct stuck_thread *w = &s->threads.at[i];
		uint32_t of = t->threads[w->thread].directory;
		char *text, since[UNITS_TEXT];

		if (!has_unnamed_wait(l, s, of))
			continue;
		if (of != process)
			fprintf(out, "\nwaits that never end: all threads of %s, since %s\n",
				t->processes[of].program,
				units_time(since, (double)stuck_since(s, t, of)));
		process = of;
		text = stuck_thread_text(t, l, w);
		fprintf(out, "  %s\n", text);
		free(text);
	}
}

static void hang_text(FILE *out, const struct locks *l)
{
	uint32_t cycle = 0;
	bool rest = false;

	if (!l->hang.waiters.n)
		return;
	fputs("\nwaiting at the end\n", out);
	for (size_t i = 0; i < l->hang.waiters.n; i++) {
		const struct lock_waiter *w = &l->hang.waiters.at[i];

		if (w->cycle != cycle && w->cycle)
			fputs(
			    "DEADLOCK: each thread waits for the next one, and the last one for the first\n",
			    out);
		else if (!w->cycle && !rest && l->hang.ncycles)
			fputs("other waiting threads\n", out);
		cycle = w->cycle;
		rest |= !w->cycle;
		waiter_text(out, l, w);
	}
}

/* What is not as it should be. */
static void counts_text(FILE *out, const struct locks *l)
{
	uint64_t waits = 0, holds = 0;
	char text[2][UNITS_TEXT];

	for (size_t i = 0; i < l->nrows; i++) {
		waits += l->rows[i].wait.open;
		holds += l->rows[i].hold.open;
	}
	if (waits || holds)
		fprintf(out, "\nwithout an end: %s and %s, which count until their threads end\n",
			units_counted(text[0], waits, "wait", "waits"),
			units_counted(text[1], holds, "hold", "holds"));
	if (l->unbegun)
		fprintf(out, "\nwithout a begin: %s of waits and holds, not counted\n",
			units_counted(text[0], l->unbegun, "end", "ends"));
}

static void locks_text(FILE *out, const struct locks *l, const struct stuck *s)
{
	if (is_shown(SHOW_LOCKS)) {
		rows_text(out, l);
		counts_text(out, l);
		convoys_text(out, l);
		inversions_text(out, l, 0);
	}
	if (is_shown(SHOW_SITES))
		sites_text(out, l);
	if (is_shown(SHOW_ORDER))
		order_text(out, l);
	if (is_shown(SHOW_WAITING)) {
		stuck_text(out, l, s);
		hang_text(out, l);
	}
}

/* ---- the tables of csv and JSON ---- */

enum {
	LOCK_NAME,
	LOCK_KIND,
	LOCK_ACQUISITIONS,
	LOCK_COUNTED,
	LOCK_CONTENDED,
	LOCK_WAIT, /* and three more */
	LOCK_HOLD = LOCK_WAIT + 4,
	LOCK_WAITS_OPEN = LOCK_HOLD + 4,
	LOCK_HOLDS_OPEN,
	LOCK_CONVOY_FROM,
	LOCK_CONVOY_TIME,
	LOCK_CONVOY_WAITS,
	LOCK_CONVOY_MOST,
	LOCK_INVERSIONS,
	LOCK_INVERSION_TOTAL,
	LOCK_INVERSION_MAX,
	LOCK_PATH,
	LOCK_OVERHEAD,
	LOCK_LOGGED,
	LOCK_CONTENDED_LOGGED,
	LOCK_VAIN,
	LOCK_MISSED,
	LOCK_FIELDS
};
static const struct field lock_fields[LOCK_FIELDS] = {
    [LOCK_NAME] = {"lock", 1},
    [LOCK_KIND] = {"kind", 2},
    [LOCK_ACQUISITIONS] = {"acquisitions", 3},
    [LOCK_COUNTED] = {"counted", 0},
    [LOCK_CONTENDED] = {"contended", 4},
    [LOCK_WAIT] = {"wait_total", 5},
    [LOCK_WAIT + 1] = {"wait_mean", 11},
    [LOCK_WAIT + 2] = {"wait_p99", 6},
    [LOCK_WAIT + 3] = {"wait_max", 7},
    [LOCK_HOLD] = {"hold_total", 8},
    [LOCK_HOLD + 1] = {"hold_mean", 12},
    [LOCK_HOLD + 2] = {"hold_p99", 9},
    [LOCK_HOLD + 3] = {"hold_max", 10},
    [LOCK_WAITS_OPEN] = {"waits_open", 13},
    [LOCK_HOLDS_OPEN] = {"holds_open", 14},
    [LOCK_CONVOY_FROM] = {"convoy_from", 15},
    [LOCK_CONVOY_TIME] = {"convoy_time", 16},
    [LOCK_CONVOY_WAITS] = {"convoy_waits", 17},
    [LOCK_CONVOY_MOST] = {"convoy_most", 18},
    [LOCK_INVERSIONS] = {"inversions", 19},
    [LOCK_INVERSION_TOTAL] = {"inversion_total", 20},
    [LOCK_INVERSION_MAX] = {"inversion_max", 21},
    [LOCK_PATH] = {"critical_path", 22},
    [LOCK_OVERHEAD] = {"overhead", 23},
    [LOCK_LOGGED] = {"logged", 24},
    [LOCK_CONTENDED_LOGGED] = {"contended_logged", 25},
    [LOCK_VAIN] = {"waits_in_vain", 26},
    [LOCK_MISSED] = {"tries_in_vain", 27},
};

static void times_cells(struct table_cell cells[4], const struct lock_times *t)
{
	cells[0] = cell_known(t->n, t->total);
	cells[1] = cell_known(t->n, t->n ? mean_of(t) : 0);
	cells[2] = cell_known(t->n, t->p99);
	cells[3] = cell_known(t->n, t->max);
}

static void convoy_cells(struct table_cell cells[LOCK_FIELDS], const struct lock_row *r)
{
	cells[LOCK_CONVOY_FROM] = cell_known(r->convoy.most, r->convoy.from);
	cells[LOCK_CONVOY_TIME] = cell_known(r->convoy.most, r->convoy.to - r->convoy.from);
	cells[LOCK_CONVOY_WAITS] = cell_uint(r->convoy.waits);
	cells[LOCK_CONVOY_MOST] = cell_uint(r->convoy.most);
	cells[LOCK_INVERSIONS] = cell_uint(r->inversions.waits);
	cells[LOCK_INVERSION_TOTAL] = cell_known(r->inversions.waits, r->inversions.total);
	cells[LOCK_INVERSION_MAX] = cell_known(r->inversions.waits, r->inversions.max);
}

static void lock_cells(struct table_cell cells[LOCK_FIELDS], const struct locks *l,
		       const struct lock_row *r)
{
	cells[LOCK_NAME] = cell_text(name_of(l, r->lock));
	cells[LOCK_KIND] = cell_text(l->names.locks.at[r->lock].kind);
	cells[LOCK_ACQUISITIONS] = cell_uint(r->acquisitions);
	cells[LOCK_COUNTED] = r->counted ? cell_uint(r->counted) : cell_left_out();
	cells[LOCK_CONTENDED] = cell_uint(r->contended);
	times_cells(&cells[LOCK_WAIT], &r->wait);
	times_cells(&cells[LOCK_HOLD], &r->hold);
	cells[LOCK_WAITS_OPEN] = cell_uint(r->wait.open);
	cells[LOCK_HOLDS_OPEN] = cell_uint(r->hold.open);
	convoy_cells(cells, r);
	cells[LOCK_PATH] = cell_known(r->hold.n, r->path);
	cells[LOCK_OVERHEAD] = cell_known(r->overhead_known, r->overhead);
	cells[LOCK_LOGGED] = cell_int(r->logged);
	cells[LOCK_CONTENDED_LOGGED] = cell_uint(r->contended_logged);
	cells[LOCK_VAIN] = cell_uint(r->vain);
	cells[LOCK_MISSED] = cell_uint(r->missed);
}

enum { SITE_LOCK, SITE_WAITER, SITE_HOLDER, SITE_WAITS, SITE_TOTAL, SITE_MAX, SITE_FIELDS };
static const struct field site_fields[SITE_FIELDS] = {
    [SITE_LOCK] = {"lock", 1},   [SITE_WAITER] = {"waiter", 2},    [SITE_HOLDER] = {"holder", 3},
    [SITE_WAITS] = {"waits", 4}, [SITE_TOTAL] = {"wait_total", 5}, [SITE_MAX] = {"wait_max", 6},
};

static void site_cells(struct table_cell cells[SITE_FIELDS], const struct locks *l,
		       const struct lock_blame *b)
{
	cells[SITE_LOCK] = cell_text(name_of(l, b->lock));
	cells[SITE_WAITER] = cell_text(lock_site_text(&l->names, b->waiter));
	cells[SITE_HOLDER] = cell_text(b->caused ? lock_site_text(&l->names, b->holder) : NULL);
	cells[SITE_WAITS] = cell_uint(b->waits);
	cells[SITE_TOTAL] = cell_int(b->total);
	cells[SITE_MAX] = cell_int(b->max);
}

enum {
	STEP_CYCLE,
	STEP_THREAD,
	STEP_HELD,
	STEP_HELD_AT,
	STEP_TAKEN,
	STEP_TAKEN_AT,
	STEP_TIMES,
	STEP_FIELDS
};
static const struct field step_fields[STEP_FIELDS] = {
    [STEP_CYCLE] = {"cycle", 1}, [STEP_THREAD] = {"thread", 2},
    [STEP_HELD] = {"held", 3},   [STEP_HELD_AT] = {"held_at", 4},
    [STEP_TAKEN] = {"taken", 5}, [STEP_TAKEN_AT] = {"taken_at", 6},
    [STEP_TIMES] = {"times", 7},
};

enum {
	WAITER_CYCLE,
	WAITER_THREAD,
	WAITER_SINCE,
	WAITER_LOCK,
	WAITER_SITE,
	WAITER_HOLDER,
	WAITER_HELD_AT,
	WAITER_NEVER_ENDS,
	WAITER_LAST_SEEN,
	WAITER_FIELDS
};
static const struct field waiter_fields[WAITER_FIELDS] = {
    [WAITER_CYCLE] = {"cycle", 1},         [WAITER_THREAD] = {"thread", 2},
    [WAITER_SINCE] = {"since", 3},         [WAITER_LOCK] = {"waits_for", 4},
    [WAITER_SITE] = {"waits_at", 5},       [WAITER_HOLDER] = {"holder", 6},
    [WAITER_HELD_AT] = {"held_at", 7},     [WAITER_NEVER_ENDS] = {"never_ends", 8},
    [WAITER_LAST_SEEN] = {"last_seen", 9},
};

/* ---- their rows: j NULL: as csv ---- */

static void lock_rows(FILE *out, struct json *j, const struct locks *l)
{
	struct field_rows rows = {.fields = lock_fields, .n = LOCK_FIELDS};
	struct table_cell cells[LOCK_FIELDS];

	fields_begin(&rows, out, j);
	for (size_t i = 0; i < l->nrows; i++) {
		lock_cells(cells, l, &l->rows[i]);
		fields_row(&rows, cells);
	}
}

static void site_rows(FILE *out, struct json *j, const struct locks *l)
{
	struct field_rows rows = {.fields = site_fields, .n = SITE_FIELDS};
	struct table_cell cells[SITE_FIELDS];

	fields_begin(&rows, out, j);
	for (size_t i = 0; i < l->nblames; i++) {
		site_cells(cells, l, &l->blames[i]);
		fields_row(&rows, cells);
	}
}

static void step_row(struct field_rows *rows, const struct locks *l, size_t cycle,
		     const struct lock_step *s)
{
	fields_row(rows, (struct table_cell[STEP_FIELDS]){
			     [STEP_CYCLE] = cell_only_csv(cell_uint(cycle + 1)),
			     [STEP_THREAD] = cell_text(thread_label(l, s->thread)),
			     [STEP_HELD] = cell_text(name_of(l, s->held.lock)),
			     [STEP_HELD_AT] = cell_text(lock_site_text(&l->names, s->held.site)),
			     [STEP_TAKEN] = cell_text(name_of(l, s->taken.lock)),
			     [STEP_TAKEN_AT] = cell_text(lock_site_text(&l->names, s->taken.site)),
			     [STEP_TIMES] = cell_uint(s->times),
			 });
}

/* JSON has an array for each cycle. */
static void step_rows(FILE *out, struct json *j, const struct locks *l)
{
	struct field_rows rows = {.fields = step_fields, .n = STEP_FIELDS};

	fields_begin(&rows, out, j);
	for (size_t i = 0; i < l->order.cycles.n; i++) {
		if (j)
			json_array(j, NULL);
		for (size_t k = 0; k < l->order.cycles.at[i].steps.n; k++)
			step_row(&rows, l, i, &l->order.cycles.at[i].steps.at[k]);
		if (j)
			json_close(j);
	}
}

static void stuck_rows(struct field_rows *rows, const struct locks *l, const struct stuck *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct stuck_thread *w = &s->threads.at[i];

		if (is_unnamed_wait(l, w))
			fields_row(rows,
				   (struct table_cell[WAITER_FIELDS]){
				       [WAITER_CYCLE] = cell_uint(0),
				       [WAITER_THREAD] = cell_text(thread_label(l, w->thread)),
				       [WAITER_SINCE] = cell_int(w->since),
				       [WAITER_NEVER_ENDS] = cell_bool(true),
				       [WAITER_LAST_SEEN] = cell_text(w->place),
				   });
	}
}

static void waiter_rows(FILE *out, struct json *j, const struct locks *l, const struct stuck *s)
{
	struct field_rows rows = {.fields = waiter_fields, .n = WAITER_FIELDS};

	fields_begin(&rows, out, j);
	for (size_t i = 0; i < l->hang.waiters.n; i++) {
		const struct lock_waiter *w = &l->hang.waiters.at[i];
		const char *holder = w->holder == NO_WAITER ? NULL : thread_label(l, w->holder);

		fields_row(
		    &rows,
		    (struct table_cell[WAITER_FIELDS]){
			[WAITER_CYCLE] = cell_uint(w->cycle),
			[WAITER_THREAD] = cell_text(thread_label(l, w->thread)),
			[WAITER_SINCE] = cell_int(w->wait.start),
			[WAITER_LOCK] = cell_text(name_of(l, w->wait.lock)),
			[WAITER_SITE] = cell_text(lock_site_text(&l->names, w->wait.site)),
			[WAITER_HOLDER] = cell_text(holder),
			[WAITER_HELD_AT] = cell_text(lock_site_text(&l->names, w->holder_site)),
			[WAITER_NEVER_ENDS] = cell_bool(stuck_thread_of(s, w->thread) || w->cycle),
		    });
	}
	stuck_rows(&rows, l, s);
}

static void rows_print(enum show show, FILE *out, struct json *j, const struct locks *l,
		       const struct stuck *s)
{
	static void (*const print[])(FILE *, struct json *,
				     const struct locks *) = {lock_rows, site_rows, step_rows};

	if (show == SHOW_WAITING)
		waiter_rows(out, j, l, s);
	else
		print[show](out, j, l);
}

static void locks_csv(FILE *out, const struct locks *l, const struct stuck *s)
{
	for (enum show i = 0; i <= SHOW_WAITING; i++)
		if (shows ? shows & 1u << i : i == SHOW_LOCKS)
			rows_print(i, out, NULL, l, s);
}

static void locks_json(FILE *out, const struct locks *l, const struct stuck *s)
{
	static const char *const keys[] = {"locks", "sites", "cycles", "waiting"};
	struct json j = json_begin(out, 2);
	struct losses losses = losses_of(l->trace);

	json_object(&j, NULL);
	losses_json(&j, &losses);
	for (enum show i = 0; i <= SHOW_WAITING; i++) {
		if (!is_shown(i))
			continue;
		json_array(&j, keys[i]);
		rows_print(i, out, &j, l, s);
		json_close(&j);
	}
	json_uint(&j, "unbegun", l->unbegun);
	auto_off_json(&j, l->trace);
	json_close(&j);
}

/* ---- all ---- */

static bool trace_has_locks(const struct trace *t, struct diag *diag)
{
	if (!spec_has_locks(t->spec))
		diag_error(
		    diag, DIAG_NOWHERE,
		    "no interval has (kind \"hold\") or (kind \"wait\"); record with glimpse record "
		    "--probes threads, or give intervals these kinds in a specification with -s");
	return spec_has_locks(t->spec);
}

static int locks_run(struct command_request *r)
{
	struct lock_part part;
	struct stuck stuck;
	struct trace *t;
	struct locks *l;
	bool *threads = NULL;

	selection_times(&part.from, &part.to);
	if (r->format == FORMAT_CSV && shows & (shows - 1))
		usage_fail("--format=csv prints one table; give --show once");
	t = request_open(r);
	if (!t || !trace_has_locks(t, &r->diag) || !selection_threads(t, &threads, &r->diag)) {
		free(threads);
		trace_close(t);
		return EXIT_ERROR;
	}
	part.threads = threads;
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
	l = locks_of(t, &part, is_shown(SHOW_LOCKS));
	stuck_find(&stuck, t);
	if (r->format == FORMAT_TEXT)
		locks_text(r->out, l, &stuck);
	else if (r->format == FORMAT_CSV)
		locks_csv(r->out, l, &stuck);
	else
		locks_json(r->out, l, &stuck);
	if (r->format == FORMAT_TEXT)
		unrecorded_remark(r->out, t, UNRECORDED_STATES | UNRECORDED_WAITS);
	stuck_free(&stuck);
	locks_free(l);
	free(threads);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    {0, "show", "TABLE", "print only this: locks, sites, order or waiting (repeatable)", take_show},
    TOP_OPTION("20"),
    THREAD_OPTION("waits and holds of"),
    PROCESS_OPTION("waits and holds of"),
    FROM_OPTION("times"),
    TO_OPTION("times"),
    {0},
};

const struct command cmd_locks = {
    .name = "locks",
    .summary = "what locks cost, possible deadlocks, and who waits for whom",
    .teaches =
	"Reports locks: the intervals of the kinds \"hold\" and \"wait\".\n"
	"  locks    per lock, semaphore, barrier, condition or monitor: acquisitions; the share of\n"
	"           contended attempts, including failed ones; the share of the time in which it is\n"
	"           held on the critical path; the extra CPU time of contended calls (overhead);\n"
	"           wait and hold times; convoys, in which some thread always waits; and priority\n"
	"           inversions\n"
	"  sites    where threads wait, and where the thread that blocks them acquired the lock\n"
	"  order    possible deadlocks (also when none occurred): lock-order cycles that no common\n"
	"           lock prevents\n"
	"  waiting  who waited for whom when the trace ended, as in a hung program that was killed\n"
	"If holds were logged for part of the run only, as by glimpse why -- PROGRAM, their columns\n"
	"cover that part, and a line below the table reports its length.\n"
	"--thread, --from and --to restrict the first two tables; intervals are clipped to the window.\n",
    .examples = "  glimpse locks run1\n"
		"  glimpse locks run1 --format=csv\n"
		"  glimpse locks run1 --show order\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = locks_run,
};
