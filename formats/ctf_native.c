#include "formats/ctf_native.h"
#include "base/array.h"
#include "base/file.h"
#include "base/output.h"
#include "base/progress.h"
#include "formats/ctf_metadata.h"
#include "formats/ctf_restore.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct native {
	struct import_input *in;
	struct logs *logs;
	struct ctf_restore restore;
	char *text;         /* the metadata */
	const char *layout; /* where in the text it begins */
	VECTOR(char *) made;
	unsigned char uuid[CTF_UUID];
	struct spec *spec;
	/* by class: those of strings, then those of bytes; NULL: there is none */
	const struct logs_event **events;
	uint64_t streams;             /* with packets */
	uint64_t nevents, done, size; /* bytes of the streams that are done, and of all */
	VECTOR(struct logs_value) values;
};

/* ---- the environment ---- */

/* Returns what follows "NAME = " in the environment; NULL: it is not there. */
static const char *entry(const struct native *n, const char *name)
{
	char *line = text_format("\n\t%s = ", name);
	const char *found = strstr(n->text, line);

	found = found && found < n->layout ? found + strlen(line) : NULL;
	free(line);
	return found;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Returns the text of a literal, as literal_print() of ctf_metadata.c writes it. */
static char *literal_read(const char *from)
{
	char *text = array_new(strcspn(from, "\n") + 1, 1), *to = text;

	while (*from && *from != '"' && *from != '\n') {
		if (*from != '\\') {
			*to++ = *from++;
		} else if (is_octal(from[1]) && is_octal(from[2]) && is_octal(from[3])) {
			*to++ =
			    (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to++ = from[1] == 'n' ? '\n' : from[1];
			from += from[1] ? 2 : 1;
		}
	}
	*to = '\0';
	return text;
}

static const char *env_text(const void *context, const char *name)
{
	struct native *n = (struct native *)context;
	const char *found = entry(n, name);

	if (!found || *found != '"')
		return NULL;
	return *vector_add(&n->made) = literal_read(found + 1);
}

static int64_t env_number(const void *context, const char *name)
{
	const char *found = entry(context, name);

	return found ? strtoll(found, NULL, 10) : 0;
}

/* ---- the layout ---- */

static bool uuid_read(struct native *n)
{
	static const char before[] = "uuid = \"";
	const char *at = n->layout ? strstr(n->layout, before) : NULL;
	int digits = 0;

	if (!at)
		return false;
	for (at += sizeof before - 1; digits < 2 * CTF_UUID; at++) {
		int value = isdigit((unsigned char)*at) ? *at - '0' : *at - 'a' + 10;

		if (*at == '-')
			continue;
		if (!isxdigit((unsigned char)*at) || isupper((unsigned char)*at))
			return false;
		n->uuid[digits / 2] = (unsigned char)(n->uuid[digits / 2] << 4 | value);
		digits++;
	}
	return true;
}

/* Moves behind a text, which is freed, if it is what comes next. */
static bool text_pass(const char **at, char *text)
{
	size_t length = strlen(text);
	bool same = strncmp(*at, text, length) == 0;

	*at += same ? length : 0;
	free(text);
	return same;
}

static bool class_pass(const struct native *n, const char **at, unsigned i, bool bytes)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		array_exhausted();
	ctf_class_write(f, n->spec, n->spec->events[i], bytes);
	fclose(f);
	return text_pass(at, text);
}

static bool layout_pass(const struct native *n, const char **at)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		array_exhausted();
	ctf_layout_write(f, n->uuid);
	fclose(f);
	return text_pass(at, text);
}

/*
 * Returns whether the metadata has the layout of the export for the specification, and nothing
 * more.
 */
static bool layout_is_ours(const struct native *n)
{
	const char *at = n->layout;

	if (!layout_pass(n, &at))
		return false;
	for (unsigned i = 0; i < n->spec->nevents; i++) {
		if (!class_pass(n, &at, i, false))
			return false;
		class_pass(n, &at, i, true);
	}
	return !*at;
}

static char *metadata_read(const char *directory)
{
	char *path = text_format("%s/metadata", directory), *text = NULL;
	struct file f;

	if (file_take(&f, file_open_given(path), false)) {
		text = f.size > INT32_MAX || memchr(f.bytes, '\0', f.size)
			   ? NULL
			   : text_format("%.*s", (int)f.size, (char *)f.bytes);
		file_unload(&f);
	}
	free(path);
	return text;
}

/* Reads the metadata; returns whether the streams can be read. */
static bool metadata_take(struct native *n, const char *directory)
{
	struct diag quiet = {.out = NULL};
	const char *spec;

	n->text = metadata_read(directory);
	n->layout = n->text ? strstr(n->text, "\ntypealias ") : NULL;
	if (!n->layout++ || !uuid_read(n) || !(spec = env_text(n, "glimpse_specification")))
		return false;
	n->spec = spec_parse("the specification in the trace", spec, &quiet);
	return n->spec && layout_is_ours(n);
}

/* ---- streams ---- */

/* A stream, and the packet that is being read. */
struct native_stream {
	const char *name;
	const unsigned char *start, *at,
	    *end; /* of the stream: all its bytes; of the packet: what is left */
	struct logs_thread *thread;
	uint64_t discarded, time;
};

static bool stream_fail(const struct native *n, const struct native_stream *s, const char *what)
{
	return import_fail(n->in, "%s: byte %zu: %s", s->name, (size_t)(s->at - s->start), what);
}

#define TAKE(s, type) \
	({ \
		type value_; \
		memcpy(&value_, (s)->at, sizeof value_); \
		(s)->at += sizeof value_; \
		value_; \
	})

static size_t left(const struct native_stream *s)
{
	return (size_t)(s->end - s->at);
}

static bool string_take(struct native_stream *s, bool bytes, struct logs_value *value)
{
	const unsigned char *end;
	uint32_t length;

	if (!bytes) {
		end = memchr(s->at, '\0', left(s));
		if (!end)
			return false;
		*value = logs_bytes((const char *)s->at, (size_t)(end - s->at));
		s->at = end + 1;
		return true;
	}
	if (left(s) < 4)
		return false;
	length = TAKE(s, uint32_t);
	if (left(s) < length)
		return false;
	*value = logs_bytes((const char *)s->at, length);
	s->at += length;
	return true;
}

static struct logs_value number_take(struct native_stream *s, enum type type)
{
	switch (type) {
	case TYPE_INT:
		return logs_integer(TAKE(s, int32_t));
	case TYPE_UINT:
	case TYPE_CODE32:
		return logs_natural(TAKE(s, uint32_t));
	case TYPE_LONG:
		return logs_integer(TAKE(s, int64_t));
	case TYPE_DOUBLE:
		return logs_real(TAKE(s, double));
	default:
		return logs_natural(TAKE(s, uint64_t));
	}
}

static bool fields_take(struct native *n, struct native_stream *s, const struct event_type *type,
			bool bytes)
{
	n->values.n = 0;
	for (unsigned i = 0; i < type->nattributes; i++) {
		enum type kind = type->attributes[i].type;
		struct logs_value *value = vector_add(&n->values);

		if (kind == TYPE_STRING) {
			if (!string_take(s, bytes, value))
				return false;
		} else {
			if (left(s) < type_size(kind))
				return false;
			*value = number_take(s, kind);
		}
	}
	return true;
}

/*
 * Reads the header of an event: its class and time. A compact header has only the low half of the
 * time.
 */
static bool head_take(struct native_stream *s, uint32_t *class)
{
	uint32_t low;

	if (left(s) < 6)
		return false;
	*class = TAKE(s, uint16_t);
	if (*class == CTF_ID_EXTENDED) {
		if (left(s) < 12)
			return false;
		*class = TAKE(s, uint32_t);
		s->time = TAKE(s, uint64_t);
		return true;
	}
	low = TAKE(s, uint32_t);
	s->time += (uint32_t)(low - (uint32_t)s->time);
	return true;
}

static bool event_take(struct native *n, struct native_stream *s)
{
	uint32_t class;
	bool bytes;

	if (!head_take(s, &class))
		return stream_fail(n, s, "the packet ends in the middle of an event");
	bytes = class >= n->spec->nevents;
	class -= bytes ? n->spec->nevents : 0;
	if (class >= n->spec->nevents)
		return stream_fail(n, s, "there is no such class of events");
	if (!fields_take(n, s, n->spec->events[class], bytes))
		return stream_fail(n, s, "the packet ends in the middle of an event");
	if (s->time > INT64_MAX)
		return stream_fail(n, s, "the time of an event is out of range");
	logs_write(s->thread, (int64_t)s->time, n->events[class], n->values.at);
	return true;
}

/* Reads the head of a packet; its events are between s->at and s->end then. */
static bool packet_take(const struct native *n, struct native_stream *s, const unsigned char *end)
{
	struct ctf_packet_head head;
	struct logs_value name;

	s->end = end;
	if (left(s) < sizeof head)
		return stream_fail(n, s, "the file ends in the head of a packet");
	memcpy(&head, s->at, sizeof head);
	if (head.magic != CTF_PACKET_MAGIC || memcmp(head.uuid, n->uuid, sizeof head.uuid) != 0)
		return stream_fail(n, s, "this is no packet of the trace");
	if (head.size != head.content_size || head.size % 8 || head.size / 8 > left(s) ||
	    head.size / 8 < sizeof head)
		return stream_fail(n, s, "the size of a packet is wrong");
	s->end = s->at + head.size / 8;
	s->at += sizeof head;
	if (!string_take(s, false, &name) || !string_take(s, false, &name))
		return stream_fail(n, s, "the packet ends in its head");
	s->time = head.begin;
	if (!s->thread)
		s->thread = ctf_restore_thread(&n->restore, head.thread, head.tid);
	if (!s->thread)
		s->thread = logs_thread(logs_process(n->logs, head.pid, NULL), head.tid);
	if (head.discarded > s->discarded)
		logs_lost(s->thread, head.discarded - s->discarded);
	s->discarded = head.discarded;
	return true;
}

static bool stream_read(struct native *n, struct native_stream *s, const unsigned char *end)
{
	while (s->at < end) {
		if (!packet_take(n, s, end))
			return false;
		while (s->at < s->end)
			if (!event_take(n, s))
				return false;
		if (output_interrupted())
			return import_fail(n->in, "interrupted");
		progress_step(n->done + (uint64_t)(s->at - s->start), n->size);
	}
	return true;
}

/* ---- files ---- */

static int is_stream(const struct dirent *e)
{
	return e->d_name[0] != '.' && strcmp(e->d_name, "metadata") != 0 && e->d_type != DT_DIR;
}

static bool file_read(struct native *n, const char *directory, const char *name)
{
	char *path = text_format("%s/%s", directory, name);
	struct native_stream s = {.name = name};
	struct file f;
	bool good;

	if (!file_take(&f, file_open_given(path), false)) {
		good = import_fail(n->in, "cannot read %s: %s", name, strerror(errno));
	} else {
		s.start = s.at = f.bytes;
		good = stream_read(n, &s, f.bytes + f.size);
		n->streams += s.thread != NULL;
		n->done += f.size;
		file_unload(&f);
	}
	free(path);
	return good;
}

static bool streams_read(struct native *n, const char *directory)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_stream, versionsort);
	bool good = count >= 0 || import_fail(n->in, "%s", strerror(errno));

	for (int i = 0; i < count; i++) {
		good = good && file_read(n, directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return good;
}

/* ---- all of it ---- */

static bool restore(struct native *n)
{
	const struct ctf_environment e = {env_text, env_number, n};

	if (!ctf_restore_begin(&n->restore, n->logs, &e, n->in->diag))
		return false;
	n->events = array_zero(n->spec->nevents, sizeof *n->events);
	for (unsigned i = 0; i < n->spec->nevents; i++)
		n->events[i] = logs_event(n->logs, n->spec->events[i]->name);
	return true;
}

enum ctf_native ctf_native_read(struct import_input *in, struct logs *l, const char *directory)
{
	struct native n = {.in = in, .logs = l};
	enum ctf_native result = NATIVE_OTHER;
	size_t missing;

	if (metadata_take(&n, directory))
		result = restore(&n) && streams_read(&n, directory) ? NATIVE_GOOD : NATIVE_FAILED;
	missing = n.streams < n.restore.threads.n ? n.restore.threads.n - n.streams : 0;
	if (result == NATIVE_GOOD)
		import_passed_over(
		    in, missing,
		    missing == 1
			? "thread has no stream, or an empty one: its events are missing"
			: "threads have no stream, or an empty one: their events are missing");
	ctf_restore_end(&n.restore);
	spec_free(n.spec);
	for (size_t i = 0; i < n.made.n; i++)
		free(n.made.at[i]);
	free(n.made.at);
	free(n.events);
	free(n.values.at);
	free(n.text);
	return result;
}
