#include "trace/open/recorder_join.h"
#include "base/array.h"
#include "trace/log/cursor.h"
#include "trace/open/describe.h"
#include <stdlib.h>
#include <string.h>

#define SLACK 1000000 /* ns between the clock of a process and the kernel's records */
/* ns within which a thread has a processor after it was made, and logs its first event */
#define BEGIN_LATE 10000000000

/* ---- which log ---- */

static int tid_compare(const void *left, const void *right)
{
	const struct log *a = *(const struct log *const *)left;
	const struct log *b = *(const struct log *const *)right;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a > b) - (a < b);
}

/* The own logs of a run's threads, by thread id; the recorder's numbers mean the same threads. */
struct own_logs {
	struct log **list;
	size_t n;
};

static bool is_of_run(const struct directory *d, const struct directory *recorder)
{
	uint64_t space = d->process.pid_space, own = recorder->process.pid_space;

	return d != recorder && d->process.present && d->given == recorder->given &&
	       (!own || !space || own == space);
}

static struct own_logs own_logs_list(struct opened *o, const struct directory *recorder)
{
	struct own_logs own = {array_new(o->nlogs + 1, sizeof *own.list), 0};

	for (size_t i = 0; i < o->ndirectories; i++) {
		const struct trace_process *p = &o->processes[i];

		for (uint32_t k = 0; is_of_run(&o->directories[i], recorder) && k < p->nthreads;
		     k++)
			own.list[own.n++] = &o->logs[p->first_thread + k];
	}
	qsort(own.list, own.n, sizeof *own.list, tid_compare);
	return own;
}

/*
 * Returns for how long a log has events while the recorder saw the thread; negative: how far apart
 * they are.
 */
static int64_t common_time(const struct log *own, const struct log *seen)
{
	int64_t from, to, begin, end;

	if (own->pid != seen->pid || !own->events || own->graze)
		return INT64_MIN;
	from = clock_ns(own->time, own->first);
	to = clock_ns(own->time, own->last);
	begin = clock_ns(seen->time, seen->first);
	end = clock_ns(seen->time, seen->last);
	return (to < end ? to : end) - (from > begin ? from : begin);
}

/*
 * Whether the recorder may have seen a thread of this log only after the last event that it has so
 * far. No first thread: other programs may have its number.
 */
static bool is_seen_later(const struct log *own, const struct log *seen)
{
	return own->tid != own->pid && own->pid == seen->pid && own->events && !own->graze &&
	       clock_ns(own->time, own->first) <= clock_ns(seen->time, seen->first);
}

/*
 * Returns the log of a thread that the recorder saw being made, but died, or has not read on, when
 * the thread began to log: the one of that number that begins first after that. NULL: there is
 * none.
 */
static struct log *own_begun_later(const struct own_logs *own, const struct log *seen)
{
	size_t i = lower_bound(k, (size_t)0, own->n, own->list[k]->tid < seen->tid);
	int64_t least = -BEGIN_LATE;
	struct log *found = NULL;

	for (; i < own->n && own->list[i]->tid == seen->tid; i++) {
		struct log *log = own->list[i];
		int64_t common = common_time(log, seen);

		if (common < least ||
		    clock_ns(log->time, log->last) < clock_ns(seen->time, seen->first))
			continue;
		least = common;
		found = log;
	}
	return found;
}

/*
 * Returns the own log of the thread that one of the recorder's logs describes; NULL: there is none,
 * or several: samples alone do not tell that a thread executed another program.
 */
static struct log *own_find(const struct own_logs *own, const struct log *seen)
{
	size_t i = lower_bound(k, (size_t)0, own->n, own->list[k]->tid < seen->tid);
	int64_t most = -SLACK, second = -SLACK;
	struct log *found = NULL, *only = NULL;
	unsigned later = 0;

	for (; i < own->n && own->list[i]->tid == seen->tid; i++) {
		int64_t common = common_time(own->list[i], seen);

		if (is_seen_later(own->list[i], seen)) {
			only = own->list[i];
			later++;
		}

		if (common < most) {
			second = common > second ? common : second;
			continue;
		}
		second = most;
		most = common;
		found = own->list[i];
	}
	if (!found)
		return later == 1 ? only : own_begun_later(own, seen);
	return second <= SLACK ? found : NULL;
}

/* ---- ids ---- */

static uint32_t claim_base(const struct id_table *ids, const struct schema *schema)
{
	for (unsigned i = 0; i < ids->nclaims; i++)
		if (ids->claims[i].schema == schema)
			return ids->claims[i].base;
	return 0;
}

/* Returns the ids of a log and, as the highest ones, those that only the other has; or NULL. */
static const struct id_table *ids_join(struct opened *o, const struct id_table *ids,
				       const struct id_table *more)
{
	uint32_t highest = RECORD_IDS;
	const char *why;

	for (unsigned i = 0; ids && i < more->nclaims; i++) {
		const struct schema *schema = more->claims[i].schema;

		if (claim_base(ids, schema))
			continue;
		highest -= schema->spec->nevents;
		ids = schemas_claim(&o->schemas, ids, (struct claim){schema, highest}, &why);
	}
	return ids;
}

/* Makes map[id] the id in one table of each id in another. */
static void ids_map(uint32_t map[RECORD_IDS], const struct id_table *from,
		    const struct id_table *to)
{
	memset(map, 0, RECORD_IDS * sizeof *map);
	for (unsigned i = 0; i < from->nclaims; i++) {
		const struct claim *c = &from->claims[i];

		for (unsigned k = 0; k < c->schema->spec->nevents; k++)
			map[c->base + k] = claim_base(to, c->schema) + k;
	}
}

/* ---- records ---- */

/* The events of one of the recorder's logs, with the ids and the clock of the thread's own. */
struct joined_records {
	unsigned char *bytes;
	size_t size;
	uint64_t first, last; /* ticks */
};

static uint64_t own_ticks(const struct log *own, int64_t ns)
{
	return own->clock == CLOCK_COUNTER ? clock_ticks(own->time, ns) : (uint64_t)ns;
}

static size_t joined_room(const struct log *seen)
{
	size_t room = seen->events * TIME_SIZE;

	for (size_t i = 0; i < seen->nranges; i++)
		room += (size_t)(seen->ranges[i].end - seen->ranges[i].start);
	return room;
}

static struct joined_records joined_make(const struct log *seen, const struct log *own,
					 const uint32_t map[RECORD_IDS])
{
	struct joined_records j = {.bytes = array_new(joined_room(seen), 1)};
	uint64_t ticks, upper = UINT64_MAX, low = (UINT64_C(1) << TIME_LOW_BITS) - 1;
	struct log_cursor c;

	log_cursor_open(&c, seen);
	while (log_cursor_step(&c, &ticks)) {
		uint32_t id = RECORD_ID(read_32(c.record));
		size_t size = event_size(&c.rows[id], c.record);

		ticks = own_ticks(own, log_cursor_ns(&c, ticks));
		j.first = j.size && j.first < ticks ? j.first : ticks;
		j.last = j.last > ticks ? j.last : ticks;
		if (upper != (ticks & ~low)) {
			upper = ticks & ~low;
			time_write(j.bytes + j.size, upper);
			j.size += TIME_SIZE;
		}
		memcpy(j.bytes + j.size, c.record, size);
		write_32(j.bytes + j.size, map[id] | (uint32_t)(ticks & low) << 12);
		j.size += size;
	}
	return j;
}

/* ---- one log ---- */

static void joined_file_add(struct log *own, const struct log *seen, const struct joined_records *j)
{
	const struct log_segment *last = &own->segments[own->nsegments - 1];
	uint64_t place = (last->place + last->size + 3) & ~UINT64_C(3);
	char *path = text_format("%s", seen->files[0].path);

	own->files = array_resize(own->files, own->nfiles + 1, sizeof *own->files);
	own->files[own->nfiles++] = (struct log_file){.path = path,
						      .tail = j->bytes,
						      .sample = seen->files[0].sample,
						      .range = own->nranges,
						      .events = seen->events,
						      .disordered = seen->disordered};
	own->segments = array_resize(own->segments, own->nsegments + 1, sizeof *own->segments);
	own->segments[own->nsegments++] = (struct log_segment){
	    .bytes = j->bytes, .size = j->size, .path = path, .place = place, .fresh = true};
	own->ranges = array_resize(own->ranges, own->nranges + 1, sizeof *own->ranges);
	own->ranges[own->nranges++] =
	    (struct record_range){.start = j->bytes, .end = j->bytes + j->size, .seq = own->events};
}

static void marks_join(struct log *own, const struct log *seen)
{
	for (size_t i = 0; i < seen->marks.count; i++) {
		struct log_mark mark = seen->marks.list[i];

		mark.from = own_ticks(own, clock_ns(seen->time, mark.from));
		if (mark.kind == MARK_LOST && mark.to != UINT64_MAX)
			mark.to = own_ticks(own, clock_ns(seen->time, mark.to));
		own->marks.open = false;
		log_mark_add(own, mark);
	}
}

static bool log_join(struct opened *o, struct log *own, struct log *seen)
{
	const struct id_table *ids = ids_join(o, own->ids, seen->ids);
	uint32_t map[RECORD_IDS];
	struct joined_records j;

	if (!ids)
		return false;
	ids_map(map, seen->ids, ids);
	j = joined_make(seen, own, map);
	joined_file_add(own, seen, &j);
	marks_join(own, seen);
	own->ids = ids;
	own->disordered = true;
	own->events += seen->events;
	own->used += seen->used;
	own->size += seen->size;
	own->lost += seen->lost;
	own->first = own->first < j.first ? own->first : j.first;
	own->last = own->last > j.last ? own->last : j.last;
	return true;
}

/* ---- all ---- */

/* A reader sees by that whether the recorder died before its program. */
static void last_note(struct opened *o, size_t recorder)
{
	const struct trace_process *p = &o->processes[recorder];
	int64_t *last = &o->directories[recorder].last;

	for (uint32_t i = p->first_thread; i < p->first_thread + p->nthreads; i++) {
		const struct log *log = &o->logs[i];

		if (log->events && clock_ns(log->time, log->last) > *last)
			*last = clock_ns(log->time, log->last);
	}
}

/* Leaves the logs that were not joined. */
static void recorder_logs_join(struct opened *o, size_t recorder)
{
	struct trace_process *p = &o->processes[recorder];
	struct own_logs own = own_logs_list(o, &o->directories[recorder]);
	struct log *const logs = o->logs, *kept = logs + p->first_thread;
	uint32_t end = p->first_thread + p->nthreads;

	/* Pointers to logs are of those before and after, which do not move before all is done. */
	for (uint32_t i = p->first_thread; i < end; i++) {
		struct log *found = logs[i].events ? own_find(&own, &logs[i]) : NULL;

		if (found && log_join(o, found, &logs[i])) {
			log_clear(&logs[i]);
			p->nthreads--;
		} else if (kept++ != &logs[i]) {
			kept[-1] = logs[i];
		}
	}
	memmove(kept, logs + end, (o->nlogs - end) * sizeof *logs);
	o->nlogs -= (size_t)(logs + end - kept);
	for (size_t i = recorder + 1; i < o->ndirectories; i++)
		o->processes[i].first_thread -= (uint32_t)(logs + end - kept);
	free(own.list);
}

void recorder_join(struct opened *o, bool apart)
{
	for (size_t i = 0; i < o->ndirectories; i++) {
		if (!directory_is_recorder(&o->directories[i]))
			continue;
		last_note(o, i);
		if (!apart)
			recorder_logs_join(o, i);
	}
}
