#include "analysis/states/states.h"
#include "base/sort.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/fields.h"
#include "cli/common/lost.h"
#include "cli/common/selection_options.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include "cli/threads_states.h"
#include <stdlib.h>
#include <string.h>

static bool as_tree, long_table;
static struct states_window window = STATES_ALL;

static bool is_windowed(void)
{
	return window.from != INT64_MIN || window.to != INT64_MAX;
}

static void take_tree(const char *unused)
{
	(void)unused;
	as_tree = true;
}

static void take_long(const char *unused)
{
	(void)unused;
	long_table = true;
}

/* The table, and the threads in the order of their creation. */
struct thread_table {
	const struct trace *trace;
	const struct states *states;
	const bool *chosen; /* NULL: all */
	uint32_t *order;
	size_t n;
	int64_t *ends; /* of all of them, ascending */
};

/* ---- the order of creation ---- */

static const struct states *order_states;

static int by_creation(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t at = order_states->threads[x].created, other = order_states->threads[y].created;

	if (at != other)
		return at < other ? -1 : 1;
	return (x > y) - (x < y);
}

/* Whether a thread lived in the window. */
static bool lived(const struct thread_states *s)
{
	return s->created <= window.to && s->ended >= window.from;
}

/* chosen: which threads have rows; NULL: all */
static void table_make(struct thread_table *table, const struct trace *t, const struct states *s,
		       const bool *chosen)
{
	*table = (struct thread_table){
	    .trace = t,
	    .states = s,
	    .chosen = chosen,
	    .order = array_new(t->nthreads, sizeof *table->order),
	    .ends = array_new(t->nthreads, sizeof *table->ends),
	};
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (t->threads[i].events && (!chosen || chosen[i]) && lived(&s->threads[i])) {
			table->ends[table->n] = s->threads[i].ended;
			table->order[table->n++] = i;
		}
	order_states = s;
	qsort(table->order, table->n, sizeof *table->order, by_creation);
	sort_words(table->ends, table->n);
}

static const struct thread_states *row(const struct thread_table *t, size_t i)
{
	return &t->states->threads[t->order[i]];
}

static const struct trace_thread *row_thread(const struct thread_table *t, size_t i)
{
	return &t->trace->threads[t->order[i]];
}

/* How many had ended when the thread of a row was created. */
static size_t ended_before(const struct thread_table *t, size_t i)
{
	return lower_bound(k, 0, t->n, t->ends[k] <= row(t, i)->created);
}

/* Samples say how long a thread ran, but not how often, or where. */
static bool switches_known(const struct thread_states *s)
{
	return s->known && !s->sampled;
}

static bool processors_known(const struct thread_table *t, const struct thread_states *s)
{
	return switches_known(s) && t->states->processors;
}

/* ---- text ---- */

enum { CELL = 64 };

static const char *time_or_none(char cell[UNITS_TEXT], bool known, int64_t time)
{
	return known ? units_time(cell, (double)time) : "-";
}

static void row_add(struct columns *columns, const struct thread_table *t, size_t i)
{
	const struct thread_states *s = row(t, i);
	char cells[10][UNITS_TEXT];

	/* the last cell is shown where a window cuts lives */
	columns_add(columns,
		    (const char *[]){
			row_thread(t, i)->label,
			s->creator == NO_CREATOR ? "" : t->trace->threads[s->creator].label,
			units_time(cells[0], (double)s->created),
			units_time(cells[1], (double)s->life),
			time_or_none(cells[2], s->known, s->states[STATE_RUNNING].total),
			time_or_none(cells[3], s->known, s->states[STATE_READY].total),
			time_or_none(cells[4], s->known, s->states[STATE_BLOCKED].total),
			time_or_none(cells[5], s->states[STATE_BLOCKED].times,
				     s->states[STATE_BLOCKED].longest),
			switches_known(s) ? units_count(cells[6], s->switches) : "-",
			processors_known(t, s)
			    ? units_count(cells[7], (uint64_t)__builtin_popcountll(s->processors))
			    : "-",
			processors_known(t, s) ? units_count(cells[8], s->migrations) : "-",
			time_or_none(cells[9], s->known, thread_unexplained(s)),
		    });
}

static void longer_add(struct columns *columns, const struct thread_table *t, size_t i)
{
	const struct thread_states *s = row(t, i);
	char cells[12][UNITS_TEXT];
	size_t ended = ended_before(t, i), n = 0;
	const char *texts[14] = {row_thread(t, i)->label};

	texts[1] = units_count(cells[n++], i + 1);
	texts[2] = units_count(cells[n++], ended);
	texts[3] = units_count(cells[n++], i + 1 - ended);
	for (enum thread_state state = STATE_RUNNING; state < NSTATES; state++) {
		const struct state_total *x = &s->states[state];

		texts[n + 1] = time_or_none(cells[n], x->times, x->shortest), n++;
		texts[n + 1] = time_or_none(cells[n], x->times, x->longest), n++;
	}
	texts[n + 1] = time_or_none(cells[n], s->known, thread_unexplained(s));
	columns_add(columns, texts);
}

static void table_text(FILE *out, const struct thread_table *t)
{
	static const char *const head[] = {"thread",   "creator",    "created",    "life",
					   "running",  "ready",      "blocked",    "longest",
					   "switches", "processors", "migrations", "unexplained"};
	struct columns columns = {.count = sizeof head / sizeof *head - !is_windowed(), .left = 2};

	columns_add(&columns, head);
	for (size_t i = 0; i < t->n; i++)
		row_add(&columns, t, i);
	columns_print(&columns, out);
}

static void table_longer(FILE *out, const struct thread_table *t)
{
	static const char *const head[] = {
	    "thread", "created so far", "ended", "alive",      "running from", "to", "ready from",
	    "to",     "blocked from",   "to",    "unexplained"};
	struct columns columns = {.count = sizeof head / sizeof *head, .left = 1};

	putc('\n', out);
	columns_add(&columns, head);
	for (size_t i = 0; i < t->n; i++)
		longer_add(&columns, t, i);
	columns_print(&columns, out);
}

static void table_sums(FILE *out, const struct thread_table *t)
{
	size_t started = 0, ended = 0, most = 0;

	for (size_t i = 0; i < t->n; i++) {
		size_t alive = i + 1 - ended_before(t, i);

		started += row(t, i)->begins;
		ended += row(t, i)->ends;
		most = alive > most ? alive : most;
	}
	fprintf(out, "\n%zu thread%s, at most %zu at once", t->n, t->n == 1 ? "" : "s", most);
	if (started)
		fprintf(out, "; %zu start%s and %zu end%s recorded", started,
			started == 1 ? "" : "s", ended, ended == 1 ? "" : "s");
	fputs(t->states->known
		  ? "\n"
		  : "\nno thread states: record with the probe scheduler to see when threads run\n",
	      out);
}

/* ---- the tree ---- */

/* By thread; the last place has the threads whose creator is unknown or not selected. */
struct thread_tree {
	const struct thread_table *table;
	size_t *first; /* row of the first that it created; SIZE_MAX: none */
	size_t *next;  /* by row: of the next one of the same creator */
};

static size_t creator_place(const struct thread_table *t, size_t i)
{
	uint32_t creator = row(t, i)->creator;

	return creator == NO_CREATOR || (t->chosen && !t->chosen[creator]) ? t->trace->nthreads
									   : creator;
}

static void tree_branch(FILE *out, const struct thread_tree *tree, size_t creator, int depth)
{
	const struct thread_table *t = tree->table;

	for (size_t i = tree->first[creator]; i != SIZE_MAX; i = tree->next[i]) {
		char created[UNITS_TEXT], life[UNITS_TEXT];

		fprintf(out, "%*s%s  at %s, for %s\n", 4 * depth, "", row_thread(t, i)->label,
			units_time(created, (double)row(t, i)->created),
			units_time(life, (double)row(t, i)->life));
		tree_branch(out, tree, t->order[i], depth + 1);
	}
}

static void tree_print(FILE *out, const struct thread_table *t)
{
	struct thread_tree tree = {t, array_new(t->trace->nthreads + 1, sizeof *tree.first),
				   array_new(t->n, sizeof *tree.next)};

	for (size_t i = 0; i <= t->trace->nthreads; i++)
		tree.first[i] = SIZE_MAX;
	for (size_t i = t->n; i-- > 0;) {
		tree.next[i] = tree.first[creator_place(t, i)];
		tree.first[creator_place(t, i)] = i;
	}
	tree_branch(out, &tree, t->trace->nthreads, 0);
	free(tree.first);
	free(tree.next);
}

/* ---- csv, json ---- */

enum { THREAD, NAME, LABEL, CREATOR, CREATED, ENDED, LIFE, STATES }; /* four for each state */
enum { SWITCHES = STATES + 12, SAMPLED, MIGRATIONS, PROCESSORS, UNEXPLAINED, SO_FAR };
enum { FIELDS = SO_FAR + 3 };
static const struct field fields[FIELDS] = {
    [THREAD] = {"thread", 1},
    [NAME] = {"name", 2},
    [LABEL] = {"label", 0},
    [CREATOR] = {"creator", 3},
    [CREATED] = {"created", 4},
    [ENDED] = {"ended", 5},
    [LIFE] = {"life", 25},
    [STATES] = {"running", 6},
    [STATES + 1] = {"running_times", 16},
    [STATES + 2] = {"running_shortest", 17},
    [STATES + 3] = {"running_longest", 18},
    [STATES + 4] = {"ready", 7},
    [STATES + 5] = {"ready_times", 19},
    [STATES + 6] = {"ready_shortest", 20},
    [STATES + 7] = {"ready_longest", 21},
    [STATES + 8] = {"blocked", 8},
    [STATES + 9] = {"blocked_times", 22},
    [STATES + 10] = {"blocked_shortest", 23},
    [STATES + 11] = {"blocked_longest", 24},
    [SWITCHES] = {"switches", 9},
    [SAMPLED] = {"sampled", 0},
    [MIGRATIONS] = {"migrations", 10},
    [PROCESSORS] = {"processors", 11},
    [UNEXPLAINED] = {"unexplained", 12},
    [SO_FAR] = {"created_so_far", 13},
    [SO_FAR + 1] = {"ended_so_far", 14},
    [SO_FAR + 2] = {"alive_so_far", 15},
};

static void row_cells(struct table_cell cells[FIELDS], const struct thread_table *t, size_t i)
{
	const struct thread_states *s = row(t, i);
	bool has_creator = s->creator != NO_CREATOR, processors = processors_known(t, s);
	size_t ended = ended_before(t, i);

	cells[THREAD] = cell_uint(row_thread(t, i)->number);
	cells[NAME] = cell_text(row_thread(t, i)->name);
	cells[LABEL] = cell_text(row_thread(t, i)->label);
	cells[CREATOR] =
	    cell_known(has_creator, has_creator ? t->trace->threads[s->creator].number : 0);
	cells[CREATED] = cell_int(s->created);
	cells[ENDED] = cell_int(s->ended);
	cells[LIFE] = cell_int(s->life);
	for (enum thread_state k = STATE_RUNNING; k < NSTATES; k++) {
		struct table_cell *state = &cells[STATES + 4 * (k - STATE_RUNNING)];
		const struct state_total *x = &s->states[k];

		state[0] = cell_known(s->known, x->total);
		state[1] = cell_known(s->known, (int64_t)x->times);
		state[2] = cell_known(x->times, x->shortest);
		state[3] = cell_known(x->times, x->longest);
	}
	cells[SWITCHES] = cell_known(switches_known(s), (int64_t)s->switches);
	cells[SAMPLED] = cell_bool(s->sampled);
	cells[MIGRATIONS] = cell_known(processors, (int64_t)s->migrations);
	cells[PROCESSORS] = cell_known(processors, __builtin_popcountll(s->processors));
	cells[UNEXPLAINED] = cell_known(s->known, thread_unexplained(s));
	cells[SO_FAR] = cell_only_csv(cell_uint(i + 1));
	cells[SO_FAR + 1] = cell_only_csv(cell_uint(ended));
	cells[SO_FAR + 2] = cell_only_csv(cell_uint(i + 1 - ended));
}

static void table_data(FILE *out, enum format format, const struct thread_table *t)
{
	struct losses losses = losses_of(t->trace);
	struct field_rows rows = {.fields = fields, .n = FIELDS, .losses = &losses};
	struct table_cell cells[FIELDS];

	fields_open(&rows, out, format);
	for (size_t i = 0; i < t->n; i++) {
		row_cells(cells, t, i);
		fields_row(&rows, cells);
	}
	fields_close(&rows);
}

/* ---- all ---- */

static void table_print(struct command_request *r, const struct trace *t, const struct states *s,
			const bool *chosen)
{
	struct thread_table table;

	table_make(&table, t, s, chosen);
	if (r->format != FORMAT_TEXT) {
		table_data(r->out, r->format, &table);
	} else if (as_tree) {
		tree_print(r->out, &table);
	} else {
		table_text(r->out, &table);
		if (long_table)
			table_longer(r->out, &table);
		table_sums(r->out, &table);
	}
	free(table.order);
	free(table.ends);
}

static int threads_run(struct command_request *r)
{
	struct trace *t;
	struct states *s;
	bool *chosen = NULL;

	selection_times(&window.from, &window.to);
	t = request_open(r);
	if (!t || !selection_threads(t, &chosen, &r->diag)) {
		trace_close(t);
		return EXIT_ERROR;
	}
	lost_remark(r->format == FORMAT_TEXT ? r->out : NULL, t, NULL);
	s = states_of(t, window);
	if (selection_has_threads())
		threads_states_print(r, t, s, chosen, window);
	else
		table_print(r, t, s, chosen);
	if (r->format == FORMAT_TEXT)
		unrecorded_remark(r->out, t, UNRECORDED_STATES);
	states_free(s);
	free(chosen);
	trace_close(t);
	return EXIT_FINE;
}

static const struct choice options[] = {
    {0, "tree", NULL, "print the tree of threads and their creators", take_tree},
    {0, "long", NULL, "also print thread counts so far, and the shortest and longest states",
     take_long},
    {'t', "thread", "THREAD",
     "print the states of this thread, given by number, label or name (repeatable);\n"
     "its waits with object, holder and the thread that ended each; and their totals",
     selection_take_thread},
    PROCESS_OPTION("threads of"),
    {0, "from", "TIME", "count from this time on: 20us, 10ms, 2.5s", selection_take_from},
    {0, "to", "TIME", "count up to this time", selection_take_to},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_threads = {
    .name = "threads",
    .summary = "what each thread did: its creator, and how long it was running, ready and blocked",
    .teaches =
	"Prints a row for each thread, in order of creation: its creator, creation time and lifetime;\n"
	"how long it was running, ready (runnable without a processor) and blocked; its longest\n"
	"blocked time, its context switches, and the number of processors it ran on. The probe threads\n"
	"records creators, the probe scheduler records states. Intervals of your own of kind \"state\",\n"
	"\"life\" and \"cause\" count as well.\n"
	"--from and --to restrict all sums to a window. States, waits and lives are clipped to it:\n"
	"running, ready, blocked and unexplained add up to the life.\n",
    .examples = "  glimpse threads run1\n"
		"  glimpse threads run1 --tree\n"
		"  glimpse threads run1 --from 150ms --to 180ms\n"
		"  glimpse threads run1 --thread parser-1 --from 150ms --to 180ms\n"
		"  glimpse threads run1 --format=csv | cut -d, -f2,6-8\n",
    .wraps = true,
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = threads_run,
};
