#include "config.h"
#include "formats/export.h"

#ifdef HAVE_OTF2

#include "analysis/activity/thread_walk.h"
#include "base/output.h"
#include "base/progress.h"
#include "formats/otf2_definitions.h"
#include "formats/thread_marks.h"
#include "spec/layout.h"
#include "trace/address.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEP = 4096 }; /* events between two looks at the progress bar and at interruption */

struct archive {
	const struct export_request *request;
	const struct trace *trace;
	struct marks marks;
	struct otf2_definitions definitions;
	OTF2_Archive *otf2;
	OTF2_AttributeList *attributes;
	OTF2_AttributeRef event_attribute;
	struct event_references *references; /* by event type */
	struct hash_table locks;             /* numbers of objects that are held */
	uint32_t nlocks;
	uint32_t *ranks;   /* by thread: its place among those exported */
	uint64_t *written; /* by thread: the records of its location */
	uint64_t done;
	bool failed;
};

/* ---- the library's errors ---- */

static OTF2_ErrorCode error_take(void *context, const char *file, uint64_t line,
				 const char *function, OTF2_ErrorCode code, const char *format,
				 va_list arguments)
{
	struct archive *a = context;
	char *what = text_vformat(format, arguments);

	(void)file, (void)line, (void)function;
	if (!a->failed && code != OTF2_SUCCESS && code != OTF2_WARNING)
		diag_error(a->request->diag, DIAG_NOWHERE,
			   "libotf2 cannot write the archive: %s: %s",
			   OTF2_Error_GetDescription(code), what);
	a->failed |= code != OTF2_SUCCESS && code != OTF2_WARNING;
	free(what);
	return code;
}

static OTF2_FlushType flush_before(void *context, OTF2_FileType type, OTF2_LocationRef location,
				   void *writer, bool final)
{
	(void)context, (void)type, (void)location, (void)writer, (void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp time_of(const struct archive *a, int64_t time)
{
	return (OTF2_TimeStamp)(a->trace->origin > 0 ? a->trace->origin : 0) + (OTF2_TimeStamp)time;
}

/* ---- attributes of events ---- */

/* The definitions that events of a type refer to. */
struct event_references {
	OTF2_StringRef name;
	OTF2_AttributeRef *attributes, *texts; /* by attribute; texts: of code and objects */
};

static OTF2_Type type_of(enum type type)
{
	switch (type) {
	case TYPE_INT:
		return OTF2_TYPE_INT32;
	case TYPE_UINT:
	case TYPE_CODE32:
		return OTF2_TYPE_UINT32;
	case TYPE_LONG:
		return OTF2_TYPE_INT64;
	case TYPE_DOUBLE:
		return OTF2_TYPE_DOUBLE;
	case TYPE_STRING:
		return OTF2_TYPE_STRING;
	default:
		return OTF2_TYPE_UINT64;
	}
}

static void references_make(struct archive *a, const struct event_type *type)
{
	struct event_references *r = &a->references[type->index];

	r->name = otf2_string(&a->definitions, type->name);
	r->attributes = array_new(type->nattributes, sizeof *r->attributes);
	r->texts = array_new(type->nattributes, sizeof *r->texts);
	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *attribute = &type->attributes[i];
		bool symbolic = type_is_symbolic(attribute->type);

		r->attributes[i] =
		    otf2_attribute(&a->definitions, attribute->name,
				   symbolic ? OTF2_ADDRESS_SUFFIX : "", type_of(attribute->type));
		if (symbolic)
			r->texts[i] =
			    otf2_attribute(&a->definitions, attribute->name, "", OTF2_TYPE_STRING);
	}
}

static OTF2_AttributeValue number_of(enum type type, const struct value *v)
{
	switch (type) {
	case TYPE_INT:
		return (OTF2_AttributeValue){.int32 = (int32_t)v->integer};
	case TYPE_UINT:
	case TYPE_CODE32:
		return (OTF2_AttributeValue){.uint32 = (uint32_t)v->integer};
	case TYPE_LONG:
		return (OTF2_AttributeValue){.int64 = (int64_t)v->integer};
	case TYPE_DOUBLE:
		return (OTF2_AttributeValue){.float64 = v->real};
	default:
		return (OTF2_AttributeValue){.uint64 = (uint64_t)v->integer};
	}
}

static void attribute_add(struct archive *a, const struct event *e, unsigned i)
{
	const struct event_references *r = &a->references[e->type->index];
	enum type type = e->type->attributes[i].type;
	struct value v = record_value(e->type, i, e->record);
	char buffer[ADDRESS_TEXT];

	if (type == TYPE_STRING) {
		OTF2_AttributeList_AddStringRef(
		    a->attributes, r->attributes[i],
		    otf2_bytes(&a->definitions, v.string.bytes, v.string.length));
		return;
	}
	OTF2_AttributeList_AddAttribute(a->attributes, r->attributes[i], type_of(type),
					number_of(type, &v));
	if (type_is_symbolic(type))
		OTF2_AttributeList_AddStringRef(
		    a->attributes, r->texts[i],
		    otf2_string(&a->definitions, address_text(a->trace, buffer, e, i)));
}

/* The event's first record has them. */
static void attributes_set(struct archive *a, const struct event *e)
{
	struct event_references *r = &a->references[e->type->index];

	if (!r->attributes)
		references_make(a, e->type);
	OTF2_AttributeList_RemoveAllAttributes(a->attributes);
	OTF2_AttributeList_AddStringRef(a->attributes, a->event_attribute, r->name);
	for (unsigned i = 0; i < e->type->nattributes; i++)
		attribute_add(a, e, i);
}

/* ---- the records of a thread ---- */

struct location {
	struct archive *archive;
	OTF2_EvtWriter *writer;
	const struct mark *at, *end;      /* marks that are not written */
	VECTOR(enum thread_state) states; /* that the thread is in, the innermost last */
	enum thread_state shown;          /* has a region that is open; STATE_OTHER: none */
	VECTOR(OTF2_RegionRef) open;      /* the others, the innermost last */
	struct event event;
	bool attributes_written; /* of the event */
};

/* Returns the attributes for a record: those of the event for its first one. */
static OTF2_AttributeList *attributes_take(struct location *l)
{
	bool first = !l->attributes_written;

	l->attributes_written = true;
	return first ? l->archive->attributes : NULL;
}

static void enter(struct location *l, OTF2_RegionRef region)
{
	OTF2_EvtWriter_Enter(l->writer, attributes_take(l), time_of(l->archive, l->event.time),
			     region);
}

static void leave(struct location *l, OTF2_RegionRef region)
{
	OTF2_EvtWriter_Leave(l->writer, attributes_take(l), time_of(l->archive, l->event.time),
			     region);
}

enum { REGION_OF_INTERVAL, REGION_OF_CALL, REGION_OF_EVENT, REGION_OF_STATE };

static uint64_t region_key(unsigned what, uint64_t number)
{
	return (uint64_t)what << 32 | number;
}

static OTF2_RegionRef region_of_state(struct archive *a, enum thread_state state)
{
	struct otf2_region r = {
	    .name = thread_state_name(state), .kind = KIND_STATE, .kind_name = "state"};

	return otf2_region(&a->definitions, region_key(REGION_OF_STATE, state), 0, &r);
}

static OTF2_RegionRef region_of_event(struct archive *a, const struct event_type *type)
{
	struct otf2_region r = {.name = type->name, .kind_name = "event"};

	return otf2_region(&a->definitions, region_key(REGION_OF_EVENT, type->index), 0, &r);
}

static OTF2_RegionRef region_of_call(struct archive *a, const struct role *role,
				     const struct event *e)
{
	unsigned code = (unsigned)role->start.code[0];
	char buffer[ADDRESS_TEXT];
	struct otf2_region r = {.name = address_function(a->trace, buffer, e, code),
				.kind = KIND_CALL,
				.kind_name = interval_kind_name(KIND_CALL),
				.line = address_line(a->trace, e, code)};

	return otf2_region(&a->definitions, region_key(REGION_OF_CALL, role->interval->index),
			   (uint64_t)address_key(a->trace, e, code), &r);
}

static OTF2_RegionRef region_of(struct archive *a, const struct mark *m, const struct event *e)
{
	const struct role *role = &a->marks.intervals.at[m->interval].role;
	struct otf2_region r = {.name = role->interval->name,
				.kind = role->kind,
				.kind_name =
				    role->kind ? interval_kind_name(role->kind) : "interval"};

	if (role->kind == KIND_CALL && role->start.event && role->start.code[0] >= 0)
		return region_of_call(a, role, e);
	return otf2_region(&a->definitions, region_key(REGION_OF_INTERVAL, m->interval), 0, &r);
}

/* ---- states ---- */

/*
 * A state is the innermost region: regions that begin or end meanwhile cut it. Where other regions
 * are open, it goes without saying that the thread runs.
 */
static void state_hide(struct location *l)
{
	if (l->shown)
		leave(l, region_of_state(l->archive, l->shown));
	l->shown = STATE_OTHER;
}

static void state_show(struct location *l)
{
	enum thread_state state = l->states.n ? l->states.at[l->states.n - 1] : STATE_OTHER;

	if (state == STATE_RUNNING && l->open.n)
		return;
	if (state && l->shown != state) {
		enter(l, region_of_state(l->archive, state));
		l->shown = state;
	}
}

/* ---- marks ---- */

static void message_write(struct location *l, const struct mark *m)
{
	struct archive *a = l->archive;
	OTF2_TimeStamp time = time_of(a, l->event.time);

	(m->kind == MARK_SEND ? OTF2_EvtWriter_MpiSend : OTF2_EvtWriter_MpiRecv)(
	    l->writer, attributes_take(l), time, a->ranks[m->other], m->interval, m->anchor, 0);
}

/* A hold is shown whether it nests or not: as the acquisition and release of a lock. */
static void hold_write(struct location *l, const struct mark *m)
{
	struct archive *a = l->archive;
	const struct role *role = &a->marks.intervals.at[m->interval].role;
	const struct role_end *end = m->kind == MARK_ACQUIRE ? &role->start : &role->end;
	uint64_t object = (uint64_t)address_key(a->trace, &l->event, (unsigned)end->object);
	uint32_t lock = hash_table_number(
	    &a->locks, object, trace_thread(a->trace, l->event.thread)->directory, a->nlocks);

	a->nlocks += lock == a->nlocks;
	(m->kind == MARK_ACQUIRE ? OTF2_EvtWriter_ThreadAcquireLock
				 : OTF2_EvtWriter_ThreadReleaseLock)(
	    l->writer, attributes_take(l), time_of(a, l->event.time), OTF2_PARADIGM_PTHREAD, lock,
	    m->other);
}

static void mark_write(struct location *l, const struct mark *m)
{
	OTF2_RegionRef region;

	switch (m->kind) {
	case MARK_RECEIVE:
	case MARK_SEND:
		message_write(l, m);
		break;
	case MARK_RELEASE:
	case MARK_ACQUIRE:
		hold_write(l, m);
		break;
	case MARK_STATE_END:
		l->states.n--;
		break;
	case MARK_STATE_BEGIN:
		*vector_add(&l->states) = l->archive->marks.intervals.at[m->interval].role.state;
		break;
	case MARK_LEAVE:
		leave(l, l->open.at[--l->open.n]);
		break;
	case MARK_ENTER:
		region = region_of(l->archive, m, &l->event);
		enter(l, region);
		*vector_add(&l->open) = region;
		break;
	case MARK_DEATH:
	case MARK_BIRTH:
		break;
	}
}

static bool mark_is_state(const struct mark *m)
{
	return m->kind == MARK_STATE_BEGIN || m->kind == MARK_STATE_END;
}

static bool mark_cuts(const struct mark *m)
{
	return m->kind == MARK_LEAVE || m->kind == MARK_ENTER || mark_is_state(m);
}

/* Hides the state if marks cut it. The event's attributes go to another record, if there is one. */
static void state_cut(struct location *l, const struct mark *end)
{
	bool cut = false, others = false;

	for (const struct mark *m = l->at; m < end; m++) {
		cut |= mark_cuts(m);
		others |= !mark_is_state(m) && m->kind < MARK_DEATH;
	}
	if (!cut)
		return;
	l->attributes_written = others;
	state_hide(l);
	if (others)
		l->attributes_written = false;
}

static void marks_write(struct location *l, uint64_t seq)
{
	const struct mark *end = l->at;

	while (end < l->end && end->seq == seq)
		end++;
	state_cut(l, end);
	for (; l->at < end; l->at++)
		mark_write(l, l->at);
	state_show(l);
}

/*
 * An event that neither begins nor ends anything: a region without duration; one of stacks: a
 * parameter.
 */
static void event_alone(struct location *l)
{
	struct archive *a = l->archive;
	const struct event_type *type = l->event.type;
	OTF2_RegionRef region;

	if (type->stack_attribute >= 0 || type->context_attribute >= 0) {
		OTF2_EvtWriter_ParameterString(l->writer, attributes_take(l),
					       time_of(a, l->event.time), 0,
					       otf2_string(&a->definitions, type->name));
		return;
	}
	region = region_of_event(a, type);
	enter(l, region);
	leave(l, region);
}

static void event_write(struct location *l, const struct thread_walk *w)
{
	struct archive *a = l->archive;

	l->event.time = w->time;
	l->event.type = a->trace->spec->events[w->type];
	l->event.record = w->record;
	l->event.seq = w->cursor.event_seq;
	l->attributes_written = false;
	attributes_set(a, &l->event);
	marks_write(l, l->event.seq);
	if (!l->attributes_written)
		event_alone(l);
}

/* What is open at the end of the thread ends with its last event. */
static void location_end(struct location *l)
{
	l->attributes_written = true;
	state_hide(l);
	OTF2_EvtWriter_GetNumberOfEvents(
	    l->writer,
	    &l->archive->written[trace_thread_index(l->archive->trace, l->event.thread)]);
	OTF2_Archive_CloseEvtWriter(l->archive->otf2, l->writer);
	free(l->open.at);
	free(l->states.at);
}

static bool location_go_on(struct archive *a)
{
	if (++a->done % STEP)
		return true;
	progress_step(a->done, a->trace->events);
	return !output_interrupted();
}

static void location_write(struct archive *a, uint32_t thread)
{
	struct location l = {
	    .archive = a,
	    .writer = OTF2_Archive_GetEvtWriter(a->otf2, a->trace->threads[thread].number),
	    .at = a->marks.threads[thread].at,
	    .event.thread = a->trace->threads[thread].number,
	};
	struct thread_walk w;

	l.end = l.at + a->marks.threads[thread].n;
	thread_walk_open(&w, a->trace, thread);
	while (!a->failed && location_go_on(a) && thread_walk_next(&w))
		event_write(&l, &w);
	location_end(&l);
}

/* ---- definitions ---- */

static void root_property(struct otf2_definitions *d, const char *name, OTF2_Type type,
			  OTF2_AttributeValue value)
{
	OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(d->writer, 0, otf2_string(d, name), type,
							 value);
}

static void root_write(struct archive *a)
{
	struct otf2_definitions *d = &a->definitions;

	OTF2_GlobalDefWriter_WriteSystemTreeNode(d->writer, 0, otf2_string(d, "machine"),
						 otf2_string(d, "machine"),
						 OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	root_property(
	    d, OTF2_SPEC_PROPERTY, OTF2_TYPE_STRING,
	    (OTF2_AttributeValue){.stringRef = otf2_plain_string(d, a->trace->spec->text)});
	root_property(d, OTF2_ORIGIN_PROPERTY, OTF2_TYPE_INT64,
		      (OTF2_AttributeValue){.int64 = a->trace->origin});
}

static bool is_exported(const struct archive *a, uint32_t thread)
{
	return !a->request->threads || a->request->threads[thread];
}

static void group_property(struct archive *a, uint32_t process, const char *name, OTF2_Type type,
			   OTF2_AttributeValue value)
{
	OTF2_GlobalDefWriter_WriteLocationGroupProperty(
	    a->definitions.writer, process, otf2_string(&a->definitions, name), type, value);
}

static void process_write(struct archive *a, uint32_t process)
{
	const struct trace_process *p = &a->trace->processes[process];
	struct otf2_definitions *d = &a->definitions;
	char *name = trace_process_name(p);

	OTF2_GlobalDefWriter_WriteLocationGroup(
	    d->writer, process, otf2_string(d, *p->program ? p->program : name),
	    OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	group_property(a, process, OTF2_PID_PROPERTY, OTF2_TYPE_UINT32,
		       (OTF2_AttributeValue){.uint32 = p->pid});
	group_property(a, process, "directory", OTF2_TYPE_STRING,
		       (OTF2_AttributeValue){.stringRef = otf2_string(d, name)});
	free(name);
}

static void thread_write(struct archive *a, uint32_t thread)
{
	const struct trace_thread *t = &a->trace->threads[thread];
	struct otf2_definitions *d = &a->definitions;

	OTF2_GlobalDefWriter_WriteLocation(d->writer, t->number, otf2_string(d, t->name),
					   OTF2_LOCATION_TYPE_CPU_THREAD, a->written[thread],
					   t->directory);
	OTF2_GlobalDefWriter_WriteLocationProperty(
	    d->writer, t->number, otf2_string(d, OTF2_THREAD_PROPERTY), OTF2_TYPE_UINT32,
	    (OTF2_AttributeValue){.uint32 = t->number});
	OTF2_GlobalDefWriter_WriteLocationProperty(
	    d->writer, t->number, otf2_string(d, OTF2_TID_PROPERTY), OTF2_TYPE_UINT64,
	    (OTF2_AttributeValue){.uint64 = t->tid});
}

/* Messages are those of a communicator named as their interval, whose ranks are all threads. */
static void communicators_write(struct archive *a, OTF2_GroupRef group)
{
	struct otf2_definitions *d = &a->definitions;
	uint64_t *members = array_new(a->trace->nthreads, sizeof *members);
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->trace->nthreads; i++)
		if (is_exported(a, i))
			members[n++] = a->trace->threads[i].number;
	OTF2_GlobalDefWriter_WriteGroup(d->writer, group, otf2_string(d, "threads"),
					OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
					OTF2_GROUP_FLAG_NONE, n, members);
	for (uint32_t i = 0; i < n; i++)
		members[i] = i;
	OTF2_GlobalDefWriter_WriteGroup(d->writer, group + 1, otf2_string(d, "all threads"),
					OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
					OTF2_GROUP_FLAG_NONE, n, members);
	for (uint32_t i = 0; i < a->marks.intervals.n; i++)
		OTF2_GlobalDefWriter_WriteComm(
		    d->writer, i, otf2_string(d, a->marks.intervals.at[i].role.interval->name),
		    group + 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	free(members);
}

static void definitions_write(struct archive *a)
{
	for (uint32_t i = 0; i < a->trace->nprocesses; i++)
		process_write(a, i);
	for (uint32_t i = 0; i < a->trace->nthreads; i++)
		if (is_exported(a, i))
			thread_write(a, i);
	communicators_write(a, otf2_region_groups(&a->definitions, 0));
}

static void definitions_begin(struct archive *a)
{
	const struct trace *t = a->trace;
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(a->otf2);

	otf2_definitions_open(&a->definitions, t, writer);
	OTF2_GlobalDefWriter_WriteClockProperties(
	    writer, 1000000000, time_of(a, 0), (uint64_t)t->duration,
	    t->origin_real > 0 ? (uint64_t)t->origin_real : OTF2_UNDEFINED_TIMESTAMP);
	root_write(a);
	a->event_attribute =
	    otf2_attribute(&a->definitions, OTF2_EVENT_ATTRIBUTE, "", OTF2_TYPE_STRING);
	OTF2_GlobalDefWriter_WriteParameter(writer, 0, otf2_string(&a->definitions, "event"),
					    OTF2_PARAMETER_TYPE_STRING);
}

/* ---- the archive ---- */

static void locations_write(struct archive *a)
{
	OTF2_Archive_OpenEvtFiles(a->otf2);
	for (uint32_t i = 0; i < a->trace->nthreads && !a->failed && !output_interrupted(); i++)
		if (is_exported(a, i))
			location_write(a, i);
	OTF2_Archive_CloseEvtFiles(a->otf2);
}

/* Readers expect a file of definitions for each location, though all definitions are global. */
static void local_definitions_write(struct archive *a)
{
	OTF2_Archive_OpenDefFiles(a->otf2);
	for (uint32_t i = 0; i < a->trace->nthreads && !a->failed; i++)
		if (is_exported(a, i))
			OTF2_Archive_CloseDefWriter(
			    a->otf2,
			    OTF2_Archive_GetDefWriter(a->otf2, a->trace->threads[i].number));
	OTF2_Archive_CloseDefFiles(a->otf2);
}

static bool archive_open(struct archive *a, const char *directory)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_before};

	a->otf2 = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE,
				    OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_MAX,
				    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!a->otf2)
		return false;
	OTF2_Archive_SetFlushCallbacks(a->otf2, &flush, a);
	OTF2_Archive_SetSerialCollectiveCallbacks(a->otf2);
	OTF2_Archive_SetCreator(a->otf2, "glimpse");
	return true;
}

static void ranks_number(struct archive *a)
{
	uint32_t n = 0;

	a->ranks = array_zero(a->trace->nthreads, sizeof *a->ranks);
	for (uint32_t i = 0; i < a->trace->nthreads; i++)
		if (is_exported(a, i))
			a->ranks[i] = n++;
}

static void archive_write(struct archive *a)
{
	definitions_begin(a);
	a->attributes = OTF2_AttributeList_New();
	progress_begin("exporting");
	locations_write(a);
	progress_end();
	local_definitions_write(a);
	definitions_write(a);
	OTF2_Archive_CloseGlobalDefWriter(a->otf2, a->definitions.writer);
	OTF2_AttributeList_Delete(a->attributes);
	otf2_definitions_free(&a->definitions);
}

/* Lives of objects are no part of what a thread does. */
static void lives_count(const struct archive *a)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < a->trace->nthreads; i++)
		for (size_t k = 0; k < a->marks.threads[i].n; k++)
			n += a->marks.threads[i].at[k].kind == MARK_BIRTH;
	export_left_out(a->request, &export_otf2, n, "instances of the kind life, except threads'");
}

static bool otf2_fill(const char *directory, const struct export_request *r)
{
	struct archive a = {.request = r, .trace = r->trace};
	OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(error_take, &a);

	ranks_number(&a);
	a.written = array_zero(r->trace->nthreads, sizeof *a.written);
	a.references = array_zero(r->trace->spec->nevents, sizeof *a.references);
	marks_make(&a.marks, r, NEST_ALL);
	if (archive_open(&a, directory)) {
		archive_write(&a);
		OTF2_Archive_Close(a.otf2);
	}
	marks_warn(&a.marks, r, &export_otf2);
	lives_count(&a);
	marks_free(&a.marks);
	hash_table_free(&a.locks);
	for (unsigned i = 0; i < r->trace->spec->nevents; i++) {
		free(a.references[i].attributes);
		free(a.references[i].texts);
	}
	free(a.references);
	free(a.written);
	free(a.ranks);
	OTF2_Error_RegisterCallback(before, NULL);
	return !a.failed && !output_interrupted();
}

#else

static bool otf2_fill(const char *directory, const struct export_request *r)
{
	(void)directory;
	return export_built_without(r, "otf2", "otf2", "libotf2-trace-dev");
}

#endif

const struct export_format export_otf2 = {
    .name = "otf2",
    .summary =
	"regions, messages and events, for Vampir, Cube and others: a directory, an OTF2 archive",
    .intervals = true,
    .fill = otf2_fill,
};
