/* glimpse record: runs a program with probes. No reader of traces, unlike the others. */
#include "base/array.h"
#include "base/monotonic.h"
#include "base/spill.h"
#include "base/units.h"
#include "cli/common/command.h"
#include "cli/record/command_file.h"
#include "cli/record/command_line.h"
#include "cli/record/program.h"
#include "probes/unwind/loaded.h"
#include "recorder/attach.h"
#include "recorder/launch.h"
#include "recorder/merge/journal.h"
#include "recorder/messages.h"
#include "recorder/observe.h"
#include "recorder/probes.h"
#include "recorder/refusals.h"
#include "recorder/requests.h"
#include "recorder/run_directory.h"
#include "recorder/samples/samples.h"
#include "recorder/store.h"
#include "recorder/streams.h"
#include "recorder/summary.h"
#include "trace/open/opened.h"
#include "trace/stream/unseen.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct command_line wanted;
static bool refuses; /* the program's loader would refuse our libraries */
static bool timers;  /* the program takes samples of call stacks itself */

/* ---- before the program runs ---- */

/* Warns before the run about probes that cannot observe the program. */
static void obstacle_tell(const struct recorded_program *p)
{
	bool outside = probes_have(&wanted.probes, "scheduler") ||
		       probes_have(&wanted.probes, "samples") ||
		       probes_have(&wanted.probes, "resources");
	const char *why = program_obstacle(p);
	const char *what = *p->image.interpreter ? p->image.interpreter : p->path;

	if (why)
		record_note(
		    "%s %s: no probe can be loaded into it; scheduler, samples and resources %s",
		    what, why, outside ? "are recorded" : "can be recorded (--probes)");
	else if (p->image.go)
		record_note(
		    "%s is written in Go, whose runtime schedules its goroutines and locks itself: "
		    "scheduler, samples and resources are complete, other probes are not",
		    what);
}

/* The library of the probe java, for programs of Java that the recorded one starts; NULL. */
static char *java_later;

/*
 * Methods and threads of Java have no names without the probe java, and waits in OpenMP's runtime
 * no cause without the probe openmp, where they were built.
 */
static void language_choose(const struct recorded_program *p)
{
	if (!wanted.usual)
		return;
	if (p->image.java && !program_obstacle(p))
		free(probes_choose(&wanted.probes, "java"));
	if (p->image.openmp && !program_obstacle(p))
		free(probes_choose(&wanted.probes, "openmp"));
	if (!probes_have(&wanted.probes, "java"))
		java_later = probes_preload_of("java");
}

/* Chooses the source of call stack samples: timers in the program if the kernel refuses. */
static void samples_choose(const struct recorded_program *p)
{
	struct recording r = {
	    .children = !wanted.leave_children, .rate = wanted.rate, .stack = wanted.stack};

	timers = GL_MODULES_LOCKLESS && probes_have(&wanted.probes, "samples") &&
		 !program_obstacle(p) && samples_refused(&r) &&
		 probes_preload_too(&wanted.probes, "samples");
	if (timers)
		samples_by_timers_tell();
}

static char *probes_text(void)
{
	char *text = text_format("%s", "");

	for (size_t i = 0; i < wanted.probes.count; i++) {
		char *longer = text_format("%s%s%s", text, i ? ", " : "", wanted.probes.names[i]);

		free(text);
		text = longer;
	}
	return text;
}

/* Returns the probes whose libraries are in the program; NULL: none. The caller frees it. */
static char *inside_text(void)
{
	char *text = NULL;

	for (size_t i = 0; i < wanted.probes.count && !wanted.attach; i++) {
		char *longer;

		if (!wanted.probes.libraries[i] || !probes_known(wanted.probes.names[i]))
			continue;
		longer = text_format("%s%s%s", text ? text : "", text ? ", " : "",
				     wanted.probes.names[i]);
		free(text);
		text = longer;
	}
	return text;
}

static void directory_make_for(struct run_directory *d, const char *program)
{
	const char *name = wanted.directory ? wanted.directory : getenv("GLIMPSE_DIR");
	bool notice;

	if (!run_directory_make(d, name, program, &notice))
		record_fail(RECORD_FAILED, "cannot create the directory %s: %s", d->name,
			    strerror(errno));
	if (notice)
		record_note("an earlier run is kept; this one is recorded to %s", d->name);
	if (!users_spec_write(&wanted.spec, d->path))
		record_fail(RECORD_FAILED, "cannot write %s/user.spec: %s", d->name,
			    strerror(errno));
}

/* ---- the run ---- */

/* Waits for the program, and does what the recorder's own probes want meanwhile. */
static void run_watch(struct launch *l)
{
	while (!launch_step(l))
		observe_wait(l->signals, streams_follow(l->pid));
}

static struct recording recording_of(const struct run_directory *d, pid_t root)
{
	struct recording r = {.directory = d->path,
			      .root = root,
			      .attach = wanted.attach,
			      .timers = timers,
			      .children = !wanted.leave_children,
			      .full = wanted.full,
			      .rate = wanted.rate,
			      .stack = wanted.stack};

	if (wanted.every)
		units_parse_time(wanted.every, &r.every);
	return r;
}

typedef VECTOR(struct launch_variable) variables;

static void variable_add(variables *v, const char *name, const char *value)
{
	if (value)
		*vector_add(v) = (struct launch_variable){name, value};
}

/*
 * Makes node and Python tell the names of their code. The caller frees *options once the program
 * runs.
 */
static void variables_add_jit(variables *v, char **options)
{
	const char *had = getenv("NODE_OPTIONS");

	*options = text_format("%s%s--perf-basic-prof", had ? had : "", had && *had ? " " : "");
	variable_add(v, "NODE_OPTIONS", *options);
	variable_add(v, "PYTHONPERFSUPPORT", "1");
}

/* all: what is preloaded, ours and what the user had. */
static variables variables_of(const struct run_directory *d, const char *preload, const char *all)
{
	static char rate[16];
	variables v = {0};

	snprintf(rate, sizeof rate, "%u", wanted.rate);
	if (!refuses)
		variable_add(&v, "LD_PRELOAD", all);
	variable_add(&v, "GLIMPSE_RECORD", preload);
	variable_add(&v, "GLIMPSE_DIR", d->path);
	variable_add(&v, "GLIMPSE_CHILDREN", wanted.leave_children ? "no" : "inside");
	variable_add(&v, "GLIMPSE_RECORDER", requests_choose(d->path));
	variable_add(&v, "GLIMPSE_LOGS", getenv("GLIMPSE_LOGS") ? NULL : "pooled");
	variable_add(&v, "GLIMPSE_KEEP", wanted.keep);
	variable_add(&v, "GLIMPSE_DROP", wanted.drop);
	variable_add(&v, "GLIMPSE_FULL", wanted.full ? "yes" : NULL);
	variable_add(&v, "GLIMPSE_FUNCTIONS", wanted.functions);
	variable_add(&v, "GLIMPSE_JAVA", java_later);
	/* the probe java puts names of methods there */
	if (probes_have(&wanted.probes, "samples") &&
	    (java_later || probes_have(&wanted.probes, "java")))
		variable_add(&v, "GLIMPSE_JIT", d->path);
	variable_add(&v, "GLIMPSE_SAMPLE", timers && wanted.rate ? rate : NULL);
	return v;
}

/* What is known of a run at its end. */
struct recorded_run {
	struct run_directory directory;
	const char *program;
	int status;              /* as of waitpid(); -1: it was observed, and may go on */
	int64_t start, duration; /* of what was observed, ns */
	bool ended;
	/* time of processors that the recorder took in other processes, ns */
	int64_t used;
	int64_t used_by_program; /* the same of the program and what it waited for */
	struct launch launch;
};

/* The program that was started, whose status must be known whatever fails. */
static struct recorded_run *started;

/* Of memory for arrays that grow with the recording; what is more is in temporary files. */
#define ARRAYS_BYTES (8 << 20)

/* Of time to store names, ns. */
#define NAMES_LEAST INT64_C(500000000)
#define NAMES_MOST INT64_C(5000000000)

/*
 * Stores the names of a run in a tenth of its time, or half a second if that is more, but at most 5
 * s. Returns the time of processors that took, ns.
 */
static int64_t names_store(const struct trace *t, int64_t duration)
{
	int64_t most = duration / 10, used;

	most = most < NAMES_LEAST ? NAMES_LEAST : most > NAMES_MOST ? NAMES_MOST : most;
	if (!store_run_names(t, most, &used))
		record_note("not all names of functions and locks are stored with the run; "
			    "keep the files of the program to see these names later");
	return used;
}

/* Puts the recorder's logs in their places, and says what became of it all. */
static void run_finish(void *context)
{
	const struct recorded_run *r = context;
	char *probes = probes_text(), *inside = inside_text();
	int64_t used;
	/* its events are only counted, and their addresses named */
	struct diag quiet = {.program = RECORD_NAME};
	struct recorder_summary found;
	struct run_summary e;
	struct trace *t;

	started = NULL;
	if (!getenv("GLIMPSE_MEMORY"))
		spill_set_limit(ARRAYS_BYTES);
	observe_adopt(r->directory.path);
	found = recorder_summary();
	refusal_note_unseen(&found, r->used_by_program, inside);
	if (!refusals_write(r->directory.path))
		record_error("cannot write %s/refused: %s", r->directory.name, strerror(errno));
	t = trace_open_as_written(r->directory.path, &quiet);
	used = t ? names_store(t, r->duration) : 0;
	e = (struct run_summary){.program = r->program,
				 .directory = r->directory.name,
				 .probes = probes,
				 .asked = &wanted.probes,
				 .inside = inside,
				 .functions = wanted.functions,
				 .status = r->status,
				 .duration = r->duration,
				 .recorder = r->used + used + clock_now(CLOCK_PROCESS_CPUTIME_ID),
				 .found = found,
				 .used = r->used_by_program,
				 .timers = timers};
	if (!wanted.quiet)
		summary_print(stderr, &e, t);
	trace_close(t);
	free(probes);
	free(inside);
}

/* Called where the recorder cannot go on; why has been said. */
static void run_abandon(void)
{
	struct recorded_run *r = started;

	if (!r)
		return;
	started = NULL;
	record_error("%s is incomplete", r->directory.name);
	if (!r->ended) {
		launch_wait(&r->launch);
		r->status = launch_reap(&r->launch);
	}
	_exit(launch_end(&r->launch, r->status));
}

static void run_begin(struct recorded_run *run, char **argv, const variables *v)
{
	struct launch *l = &run->launch;
	struct recording r;
	int error;

	if (!launch_begin(l, argv, v->at, v->n))
		record_fail(RECORD_FAILED, "cannot start a process: %s", strerror(errno));
	requests_begin();
	r = recording_of(&run->directory, l->pid);
	observe_begin(&r, &wanted.probes);
	error = launch_run(l);
	if (error) {
		requests_end();
		observe_end();
		run_directory_drop(&run->directory);
		record_fail(program_status(error), "cannot run '%s': %s", argv[0], strerror(error));
	}
	started = run;
	atexit(run_abandon);
}

/* Finishes the run in another process, and reports a failure. */
static void run_end(struct recorded_run *r)
{
	int status;

	r->used = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	status = launch_work(&r->launch, run_finish, r);
	if (WIFSIGNALED(status))
		record_error("%s is incomplete: signal %d, %s, ended the recorder's last step",
			     r->directory.name, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (status)
		record_error("%s is incomplete", r->directory.name);
	if (status)
		journal_undo(r->directory.path);
	started = NULL;
}

/* Returns whether as much of the program was seen as is required; says why not. */
static bool required_seen(const struct recorded_run *r)
{
	struct recorder_summary found = recorder_summary();
	double share = unseen_share(found.ran, r->used_by_program);

	if (!wanted.require || (found.ran && share >= wanted.require))
		return true;
	if (found.ran)
		record_error("%.0f %% of the processor time was seen; --require %.0f%%",
			     100 * share, 100 * wanted.require);
	else
		record_error("it is not known how much of the processor time was seen: "
			     "--require needs the probe scheduler");
	return false;
}

static int run_program(char **argv, struct recorded_run *r, const char *preload)
{
	const char *had = getenv("LD_PRELOAD");
	char *all = had && *had ? text_format("%s:%s", preload, had) : text_format("%s", preload);
	variables v = variables_of(&r->directory, preload, all);
	char *options = NULL;
	int status;
	bool seen;

	if (wanted.jit)
		variables_add_jit(&v, &options);
	run_begin(r, argv, &v);
	free(v.at);
	free(all);
	free(options);
	run_watch(&r->launch);
	observe_last();
	r->status = launch_reap(&r->launch);
	r->used_by_program = r->launch.used;
	r->ended = true;
	r->duration = monotonic_now() - r->start;
	requests_end();
	observe_end();
	run_end(r);
	seen = required_seen(r); /* before a signal that ended the program ends this process, too */
	status = launch_end(&r->launch, r->status);
	return seen ? status : RECORD_FAILED;
}

static int record_run(char **argv)
{
	struct recorded_run run = {.program = argv[0]};
	struct recorded_program program;
	int error = program_find(&program, argv[0]), status;
	char *wrong = NULL, *preload;

	if (error)
		record_fail(program_status(error), "cannot run '%s': %s", argv[0], strerror(error));
	language_choose(&program);
	samples_choose(&program);
	preload = probes_preload(&wanted.probes, &wrong);
	if (!preload)
		record_fail(RECORD_FAILED, "%s", wrong);
	refuses = image_refuses(&program.image);
	obstacle_tell(&program);
	directory_make_for(&run.directory, argv[0]);
	if (!command_file_write(argv, run.directory.path))
		record_fail(RECORD_FAILED, "cannot write %s/command: %s", run.directory.name,
			    strerror(errno));
	run.start = monotonic_now();
	status = run_program(argv, &run, preload);
	run_directory_free(&run.directory);
	probes_free(&wanted.probes);
	free(preload);
	free(java_later);
	program_clear(&program);
	return status;
}

/* ---- a running process ---- */

static int record_attach(void)
{
	struct recorded_run run = {.status = -1, .start = monotonic_now()};
	struct recording r;
	struct attached a;

	for (size_t i = 0; i < wanted.probes.count; i++)
		if (wanted.probes.libraries[i])
			usage_fail(
			    "the probe '%s' cannot be loaded into a running program; with --attach, "
			    "use --probes scheduler,samples,resources",
			    wanted.probes.names[i]);
	if (!attach_begin(&a, wanted.attach))
		record_fail(RECORD_FAILED, "cannot observe process %ld: %s", (long)wanted.attach,
			    strerror(errno));
	run.program = a.program;
	directory_make_for(&run.directory, a.program);
	r = recording_of(&run.directory, wanted.attach);
	if (!observe_begin(&r, &wanted.probes))
		record_fail(RECORD_FAILED, "no probe can observe the process %ld",
			    (long)wanted.attach);
	record_note("observing %s, process %ld, until it ends or you press ^C", a.program,
		    (long)wanted.attach);
	while (!attach_ended(&a))
		observe_wait(a.events, -1);
	run.duration = monotonic_now() - run.start;
	observe_last();
	observe_end();
	run_finish(&run);
	run_directory_free(&run.directory);
	probes_free(&wanted.probes);
	attach_end(&a);
	return EXIT_FINE;
}

/* Where the numbers 0 to 2 are free no file of ours gets one; the program finds them free. */
static void streams_fill(void)
{
	int fd;

	while ((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		close(fd);
}

int record_main(int argc, char **argv)
{
	streams_fill();
	streams_begin();
	wanted = command_line_take(argc, argv);
	return wanted.attach ? record_attach() : record_run(wanted.program);
}
