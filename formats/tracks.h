/*
 * A trace as the viewers of slices show it: tracks of threads with slices, instants and flows, and
 * counters. The formats that show a trace so share what is found here, and only write it down.
 *
 *	thread    [ main                  ]     instances of one thread that nest; events are instants
 *	  states  [running][ready][running]     instances of kind "state"
 *	  further      [ LockHold ]             what does not nest, as many tracks as it takes
 *	  flows     |->                         both ends of what leads to another event
 */
#ifndef GLIMPSE_FORMATS_TRACKS_H
#define GLIMPSE_FORMATS_TRACKS_H

#include "analysis/samples/samples.h"
#include "base/array.h"
#include "formats/export.h"

enum track_kind {
	TRACK_THREAD,
	TRACK_EVENTS,
	TRACK_STATES,
	TRACK_FLOWS,
	TRACK_FURTHER,
	TRACK_COUNTER
};

struct track {
	uint32_t id;     /* from 1; that of thread i's own track is i + 1 */
	uint32_t thread; /* index in the trace's threads; not of a counter */
	enum track_kind kind;
	const char *name; /* the trace keeps it */
};

/* A name is a number of a text (text_key() in trace/address.h). */
enum argument_kind {
	ARGUMENT_INT,
	ARGUMENT_UINT,
	ARGUMENT_REAL,
	ARGUMENT_BOOL,
	ARGUMENT_POINTER,
	ARGUMENT_NAME,  /* one of few texts */
	ARGUMENT_STRING /* UTF-8 without NUL */
};

struct argument {
	int64_t name;
	enum argument_kind kind;
	union {
		int64_t integer;
		uint64_t word; /* also of pointers */
		double real;
		bool truth;
		int64_t text;
		struct {
			const char *bytes;
			size_t length;
		} string;
	};
};

/* A slice; an instant if it has no end of its own. Times are those of the trace. */
struct track_slice {
	const struct track *track;
	int64_t name, category;
	int64_t start, end;
	const struct argument *arguments;
	size_t narguments;
};

/* How a format writes what is found. */
struct track_writer {
	/* A track, before all that is on it. Threads come first, in their order. */
	void (*track)(void *to, const struct track *t);
	void (*instant)(void *to, const struct track_slice *s);
	/* Slices of a track nest, and come in the order of their begins and ends. NULL: no ends. */
	void (*begin)(void *to, const struct track_slice *s);
	void (*end)(void *to, const struct track_slice *s);
	/* From an earlier event to a later one. */
	void (*flow)(void *to, uint64_t id, const struct track_slice ends[2]);
	void (*counter)(void *to, const struct track *t, int64_t time, int64_t value);
	/* NULL: the format has no call stacks. */
	void (*sample)(void *to, uint32_t thread, int64_t time, uint32_t stack);
};

/* The names of what is in an event's attribute: as it is, beside it, and in part. */
struct attribute_names {
	int64_t text, raw, bytes, cut;
};

struct tracks {
	struct trace *trace;
	const struct export_request *request;
	const struct track_writer *writer;
	void *to;
	uint32_t *processes,
	    *threads;            /* ids that differ from each other, of processes and threads */
	struct samples *samples; /* NULL: there are none */
	struct track **list;     /* by id - 1 */
	uint32_t ntracks;
	uint32_t *states, *flows; /* of each thread the id of its track; 0: none yet */
	int64_t *event_names;
	struct attribute_names **attribute_names; /* of each event type */
	int64_t event_category, flow_category;
	VECTOR(struct argument) arguments; /* of what is being written */
	VECTOR(char *) made;               /* texts of these */
};

/* Finds names and ids. The trace makes event lists, for one caller at a time. */
void tracks_make(struct tracks *t, const struct export_request *r);
/*
 * Lists, as arguments, what an importer needs: of the trace, without its specification; of a
 * thread; of a process.
 */
void tracks_about_trace(struct tracks *t);
void tracks_about_thread(struct tracks *t, uint32_t thread);
void tracks_about_process(struct tracks *t, uint32_t process);
/* Adds the text of the specification to what is listed. */
void tracks_add_specification(struct tracks *t);
/* Writes all that is found. */
void tracks_write(struct tracks *t, const struct track_writer *writer, void *to);
void tracks_free(struct tracks *t);

/* Returns whether a thread is to be exported. */
static inline bool tracks_has(const struct tracks *t, uint32_t thread)
{
	return !t->request->threads || t->request->threads[thread];
}

/* ---- for the parts of the model ---- */

/* Adds a track, and writes it down. A name that is NULL is the thread's. */
const struct track *tracks_add(struct tracks *t, uint32_t thread, enum track_kind kind,
			       const char *name);
/* Empties the list of arguments. */
void tracks_reset(struct tracks *t);
/* Add arguments: an attribute of an event; the value of a metric. */
void tracks_attribute(struct tracks *t, const struct event *e, unsigned attribute);
void tracks_metric(struct tracks *t, const struct metric *metric, const struct value *v);
/* Writes the instances of the chosen intervals: slices, flows, counters. */
void tracks_instances(struct tracks *t);

#endif
