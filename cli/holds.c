#include "base/monotonic.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/common/fields.h"
#include "cli/common/table.h"
#include "recorder/live_process/live_waits.h"
#include "recorder/recorder.h"
#include "spec/import_path.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CELL = 256, NAMES_SHOWN = 4, FRAMES_SHOWN = 40 };
#define SECOND INT64_C(1000000000)

enum holds_table { SHOW_DEADLOCKS, SHOW_THREADS, SHOW_STACKS, NSHOWS };
static const char *const show_names[NSHOWS] = {"deadlocks", "threads", "stacks"};

static unsigned shows;
static struct spec *words;   /* of objects */
static int64_t pause_wanted; /* between two looks, ns; 0: there is one look */

static void take_show(const char *name)
{
	shows |= 1u << usage_choice("--show", "table", show_names, NSHOWS, name);
}

static bool is_shown(enum holds_table s)
{
	return !shows || shows & 1u << s;
}

static void take_watch(const char *seconds)
{
	char *end;
	double n = seconds ? strtod(seconds, &end) : 2;

	if (seconds && (*end || end == seconds || !(n >= 0.1 && n <= 86400)))
		usage_fail("--watch: '%s' is no number of seconds from 0.1 to 86400", seconds);
	pause_wanted = (int64_t)(n * (double)SECOND);
}

/* ---- cells ---- */

struct look {
	struct live_threads threads;
	struct live_stacks *stacks;
	struct live_waits waits;
	int64_t time; /* since the first look, ns */
};

static const char *thread_cell(char cell[CELL], const struct look *l, size_t i)
{
	const struct live_thread *t = &l->threads.list.at[i];

	snprintf(cell, CELL, "%s (%d)", t->name, (int)t->tid);
	return cell;
}

static const char *state_name(const struct look *l, size_t i)
{
	switch (l->threads.list.at[i].state) {
	case 'R':
		return "running";
	case 'S':
	case 'I':
		return "blocked";
	case 'D':
		return "uninterruptible";
	case 'T':
		return "stopped";
	case 't':
		return "traced";
	default:
		return "ended";
	}
}

/* Writes the name or address of the object that a thread waits for. */
static const char *object_cell(char cell[CELL], const struct live_wait *w)
{
	bool own = w->object.words && w->object.words->by_site; /* a word of the thread */

	if (w->name)
		snprintf(cell, CELL, "%s", w->name);
	else if (w->object.address && !own)
		snprintf(cell, CELL, "0x%llx", (unsigned long long)w->object.address);
	else
		*cell = '\0';
	return cell;
}

static const char *wait_cell(char cell[CELL], const struct look *l, size_t i)
{
	const struct live_wait *w = &l->waits.list.at[i];
	const struct live_thread *t = &l->threads.list.at[i];
	const char *kind = live_object_word(&w->object);
	char object[CELL];

	switch (w->object.kind) {
	case LIVE_NOTHING:
		return "-";
	case LIVE_UNKNOWN:
		snprintf(cell, CELL, "%s%s", *t->kernel ? "kernel: " : "-", t->kernel);
		return cell;
	case LIVE_JOIN:
		return "the end of a thread";
	case LIVE_CHILD:
		snprintf(cell, CELL, "a child: %s", w->call);
		return cell;
	case LIVE_DESCRIPTOR:
		snprintf(cell, CELL, "%s of %d%s%s", w->call, w->descriptor, w->name ? ": " : "",
			 w->name ? w->name : "");
		return cell;
	case LIVE_POLL:
	case LIVE_SLEEP:
	case LIVE_SIGNAL:
	case LIVE_CALL:
		if (w->call) {
			snprintf(cell, CELL, "%s%s%s", w->call, w->name ? " of " : "",
				 w->name ? w->name : "");
			return cell;
		}
		snprintf(cell, CELL, "system call %ld", t->call.number);
		return cell;
	default:
		object_cell(object, w);
		snprintf(cell, CELL, "%.40s%s%.90s%s%s%s%s", kind, *object ? " " : "", object,
			 *w->object.text ? " (" : "", w->object.text, *w->object.text ? ")" : "",
			 w->object.timed ? ", with a timeout" : "");
		return cell;
	}
}

static const struct live_guess *guess_of(const struct look *l, size_t i)
{
	size_t guess = l->waits.list.at[i].guess;

	return guess == LIVE_NO_GUESS ? NULL : &l->waits.guesses.at[guess];
}

/* Writes the threads that may hold a lock. */
static const char *guess_cell(char cell[CELL], const struct look *l, const struct live_guess *g)
{
	char thread[CELL];
	int n = 0;

	for (size_t i = 0; i < g->threads.n && i < NAMES_SHOWN; i++)
		n += snprintf(cell + n, (size_t)(CELL - n), "%s%.40s", i ? ", " : "perhaps ",
			      thread_cell(thread, l, g->threads.at[i]));
	if (g->threads.n > NAMES_SHOWN)
		snprintf(cell + n, (size_t)(CELL - n), " and %zu more", g->threads.n - NAMES_SHOWN);
	return g->threads.n ? cell : "-";
}

static const char *owner_cell(char cell[CELL], const struct look *l, size_t i)
{
	const struct live_wait *w = &l->waits.list.at[i];

	if (guess_of(l, i))
		return guess_cell(cell, l, guess_of(l, i));
	if (w->owner != LIVE_NO_THREAD)
		return thread_cell(cell, l, w->owner);
	if (w->peer)
		return w->peer;
	if (!w->object.owner)
		return "-";
	snprintf(cell, CELL, "thread %d, not in this process", (int)w->object.owner);
	return cell;
}

static const char *site_text(const struct look *l, size_t i)
{
	const struct live_frame *site = l->waits.list.at[i].site;

	return site ? site->text : "-";
}

/* Writes the end of the chain of owners. */
static const char *end_cell(char cell[CELL], const struct look *l, size_t i)
{
	size_t end = l->waits.list.at[i].end;
	const struct live_wait *w = &l->waits.list.at[end];
	char thread[CELL], wait[CELL];

	if (w->deadlock)
		snprintf(cell, CELL, "deadlock %u", w->deadlock);
	else if (end == i)
		return "-";
	else if (w->object.kind == LIVE_NOTHING)
		snprintf(cell, CELL, "%.80s runs %.160s", thread_cell(thread, l, end),
			 site_text(l, end));
	else
		snprintf(cell, CELL, "%.80s waits for %.160s", thread_cell(thread, l, end),
			 wait_cell(wait, l, end));
	return cell;
}

/* ---- text ---- */

static size_t deadlocked(const struct look *l, unsigned number, size_t *first)
{
	size_t n = 0;

	for (size_t i = l->waits.list.n; i-- > 0;)
		if (l->waits.list.at[i].deadlock == number) {
			*first = i;
			n++;
		}
	return n;
}

/* before: the thread that waits for this one. */
static void step_text(FILE *out, const struct look *l, size_t i, size_t before)
{
	const struct live_wait *w = &l->waits.list.at[i], *waiter = &l->waits.list.at[before];
	char cells[4][CELL];

	fprintf(out, "  %s ", thread_cell(cells[0], l, i));
	if (waiter->object.kind != LIVE_JOIN)
		fprintf(out, "holds %s %s,\n    and ", live_object_word(&waiter->object),
			object_cell(cells[1], waiter));
	fprintf(out, "waits for %s%s%s%s\n    at %s\n", wait_cell(cells[2], l, i),
		w->object.kind == LIVE_JOIN ? ", " : ", which ", owner_cell(cells[3], l, i),
		w->object.kind == LIVE_JOIN ? "," : " holds,", site_text(l, i));
}

/* Prints the threads of a circle in its order: what a thread holds, the one before waits for. */
static void deadlock_text(FILE *out, const struct look *l, unsigned number)
{
	size_t first = 0, n = deadlocked(l, number, &first), i, before = first;

	if (n == 1)
		fprintf(out, "\nDEADLOCK %u: a thread waits for itself\n", number);
	else
		fprintf(out,
			"\nDEADLOCK %u: %zu threads; each waits for the next one, and the last one "
			"for the first\n",
			number, n);
	while (l->waits.list.at[before].owner != first)
		before = l->waits.list.at[before].owner;
	i = first;
	do {
		step_text(out, l, i, before);
		before = i;
		i = l->waits.list.at[i].owner;
	} while (i != first);
}

static bool is_candidate(const struct live_guess *g, size_t thread)
{
	for (size_t i = 0; i < g->threads.n; i++)
		if (g->threads.at[i] == thread)
			return true;
	return false;
}

/* Prints which locks of a likely deadlock a thread may hold. */
static void held_text(FILE *out, const struct look *l, size_t thread, unsigned number)
{
	size_t n = 0;

	for (size_t i = 0; i < l->waits.list.n; i++) {
		const struct live_wait *w = &l->waits.list.at[i];
		bool first = true;
		char cell[CELL];

		if (w->deadlock != number || !guess_of(l, i) ||
		    !is_candidate(guess_of(l, i), thread))
			continue;
		for (size_t k = 0; k < i; k++)
			first &= l->waits.list.at[k].guess != w->guess;
		if (first)
			fprintf(out, "%s%s %s", n++ ? ", " : "perhaps holds ",
				live_object_word(&w->object), object_cell(cell, w));
	}
	if (n)
		fputs(",\n    and ", out);
}

static void likely_text(FILE *out, const struct look *l, unsigned number)
{
	char cells[3][CELL];
	size_t first = 0, n = deadlocked(l, number, &first);

	fprintf(
	    out,
	    "\nDEADLOCK %u, probably: %zu threads wait for locks that, as far as is known, only "
	    "they can hold\n",
	    number, n);
	for (size_t i = first; i < l->waits.list.n; i++) {
		if (l->waits.list.at[i].deadlock != number)
			continue;
		fprintf(out, "  %s ", thread_cell(cells[0], l, i));
		held_text(out, l, i, number);
		fprintf(out, "waits for %s%s%s,\n    at %s\n", wait_cell(cells[1], l, i),
			l->waits.list.at[i].object.kind == LIVE_JOIN ? ", " : ", held by ",
			owner_cell(cells[2], l, i), site_text(l, i));
	}
}

static void threads_text(FILE *out, const struct look *l)
{
	static const char *const head[] = {"thread",  "state", "for at least", "waits for",
					   "held by", "at",    "chain ends at"};
	struct columns columns = {.count = 7, .left = 7};

	columns_add(&columns, head);
	for (size_t i = 0; i < l->threads.list.n; i++) {
		int64_t blocked = l->threads.list.at[i].blocked;
		char cells[4][CELL], time[UNITS_TEXT];

		columns_add(&columns,
			    (const char *[]){thread_cell(cells[0], l, i), state_name(l, i),
					     blocked < 0 ? "-" : units_time(time, (double)blocked),
					     wait_cell(cells[1], l, i), owner_cell(cells[2], l, i),
					     site_text(l, i), end_cell(cells[3], l, i)});
	}
	putc('\n', out);
	columns_print(&columns, out);
}

static bool same_stack(const struct live_stack *a, const struct live_stack *b)
{
	return a->frames.n == b->frames.n && a->whole == b->whole && a->lack == b->lack &&
	       (!a->frames.n ||
		memcmp(a->frames.at, b->frames.at, a->frames.n * sizeof *a->frames.at) == 0);
}

static void frames_text(FILE *out, const struct live_stack *s)
{
	for (size_t i = 0; i < s->frames.n && i < FRAMES_SHOWN; i++)
		fprintf(out, "  %s%s%s\n", s->frames.at[i]->text,
			*s->frames.at[i]->module ? "  " : "", s->frames.at[i]->module);
	if (s->frames.n > FRAMES_SHOWN)
		fprintf(out, "  and %zu more frames\n", s->frames.n - FRAMES_SHOWN);
	if (!s->whole)
		fprintf(out, "  %s%s%s\n", s->known ? "callers unknown" : "unknown",
			s->lack ? ": " : "", s->lack ? s->lack : "");
}

/* Threads with equal stacks are shown together. */
static void stacks_text(FILE *out, const struct look *l)
{
	size_t n = l->threads.list.n;
	bool *done = array_zero(n, sizeof *done);

	for (size_t i = 0; i < n; i++) {
		const struct live_stack *s = live_stack(l->stacks, i);
		size_t count = 0;
		char cell[CELL];

		if (done[i])
			continue;
		fputs("\nstack of ", out);
		for (size_t k = i; k < n; k++) {
			if (done[k] || !same_stack(s, live_stack(l->stacks, k)))
				continue;
			done[k] = true;
			if (count++ < NAMES_SHOWN)
				fprintf(out, "%s%s", count > 1 ? ", " : "",
					thread_cell(cell, l, k));
		}
		if (count > NAMES_SHOWN)
			fprintf(out, " and %zu more", count - NAMES_SHOWN);
		fputs(":\n", out);
		frames_text(out, s);
	}
	free(done);
}

/* Returns whether we lack the right to see the system call of any thread. */
static bool is_denied(const struct live_threads *t)
{
	for (size_t i = 0; i < t->list.n; i++)
		if (t->list.at[i].call.state != CALL_UNKNOWN)
			return false;
	return true;
}

static void look_text(FILE *out, const struct look *l)
{
	char threads[UNITS_TEXT], deadlocks[UNITS_TEXT];

	fprintf(out, "%s (%d): %s, %s\n", l->threads.program, (int)l->threads.pid,
		units_counted(threads, l->threads.list.n, "thread", "threads"),
		l->waits.deadlocks
		    ? units_counted(deadlocks, l->waits.deadlocks, "deadlock", "deadlocks")
		: is_denied(&l->threads) ? "deadlocks not known"
					 : "no deadlock found");
	for (unsigned i = 1; is_shown(SHOW_DEADLOCKS) && i <= l->waits.deadlocks; i++)
		(i > l->waits.certain ? likely_text : deadlock_text)(out, l, i);
	if (is_shown(SHOW_THREADS))
		threads_text(out, l);
	if (is_shown(SHOW_STACKS))
		stacks_text(out, l);
}

/* ---- csv, json ---- */

enum {
	TIME,
	THREAD,
	NAME,
	STATE,
	BLOCKED,
	CALL,
	KIND,
	OBJECT,
	ADDRESS,
	DETAIL,
	TIMED,
	DESCRIPTOR,
	OWNER,
	SITE,
	END,
	DEADLOCK,
	KERNEL,
	STOPPED,
	PERHAPS,
	LIKELY,
	PEER,
	FIELDS
};
static const struct field fields[FIELDS] = {
    [TIME] = {"time", 1},
    [THREAD] = {"thread", 2},
    [NAME] = {"name", 3},
    [STATE] = {"state", 4},
    [BLOCKED] = {"blocked_at_least", 5},
    [CALL] = {"call", 6},
    [KIND] = {"kind", 7},
    [OBJECT] = {"object", 8},
    [ADDRESS] = {"address", 9},
    [DETAIL] = {"detail", 10},
    [TIMED] = {"timed", 11},
    [DESCRIPTOR] = {"descriptor", 12},
    [OWNER] = {"owner", 13},
    [SITE] = {"site", 14},
    [END] = {"end", 15},
    [DEADLOCK] = {"deadlock", 16},
    [KERNEL] = {"kernel", 17},
    [STOPPED] = {"stopped", 18},
    [PERHAPS] = {"perhaps", 19},
    [LIKELY] = {"likely", 20},
    [PEER] = {"peer", 21},
};

/* Returns the numbers of the threads that may hold a lock, to be freed; NULL: there are none. */
static char *numbers_of(const struct look *l, const struct live_guess *g)
{
	char *text = NULL;

	for (size_t i = 0; i < g->threads.n; i++) {
		char *longer = text_format("%s%s%d", text ? text : "", text ? " " : "",
					   (int)l->threads.list.at[g->threads.at[i]].tid);

		free(text);
		text = longer;
	}
	return text;
}

static void row_write(struct field_rows *rows, const struct look *l, size_t i)
{
	const struct live_thread *t = &l->threads.list.at[i];
	const struct live_wait *w = &l->waits.list.at[i];
	struct table_cell cells[FIELDS];
	char address[32], *perhaps = guess_of(l, i) ? numbers_of(l, guess_of(l, i)) : NULL;

	snprintf(address, sizeof address, "0x%llx", (unsigned long long)w->object.address);
	cells[TIME] = cell_int(l->time);
	cells[THREAD] = cell_int(t->tid);
	cells[NAME] = cell_text(t->name);
	cells[STATE] = cell_text(state_name(l, i));
	cells[BLOCKED] = cell_known(t->blocked >= 0, t->blocked);
	cells[CALL] = cell_text(w->call);
	cells[KIND] =
	    cell_text(w->object.kind == LIVE_UNKNOWN ? NULL : live_object_word(&w->object));
	cells[OBJECT] = cell_text(w->name);
	cells[ADDRESS] = cell_text(w->object.address ? address : NULL);
	cells[DETAIL] = cell_text(*w->object.text ? w->object.text : NULL);
	cells[TIMED] = cell_bool(w->object.timed);
	cells[DESCRIPTOR] = cell_known(w->descriptor >= 0, w->descriptor);
	cells[OWNER] = cell_known(w->object.owner > 0, w->owner == LIVE_NO_THREAD
							   ? w->object.owner
							   : l->threads.list.at[w->owner].tid);
	cells[SITE] = cell_text(w->site ? w->site->text : NULL);
	cells[END] = cell_known(w->end != i, l->threads.list.at[w->end].tid);
	cells[DEADLOCK] = cell_known(w->deadlock, w->deadlock);
	cells[KERNEL] = cell_text(*t->kernel ? t->kernel : NULL);
	cells[STOPPED] = cell_int(live_stack(l->stacks, i)->stopped);
	cells[PERHAPS] = cell_text(perhaps);
	cells[LIKELY] = cell_bool(w->deadlock > l->waits.certain);
	cells[PEER] = cell_text(w->peer);
	fields_row(rows, cells);
	free(perhaps);
}

static void stacks_json(struct json *j, const struct look *l)
{
	json_array(j, "stacks");
	for (size_t i = 0; i < l->threads.list.n; i++) {
		const struct live_stack *s = live_stack(l->stacks, i);

		json_object(j, NULL);
		json_int(j, "thread", l->threads.list.at[i].tid);
		json_bool(j, "whole", s->whole);
		json_string(j, "lack", s->lack);
		json_array(j, "frames");
		for (size_t k = 0; k < s->frames.n; k++)
			json_string(j, NULL, s->frames.at[k]->text);
		json_close(j);
		json_close(j);
	}
	json_close(j);
}

static void look_data(FILE *out, enum format format, const struct look *l)
{
	struct json j = json_begin(out, 2);
	struct field_rows rows = {.fields = fields, .n = FIELDS};

	if (format == FORMAT_CSV) {
		fields_begin(&rows, out, NULL);
		for (size_t i = 0; i < l->threads.list.n; i++)
			row_write(&rows, l, i);
		return;
	}
	json_object(&j, NULL);
	json_int(&j, "process", l->threads.pid);
	json_string(&j, "program", l->threads.program);
	json_uint(&j, "deadlocks", l->waits.deadlocks);
	json_array(&j, "threads");
	fields_begin(&rows, out, &j);
	for (size_t i = 0; i < l->threads.list.n; i++)
		row_write(&rows, l, i);
	json_close(&j);
	stacks_json(&j, l);
	json_close(&j);
}

/* ---- looking ---- */

static int refused(struct command_request *r, const struct live_threads *t, pid_t pid,
		   enum live_refusal why)
{
	switch (why) {
	case LIVE_MISSING:
		diag_error(&r->diag, DIAG_NOWHERE,
			   "no process %d; pgrep -l NAME lists the processes of a program",
			   (int)pid);
		break;
	case LIVE_IS_THREAD:
		diag_error(&r->diag, DIAG_NOWHERE,
			   "%d is a thread of process %d; look at that: glimpse holds %d", (int)pid,
			   (int)t->pid, (int)t->pid);
		break;
	case LIVE_KERNEL:
		diag_error(&r->diag, DIAG_NOWHERE,
			   "process %d is a thread of the kernel, which has no program", (int)pid);
		break;
	default:
		diag_error(&r->diag, DIAG_NOWHERE,
			   "process %d has ended, and waits for its parent to ask for its status",
			   (int)pid);
	}
	return EXIT_ERROR;
}

static int yama_scope(void)
{
	FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;

	if (f && fscanf(f, "%d", &scope) != 1)
		scope = 0;
	if (f)
		fclose(f);
	return scope;
}

/* Java knows who holds its monitors and locks; the memory of the threads does not say. */
static void java_note(struct command_request *r, const struct look *l)
{
	for (size_t i = 0; i < l->waits.list.n; i++) {
		const struct live_wait *w = &l->waits.list.at[i];
		const struct live_stack *s = live_stack(l->stacks, i);

		for (size_t k = 0; w->object.words && w->object.words->by_site && k < s->frames.n;
		     k++)
			if (strcmp(s->frames.at[k]->module, "libjvm.so") == 0) {
				diag_note(
				    &r->diag, DIAG_NOWHERE,
				    "who holds monitors and locks of Java: jcmd %d Thread.print",
				    (int)l->threads.pid);
				return;
			}
	}
}

/* Says why there are no stacks, and what to do. */
static void rights_warn(struct command_request *r, const struct live_threads *t)
{
	int scope = yama_scope();
	bool denied = is_denied(t);

	if (denied && scope > 0 && geteuid() != 0)
		diag_note(&r->diag, DIAG_NOWHERE,
			  "no system calls and no stacks: /proc/sys/kernel/yama/ptrace_scope is "
			  "%d, which lets only %s read them; run glimpse as root, or set it to 0",
			  scope,
			  scope == 1   ? "a parent"
			  : scope == 2 ? "root"
				       : "nobody");
	else if (denied)
		diag_note(&r->diag, DIAG_NOWHERE,
			  "no system calls and no stacks: process %d is another user's, or has "
			  "rights that we lack; run glimpse as that user or as root",
			  (int)t->pid);
	else if (t->tracer)
		diag_note(&r->diag, DIAG_NOWHERE,
			  "process %d traces it, so threads that run have no stacks here; end "
			  "that (gdb, strace) to see them",
			  (int)t->tracer);
}

/*
 * Reads what objects are called: as the user's specification says, if there is one, and then that
 * of the probe threads. NULL: after an error.
 */
static struct spec *words_read(struct command_request *r)
{
	char *text, *path;
	bool installed;
	struct spec *spec;

	if (!r->spec)
		return spec_parse_for_logs("threads.spec", recorder_wait_words(), &r->diag);
	path = import_find("holds", "threads.spec");
	installed = access(path, R_OK) == 0;
	if (!installed)
		diag_note(&r->diag, DIAG_NOWHERE,
			  "threads.spec is not installed, so only %s names locks; "
			  "GLIMPSE_SPEC_PATH is a list of folders that may have it",
			  r->spec);
	text = text_format("glimpse holds\nimport \"%s\";\n%s\nend\n", r->spec,
			   installed ? "import \"threads.spec\";" : "");
	spec = spec_parse_for_logs("holds", text, &r->diag);
	free(text);
	free(path);
	return spec;
}

enum { LOOK_GONE = -1 }; /* the process ended while it was watched */

/* Returns an exit status, or LOOK_GONE. */
static int look(struct command_request *r, pid_t pid, int64_t began, bool first)
{
	struct look l = {.time = monotonic_now() - began};
	enum live_refusal why = live_threads_read(&l.threads, pid);
	int status;

	if (why != LIVE_FINE) {
		status = first ? refused(r, &l.threads, pid, why) : LOOK_GONE;
		live_threads_free(&l.threads);
		return status;
	}
	if (first)
		rights_warn(r, &l.threads);
	l.stacks = live_stacks_read(&l.threads);
	live_waits_read(&l.waits, &l.threads, l.stacks, words);
	if (first)
		java_note(r, &l);
	if (r->format == FORMAT_TEXT && !first)
		putc('\n', r->out);
	if (r->format == FORMAT_TEXT)
		look_text(r->out, &l);
	else
		look_data(r->out, r->format, &l);
	status = l.waits.deadlocks ? EXIT_NO : is_denied(&l.threads) ? EXIT_ERROR : EXIT_FINE;
	live_waits_free(&l.waits);
	live_stacks_free(l.stacks);
	live_threads_free(&l.threads);
	return status;
}

static pid_t pid_read(const char *text)
{
	char *end;
	long pid = strtol(text, &end, 10);

	if (*end || end == text || pid <= 0 || pid > INT32_MAX)
		usage_fail("'%s' is no process number", text);
	return (pid_t)pid;
}

static int holds_run(struct command_request *r)
{
	int64_t began = monotonic_now(), next = began;
	pid_t pid = pid_read(r->directories[0]);
	int status, last;

	if (r->ndirectories > 1)
		usage_fail("one process at a time; there are %u numbers", r->ndirectories);
	words = words_read(r);
	status = last = words ? look(r, pid, began, true) : EXIT_ERROR;
	while (pause_wanted && last != EXIT_ERROR && last != LOOK_GONE) {
		status = last;
		fflush(r->out);
		next += pause_wanted;
		while (monotonic_now() < next)
			nanosleep(&(struct timespec){(next - monotonic_now()) / SECOND,
						     (next - monotonic_now()) % SECOND},
				  NULL);
		last = look(r, pid, began, false);
	}
	spec_free(words);
	return status;
}

static const struct choice holds_options[] = {
    {0, "watch", "[=SECONDS]", "look again every so many seconds (2), until the process ends",
     take_watch},
    {0, "show", "TABLE", "print only this: deadlocks, threads or stacks (repeatable)", take_show},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_holds = {
    .name = "holds",
    .summary = "what the threads of a running process wait for, and who holds it",
    .operands = "PID",
    .teaches =
	"Shows what each thread of a process that runs, or hangs, waits for: the lock and the\n"
	"thread that holds it, the descriptor, the child; with its call stack. Threads that wait for\n"
	"each other in a circle are a deadlock. The process needs no recording, and goes on as if\n"
	"nothing had happened. Exit status: 0 no deadlock, 1 there is one, 2 error.\n\n",
    .examples = "  glimpse holds $(pgrep -n server)\n"
		"  glimpse holds --watch=5 --show deadlocks --show threads 4242\n"
		"  glimpse holds --format=json 4242\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .looks = true,
    .options = holds_options,
    .run = holds_run,
};
