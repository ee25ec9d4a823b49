#include "formats/lines.h"
#include "base/path.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A thread by the texts that name it. */
struct line_owner {
	char *names; /* of its process, and its own behind it */
	size_t process_length, thread_length;
	struct logs_thread *thread;
	uint32_t next; /* with the same hash; HASH_NOTHING: none */
};

bool lines_begin(struct lines *l, struct import_input *in, struct logs *logs)
{
	*l = (struct lines){.in = in, .logs = logs, .latest = in->modified};
	l->program = path_name(in->path);
	l->program[strcspn(l->program + 1, ".") + 1] = '\0';
	if (!in->spec)
		return true;
	l->spec = spec_read_for_logs(in->spec, in->diag);
	return l->spec && logs_spec(logs, l->spec->text);
}

/* ---- losses ---- */

void lines_note(struct lines *l, struct line_loss *loss, struct line_text text, const char *what)
{
	enum { SHOWN = 160 };

	if (loss->n++)
		return;
	loss->line = l->in->line;
	loss->path = text_format("%s", l->in->path);
	loss->text = text_format("%.*s", (int)(text.length < SHOWN ? text.length : SHOWN),
				 text.bytes ? text.bytes : "");
	loss->what = text_format("%s", what);
}

static void loss_warn(struct lines *l, struct line_loss *loss, const char *plural)
{
	if (loss->n)
		diag_warning(l->in->diag, "import", DIAG_NOWHERE,
			     "%" PRIu64 " %s, the first at %s:%" PRIu64 ": %s'%s'", loss->n, plural,
			     loss->path, loss->line, loss->what, loss->text);
	free(loss->path);
	free(loss->text);
	free(loss->what);
}

void lines_end(struct lines *l)
{
	loss_warn(l, &l->unmatched, "lines match no event and were left out");
	loss_warn(l, &l->untimed, "lines have no time that can be read and were left out");
	loss_warn(l, &l->misfits, "values do not fit their attributes and became 0");
	for (size_t i = 0; i < l->owners.n; i++) {
		free(l->owners.at[i]->names);
		free(l->owners.at[i]);
	}
	free(l->owners.at);
	hash_table_free(&l->by_name);
	free(l->program);
	spec_free(l->spec);
}

/* ---- values ---- */

bool piece_whole(struct line_text text, struct logs_value *value)
{
	const char *at = text.bytes, *end = at + text.length;
	bool negative = text.length && *at == '-';
	uint64_t number = 0;

	at += negative || (text.length && *at == '+');
	if (at == end || end - at > 20)
		return false;
	for (; at < end; at++)
		if (!isdigit((unsigned char)*at) || __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
			return false;
	if (negative && number > (uint64_t)INT64_MAX + 1)
		return false;
	*value = negative ? logs_integer((int64_t)-number) : logs_natural(number);
	return true;
}

bool piece_real(struct line_text text, struct logs_value *value)
{
	char copy[400], *end;

	if (!text.length || text.length >= sizeof copy || isspace((unsigned char)*text.bytes))
		return false;
	memcpy(copy, text.bytes, text.length);
	copy[text.length] = '\0';
	errno = 0;
	*value = logs_real(strtod(copy, &end));
	return end == copy + text.length && !(errno == ERANGE && isinf(value->real));
}

/* Addresses are hexadecimal. */
static bool piece_hexadecimal(struct line_text text, struct logs_value *value)
{
	char copy[20], *end;

	if (text.length < 3 || text.length >= sizeof copy || strncmp(text.bytes, "0x", 2) != 0)
		return false;
	memcpy(copy, text.bytes, text.length);
	copy[text.length] = '\0';
	errno = 0;
	*value = logs_natural(strtoull(copy, &end, 16));
	return end == copy + text.length && !errno;
}

static bool value_fits(enum type type, const struct logs_value *v)
{
	bool negative = v->kind == LOGS_INTEGER && v->integer < 0;
	uint64_t size = negative ? -(uint64_t)v->integer : v->natural;

	switch (type) {
	case TYPE_INT:
		return size <= (uint64_t)INT32_MAX + negative;
	case TYPE_LONG:
		return size <= (uint64_t)INT64_MAX + negative;
	case TYPE_UINT:
	case TYPE_CODE32:
		return !negative && size <= UINT32_MAX;
	default:
		return !negative;
	}
}

static void misfit_note(struct lines *l, const struct attribute *a, struct line_text text)
{
	char *what = text_format("%s of type %s: ", a->name, type_name(a->type));

	lines_note(l, &l->misfits, text, what);
	free(what);
}

static struct logs_value number_of(struct lines *l, const struct attribute *a,
				   struct line_text text)
{
	struct logs_value value;

	if (a->type == TYPE_DOUBLE
		? piece_real(text, &value)
		: (piece_whole(text, &value) || piece_hexadecimal(text, &value)) &&
		      value_fits(a->type, &value))
		return value;
	misfit_note(l, a, text);
	return logs_integer(0);
}

struct logs_value lines_value(struct lines *l, const struct attribute *a, struct line_text text)
{
	if (a->type == TYPE_STRING)
		return logs_bytes(text.bytes ? text.bytes : "", text.bytes ? text.length : 0);
	if (!text.bytes || !text.length || (text.length == 1 && *text.bytes == '-'))
		return logs_integer(0);
	return number_of(l, a, text);
}

/* ---- times ---- */

bool lines_time(struct lines *l, struct time_reader *reader, struct line_text text, int64_t *time)
{
	if (text.bytes && time_text_read(reader, text.bytes, text.length, time))
		return true;
	lines_note(l, &l->untimed, text, text.bytes ? "" : "there is none ");
	return false;
}

int64_t lines_earlier(const struct event_type *e, const struct logs_value *values, int64_t time)
{
	const struct logs_value *by;
	double ns;

	if (e->from.earlier_attribute < 0)
		return time;
	by = &values[e->from.earlier_attribute];
	ns =
	    (by->kind == LOGS_REAL ? by->real : (double)by->integer) * (double)e->from.earlier_unit;
	return ns > 0 && ns < (double)time ? time - (int64_t)(ns + 0.5) : time;
}

/* ---- threads ---- */

static uint64_t piece_hash(uint64_t hash, struct line_text text)
{
	for (size_t i = 0; i < text.length; i++)
		hash = hash_mix(hash ^ (unsigned char)text.bytes[i]);
	return hash_mix(hash + text.length);
}

static bool piece_is(struct line_text text, const char *bytes, size_t length)
{
	return text.length == length && (!length || memcmp(text.bytes, bytes, length) == 0);
}

static bool is_owner(const struct line_owner *o, struct line_text process, struct line_text thread)
{
	return piece_is(process, o->names, o->process_length) &&
	       piece_is(thread, o->names + o->process_length, o->thread_length);
}

static char *piece_copy(struct line_text text)
{
	return text_format("%.*s", (int)text.length, text.bytes);
}

static struct logs_process *process_of(struct lines *l, struct line_text process)
{
	struct logs_process *p;
	struct logs_value number;
	char *name;

	if (!process.length)
		return logs_process(l->logs, 0, l->program);
	if (piece_whole(process, &number) && number.natural <= INT32_MAX)
		return logs_process(l->logs, (uint32_t)number.natural, NULL);
	name = piece_copy(process);
	p = logs_process_named(l->logs, name);
	free(name);
	return p;
}

static struct logs_thread *thread_of(struct logs_process *p, struct line_text thread)
{
	struct logs_value number;
	struct logs_thread *t;
	char *name;

	if (!thread.length)
		return logs_thread(p, 0);
	name = piece_copy(thread);
	t = piece_whole(thread, &number) && number.natural <= INT32_MAX
		? logs_thread(p, number.natural)
		: logs_thread_named(p, name);
	logs_thread_name(t, name);
	free(name);
	return t;
}

static struct line_owner *owner_make(struct lines *l, struct line_text process,
				     struct line_text thread)
{
	struct line_owner *o = array_new(1, sizeof *o);

	*o = (struct line_owner){array_new(process.length + thread.length, 1), process.length,
				 thread.length, thread_of(process_of(l, process), thread),
				 HASH_NOTHING};
	if (process.length)
		memcpy(o->names, process.bytes, process.length);
	if (thread.length)
		memcpy(o->names + process.length, thread.bytes, thread.length);
	*vector_add(&l->owners) = o;
	return o;
}

struct logs_thread *lines_thread(struct lines *l, struct line_text process, struct line_text thread)
{
	uint64_t hash = piece_hash(piece_hash(0, process), thread);
	struct hash_slot *slot = hash_table_slot(&l->by_name, hash, 0);
	struct line_owner *o;

	for (uint32_t at = slot->head; at != HASH_NOTHING; at = o->next) {
		o = l->owners.at[at];
		if (is_owner(o, process, thread))
			return o->thread;
	}
	o = owner_make(l, process, thread);
	o->next = slot->head;
	slot->head = (uint32_t)l->owners.n - 1;
	slot->tail = 0;
	return o->thread;
}
