#include "trace/open/load.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/units.h"
#include "spec/qualified.h"
#include "trace/log/graze.h"
#include "trace/log/order.h"
#include "trace/open/missing.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PLACE (UINT64_C(1) << 42)
#define MAX_LOGS (1u << 22) /* that event lists can tell apart */
#define MAX_DIRECTORIES (1u << 16)

uint64_t logs_parallel_size = 1 << 22;

/* ---- directories ---- */

/* Returns which of the directories has a place on the disk, as its path, or NULL. */
static const char *place_find(const struct opened *o, const struct stat *place)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct directory *d = &o->directories[i];

		if (d->inode == place->st_ino && d->device == place->st_dev)
			return d->path;
	}
	return NULL;
}

/* Returns whether a path leads where one before it does; warns of that. */
static bool path_repeats(const struct opened *o, struct stat *seen, const char *const *paths,
			 unsigned i, struct diag *diag)
{
	const char *before;

	if (stat(paths[i], &seen[i]) != 0)
		return false;
	before = place_find(o, &seen[i]);
	for (unsigned j = 0; j < i && !before; j++)
		if (seen[j].st_ino == seen[i].st_ino && seen[j].st_dev == seen[i].st_dev)
			before = paths[j];
	if (before)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s was already given, as %s; it is read once", paths[i], before);
	return before;
}

static void directory_add(struct opened *o, const struct directory *d, const struct stat *place)
{
	o->directories = array_grow(o->directories, o->ndirectories, sizeof *o->directories);
	o->directories[o->ndirectories] = *d;
	o->directories[o->ndirectories].device = place->st_dev;
	o->directories[o->ndirectories++].inode = place->st_ino;
}

/* Opens a directory within another one, and adds it if it is a process that is not there yet. */
static bool inner_open(struct opened *o, const struct directory *outer, const char *name,
		       struct diag *diag)
{
	struct stat place = {.st_ino = 0};
	struct directory d;
	bool good = directory_open_inner(&d, outer, name, diag);
	bool found = !d.pack && stat(d.path, &place) == 0 && place_find(o, &place);

	if (good && !found && directory_is_process(&d))
		directory_add(o, &d, &place);
	else
		directory_close(&d);
	return good;
}

/*
 * Opens a directory that was given, and those within it. One that has only these is no process, and
 * is left out, unless there is nothing else.
 */
static bool given_open(struct opened *o, const char *path, const struct stat *place,
		       struct diag *diag)
{
	struct directory d;
	bool good = directory_open(&d, path, diag), kept = false;

	if (good && o->ndirectories + d.within.n >= MAX_DIRECTORIES) {
		diag_error(diag, DIAG_NOWHERE,
			   "%s: too many processes for one trace: %zu; give the directories of "
			   "some of them",
			   path, d.within.n);
		good = false;
	}
	if (good)
		missing_read(o, &d, diag);
	if (good && (kept = directory_is_process(&d)))
		directory_add(o, &d, place);
	for (size_t i = 0; good && i < d.within.n; i++)
		good = inner_open(o, &d, d.within.names[i], diag);
	if (good && !kept && (kept = o->ndirectories == 0))
		directory_add(o, &d, place);
	if (!kept)
		directory_close(&d);
	return good;
}

static bool paths_open(struct opened *o, struct stat *seen, const char *const *paths, unsigned n,
		       struct diag *diag)
{
	for (unsigned i = 0; i < n; i++)
		if (!path_repeats(o, seen, paths, i, diag) &&
		    !given_open(o, paths[i], &seen[i], diag))
			return false;
	return true;
}

static void report_no_events(const struct directory *d, struct diag *diag)
{
	diag_warning(diag, "log", DIAG_NOWHERE, "%s: no events: %s", d->path,
		     d->process.ended
			 ? "its program ended without one"
			 : "its program was killed before its first one, or has none yet");
}

size_t logs_found(const struct opened *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->ndirectories; i++)
		n += o->directories[i].nlogs;
	return n;
}

bool trace_lacks_logs(const char *path, struct diag *diag)
{
	struct diag quiet = {.program = diag->program};
	struct opened o = {.ndirectories = 0};
	bool lacks = given_open(&o, path, &(struct stat){0}, &quiet) && logs_found(&o) == 0;

	if (lacks)
		report_no_events(&o.directories[0], diag);
	missing_free(&o);
	directories_close(&o);
	return lacks;
}

/* Reports directories whose programs logged nothing; returns false if there are no others. */
static bool directories_without_logs(const struct opened *o, size_t logs, struct diag *diag)
{
	const struct directory *first = o->directories;

	if (!logs && o->ndirectories &&
	    !(o->even_empty && first->process.present && first->nspecs)) {
		directory_report_empty(&o->directories[0], diag);
		return false;
	}
	for (size_t i = 0; i < o->ndirectories; i++)
		if (o->directories[i].nlogs == 0 && !o->directories[i].inner)
			report_no_events(&o->directories[i], diag);
	return true;
}

static int rank_compare(const void *left, const void *right)
{
	const struct directory *a = left, *b = right;

	if (a->process.rank != b->process.rank)
		return a->process.rank < b->process.rank ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* Ranks of a parallel job stand in their order, whichever took its directory first. */
static void directories_order(struct opened *o)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		if (!o->directories[i].process.rank)
			return;
		o->directories[i].place = i;
	}
	if (o->ndirectories > 1)
		qsort(o->directories, o->ndirectories, sizeof *o->directories, rank_compare);
}

bool directories_open(struct opened *o, const char *const *paths, unsigned n, struct diag *diag)
{
	struct stat *seen = array_zero(n, sizeof *seen);
	bool good = paths_open(o, seen, paths, n, diag);
	size_t logs = logs_found(o);

	free(seen);
	directories_order(o);
	if (!good || !directories_without_logs(o, logs, diag))
		return false;
	if (logs > MAX_LOGS) {
		diag_error(diag, DIAG_NOWHERE,
			   "too many logs for one trace: %zu; give fewer directories", logs);
		return false;
	}
	o->logs = array_zero(logs + 1, sizeof *o->logs);
	o->threads = array_zero(logs, sizeof *o->threads);
	o->processes = array_zero(o->ndirectories, sizeof *o->processes);
	return true;
}

/* ---- a part of a trace ---- */

/* Which blocks of packed files are read when only a part of the trace is wanted. */
struct part_filter {
	const struct opened *opened;
	const struct id_table *ids; /* as far as they are known */
	int64_t from, to;           /* CLOCK_MONOTONIC */
};

/* Takes the time of the first event from the packed indices; returns false if one lacks it. */
static bool origin_find(const struct opened *o, int64_t *origin)
{
	*origin = INT64_MAX;
	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct pack *p = o->directories[i].pack;

		if (!p || !p->index.timed)
			return false;
		if (p->index.origin < *origin)
			*origin = p->index.origin;
	}
	return true;
}

static int64_t time_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

/* Returns false if all of a packed file is wanted, or its times are not known. */
static bool part_filter_make(const struct opened *o, const struct directory *d,
			     struct part_filter *f)
{
	int64_t origin;

	if (!o->part || !origin_find(o, &origin))
		return false;
	*f = (struct part_filter){.opened = o,
				  .ids = d->ids,
				  .from = time_add(o->part->from, origin),
				  .to = time_add(o->part->to, origin)};
	return true;
}

static bool event_wanted(const struct part_filter *f, uint32_t id)
{
	const struct trace_part *part = f->opened->part;
	uint16_t type;

	if (!f->ids || id >= RECORD_IDS || f->ids->rows[id].size == 0)
		return true;
	type = f->ids->rows[id].type;
	for (unsigned i = 0; type != NO_TYPE && i < part->nevents; i++)
		if (event_is_called(f->opened->trace.spec->events[type], part->events[i]))
			return true;
	return false;
}

/* Returns whether a type is read even if nobody asks for it, as it names threads. */
static bool names_thread(const struct part_filter *f, uint32_t id)
{
	const struct spec *spec = f->opened->trace.spec;
	uint16_t type =
	    f->ids && id < RECORD_IDS && f->ids->rows[id].size ? f->ids->rows[id].type : NO_TYPE;

	return type != NO_TYPE && spec->events[type]->starts_attribute >= 0;
}

static bool block_wanted(const void *context, const struct pack_index *x,
			 const struct pack_entry *e)
{
	const struct part_filter *f = context;

	for (size_t i = 0; i < e->ncounts; i++)
		if (names_thread(f, x->counts[e->count + i].id))
			return true;
	if (e->to < f->from || e->from > f->to)
		return false;
	if (f->opened->part->nevents == 0 || e->ncounts == 0)
		return true;
	for (size_t i = 0; i < e->ncounts; i++)
		if (event_wanted(f, x->counts[e->count + i].id))
			return true;
	return false;
}

/* ---- logs ---- */

/* Converts a log of the original format. */
static bool graze_load(struct opened *o, struct log *log, struct diag *diag)
{
	const struct attribute *attribute = NULL;
	const struct event_type *misfit;
	struct claim claim;
	const char *why;

	if (o->joined) {
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: a log in the original format does not say which specification it was "
		    "written with; give it with -s FILE",
		    log->files[0].path);
		return false;
	}
	misfit = graze_misfit(o->trace.spec, &attribute);
	if (misfit) {
		diag_error(
		    diag, attribute->where,
		    "%s is in the original format, where every attribute is an int; %s of %s is %s",
		    log->files[0].path, attribute->name, misfit->name, type_name(attribute->type));
		return false;
	}
	claim =
	    (struct claim){schemas_find(&o->schemas, o->trace.spec->schema), RECORD_FIRST_EVENT};
	log->ids = schemas_claim(&o->schemas, NULL, claim, &why);
	return (log->ids && graze_convert(log, o->trace.spec)) || report_no_memory(diag);
}

struct scanner scanner_for(struct opened *o, struct directory *d, struct diag *diag)
{
	return (struct scanner){.schemas = &o->schemas,
				.spec = o->trace.spec,
				.counts = o->trace.events_of_type,
				.samples = &d->samples,
				.diag = diag};
}

static bool place_fits(const struct log *log)
{
	const struct log_segment *last = &log->segments[log->nsegments - 1];

	return last->place + last->size < MAX_PLACE;
}

bool loaded_log_scan(struct opened *o, struct directory *d, struct log *log, struct diag *diag)
{
	struct scanner scanner = scanner_for(o, d, diag);

	log->ids = d->ids;
	if (log->graze && !graze_load(o, log, diag))
		return false;
	if (!place_fits(log)) {
		diag_error(diag, DIAG_NOWHERE, "%s: a log of 4 TiB or more cannot be read",
			   log->files[0].path);
		return false;
	}
	return log_scan(log, &scanner) || report_no_memory(diag);
}

void directory_note_ids(struct directory *d, const struct log *log)
{
	if (!d->ids || log->ids->nclaims > d->ids->nclaims)
		d->ids = log->ids;
}

/* Completes a log that was scanned. */
static void scanned_log_finish(struct directory *d, struct log *log, struct diag *diag)
{
	if (log->whole.known) {
		log->first = log->whole.first;
		log->last = log->whole.last;
	}
	directory_note_ids(d, log);
	log_report(log, diag);
}

/* Takes the clock samples and the ids from the process file. */
static bool process_info_use(struct opened *o, struct directory *d)
{
	const struct process_info *p = &d->process;
	const char *why;

	for (unsigned i = 0; i < p->nspecs; i++) {
		struct claim claim = {schemas_find(&o->schemas, p->specs[i].schema),
				      p->specs[i].base};
		const struct id_table *ids =
		    claim.schema ? schemas_claim(&o->schemas, d->ids, claim, &why) : NULL;

		if (ids)
			d->ids = ids;
	}
	if (p->clock != CLOCK_COUNTER)
		return true;
	/* The newest sample has no ticks if the process died while writing it. */
	return clock_samples_add(&d->samples, &p->samples[0]) &&
	       (!p->samples[1].ticks || clock_samples_add(&d->samples, &p->samples[1]));
}

/* Unpacks what is wanted of a log; returns false when there is no memory. */
static bool log_unpack(const struct opened *o, const struct directory *d, const char *name,
		       const struct log_tail *tail, struct log *log, struct unpacked *u)
{
	struct part_filter part;
	struct pack_filter filter = {block_wanted, &part};
	size_t member = directory_member(d, name);
	const struct pack_member *m = &d->pack->index.members[member];

	/* A tail continues a log that was read to the end, where its time is known. */
	if (!pack_load(d->pack, member, !tail && part_filter_make(o, d, &part) ? &filter : NULL, u))
		return false;
	log->whole.known = !u->whole;
	log->whole.first = m->first;
	log->whole.last = m->last;
	return true;
}

static void log_load(const struct opened *o, struct directory *d, struct log_name name,
		     struct log *log, struct diag *diag)
{
	struct log_tail *tail = directory_tail(d, name);
	struct unpacked u;
	char text[LOG_NAME_TEXT];

	log_name_print(text, name);
	if (!d->pack || (tail && log_tail_has_log(tail))) {
		log_add(log, directory_join(d, text), NULL, tail, diag);
	} else if (log_unpack(o, d, text, tail, log, &u)) {
		log_add(log, directory_join(d, text), &u, tail, diag);
		unpacked_clear(&u);
	} else {
		report_no_memory(diag);
	}
}

struct log *next_log_load(struct opened *o, struct directory *d, size_t *i, struct diag *diag)
{
	struct log *log = &o->logs[o->nlogs];

	progress_step(*i, d->nlogs);
	log->number = d->logs[*i].number;
	for (; *i < d->nlogs && d->logs[*i].number == log->number; ++*i)
		log_load(o, d, d->logs[*i], log, diag);
	if (log->nfiles == 0) {
		log_clear(log);
		return NULL;
	}
	o->nlogs++;
	if (o->growth && (d->pack || !growing_log_begin(o->growth, log)))
		o->growth->broken = true;
	return log;
}

/* Scans the loaded logs from the first on, several at a time where possible. */
static bool loaded_logs_scan(struct opened *o, struct directory *d, size_t first, struct diag *diag)
{
	struct scanner scanner = scanner_for(o, d, diag);
	bool together = true;

	for (size_t i = first; i < o->nlogs; i++)
		together &= place_fits(&o->logs[i]);
	together = together && logs_scan(o->logs + first, o->nlogs - first, d->ids, &scanner);
	for (size_t i = first; i < o->nlogs; i++) {
		if (!together && !loaded_log_scan(o, d, &o->logs[i], diag))
			return false;
		scanned_log_finish(d, &o->logs[i], diag);
	}
	return true;
}

static bool logs_read(struct opened *o, struct directory *d, struct trace_process *p,
		      struct diag *diag)
{
	size_t i = 0, first;
	bool large = false;

	p->first_thread = (uint32_t)o->nlogs;
	if (d->process.present && !process_info_use(o, d))
		return report_no_memory(diag);
	while (i < d->nlogs && !large) {
		struct log *log = next_log_load(o, d, &i, diag);

		if (!log)
			continue;
		if (!loaded_log_scan(o, d, log, diag))
			return false;
		scanned_log_finish(d, log, diag);
		large = log->size >= logs_parallel_size / d->nlogs;
	}
	first = o->nlogs;
	while (i < d->nlogs)
		next_log_load(o, d, &i, diag);
	if (!loaded_logs_scan(o, d, first, diag))
		return false;
	p->nthreads = (uint32_t)o->nlogs - p->first_thread;
	return true;
}

/* ---- clocks ---- */

/* For less, pairs of the clocks are too close to tell a frequency. */
#define FREQUENCY_NS 1000000

/*
 * Returns for how long a process has compared its counter with the clock, in ns; 0 if it has not.
 */
static int64_t compared_ns(const struct process_info *p)
{
	int64_t ns;

	if (!p->present || p->clock != CLOCK_COUNTER || p->nsamples < 2 ||
	    p->samples[1].ticks <= p->samples[0].ticks ||
	    __builtin_sub_overflow(p->samples[1].monotonic, p->samples[0].monotonic, &ns))
		return 0;
	return ns;
}

const struct process_info *longest_of_run(const struct opened *o, const char *given)
{
	const struct process_info *longest = NULL;
	int64_t most = 0;

	for (size_t i = 0; i < o->ndirectories; i++) {
		int64_t ns = compared_ns(&o->directories[i].process);

		if (ns > most && o->directories[i].given == given) {
			longest = &o->directories[i].process;
			most = ns;
		}
	}
	return longest;
}

/*
 * Returns the ticks per second of a process that was too short to measure them, as the longest
 * other one of the same run, and so of the same machine, did; 0 if none was long enough.
 */
static uint64_t frequency_of_run(const struct process_info *longest, const struct directory *d)
{
	unsigned __int128 ticks;

	if (!longest || compared_ns(&d->process) >= FREQUENCY_NS ||
	    compared_ns(longest) < FREQUENCY_NS)
		return 0;
	ticks = longest->samples[1].ticks - longest->samples[0].ticks;
	return (uint64_t)(ticks * 1000000000u / (uint64_t)compared_ns(longest));
}

bool clocks_build(struct opened *o, struct directory *d, struct trace_process *p,
		  const struct process_info *longest, struct diag *diag)
{
	size_t ntrusted = d->process.present ? d->process.nsamples : 0;
	uint64_t frequency = frequency_of_run(longest, d);
	char text[UNITS_TEXT];

	if (!clock_build(&d->counter, d->samples.list, d->samples.count, d->process.samples,
			 ntrusted, frequency ? frequency : d->process.frequency) ||
	    !clock_identity(&d->nanoseconds))
		return report_no_memory(diag);
	for (uint32_t i = 0; i < p->nthreads; i++) {
		struct log *log = &o->logs[p->first_thread + i];

		log->time = log->clock == CLOCK_COUNTER ? &d->counter : &d->nanoseconds;
		p->counter |= log->clock == CLOCK_COUNTER;
	}
	p->frequency = clock_frequency(p->counter ? &d->counter : &d->nanoseconds);
	if (p->counter && d->counter.nsamples < 2 && !frequency)
		diag_warning(diag, "clock", DIAG_NOWHERE,
			     "%s: the run was too short to measure its clock, whose frequency is "
			     "taken as %s",
			     d->path, units_frequency(text, p->frequency));
	return true;
}

static void log_order_one(void *context, size_t i, unsigned worker)
{
	struct opened *o = context;

	(void)worker;
	log_order(&o->logs[i]);
}

void logs_order(struct opened *o)
{
	bool any = false;

	for (size_t i = 0; i < o->nlogs; i++)
		any |= o->logs[i].disordered;
	if (any)
		parallel_for(o->nlogs, log_order_one, o);
}

bool logs_open(struct opened *o, struct diag *diag)
{
	const struct process_info *longest = NULL;
	bool good = true;

	progress_begin("reading the logs");
	for (size_t i = 0; good && i < o->ndirectories; i++) {
		struct directory *d = &o->directories[i];

		if (i == 0 || d->given != d[-1].given)
			longest = longest_of_run(o, d->given);
		good = logs_read(o, d, &o->processes[i], diag) &&
		       clocks_build(o, d, &o->processes[i], longest, diag);
	}
	progress_end();
	if (good && o->nlogs == 0 && !(o->even_empty && logs_found(o) == 0)) {
		diag_error(diag, DIAG_NOWHERE, "%s: none of its logs could be read",
			   o->directories[0].path);
		good = false;
	}
	return good;
}
