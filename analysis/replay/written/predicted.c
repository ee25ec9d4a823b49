#include "analysis/replay/written/predicted.h"
#include "analysis/replay/answer/time_map.h"
#include "analysis/replay/written/predicted_states.h"
#include "trace/format/format.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include "trace/open/own_names.h"
#include "trace/write/log_write.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a process file: doc/log-format.md. */
enum {
	PROCESS_BYTES = 20480,
	AT_CLOCK = 16,
	AT_STATE = 20,
	AT_PAIRS = 24,
	AT_COST = 72,
	AT_TABLE = 96,
	AT_SOURCE = 104,
	AT_NAME = 128,
	NAME_SIZE = 128,
};

/* ---- a log ---- */

static void schemas_write(struct log_file_writer *w, const struct log *log)
{
	for (unsigned i = 0; log->ids && i < log->ids->nclaims; i++) {
		const struct claim *c = &log->ids->claims[i];

		log_file_schema(w, c->schema->spec->schema, c->base, c->schema->spec->nevents,
				c->schema->spec->name);
	}
}

/*
 * Returns a copy of an event that says how many processors there were, with the number of the
 * predicted run. The caller frees it.
 */
static unsigned char *processors_copy(const struct event_type *type, const unsigned char *record,
				      size_t size, unsigned cores)
{
	const struct attribute *a = &type->attributes[type->processors_attribute];
	uint64_t wide = cores;
	uint32_t narrow = cores;
	unsigned char *copy = array_new(size, 1);

	memcpy(copy, record, size);
	if (a->type == TYPE_INT || a->type == TYPE_UINT)
		memcpy(copy + a->offset, &narrow, sizeof narrow);
	else
		memcpy(copy + a->offset, &wide, sizeof wide);
	return copy;
}

static void event_write(struct log_file_writer *w, const struct log_cursor *c,
			const struct prediction *p, int64_t time)
{
	const struct trace *t = p->model->trace;
	const struct event_type *type = t->spec->events[c->type];
	uint32_t id = RECORD_ID(read_32(c->record));
	size_t size = event_size(&c->rows[id], c->record);
	unsigned char *copy = type->processors_attribute >= 0 && p->changed_cores != p->cores
				  ? processors_copy(type, c->record, size, p->changed_cores)
				  : NULL;

	log_file_event(w, id, (uint64_t)(t->origin + time), copy ? copy : c->record, size);
	free(copy);
}

/* Writes the states that begin before a time. */
static void states_write(struct state_events *e, struct log_file_writer *w, const struct trace *t,
			 int64_t before)
{
	const struct state_event *next;

	while ((next = state_events_next(e, before)))
		log_file_event(w, next->id, (uint64_t)(t->origin + next->time), next->record,
			       next->size);
}

static bool log_write(const struct prediction *p, struct predicted_states *states, uint32_t thread,
		      const char *path, struct time_map *map)
{
	const struct trace *t = p->model->trace;
	const struct log *log = &opened_of(t)->logs[thread];
	struct log_head head = {
	    .name = {log->number, 0},
	    .pid = log->pid,
	    .tid = log->tid,
	    .clock = CLOCK_NANOSECONDS,
	    .opened = {(uint64_t)t->origin, t->origin, t->origin_real},
	    .thread = log->name ? log->name : "",
	};
	struct state_events *events;
	struct log_file_writer w;
	struct log_cursor c;

	if (!log_file_begin(&w, path, &head))
		return false;
	time_map_make(map, p->changed_operations, p->changed, thread);
	schemas_write(&w, log);
	events = state_events_open(states, thread);
	log_cursor_open(&c, log);
	while (log_cursor_next(&c)) {
		int64_t time = time_map_get(map, c.time - t->origin);

		states_write(events, &w, t, time);
		if (!state_events_replace(events, c.type))
			event_write(&w, &c, p, time);
	}
	states_write(events, &w, t, INT64_MAX);
	state_events_close(events);
	if (log->lost)
		log_file_lost(&w, log->lost, 0);
	return log_file_end(&w);
}

/* ---- the files beside the logs ---- */

static FILE *file_make(const char *path, const char *name)
{
	char *whole = text_format("%s/%s", path, name);
	FILE *f = fopen(whole, "wx");

	free(whole);
	return f;
}

static FILE *file_of(const struct directory *d, const char *name)
{
	int fd = directory_file(d, name);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static bool files_close(FILE *from, FILE *to)
{
	bool good = to && !ferror(from) && !ferror(to);

	fclose(from);
	return !(to && fclose(to)) && good;
}

/* What is not there is no error. */
static bool file_copy(const struct directory *d, const char *path, const char *name)
{
	FILE *from = file_of(d, name), *to;
	char bytes[4096];
	size_t n;

	if (!from)
		return errno == ENOENT;
	to = file_make(path, name);
	while (to && (n = fread(bytes, 1, sizeof bytes, from)) > 0)
		fwrite(bytes, 1, n, to);
	return files_close(from, to);
}

/* Copies a file of lines that begin with ticks, which become nanoseconds. */
static bool ticks_copy(const struct directory *d, const char *path, const char *name)
{
	const struct clock *clock =
	    d->process.clock == CLOCK_COUNTER ? &d->counter : &d->nanoseconds;
	FILE *from = file_of(d, name), *to;
	char *line = NULL;
	size_t room = 0;

	if (!from)
		return errno == ENOENT;
	to = file_make(path, name);
	while (to && getline(&line, &room, from) > 0) {
		char *rest;
		uint64_t ticks = strtoull(line, &rest, 10);

		fprintf(to, "%" PRIu64 "%s", ticks ? (uint64_t)clock_ns(clock, ticks) : 0, rest);
	}
	free(line);
	return files_close(from, to);
}

static void pair_write(unsigned char *to, int64_t monotonic, int64_t real)
{
	write_64(to, (uint64_t)monotonic);
	write_64(to + 8, (uint64_t)monotonic);
	write_64(to + 16, (uint64_t)real);
}

static void process_change(unsigned char *bytes, const struct prediction *p)
{
	static const char mark[] = PREDICTED_MARK;
	const struct trace *t = p->model->trace;
	size_t length = strnlen((char *)bytes + AT_NAME, NAME_SIZE - sizeof mark);

	write_32(bytes + AT_CLOCK, CLOCK_NANOSECONDS);
	write_32(bytes + AT_STATE, 1);
	pair_write(bytes + AT_PAIRS, t->origin, t->origin_real);
	pair_write(bytes + AT_PAIRS + 24, t->origin + p->changed->duration,
		   t->origin_real + p->changed->duration);
	write_64(bytes + AT_COST, 0);
	memset(bytes + AT_TABLE, 0, AT_NAME - AT_TABLE);
	memcpy(bytes + AT_NAME + length, mark, sizeof mark);
}

static bool process_write(const struct prediction *p, const struct directory *d, const char *path)
{
	unsigned char *bytes = array_zero(PROCESS_BYTES, 1);
	FILE *from = file_of(d, "process"), *to = NULL;
	bool good = false;

	if (from && fread(bytes, 1, PROCESS_BYTES, from) == PROCESS_BYTES) {
		process_change(bytes, p);
		to = file_make(path, "process");
		good = to && fwrite(bytes, 1, PROCESS_BYTES, to) == PROCESS_BYTES;
	} else if (from) {
		errno = EINVAL;
	}
	if (from && !files_close(from, to))
		good = false;
	free(bytes);
	return good;
}

static bool specs_copy(const struct directory *d, const char *path)
{
	bool good = true;

	for (size_t i = 0; i < d->nspecs && good; i++) {
		const char *slash = strrchr(d->specs[i], '/');

		good = file_copy(d, path, slash ? slash + 1 : d->specs[i]);
	}
	return good;
}

/* ---- all ---- */

static bool directory_write(const struct prediction *p, struct predicted_states *states,
			    size_t number, const char *path)
{
	const struct opened *o = opened_of(p->model->trace);
	const struct directory *d = &o->directories[number];
	const struct trace_process *process = &o->processes[number];
	struct time_map map = {0};
	bool good = process_write(p, d, path) && specs_copy(d, path) &&
		    ticks_copy(d, path, "modules") && ticks_copy(d, path, "objects") &&
		    ticks_copy(d, path, "made") && file_copy(d, path, "names");

	for (uint32_t i = 0; i < process->nthreads && good; i++)
		if (o->logs[process->first_thread + i].events)
			good = log_write(p, states, process->first_thread + i, path, &map);
	time_map_free(&map);
	return good;
}

bool predicted_write(const struct prediction *p, const char *path, struct diag *diag)
{
	const struct opened *o = opened_of(p->model->trace);
	struct predicted_states *states;
	bool good = true;

	for (size_t i = 0; i < o->nlogs; i++)
		if (o->logs[i].graze) {
			diag_error(diag, DIAG_NOWHERE,
				   "-o cannot write a predicted run in the original format");
			return false;
		}
	states = predicted_states_of(p);
	for (size_t i = 0; i < o->ndirectories && good; i++) {
		const struct directory *d = &o->directories[i];
		char *to = d->name ? text_format("%s/%s", path, d->name) : text_format("%s", path);

		good = (!d->name || mkdir(to, 0700) == 0) && directory_write(p, states, i, to);
		if (!good)
			diag_error(diag, DIAG_NOWHERE, "cannot write %s from %s: %s", to, d->path,
				   strerror(errno));
		free(to);
	}
	predicted_states_free(states);
	return good;
}
