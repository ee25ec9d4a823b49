#include "cli/info_threads.h"
#include "base/array.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "trace/stream/losses.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * So many threads have a row each. Of more, those that are ALIKE or more and of one pattern share
 * one; and MOST_ROWS are printed.
 */
enum { FEW_THREADS = 100, ALIKE = 3, MOST_ROWS = 200 };

/* Threads of one process that have a row: those whose names are alike, or one. */
struct thread_row {
	uint32_t process, first; /* by their places in the trace */
	uint32_t n, last;
	char *pattern;
	uint64_t events, bytes, lost;
	int64_t begin, end; /* of those that have events */
};

struct thread_rows {
	struct thread_row *at;
	size_t n;
};

static struct thread_row row_of(const struct trace *t, uint32_t process, uint32_t index)
{
	const struct trace_thread *thread = &t->threads[index];

	return (struct thread_row){
	    .process = process,
	    .first = index,
	    .n = 1,
	    .last = index,
	    .pattern = name_pattern(thread->name),
	    .events = thread->events,
	    .bytes = thread->bytes,
	    .lost = thread->lost,
	    .begin = thread->first,
	    .end = thread->last,
	};
}

static struct thread_rows rows_new(const struct trace *t)
{
	struct thread_rows r = {array_zero(t->nthreads, sizeof *r.at), 0};

	for (unsigned p = 0; p < t->nprocesses; p++)
		for (uint32_t i = 0; i < t->processes[p].nthreads; i++)
			r.at[r.n++] = row_of(t, p, t->processes[p].first_thread + i);
	return r;
}

/* ---- those that are alike ---- */

static int compare_patterns(const void *pa, const void *pb)
{
	const struct thread_row *a = pa, *b = pb;
	int order = (a->process > b->process) - (a->process < b->process);

	if (!order)
		order = strcmp(a->pattern, b->pattern);
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

static int compare_firsts(const void *pa, const void *pb)
{
	const struct thread_row *a = pa, *b = pb;

	return (a->first > b->first) - (a->first < b->first);
}

static void add_row(struct thread_row *to, const struct thread_row *row)
{
	if (row->events && (!to->events || row->begin < to->begin))
		to->begin = row->begin;
	if (row->events && (!to->events || row->end > to->end))
		to->end = row->end;
	to->n += row->n;
	to->last = row->last;
	to->events += row->events;
	to->bytes += row->bytes;
	to->lost += row->lost;
}

/* Makes one row of each pattern that ALIKE rows have. */
static void rows_fold(struct thread_rows *r)
{
	size_t kept = 0;

	qsort(r->at, r->n, sizeof *r->at, compare_patterns);
	for (size_t i = 0, end; i < r->n; i = end) {
		const struct thread_row *row = &r->at[i];
		size_t first = kept;

		for (end = i + 1; end < r->n && r->at[end].process == row->process &&
				  !strcmp(r->at[end].pattern, row->pattern);
		     end++)
			;
		for (size_t k = i; k < end; k++) {
			struct thread_row now = r->at[k];

			if (k > i && end - i >= ALIKE) {
				add_row(&r->at[first], &now);
				free(now.pattern);
			} else {
				r->at[kept++] = now;
			}
		}
	}
	r->n = kept;
	qsort(r->at, r->n, sizeof *r->at, compare_firsts);
}

/* ---- the table ---- */

/* Adds a row; the process, the third of 8 cells, may be missing. */
static void cells_add(struct columns *table, const char **cells)
{
	if (!cells[2])
		memmove(cells + 2, cells + 3, 5 * sizeof *cells);
	columns_add(table, cells);
}

/* process: the last part of its directory; NULL: there is only one. */
static void row_add(struct columns *table, const struct trace *t, const struct thread_row *row,
		    const char *process)
{
	char number[40], count[UNITS_TEXT], events[UNITS_TEXT], bytes[UNITS_TEXT],
	    first[UNITS_TEXT], last[UNITS_TEXT], lost[UNITS_TEXT];
	char *name = row->n == 1
			 ? text_format("%s", t->threads[row->first].label)
			 : text_format("%s, %s threads", row->pattern, units_count(count, row->n));
	const char *cells[] = {number,
			       name,
			       process,
			       units_count(events, row->events),
			       units_bytes(bytes, row->bytes),
			       row->events ? units_time(first, (double)row->begin) : "-",
			       row->events ? units_time(last, (double)row->end) : "-",
			       row->lost ? units_count(lost, row->lost) : "-"};

	snprintf(number, sizeof number, "%" PRIu32, t->threads[row->first].number);
	if (row->n > 1)
		snprintf(number, sizeof number, "%" PRIu32 " to %" PRIu32,
			 t->threads[row->first].number, t->threads[row->last].number);
	cells_add(table, cells);
	free(name);
}

static void remarks_add(FILE *out, const struct trace *t, const struct thread_rows *r)
{
	char more[UNITS_TEXT];

	if (r->n > MOST_ROWS)
		fprintf(out, "and %s more rows\n", units_count(more, r->n - MOST_ROWS));
	if (r->n > MOST_ROWS || r->n < t->nthreads)
		fputs("all threads: glimpse info --format=json\n", out);
}

void info_threads_print(FILE *out, const struct trace *t)
{
	bool several = t->nprocesses > 1;
	struct columns table = {.count = several ? 8 : 7, .left = several ? 3 : 2};
	struct thread_rows rows = rows_new(t);

	if (t->nthreads > FEW_THREADS)
		rows_fold(&rows);
	fputc('\n', out);
	cells_add(&table, (const char *[]){"thread", "name", several ? "process" : NULL, "events",
					   "bytes", "first", "last",
					   losses_of(t).events || !t->lost ? "lost" : "not kept"});
	for (size_t i = 0; i < rows.n && i < MOST_ROWS; i++) {
		char *name = several ? trace_process_name(&t->processes[rows.at[i].process]) : NULL;

		row_add(&table, t, &rows.at[i], name);
		free(name);
	}
	columns_print(&table, out);
	remarks_add(out, t, &rows);
	for (size_t i = 0; i < rows.n; i++)
		free(rows.at[i].pattern);
	free(rows.at);
}
