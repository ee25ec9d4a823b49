#include "base/array.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/visible.h"
#include "cli/common/command.h"
#include "cli/common/table.h"
#include "cli/live/switches.h"
#include "trace/open/subdirectories.h"
#include "trace/write/snapshot.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *state_text(const struct process_switches *c)
{
	static const char *const texts[] = {
	    [RUN_ENDED] = "ended",
	    [RUN_EXECUTED] = "executed",
	    [RUN_DIED] = "not running",
	    [RUN_ALIVE] = "running",
	};

	return texts[switches_state(c)];
}

static const char *switch_text(const struct process_switches *c, const struct switched_event *e)
{
	return switches_is_on(c, e->id) ? "on" : "off";
}

static void switches_text(FILE *out, const struct process_switches *c)
{
	static const char *const head[] = {"event", "specification", "switch"};
	struct columns columns = {.count = 3, .left = 3};

	visible_puts(out, c->directory);
	fprintf(out, ": process %ld, %s\n", (long)c->pid, state_text(c));
	if (!c->nevents)
		return;
	columns_add(&columns, head);
	for (unsigned i = 0; i < c->nevents; i++) {
		const struct switched_event *e = &c->events[i];

		columns_add(&columns, (const char *const[]){e->name, e->spec, switch_text(c, e)});
	}
	columns_print(&columns, out);
}

static void switches_csv(FILE *out, const struct process_switches *c)
{
	for (unsigned i = 0; i < c->nevents; i++) {
		const struct switched_event *e = &c->events[i];

		csv_write_field(out, c->directory);
		fprintf(out, ",%ld,%s,", (long)c->pid, state_text(c));
		csv_write_field(out, e->spec);
		putc(',', out);
		csv_write_field(out, e->name);
		fprintf(out, ",%s\n", switch_text(c, e));
	}
}

static void switches_json_run(struct json *j, const struct process_switches *c)
{
	json_object(j, NULL);
	json_string(j, "directory", c->directory);
	json_int(j, "process", c->pid);
	json_string(j, "state", state_text(c));
	json_array(j, "events");
	for (unsigned i = 0; i < c->nevents; i++) {
		json_object(j, NULL);
		json_string(j, "specification", c->events[i].spec);
		json_string(j, "event", c->events[i].name);
		json_bool(j, "on", switches_is_on(c, c->events[i].id));
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

static void switches_json(FILE *out, const struct process_switches *runs, unsigned n)
{
	struct json j = json_begin(out, 4);

	json_object(&j, NULL);
	json_array(&j, "runs");
	for (unsigned i = 0; i < n; i++)
		switches_json_run(&j, &runs[i]);
	json_close(&j);
	json_close(&j);
}

static void switches_print(FILE *out, enum format format, const struct process_switches *runs,
			   unsigned n)
{
	if (format == FORMAT_JSON) {
		switches_json(out, runs, n);
		return;
	}
	if (format == FORMAT_CSV)
		fputs("directory,process,state,specification,event,switch\n", out);
	for (unsigned i = 0; i < n; i++)
		if (format == FORMAT_CSV)
			switches_csv(out, &runs[i]);
		else
			switches_text(out, &runs[i]);
}

/* What --off and --on ask for, in the order of the command line. */
struct wish {
	const char *pattern;
	bool on;
	bool free; /* not of an event: a pattern for the program itself */
};

static struct wish *wishes;
static size_t nwishes;
static bool list, snapshot;
static const char *snapshot_wanted; /* its name; NULL: DIRECTORY.snapshot */

static void wish_add(const char *pattern, bool on)
{
	wishes = array_grow(wishes, nwishes, sizeof *wishes);
	wishes[nwishes++] = (struct wish){pattern, on, false};
}

static void take_off(const char *pattern)
{
	wish_add(pattern, false);
}

static void take_on(const char *pattern)
{
	wish_add(pattern, true);
}

static void ctl_take_list(const char *unused)
{
	(void)unused;
	list = true;
}

static void take_snapshot(const char *directory)
{
	snapshot = true;
	snapshot_wanted = directory;
	request_take_output(directory);
}

/* ---- switches ---- */

static bool wish_fits(const struct wish *w, const struct process_switches *runs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < runs[i].nevents; k++)
			if (switches_names(w->pattern, &runs[i].events[k]))
				return true;
	return false;
}

/* Behind the dot when a specification is named, too. */
static const char *nearest_in_runs(const char *pattern, const struct process_switches *runs,
				   unsigned n)
{
	const char *dot = strrchr(pattern, '.'), *best = NULL;

	for (unsigned i = 0; i < n && !best; i++) {
		const char **names = array_new(runs[i].nevents + 1, sizeof(char *));

		for (unsigned k = 0; k < runs[i].nevents; k++)
			names[k] = runs[i].events[k].name;
		best = nearest_name(dot ? dot + 1 : pattern, names, runs[i].nevents);
		free(names);
	}
	return best;
}

/* Returns whether a program takes patterns of its own, such as those of functions. */
static bool patterns_taken(const struct process_switches *runs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < runs[i].nevents; k++)
			if (runs[i].events[k].patterns)
				return true;
	return false;
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[:(") != NULL;
}

static bool wishes_known(struct command_request *r, const struct process_switches *runs, unsigned n)
{
	for (size_t i = 0; i < nwishes; i++) {
		const char *near = nearest_in_runs(wishes[i].pattern, runs, n);

		if (wish_fits(&wishes[i], runs, n))
			continue;
		wishes[i].free =
		    patterns_taken(runs, n) && (!near || is_pattern(wishes[i].pattern));
		if (wishes[i].free)
			continue;
		if (near)
			diag_unknown(&r->diag, DIAG_NOWHERE, near, "%s: there is no event '%s'",
				     runs[0].directory, wishes[i].pattern);
		else
			diag_error(&r->diag, DIAG_NOWHERE,
				   "%s: there is no event '%s'; glimpse ctl %s --list lists them",
				   runs[0].directory, wishes[i].pattern, runs[0].directory);
		return false;
	}
	return true;
}

static bool run_alive(const struct process_switches *c, struct diag *diag)
{
	enum run_state state = switches_state(c);

	if (state == RUN_ENDED)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: the program has ended; GLIMPSE_OFF=EVENT,... switches events off "
			   "from the start of its next run",
			   c->directory);
	else if (state == RUN_EXECUTED)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: process %ld executed another program, which does not log here",
			   c->directory, (long)c->pid);
	else if (state == RUN_DIED)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: the program is no longer running: no process %ld logs here",
			   c->directory, (long)c->pid);
	return state == RUN_ALIVE;
}

/* Switches the events that are wished so; those that stand for patterns only the program itself. */
static bool switch_events(const struct process_switches *c, bool *changed, struct diag *diag)
{
	for (size_t i = 0; i < nwishes; i++)
		for (unsigned k = 0; k < c->nevents; k++) {
			const struct switched_event *e = &c->events[k];

			if (e->patterns || !switches_names(wishes[i].pattern, e) ||
			    switches_is_on(c, e->id) == wishes[i].on)
				continue;
			if (!switches_set(c, e->id, wishes[i].on, diag))
				return false;
			*changed = true;
		}
	return true;
}

/* Returns the lines for a file of patterns, which the caller frees; empty if there are none. */
static char *patterns_text(void)
{
	char *text = text_format("%s", "");

	for (size_t i = 0; i < nwishes; i++) {
		char *longer;

		if (!wishes[i].free)
			continue;
		longer = text_format("%s%c%s\n", text, wishes[i].on ? '+' : '-', wishes[i].pattern);
		free(text);
		text = longer;
	}
	return text;
}

static bool switch_run(const struct process_switches *c, struct diag *diag)
{
	char *text = patterns_text();
	bool changed = false, good = switch_events(c, &changed, diag);

	for (unsigned k = 0; good && k < c->nevents; k++) {
		const struct switched_event *e = &c->events[k];

		if (!e->patterns || (!*text && !changed))
			continue;
		good = (!*text || switches_append(c, e, text, diag)) && switches_ring(c, e, diag);
	}
	free(text);
	return good;
}

/* ---- runs ---- */

/* The processes of all directories given: their own, and those of the directories within them. */
struct run_list {
	struct process_switches *at;
	char **paths;
	unsigned *given; /* which of the directories it is of */
	unsigned n;
};

static void run_add(struct run_list *l, unsigned given, char *path)
{
	l->at = array_grow(l->at, l->n, sizeof *l->at);
	l->paths = array_grow(l->paths, l->n, sizeof(char *));
	l->given = array_grow(l->given, l->n, sizeof *l->given);
	l->at[l->n] = (struct process_switches){0};
	l->paths[l->n] = path;
	l->given[l->n++] = given;
}

static struct run_list runs_find(const struct command_request *r)
{
	struct run_list l = {.n = 0};

	for (unsigned i = 0; i < r->ndirectories; i++) {
		const char *directory = r->directories[i];
		struct subdirectories within = subdirectories_find(directory);
		char *process = subdirectory_path(directory, "process");

		if (within.n == 0 || access(process, F_OK) == 0)
			run_add(&l, i, text_format("%s", directory));
		for (size_t k = 0; k < within.n; k++)
			run_add(&l, i, subdirectory_path(directory, within.names[k]));
		free(process);
		subdirectories_clear(&within);
	}
	return l;
}

static void runs_close(struct run_list *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		switches_close(&l->at[i]);
		free(l->paths[i]);
	}
	free(l->at);
	free(l->paths);
	free(l->given);
}

/* Of several processes of one directory some may have ended, but not all. */
static bool runs_alive(const struct run_list *l, struct diag *diag)
{
	for (unsigned i = 0, next; i < l->n; i = next) {
		bool alive = false;

		for (next = i; next < l->n && l->given[next] == l->given[i]; next++)
			alive |= switches_state(&l->at[next]) == RUN_ALIVE;
		if (!alive && !run_alive(&l->at[i], diag))
			return false;
	}
	return true;
}

/* Nothing is switched before everything is known to be possible. */
static bool switch_all(struct command_request *r, const struct run_list *l)
{
	if (!runs_alive(l, &r->diag) || !wishes_known(r, l->at, l->n))
		return false;
	for (unsigned i = 0; i < l->n; i++)
		if (switches_state(&l->at[i]) == RUN_ALIVE && !switch_run(&l->at[i], &r->diag))
			return false;
	return true;
}

static bool switches_do(struct command_request *r)
{
	struct run_list l = runs_find(r);
	bool good = true;

	for (unsigned i = 0; good && i < l.n; i++)
		good = switches_open(&l.at[i], l.paths[i], nwishes > 0, &r->diag);
	if (good && nwishes)
		good = switch_all(r, &l);
	if (good && (list || !nwishes))
		switches_print(r->out, r->format, l.at, l.n);
	runs_close(&l);
	return good;
}

/* ---- the command ---- */

/* Returns the first of DIRECTORY.snapshot, DIRECTORY.snapshot.1, ... that does not exist. */
static char *snapshot_name(const char *directory)
{
	char *path = path_copy(directory), *name = text_format("%s.snapshot", path);

	for (unsigned n = 1; access(name, F_OK) == 0; n++) {
		free(name);
		name = text_format("%s.snapshot.%u", path, n);
	}
	free(path);
	return name;
}

static int snapshot_fill(void *from, const char *to, struct diag *diag)
{
	return snapshot_write(from, to, diag) ? EXIT_FINE : EXIT_ERROR;
}

static bool snapshot_do(struct command_request *r)
{
	char *name;
	bool good;

	if (r->ndirectories > 1)
		usage_fail("give one log directory; a snapshot is of one run");
	name = snapshot_wanted ? path_copy(snapshot_wanted) : snapshot_name(r->directories[0]);
	good = access(name, F_OK) != 0;
	if (!good)
		diag_error(&r->diag, DIAG_NOWHERE, "%s already exists; give a new directory", name);
	good = good && directory_make(name, snapshot_fill, (void *)r->directories[0], &r->diag) ==
			   EXIT_FINE;
	if (good) {
		visible_puts(r->out, name);
		putc('\n', r->out);
	}
	free(name);
	return good;
}

static int ctl_run(struct command_request *r)
{
	bool good = true;

	if (nwishes || list || !snapshot)
		good = switches_do(r);
	if (good && snapshot)
		good = snapshot_do(r);
	free(wishes);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    {0, "off", "EVENT",
     "switch this event type off: EVENT, or SPECIFICATION.EVENT if two share\n"
     "the name; SPECIFICATION for all its events; '*' for all; or, if calls\n"
     "are logged, functions by a pattern such as 'std::*' (repeatable)",
     take_off},
    {0, "on", "EVENT", "switch it on again", take_on},
    {'l', "list", NULL, "list which events are on and which are off (default)", ctl_take_list},
    {0, "snapshot", "[=NEW]",
     "copy the logs as they are now to this new directory\n"
     "(DIRECTORY.snapshot), and print its name",
     take_snapshot},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_ctl = {
    .name = "ctl",
    .summary = "switch events of a running program on and off; take snapshots of its logs",
    .teaches =
	"Switches event types of a running program off and on, without a daemon or a restart. A\n"
	"switch takes effect with the next event of any thread. An event that is off costs less\n"
	"than a nanosecond. The log records when each event was off: glimpse stats counts the\n"
	"anchors that have no partner for that reason. A snapshot is a log directory like any\n"
	"other; taking one does not interrupt the program.\n"
	"GLIMPSE_OFF=EVENT,... in the program's environment switches events off from its start.\n",
    .examples = "  glimpse ctl run1 --list\n"
		"  glimpse ctl run1 --off Sendmsg --off Recvmsg\n"
		"  glimpse ctl run1 --off '*' --on Sendmsg\n"
		"  glimpse ctl run1 --off threads --off 'std::*'\n"
		"  glimpse stats $(glimpse ctl run1 --snapshot)\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .steers = true,
    .options = options,
    .run = ctl_run,
};
