/*
 * The Common Trace Format, by libbabeltrace2: of LTTng, barectf and others, and what glimpse export
 * writes, which becomes the trace that it was.
 */
#include "config.h"

#include "base/array.h"
#include "base/file_open.h"
#include "formats/ctf_native.h"
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef HAVE_BABELTRACE2
#include "base/hash.h"
#include "base/output.h"
#include "base/path.h"
#include "formats/ctf_fields.h"
#include "formats/ctf_kernel.h"
#include "formats/ctf_restore.h"
#include <inttypes.h>
#include <sys/resource.h>
#endif

/* ---- directories ---- */

/* How deep, and in how many directories, metadata is looked for: a directory may be of anything. */
enum { DEPTH_MOST = 6, VISITS_MOST = 2000 };

typedef VECTOR(char *) path_vector;

static bool is_metadata(const char *path, bool *ours)
{
	static const char magics[][4] = {"\x57\x1d\xd1\x75", "\x75\xd1\x1d\x57"};
	static const char text[] = "/* CTF 1.8", tracer[] = "tracer_name = \"glimpse\"";
	char head[IMPORT_HEAD + 1];
	int fd = file_open_given(path);
	ssize_t n = fd < 0 ? -1 : read(fd, head, IMPORT_HEAD);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	head[n] = '\0';
	*ours = strstr(head, tracer) != NULL;
	if (n < 4)
		return false;
	return strncmp(head, text, sizeof text - 1) == 0 || memcmp(head, magics[0], 4) == 0 ||
	       memcmp(head, magics[1], 4) == 0;
}

/* Looks into a directory, and those within it, in the order of their names. */
static void traces_look(const char *path, unsigned depth, unsigned *visits, path_vector *found,
			bool *ours)
{
	char *metadata = text_format("%s/metadata", path);
	struct dirent **entries = NULL;
	bool is_ours = false;
	int n = 0;

	if (is_metadata(metadata, &is_ours)) {
		*vector_add(found) = text_format("%s", path);
		*ours |= is_ours;
	} else if (depth < DEPTH_MOST && ++*visits <= VISITS_MOST) {
		n = scandir(path, &entries, NULL, alphasort);
	}
	free(metadata);
	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.' &&
		    (entries[i]->d_type == DT_DIR || entries[i]->d_type == DT_UNKNOWN)) {
			char *inner = text_format("%s/%s", path, entries[i]->d_name);

			traces_look(inner, depth + 1, visits, found, ours);
			free(inner);
		}
		free(entries[i]);
	}
	free(entries);
}

/* Adds the directories that have metadata. *ours: glimpse export wrote one. */
static void traces_find(const char *path, path_vector *found, bool *ours)
{
	unsigned visits = 0;

	traces_look(path, 0, &visits, found, ours);
}

static void paths_free(path_vector *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		free(paths->at[i]);
	free(paths->at);
}

static bool ctf_recognise(const struct import_input *in)
{
	path_vector found = {0};
	bool ours = false, is_ctf;

	if (!in->directory)
		return false;
	traces_find(in->path, &found, &ours);
	is_ctf = found.n > 0;
	paths_free(&found);
	return is_ctf;
}

#ifdef HAVE_BABELTRACE2

/* ---- state ---- */

#define NO_CPU UINT32_MAX

struct ctf_stream {
	struct logs_thread *thread; /* of events that do not say theirs; NULL: none yet */
	uint32_t pid, cpu;
	bool kernel, clock;
};

/* An event class, and which members of its streams' context are attributes. */
struct ctf_class {
	const struct logs_event *event; /* NULL: only the kernel's helper takes it */
	enum ctf_kernel_event kernel;
	uint64_t context;
	bool cpu; /* the first attribute is the processor */
};

struct ctf {
	struct import_input *in;
	struct logs *logs;
	struct ctf_restore restore;
	struct ctf_kernel kernel;
	struct ctf_values values;
	VECTOR(struct ctf_stream *) streams;
	VECTOR(struct ctf_class *) classes;
	VECTOR(char *) names; /* of threads */
	struct hash_table by_stream, by_class, by_thread, by_process;
	size_t processes; /* in the table */
	uint64_t events, unknown_losses, packet_losses, timeless;
	bool ours, failed; /* failed: it was reported */
};

/* Returns the number that a table has for an address; `next` if it is new. */
static size_t number_of(struct hash_table *t, const void *address, size_t next)
{
	return hash_table_number(t, (uint64_t)(uintptr_t)address, 0, (uint32_t)next);
}

/* ---- streams ---- */

static const char *env_text(const void *trace, const char *name)
{
	const bt_value *v = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return v && bt_value_is_string(v) ? bt_value_string_get(v) : NULL;
}

static int64_t env_number(const void *trace, const char *name)
{
	const bt_value *v = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return v && bt_value_is_signed_integer(v)     ? bt_value_integer_signed_get(v)
	       : v && bt_value_is_unsigned_integer(v) ? (int64_t)bt_value_integer_unsigned_get(v)
						      : 0;
}

/* The process that a trace is of, if its environment says so. */
static void process_of_env(struct ctf *c, struct ctf_stream *s, const bt_trace *trace)
{
	const char *name = env_text(trace, "procname");

	s->pid = (uint32_t)env_number(trace, "vpid");
	if (s->pid && name)
		logs_process(c->logs, s->pid, name);
}

static struct ctf_stream *stream_of(struct ctf *c, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	const struct ctf_environment environment = {env_text, env_number, trace};
	const char *domain;
	size_t i = number_of(&c->by_stream, stream, c->streams.n);
	struct ctf_stream *s;

	if (i < c->streams.n)
		return c->streams.at[i];
	s = array_zero(1, sizeof *s);
	*vector_add(&c->streams) = s;
	s->cpu = NO_CPU;
	s->clock = bt_stream_class_borrow_default_clock_class_const(
		       bt_stream_borrow_class_const(stream)) != NULL;
	c->ours = c->ours && ctf_restore_begin(&c->restore, c->logs, &environment, c->in->diag);
	if (c->ours)
		return s;
	domain = env_text(trace, "domain");
	s->kernel = domain && strcmp(domain, "kernel") == 0;
	if (s->kernel)
		ctf_kernel_begin(&c->kernel, c->logs);
	process_of_env(c, s, trace);
	return s;
}

/* What a packet says of all its events. */
static void packet_take(struct ctf *c, const bt_packet *packet)
{
	struct ctf_stream *s = stream_of(c, bt_packet_borrow_stream_const(packet));
	const bt_field *context = bt_packet_borrow_context_field_const(packet),
		       *cpu = ctf_integer_member(context, "cpu_id"),
		       *thread = ctf_integer_member(context, "thread"),
		       *tid = ctf_integer_member(context, "tid");

	if (cpu)
		s->cpu = (uint32_t)ctf_integer(cpu);
	if (c->ours && thread && tid && !s->thread)
		s->thread = ctf_restore_thread(&c->restore, (uint64_t)ctf_integer(thread),
					       (uint64_t)ctf_integer(tid));
}

/* ---- threads ---- */

/* The name of a thread, which is its program's, too, if it is the first one, or none is known. */
static void thread_name(struct ctf *c, struct logs_thread *t, bool first, const bt_field *name)
{
	size_t length = bt_field_string_get_length(name),
	       i = number_of(&c->by_thread, t, c->names.n), process;
	const char *text = bt_field_string_get_value(name);
	struct logs_process *p = logs_thread_process(t);

	if (i == c->names.n)
		*vector_add(&c->names) = NULL;
	if (!length || (c->names.at[i] && strncmp(c->names.at[i], text, length) == 0 &&
			!c->names.at[i][length]))
		return;
	free(c->names.at[i]);
	c->names.at[i] = text_format("%.*s", (int)length, text);
	logs_thread_name(t, c->names.at[i]);
	process = number_of(&c->by_process, p, c->processes);
	if (first || process == c->processes)
		logs_process_name(p, c->names.at[i]);
	c->processes += process == c->processes;
}

/*
 * The thread of a stream whose events do not say theirs: that of its processor, or one of its own.
 */
static struct logs_thread *stream_thread(struct ctf *c, struct ctf_stream *s,
					 const bt_stream *stream)
{
	uint64_t id = s->cpu != NO_CPU ? s->cpu : bt_stream_get_id(stream);
	const char *path = bt_stream_get_name(stream);
	char *name;

	if (s->thread)
		return s->thread;
	if (s->cpu != NO_CPU)
		name = text_format("cpu %" PRIu32, s->cpu);
	else
		name = path ? path_name(path) : text_format("stream %" PRIu64, id);
	s->thread = logs_thread(logs_process(c->logs, s->pid, NULL),
				s->cpu != NO_CPU ? id : c->streams.n + id);
	logs_thread_name(s->thread, name);
	free(name);
	return s->thread;
}

static struct logs_thread *thread_of(struct ctf *c, struct ctf_stream *s, const bt_event *event)
{
	const bt_field *context = bt_event_borrow_common_context_field_const(event), *tid, *pid,
		       *name;
	struct logs_thread *t = NULL;

	if (s->kernel && s->cpu != NO_CPU)
		t = ctf_kernel_thread(&c->kernel, s->cpu);
	if (t)
		return t;
	if (!(tid = ctf_integer_member(context, "vtid")))
		tid = ctf_integer_member(context, "tid");
	if (!tid)
		return stream_thread(c, s, bt_event_borrow_stream_const(event));
	if (!(pid = ctf_integer_member(context, "vpid")))
		pid = ctf_integer_member(context, "pid");
	t = logs_thread(logs_process(c->logs, pid ? (uint32_t)ctf_integer(pid) : s->pid, NULL),
			(uint64_t)ctf_integer(tid));
	name = ctf_string_member(context, "procname");
	if (name)
		thread_name(c, t, pid && ctf_integer(pid) == ctf_integer(tid), name);
	return t;
}

/* ---- event classes ---- */

static bool says_thread(const char *name)
{
	static const char *const names[] = {"vtid", "tid", "vpid", "pid", "procname"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Adds what a stream's context has beside the thread. */
static void context_fields_add(struct ctf_class *class, ctf_field_vector *fields,
			       const bt_field_class *context)
{
	uint64_t n = context ? bt_field_class_structure_get_member_count(context) : 0;

	for (uint64_t i = 0; i < n && i < 64; i++) {
		const bt_field_class_structure_member *m =
		    bt_field_class_structure_borrow_member_by_index_const(context, i);
		const char *name = bt_field_class_structure_member_get_name(m);

		if (says_thread(name))
			continue;
		class->context |= UINT64_C(1) << i;
		ctf_fields_add(fields, name,
			       bt_field_class_structure_member_borrow_field_class_const(m));
	}
}

/* Makes the type of an event class whose trace is not one of ours. */
static bool class_make(struct ctf *c, struct ctf_class *class, const bt_event_class *from, bool cpu)
{
	const bt_stream_class *streams = bt_event_class_borrow_stream_class_const(from);
	const char *name = bt_event_class_get_name(from);
	char *made = text_format("event %" PRIu64, bt_event_class_get_id(from));
	ctf_field_vector fields = {0};

	class->cpu = cpu;
	if (cpu)
		*vector_add(&fields) = (struct logs_field){text_format("cpu"), TYPE_LONG};
	ctf_fields_add(&fields, "", bt_event_class_borrow_payload_field_class_const(from));
	ctf_fields_add(&fields, "", bt_event_class_borrow_specific_context_field_class_const(from));
	context_fields_add(class, &fields,
			   bt_stream_class_borrow_event_common_context_field_class_const(streams));
	class->event = logs_event_make(c->logs, name && *name ? name : made, fields.at,
				       (unsigned)fields.n, NULL);
	ctf_fields_free(&fields);
	free(made);
	return class->event != NULL;
}

/* Finds the type of an event class in the specification that was exported. */
static bool class_restore(struct ctf *c, struct ctf_class *class, const bt_event_class *from)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(from);
	const char *name = bt_event_class_get_name(from);
	uint64_t n = payload ? bt_field_class_structure_get_member_count(payload) : 0;

	class->event = name ? logs_event(c->logs, name) : NULL;
	if (!class->event)
		return import_fail(c->in, "the specification in it has no event %s",
				   name ? name : "without a name");
	if (logs_event_type(class->event)->nattributes != n)
		return import_fail(
		    c->in, "the specification in it has other attributes of %s than the metadata",
		    name);
	return true;
}

static struct ctf_class *class_of(struct ctf *c, const struct ctf_stream *s, const bt_event *event)
{
	const bt_event_class *from = bt_event_borrow_class_const(event);
	const char *name = bt_event_class_get_name(from);
	size_t i = number_of(&c->by_class, from, c->classes.n);
	struct ctf_class *class;

	if (i < c->classes.n)
		return c->classes.at[i];
	class = array_zero(1, sizeof *class);
	*vector_add(&c->classes) = class;
	class->kernel = s->kernel && name ? ctf_kernel_event(name) : KERNEL_OTHER;
	if (class->kernel == KERNEL_OTHER)
		c->failed |= c->ours ? !class_restore(c, class, from)
				     : !class_make(c, class, from, s->cpu != NO_CPU);
	return class;
}

/* ---- events ---- */

static void context_values_add(struct ctf *c, const struct ctf_class *class,
			       const bt_field *context)
{
	for (uint64_t bits = class->context; bits; bits &= bits - 1)
		ctf_values_add(&c->values, bt_field_structure_borrow_member_field_by_index_const(
					       context, (uint64_t)__builtin_ctzll(bits)));
}

/* Of ours each member is an attribute; strings of bytes are in a structure. */
static void restored_values_add(struct ctf *c, const bt_field *payload, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const bt_field *f = bt_field_structure_borrow_member_field_by_index_const(payload,
											  i),
			       *bytes = NULL;

		if (bt_field_get_class_type(f) == BT_FIELD_CLASS_TYPE_STRUCTURE)
			bytes = bt_field_structure_borrow_member_field_by_name_const(f, "bytes");
		ctf_values_add(&c->values, bytes ? bytes : f);
	}
}

static void values_add(struct ctf *c, const struct ctf_class *class, const struct ctf_stream *s,
		       const bt_event *event)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event);

	ctf_values_begin(&c->values);
	if (c->ours) {
		restored_values_add(c, payload, logs_event_type(class->event)->nattributes);
		return;
	}
	if (class->cpu)
		*vector_add(&c->values.list) = logs_natural(s->cpu);
	ctf_values_add(&c->values, payload);
	ctf_values_add(&c->values, bt_event_borrow_specific_context_field_const(event));
	context_values_add(c, class, bt_event_borrow_common_context_field_const(event));
}

/* Returns the time of an event (ns); -1 after a report. Without a clock only the order is known. */
static int64_t time_of(struct ctf *c, const struct ctf_stream *s, const bt_message *message)
{
	const bt_clock_snapshot *clock;
	int64_t time;

	if (!s->clock) {
		c->timeless++;
		return (int64_t)c->events;
	}
	clock = bt_message_event_borrow_default_clock_snapshot_const(message);
	if (c->ours)
		return (int64_t)bt_clock_snapshot_get_value(clock);
	if (bt_clock_snapshot_get_ns_from_origin(clock, &time) !=
	    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK) {
		c->failed = true;
		import_fail(c->in, "the time of event %" PRIu64 " is out of range", c->events);
		return -1;
	}
	return time;
}

static void event_take(struct ctf *c, const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	struct ctf_stream *s = stream_of(c, bt_event_borrow_stream_const(event));
	const struct ctf_class *class = class_of(c, s, event);
	int64_t time = time_of(c, s, message);
	struct logs_thread *t;

	if (c->failed)
		return;
	if (!c->events++ && s->clock && !c->ours)
		logs_realtime(c->logs, time, time);
	if (class->kernel != KERNEL_OTHER) {
		ctf_kernel_take(&c->kernel, class->kernel, time, s->cpu != NO_CPU ? s->cpu : 0,
				bt_event_borrow_payload_field_const(event));
		return;
	}
	t = c->ours && s->thread ? s->thread : thread_of(c, s, event);
	values_add(c, class, s, event);
	logs_write(t, time, class->event, ctf_values_end(&c->values));
}

static void discarded_take(struct ctf *c, const bt_message *message)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	struct ctf_stream *s = stream_of(c, stream);
	uint64_t n;

	if (bt_message_discarded_events_get_count(message, &n) !=
	    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		c->unknown_losses++;
	else if (s->kernel)
		ctf_kernel_lost(&c->kernel, s->cpu, n);
	else
		logs_lost(stream_thread(c, s, stream), n);
}

/* Returns how many packets are missing; 1: the trace does not say. */
static uint64_t packets_discarded(const bt_message *message)
{
	uint64_t n;

	return bt_message_discarded_packets_get_count(message, &n) ==
		       BT_PROPERTY_AVAILABILITY_AVAILABLE
		   ? n
		   : 1;
}

static void message_take(struct ctf *c, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		event_take(c, message);
		break;
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream_of(c, bt_message_stream_beginning_borrow_stream_const(message));
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		packet_take(c, bt_message_packet_beginning_borrow_packet_const(message));
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		discarded_take(c, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		c->packet_losses += packets_discarded(message);
		break;
	default:
		break;
	}
}

/* ---- the graph ---- */

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *iterator,
								  void *data)
{
	struct ctf *c = data;
	bt_message_array_const messages;
	uint64_t n = 0;
	bt_message_iterator_next_status status = bt_message_iterator_next(iterator, &messages, &n);

	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (uint64_t i = 0; i < n; i++) {
		if (!c->failed)
			message_take(c, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	if (!c->failed && output_interrupted())
		c->failed = !import_fail(c->in, "interrupted");
	return c->failed ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
			 : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static const bt_plugin *ctf_plugin, *utils_plugin;

static bool ctf_prepare(struct import_input *in)
{
	bt_logging_set_global_level(BT_LOGGING_LEVEL_NONE);
	if (bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &ctf_plugin) ==
		BT_PLUGIN_FIND_STATUS_OK &&
	    bt_plugin_find("utils", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &utils_plugin) ==
		BT_PLUGIN_FIND_STATUS_OK)
		return true;
	return import_fail(in, "babeltrace2 has no plugins 'ctf' and 'utils', which read it");
}

/* Reports what libbabeltrace2 says of its failure. */
static bool graph_fail(struct ctf *c)
{
	const bt_error *error = bt_current_thread_take_error();

	if (!c->failed)
		import_fail(
		    c->in, "%s",
		    error && bt_error_get_cause_count(error)
			? bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0))
			: "libbabeltrace2 failed");
	if (error)
		bt_error_release(error);
	c->failed = true;
	return false;
}

/* Adds the source of one directory; returns NULL if that fails. */
static const bt_component_source *source_add(bt_graph *graph, const char *path)
{
	bt_value *parameters = bt_value_map_create(), *inputs = NULL;
	const bt_component_source *source = NULL;

	if (parameters &&
	    bt_value_map_insert_empty_array_entry(parameters, "inputs", &inputs) ==
		BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_array_append_string_element(inputs, path) ==
		BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
		bt_graph_add_source_component(
		    graph, bt_plugin_borrow_source_component_class_by_name_const(ctf_plugin, "fs"),
		    path, parameters, BT_LOGGING_LEVEL_NONE, &source);
	bt_value_put_ref(parameters);
	return source;
}

static bool sink_connect(struct ctf *c, bt_graph *graph, const bt_port_output *from)
{
	const bt_component_sink *sink = NULL;
	char *name = text_format("logs %p", (const void *)from);
	bool good = bt_graph_add_simple_sink_component(graph, name, NULL, consume, NULL, c,
						       &sink) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;

	free(name);
	return good && bt_graph_connect_ports(
			   graph, from, bt_component_sink_borrow_input_port_by_index_const(sink, 0),
			   NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

/* Connects all streams of a source to the muxer, or, if that is NULL, each to a sink of its own. */
static bool source_connect(struct ctf *c, bt_graph *graph, const bt_component_source *source,
			   const bt_component_filter *muxer)
{
	uint64_t n = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < n; i++) {
		const bt_port_output *from =
		    bt_component_source_borrow_output_port_by_index_const(source, i);

		/* The muxer always has one more free port, the last. */
		if (!muxer ? !sink_connect(c, graph, from)
			   : bt_graph_connect_ports(
				 graph, from,
				 bt_component_filter_borrow_input_port_by_index_const(
				     muxer, bt_component_filter_get_input_port_count(muxer) - 1),
				 NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return false;
	}
	return true;
}

/*
 * Threads of ours have streams of their own, which need no common order: merging costs much. Others
 * are merged, as a thread's events may be in the streams of several processors.
 */
static bool graph_make(struct ctf *c, bt_graph *graph, const path_vector *paths)
{
	const bt_component_filter *muxer = NULL;

	if (!c->ours &&
	    bt_graph_add_filter_component(
		graph, bt_plugin_borrow_filter_component_class_by_name_const(utils_plugin, "muxer"),
		"muxer", NULL, BT_LOGGING_LEVEL_NONE, &muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return false;
	for (size_t i = 0; i < paths->n; i++) {
		const bt_component_source *source = source_add(graph, paths->at[i]);

		if (!source || !source_connect(c, graph, source, muxer))
			return false;
	}
	return !muxer ||
	       sink_connect(c, graph,
			    bt_component_filter_borrow_output_port_by_index_const(muxer, 0));
}

static bool graph_run(struct ctf *c, const path_vector *paths)
{
	bt_graph *graph = bt_graph_create(0);
	bt_graph_run_status status = BT_GRAPH_RUN_STATUS_OK;
	bool good = graph && graph_make(c, graph, paths);

	while (good && (status = bt_graph_run(graph)) == BT_GRAPH_RUN_STATUS_AGAIN)
		;
	good = good && status == BT_GRAPH_RUN_STATUS_OK;
	if (!good)
		graph_fail(c);
	bt_graph_put_ref(graph);
	return good && !c->failed;
}

/* Each stream of a thread is an open file. */
static void descriptors_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static void ctf_free(struct ctf *c)
{
	for (size_t i = 0; i < c->streams.n; i++)
		free(c->streams.at[i]);
	for (size_t i = 0; i < c->classes.n; i++)
		free(c->classes.at[i]);
	for (size_t i = 0; i < c->names.n; i++)
		free(c->names.at[i]);
	free(c->streams.at);
	free(c->classes.at);
	free(c->names.at);
	hash_table_free(&c->by_stream);
	hash_table_free(&c->by_class);
	hash_table_free(&c->by_thread);
	hash_table_free(&c->by_process);
	ctf_values_free(&c->values);
	ctf_restore_end(&c->restore);
}

/* Reads traces of any layout. */
static bool traces_read(struct import_input *in, struct logs *l, const path_vector *paths,
			bool ours)
{
	struct ctf c = {.in = in, .logs = l, .ours = ours && paths->n == 1};
	bool good;

	descriptors_raise();
	good = graph_run(&c, paths);
	ctf_kernel_end(&c.kernel);
	if (good) {
		import_passed_over(in, c.unknown_losses,
				   "times in which an unknown number of events was discarded");
		import_passed_over(in, c.packet_losses,
				   "or more packets were discarded where the trace was recorded");
		import_passed_over(in, c.timeless,
				   "events have no time: only their order is known");
	}
	ctf_free(&c);
	return good;
}
#else
static bool ctf_prepare(struct import_input *in)
{
	(void)in;
	return true;
}

static bool traces_read(struct import_input *in, struct logs *l, const path_vector *paths,
			bool ours)
{
	(void)l, (void)paths, (void)ours;
	return import_built_without(in, "babeltrace2", "libbabeltrace2-dev");
}
#endif

static bool ctf_read(struct import_input *in, struct logs *l)
{
	enum ctf_native native = NATIVE_OTHER;
	path_vector paths = {0};
	bool ours = false, good;

	traces_find(in->path, &paths, &ours);
	if (ours && paths.n == 1)
		native = ctf_native_read(in, l, paths.at[0]);
	if (native != NATIVE_OTHER)
		good = native == NATIVE_GOOD;
	else
		good = paths.n ? traces_read(in, l, &paths, ours)
			       : import_fail(in, "there is no metadata in it");
	paths_free(&paths);
	return good;
}

const struct import_format import_ctf = {
    .name = "ctf",
    .summary = "the Common Trace Format: a directory of LTTng, barectf or glimpse export",
    .recognise = ctf_recognise,
    .prepare = ctf_prepare,
    .read = ctf_read,
};
