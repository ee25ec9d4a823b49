#include "analysis/locks/hang_text.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/auto_off.h"
#include "cli/common/command.h"
#include "cli/common/inversions.h"
#include "cli/common/lost.h"
#include "cli/common/selection_options.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/common/top.h"
#include <inttypes.h>
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
	uint64_t requests = r->acquisitions + r->wait.open + r->vain;

	columns_add(columns,
		    (const char *[]){
			lock_name_text(cells[0], l, r->lock),
			units_count(cells[1], r->acquisitions),
			r->free_known
			    ? percent_text(cells[2], (double)r->contended_logged, (double)requests)
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

static void rows_text(FILE *out, const struct locks *l)
{
	struct columns columns = {.count = 13, .left = 1};
	size_t n = top_rows(l->nrows, ROWS_SHOWN);

	if (!l->nrows) {
		fputs("no lock was acquired or waited for\n", out);
		return;
	}
	columns_add(&columns,
		    (const char *[]){"lock", "acquired", "contended", "critical path", "overhead",
				     "wait", "mean", "p99", "max", "hold", "mean", "p99", "max"});
	for (size_t i = 0; i < n; i++)
		row_text(&columns, l, &l->rows[i]);
	columns_print(&columns, out);
	logged_text(out, l, n);
	counted_text(out, l);
	if (n < l->nrows)
		fprintf(out, "and %zu more locks with less wait time: --top all\n", l->nrows - n);
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

/* ---- csv ---- */

static void times_csv(FILE *out, const struct lock_times *t)
{
	known_csv(out, t->n, t->total);
	known_csv(out, t->n, t->p99);
	known_csv(out, t->n, t->max);
}

static void rows_csv(FILE *out, const struct locks *l)
{
	fputs(
	    "lock,kind,acquisitions,contended,wait_total,wait_p99,wait_max,hold_total,hold_p99,hold_max,"
	    "wait_mean,hold_mean,waits_open,holds_open,convoy_from,convoy_time,convoy_waits,convoy_most,inversions,inversion_total,inversion_max,critical_path,overhead,logged,contended_logged,waits_in_vain\n",
	    out);
	for (size_t i = 0; i < l->nrows; i++) {
		const struct lock_row *r = &l->rows[i];
		const struct lock *x = &l->names.locks.at[r->lock];

		csv_write_field(out, x->label);
		putc(',', out);
		csv_write_field(out, x->kind);
		fprintf(out, ",%" PRIu64 ",%" PRIu64, r->acquisitions, r->contended);
		times_csv(out, &r->wait);
		times_csv(out, &r->hold);
		known_csv(out, r->wait.n, r->wait.n ? mean_of(&r->wait) : 0);
		known_csv(out, r->hold.n, r->hold.n ? mean_of(&r->hold) : 0);
		fprintf(out, ",%" PRIu64 ",%" PRIu64, r->wait.open, r->hold.open);
		known_csv(out, r->convoy.most, r->convoy.from);
		known_csv(out, r->convoy.most, r->convoy.to - r->convoy.from);
		fprintf(out, ",%" PRIu64 ",%" PRIu32 ",%" PRIu64, r->convoy.waits, r->convoy.most,
			r->inversions.waits);
		known_csv(out, r->inversions.waits, r->inversions.total);
		known_csv(out, r->inversions.waits, r->inversions.max);
		known_csv(out, r->hold.n, r->path);
		known_csv(out, r->overhead_known, r->overhead);
		fprintf(out, ",%" PRId64 ",%" PRIu64 ",%" PRIu64 "\n", r->logged,
			r->contended_logged, r->vain);
	}
}

static void texts_csv(FILE *out, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		csv_write_field(out, texts[i]);
		putc(',', out);
	}
}

static void sites_csv(FILE *out, const struct locks *l)
{
	fputs("lock,waiter,holder,waits,wait_total,wait_max\n", out);
	for (size_t i = 0; i < l->nblames; i++) {
		const struct lock_blame *b = &l->blames[i];

		texts_csv(out,
			  (const char *[]){name_of(l, b->lock),
					   lock_site_text(&l->names, b->waiter),
					   lock_site_text(&l->names, b->holder)},
			  3);
		fprintf(out, "%" PRIu64 ",%" PRId64 ",%" PRId64 "\n", b->waits, b->total, b->max);
	}
}

static void order_csv(FILE *out, const struct locks *l)
{
	fputs("cycle,thread,held,held_at,taken,taken_at,times\n", out);
	for (size_t i = 0; i < l->order.cycles.n; i++)
		for (size_t k = 0; k < l->order.cycles.at[i].steps.n; k++) {
			const struct lock_step *s = &l->order.cycles.at[i].steps.at[k];

			fprintf(out, "%zu,", i + 1);
			texts_csv(out,
				  (const char *[]){thread_label(l, s->thread),
						   name_of(l, s->held.lock),
						   lock_site_text(&l->names, s->held.site),
						   name_of(l, s->taken.lock),
						   lock_site_text(&l->names, s->taken.site)},
				  5);
			fprintf(out, "%" PRIu64 "\n", s->times);
		}
}

static void stuck_csv(FILE *out, const struct locks *l, const struct stuck *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct stuck_thread *w = &s->threads.at[i];

		if (!is_unnamed_wait(l, w))
			continue;
		fputs("0,", out);
		csv_write_field(out, thread_label(l, w->thread));
		fprintf(out, ",%" PRId64 ",,,,,1,", w->since);
		csv_write_field(out, w->place ? w->place : "");
		putc('\n', out);
	}
}

static void waiting_csv(FILE *out, const struct locks *l, const struct stuck *s)
{
	fputs("cycle,thread,since,waits_for,waits_at,holder,held_at,never_ends,last_seen\n", out);
	for (size_t i = 0; i < l->hang.waiters.n; i++) {
		const struct lock_waiter *w = &l->hang.waiters.at[i];

		fprintf(out, "%" PRIu32 ",", w->cycle);
		csv_write_field(out, thread_label(l, w->thread));
		fprintf(out, ",%" PRId64 ",", w->wait.start);
		texts_csv(out,
			  (const char *[]){
			      name_of(l, w->wait.lock), lock_site_text(&l->names, w->wait.site),
			      w->holder == NO_WAITER ? "" : thread_label(l, w->holder)},
			  3);
		csv_write_field(out, lock_site_text(&l->names, w->holder_site));
		fprintf(out, ",%d,\n", stuck_thread_of(s, w->thread) || w->cycle);
	}
	stuck_csv(out, l, s);
}

static void locks_csv(FILE *out, const struct locks *l, const struct stuck *s)
{
	static void (*const print[])(FILE *, const struct locks *) = {rows_csv, sites_csv,
								      order_csv};

	for (enum show i = 0; i < SHOW_WAITING; i++)
		if (shows ? shows & 1u << i : i == SHOW_LOCKS)
			print[i](out, l);
	if (shows & 1u << SHOW_WAITING)
		waiting_csv(out, l, s);
}

/* ---- json ---- */

static void times_json(struct json *j, const char *which, const struct lock_times *t)
{
	static const char *const names[] = {"total", "mean", "p99", "max"};
	const int64_t values[] = {t->total, t->n ? mean_of(t) : 0, t->p99, t->max};

	for (size_t i = 0; i < 4; i++) {
		char key[32];

		snprintf(key, sizeof key, "%s_%s", which, names[i]);
		known_json(j, key, t->n, values[i]);
	}
}

static void row_json(struct json *j, const struct locks *l, const struct lock_row *r)
{
	json_object(j, NULL);
	json_string(j, "lock", name_of(l, r->lock));
	json_string(j, "kind", l->names.locks.at[r->lock].kind);
	json_uint(j, "acquisitions", r->acquisitions);
	if (r->counted)
		json_uint(j, "counted", r->counted);
	json_uint(j, "contended", r->contended);
	times_json(j, "wait", &r->wait);
	times_json(j, "hold", &r->hold);
	json_uint(j, "waits_open", r->wait.open);
	json_uint(j, "holds_open", r->hold.open);
	known_json(j, "convoy_from", r->convoy.most, r->convoy.from);
	known_json(j, "convoy_time", r->convoy.most, r->convoy.to - r->convoy.from);
	json_uint(j, "convoy_waits", r->convoy.waits);
	json_uint(j, "convoy_most", r->convoy.most);
	json_uint(j, "inversions", r->inversions.waits);
	known_json(j, "inversion_total", r->inversions.waits, r->inversions.total);
	known_json(j, "inversion_max", r->inversions.waits, r->inversions.max);
	known_json(j, "critical_path", r->hold.n, r->path);
	known_json(j, "overhead", r->overhead_known, r->overhead);
	json_int(j, "logged", r->logged);
	json_uint(j, "contended_logged", r->contended_logged);
	json_uint(j, "waits_in_vain", r->vain);
	json_close(j);
}

static void sites_json(struct json *j, const struct locks *l)
{
	json_array(j, "sites");
	for (size_t i = 0; i < l->nblames; i++) {
		const struct lock_blame *b = &l->blames[i];

		json_object(j, NULL);
		json_string(j, "lock", name_of(l, b->lock));
		json_string(j, "waiter", lock_site_text(&l->names, b->waiter));
		json_string(j, "holder", b->caused ? lock_site_text(&l->names, b->holder) : NULL);
		json_uint(j, "waits", b->waits);
		json_int(j, "wait_total", b->total);
		json_int(j, "wait_max", b->max);
		json_close(j);
	}
	json_close(j);
}

static void step_json(struct json *j, const struct locks *l, const struct lock_step *s)
{
	json_object(j, NULL);
	json_string(j, "thread", thread_label(l, s->thread));
	json_string(j, "held", name_of(l, s->held.lock));
	json_string(j, "held_at", lock_site_text(&l->names, s->held.site));
	json_string(j, "taken", name_of(l, s->taken.lock));
	json_string(j, "taken_at", lock_site_text(&l->names, s->taken.site));
	json_uint(j, "times", s->times);
	json_close(j);
}

static void order_json(struct json *j, const struct locks *l)
{
	json_array(j, "cycles");
	for (size_t i = 0; i < l->order.cycles.n; i++) {
		json_array(j, NULL);
		for (size_t k = 0; k < l->order.cycles.at[i].steps.n; k++)
			step_json(j, l, &l->order.cycles.at[i].steps.at[k]);
		json_close(j);
	}
	json_close(j);
}

static void stuck_json(struct json *j, const struct locks *l, const struct stuck *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct stuck_thread *w = &s->threads.at[i];

		if (!is_unnamed_wait(l, w))
			continue;
		json_object(j, NULL);
		json_uint(j, "cycle", 0);
		json_string(j, "thread", thread_label(l, w->thread));
		json_int(j, "since", w->since);
		json_bool(j, "never_ends", true);
		json_string(j, "last_seen", w->place);
		json_close(j);
	}
}

static void waiting_json(struct json *j, const struct locks *l, const struct stuck *s)
{
	json_array(j, "waiting");
	for (size_t i = 0; i < l->hang.waiters.n; i++) {
		const struct lock_waiter *w = &l->hang.waiters.at[i];

		json_object(j, NULL);
		json_uint(j, "cycle", w->cycle);
		json_string(j, "thread", thread_label(l, w->thread));
		json_int(j, "since", w->wait.start);
		json_string(j, "waits_for", name_of(l, w->wait.lock));
		json_string(j, "waits_at", lock_site_text(&l->names, w->wait.site));
		json_string(j, "holder",
			    w->holder == NO_WAITER ? NULL : thread_label(l, w->holder));
		json_string(j, "held_at", lock_site_text(&l->names, w->holder_site));
		json_bool(j, "never_ends", stuck_thread_of(s, w->thread) || w->cycle);
		json_close(j);
	}
	stuck_json(j, l, s);
	json_close(j);
}

static void locks_json(FILE *out, const struct locks *l, const struct stuck *s)
{
	struct json j = json_begin(out, 2);
	struct losses losses = losses_of(l->trace);

	json_object(&j, NULL);
	losses_json(&j, &losses);
	if (is_shown(SHOW_LOCKS)) {
		json_array(&j, "locks");
		for (size_t i = 0; i < l->nrows; i++)
			row_json(&j, l, &l->rows[i]);
		json_close(&j);
	}
	if (is_shown(SHOW_SITES))
		sites_json(&j, l);
	if (is_shown(SHOW_ORDER))
		order_json(&j, l);
	if (is_shown(SHOW_WAITING))
		waiting_json(&j, l, s);
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
		unrecorded_remark(r->out, t, UNRECORDED_STATES);
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
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = locks_run,
};
