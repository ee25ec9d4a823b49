#include "trace/open/load.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "trace/log/graze.h"
#include "trace/open/part.h"
#include <stdio.h>
#include <stdlib.h>

#define MAX_PLACE (UINT64_C(1) << 42)

uint64_t logs_parallel_size = 1 << 22;

bool no_memory(struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE, "no memory for the trace");
	return false;
}

/* Turns the records of a log of the original format into ours. */
static bool graze_take(struct opened *o, struct log *log, struct diag *diag)
{
	const struct attribute *attribute = NULL;
	const struct event_type *misfit;
	struct claim claim;
	const char *why;

	if (o->joined) {
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: a log in the original format does not say which specification it is of; "
		    "give it with -s FILE",
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
	return (log->ids && graze_convert(log, o->trace.spec)) || no_memory(diag);
}

struct scanner scanner_of(struct opened *o, struct directory *d, struct diag *diag)
{
	return (struct scanner){.schemas = &o->schemas, .spec = o->trace.spec,
				.counts = o->trace.events_of_type, .samples = &d->samples,
				.diag = diag};
}

static bool place_fits(const struct log *log)
{
	const struct log_segment *last = &log->segments[log->nsegments - 1];

	return last->place + last->size < MAX_PLACE;
}

bool log_read(struct opened *o, struct directory *d, struct log *log, struct diag *diag)
{
	struct scanner scanner = scanner_of(o, d, diag);

	log->ids = d->ids;
	if (log->graze && !graze_take(o, log, diag))
		return false;
	if (!place_fits(log)) {
		diag_error(diag, DIAG_NOWHERE, "%s: a log of 4 TiB or more cannot be read",
			   log->files[0].path);
		return false;
	}
	return log_scan(log, &scanner) || no_memory(diag);
}

void log_note_ids(struct directory *d, const struct log *log)
{
	if (!d->ids || log->ids->nclaims > d->ids->nclaims)
		d->ids = log->ids;
}

/* Takes up what was read of a log. */
static void log_take(struct directory *d, struct log *log, struct diag *diag)
{
	if (log->whole.known) {
		log->first = log->whole.first;
		log->last = log->whole.last;
	}
	log_note_ids(d, log);
	log_report(log, diag);
}

/* The clock samples and the ids that the process file knows; those of logs are added. */
static bool process_take(struct opened *o, struct directory *d)
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
	/* The newest sample has no ticks when the process died while it was being written. */
	return clock_samples_add(&d->samples, &p->samples[0]) &&
	       (!p->samples[1].ticks || clock_samples_add(&d->samples, &p->samples[1]));
}

/* Unpacks a log, or what is wanted of it; false when it is in no packed file, or there is no memory. */
static bool log_unpack(const struct opened *o, const struct directory *d, const char *name,
		       const struct log_tail *tail, struct log *log, struct unpacked *u)
{
	struct part_filter part;
	struct pack_filter filter = {part_wanted, &part};
	size_t member = pack_find(d->pack, name);
	const struct pack_member *m = &d->pack->index.members[member];

	/* The tail goes on where the log ends: what it says of the time must be known there. */
	if (!pack_load(d->pack, member, !tail && part_begin(o, d, &part) ? &filter : NULL, u))
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
	char text[32];

	snprintf(text, sizeof text, name.level ? "log.%u.%u" : "log.%u", name.number, name.level);
	if (!d->pack || (tail && log_tail_has_log(tail))) {
		log_add(log, directory_join(d, text), NULL, tail, diag);
	} else if (log_unpack(o, d, text, tail, log, &u)) {
		log_add(log, directory_join(d, text), &u, tail, diag);
		unpacked_clear(&u);
	} else {
		no_memory(diag);
	}
}

/* Loads the files of one thread, of which the first is d->logs[i]; how many there were. */
static size_t thread_load(const struct opened *o, struct directory *d, size_t i, struct log *log,
			  struct diag *diag)
{
	uint32_t number = d->logs[i].number;
	size_t n = 0;

	log->number = number;
	for (; i + n < d->nlogs && d->logs[i + n].number == number; n++)
		log_load(o, d, d->logs[i + n], log, diag);
	return n;
}

struct log *log_next(struct opened *o, struct directory *d, size_t *i, struct diag *diag)
{
	struct log *log = &o->logs[o->nlogs];

	progress_step(*i, d->nlogs);
	*i += thread_load(o, d, *i, log, diag);
	if (log->nfiles == 0) {
		log_clear(log);
		return NULL;
	}
	o->nlogs++;
	if (o->growth && (d->pack || !growing_log_begin(o->growth, log)))
		o->growth->broken = true;
	return log;
}

/* Logs from the first given on, which are loaded: together when that is possible. */
static bool logs_take(struct opened *o, struct directory *d, size_t first, struct diag *diag)
{
	struct scanner scanner = scanner_of(o, d, diag);
	bool together = true;

	for (size_t i = first; i < o->nlogs; i++)
		together &= place_fits(&o->logs[i]);
	together = together && logs_scan(o->logs + first, o->nlogs - first, d->ids, &scanner);
	for (size_t i = first; i < o->nlogs; i++) {
		if (!together && !log_read(o, d, &o->logs[i], diag))
			return false;
		log_take(d, &o->logs[i], diag);
	}
	return true;
}

static bool logs_read(struct opened *o, struct directory *d, struct trace_process *p,
		      struct diag *diag)
{
	size_t i = 0, first;
	bool large = false;

	p->first_thread = (uint32_t)o->nlogs;
	if (d->process.present && !process_take(o, d))
		return no_memory(diag);
	while (i < d->nlogs && !large) {
		struct log *log = log_next(o, d, &i, diag);

		if (!log)
			continue;
		if (!log_read(o, d, log, diag))
			return false;
		log_take(d, log, diag);
		large = log->size >= logs_parallel_size / d->nlogs;
	}
	first = o->nlogs;
	while (i < d->nlogs)
		log_next(o, d, &i, diag);
	if (!logs_take(o, d, first, diag))
		return false;
	p->nthreads = (uint32_t)o->nlogs - p->first_thread;
	return true;
}

/* ---- clocks ---- */

bool clocks_build(struct opened *o, struct directory *d, struct trace_process *p,
		  struct diag *diag)
{
	const struct clock_sample *trusted = d->process.present ? d->process.samples : NULL;
	char text[QUANTITY_TEXT];

	if (!clock_build(&d->counter, d->samples.list, d->samples.count, trusted,
			 d->process.frequency) ||
	    !clock_identity(&d->nanoseconds))
		return no_memory(diag);
	for (uint32_t i = 0; i < p->nthreads; i++) {
		struct log *log = &o->logs[p->first_thread + i];

		log->time = log->clock == CLOCK_COUNTER ? &d->counter : &d->nanoseconds;
		p->counter |= log->clock == CLOCK_COUNTER;
	}
	p->frequency = clock_frequency(p->counter ? &d->counter : &d->nanoseconds);
	if (p->counter && d->counter.nsamples < 2)
		diag_warning(diag, "clock", DIAG_NOWHERE,
			     "%s: the run was too short to measure its clock, whose frequency is "
			     "taken as %s",
			     d->path, quantity_frequency(text, p->frequency));
	return true;
}

bool logs_open(struct opened *o, struct diag *diag)
{
	bool good = true;

	progress_begin("reading the logs");
	for (size_t i = 0; good && i < o->ndirectories; i++)
		good = logs_read(o, &o->directories[i], &o->processes[i], diag) &&
		       clocks_build(o, &o->directories[i], &o->processes[i], diag);
	progress_end();
	if (good && o->nlogs == 0) {
		diag_error(diag, DIAG_NOWHERE, "%s: none of its logs could be read",
			   o->directories[0].path);
		good = false;
	}
	return good;
}
