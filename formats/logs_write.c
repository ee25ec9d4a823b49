#include "base/file.h"
#include "formats/logs_inside.h"
#include "trace/format/log_name.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static char *log_path(const struct logs_thread *t)
{
	char name[LOG_NAME_TEXT];

	return text_format("%s/%s", t->process->path,
			   log_name_print(name, (struct log_name){t->number, 0}));
}

static bool file_make(const char *directory, const char *name, const char *text)
{
	char *path = text_format("%s/%s", directory, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0 && file_write_all(fd, text, strlen(text));

	free(path);
	return !(fd >= 0 && close(fd) != 0) && good;
}

/* Appends what a thread has logged to its file; leaves room for the head in a new one. */
void logs_flush(struct logs_thread *t)
{
	struct logs *l = t->process->logs;
	char *path;
	int fd;

	if (t->used && !l->error) {
		path = log_path(t);
		fd = open(path,
			  O_WRONLY | O_NOFOLLOW | O_CLOEXEC |
			      (t->begun ? O_APPEND : O_CREAT | O_EXCL),
			  0600);
		free(path);
		if (fd < 0 || (!t->begun && lseek(fd, HEAD_ROOM, SEEK_SET) < 0) ||
		    !file_write_all(fd, t->buffer, t->used))
			logs_failed(l, errno);
		t->begun = true;
		if (fd >= 0 && close(fd) != 0)
			logs_failed(l, errno);
	}
	t->used = 0;
}

/* Returns room for a record. */
unsigned char *logs_room(struct logs_thread *t, size_t size)
{
	if (t->used + size > t->room) {
		size_t wanted = t->begun && t->room < 8 * BUFFER ? 2 * t->room : BUFFER;

		logs_flush(t);
		if (t->room < wanted || t->room < size) {
			t->room = size > wanted ? size : wanted;
			t->buffer = array_resize(t->buffer, t->room, 1);
		}
	}
	return t->buffer + t->used;
}

static void clamp(struct logs *l, bool fits)
{
	l->misfits += !fits;
}

/* Returns a value as a whole number of 64 bits, of a signed type or not. */
static uint64_t whole(struct logs *l, const struct logs_value *v, bool negative_fits)
{
	switch (v->kind) {
	case LOGS_INTEGER:
		clamp(l, negative_fits || v->integer >= 0);
		return negative_fits || v->integer >= 0 ? (uint64_t)v->integer : 0;
	case LOGS_NATURAL:
		clamp(l, !negative_fits || v->natural <= INT64_MAX);
		return !negative_fits || v->natural <= INT64_MAX ? v->natural : INT64_MAX;
	case LOGS_REAL: {
		double least = negative_fits ? -0x1p63 : 0, most = negative_fits ? 0x1p63 : 0x1p64;
		bool fits = v->real >= least && v->real < most;

		clamp(l, fits);
		if (!fits)
			return v->real >= most ? negative_fits ? INT64_MAX : UINT64_MAX
			       : v->real < least && negative_fits ? (uint64_t)INT64_MIN
								  : 0;
		return negative_fits ? (uint64_t)(int64_t)v->real : (uint64_t)v->real;
	}
	default:
		clamp(l, false);
		return 0;
	}
}

static double real(struct logs *l, const struct logs_value *v)
{
	switch (v->kind) {
	case LOGS_INTEGER:
		return (double)v->integer;
	case LOGS_NATURAL:
		return (double)v->natural;
	case LOGS_REAL:
		return v->real;
	default:
		clamp(l, false);
		return 0;
	}
}

static void fixed_put(struct logs *l, unsigned char *to, enum type type, const struct logs_value *v)
{
	uint64_t bits;
	double number;

	switch (type) {
	case TYPE_INT: {
		int64_t n = (int64_t)whole(l, v, true);
		int32_t narrow = (int32_t)(n > INT32_MAX   ? INT32_MAX
					   : n < INT32_MIN ? INT32_MIN
							   : n);

		clamp(l, narrow == n);
		write_32(to, (uint32_t)narrow);
		break;
	}
	case TYPE_UINT:
	case TYPE_CODE32: {
		uint64_t n = whole(l, v, false);
		uint32_t narrow = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;

		clamp(l, narrow == n);
		write_32(to, (uint32_t)narrow);
		break;
	}
	case TYPE_DOUBLE:
		number = real(l, v);
		memcpy(to, &number, sizeof number);
		break;
	default:
		bits = whole(l, v, type == TYPE_LONG);
		memcpy(to, &bits, sizeof bits);
	}
}

/* Returns the text of a value; of a number it stands in buffer. */
static size_t text_of(const struct logs_value *v, char buffer[32], const char **text)
{
	*text = buffer;
	switch (v->kind) {
	case LOGS_INTEGER:
		return (size_t)snprintf(buffer, 32, "%" PRId64, v->integer);
	case LOGS_NATURAL:
		return (size_t)snprintf(buffer, 32, "%" PRIu64, v->natural);
	case LOGS_REAL:
		return (size_t)snprintf(buffer, 32, "%.17g", v->real);
	default:
		*text = v->text.bytes;
		return v->text.length;
	}
}

static size_t string_put(struct logs *l, unsigned char *to, const struct logs_value *v)
{
	char buffer[32];
	const char *text;
	size_t length = text_of(v, buffer, &text), padded;
	bool cut = v->kind == LOGS_TEXT && v->text.cut;

	if (length > STRING_MAX) {
		length = STRING_MAX;
		cut = true;
		l->cut++;
	}
	padded = padded_size(length);
	write_32(to, (uint32_t)length | (uint32_t)cut << 31);
	if (padded > length)
		memset(to + 4 + padded - 4, 0, 4);
	if (length)
		memcpy(to + 4, text, length);
	return 4 + padded;
}

static size_t record_most(const struct event_type *type, const struct logs_value *values)
{
	size_t size = TIME_SIZE + type->fixed_size;

	for (unsigned i = 0; type->nstrings && i < type->nattributes; i++)
		if (type->attributes[i].type == TYPE_STRING) {
			size_t length = values[i].kind == LOGS_TEXT ? values[i].text.length : 32;

			size += 8 + (length > STRING_MAX ? STRING_MAX : length);
		}
	return size;
}

static int64_t time_note(struct logs_thread *t, int64_t time)
{
	struct logs *l = t->process->logs;

	if (time < 0) {
		l->negative++;
		time = 0;
	}
	if (time < l->first)
		l->first = time;
	if (time > l->last)
		l->last = time;
	l->events++;
	return time;
}

/* What an event ends has its name no longer. */
static void name_end(const struct logs_process *p, const struct logs_value *object)
{
	struct address_name *n =
	    object->kind == LOGS_NATURAL ? logs_address_find(p, object->natural) : NULL;

	if (n)
		n->ended = true;
}

void logs_write(struct logs_thread *t, int64_t time, const struct logs_event *e,
		const struct logs_value *values)
{
	const struct event_type *type = e->type;
	struct logs *l = t->process->logs;
	unsigned char *at = logs_room(t, record_most(type, values)), *strings;
	uint64_t ticks = (uint64_t)time_note(t, time);

	if (t->upper == UINT64_MAX)
		t->first = (int64_t)ticks;
	if (ticks >> TIME_LOW_BITS != t->upper) {
		time_write(at, ticks);
		t->upper = ticks >> TIME_LOW_BITS;
		at += TIME_SIZE;
	}
	write_32(at, e->id | (uint32_t)ticks << 12);
	strings = at + type->fixed_size;
	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *a = &type->attributes[i];

		if (a->type == TYPE_STRING)
			strings += string_put(l, strings, &values[i]);
		else
			fixed_put(l, at + a->offset, a->type, &values[i]);
	}
	t->used = (size_t)(strings - t->buffer);
	if (type->ends_attribute >= 0)
		name_end(t->process, &values[type->ends_attribute]);
}

void logs_lost(struct logs_thread *t, uint64_t events)
{
	enum { SIZE = NOTE_HEADER + 12 };
	unsigned char *at;

	if (!events)
		return;
	at = logs_room(t, SIZE);
	write_32(at, RECORD_NOTE);
	write_32(at + 4, (uint32_t)NOTE_LOST << 24 | 12);
	write_64(at + 8, events);
	write_32(at + 16, 0);
	t->used += SIZE;
}

void logs_process_file(struct logs_process *p, const char *name, const char *text)
{
	if (!file_make(p->path, name, text))
		logs_failed(p->logs, errno);
}

/* A name that a thread was given later. */
void logs_later_put(struct logs_thread *t)
{
	size_t length = strnlen(t->later, STRING_MAX), padded = padded_size(length);
	unsigned char *at = logs_room(t, NOTE_HEADER + padded);

	write_32(at, RECORD_NOTE);
	write_32(at + 4, (uint32_t)NOTE_NAME << 24 | (uint32_t)length);
	memset(at + NOTE_HEADER, 0, padded);
	memcpy(at + NOTE_HEADER, t->later, length);
	t->used += NOTE_HEADER + padded;
}
