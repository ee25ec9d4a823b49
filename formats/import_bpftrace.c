/*
 * What bpftrace -f json prints. Its lines have no times of their own: a line that a script prints
 * as
 *
 *	printf("%llu NAME pid=%d tid=%d comm=%s KEY=%d ...\n", nsecs, ...)
 *
 * is an event NAME at that time, of that thread, with attributes. Any other text is an event
 * `printf` at the time of the last one; maps, histograms and statistics are events of their names,
 * one for each key or bucket.
 */
#include "base/array.h"
#include "formats/import.h"
#include "formats/json_read.h"
#include "formats/perf_lines.h"
#include <ctype.h>
#include <stdlib.h>

struct bpftrace {
	struct import_input *in;
	struct logs *logs;
	struct named_types types;
	int64_t time; /* the last that was printed */
	uint64_t timeless, unread;
	VECTOR(char *) made; /* texts of arguments */
};

static bool bpftrace_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;

	head += strspn(head, " \t\r\n");
	return !in->directory && strncmp(head, "{\"type\": \"", 10) == 0 &&
	       strstr(head, "\"data\": ");
}

/* ---- text ---- */

static struct logs_thread *no_thread(struct bpftrace *b)
{
	return logs_thread(logs_process(b->logs, 0, "bpftrace"), 0);
}

static bool event_log(struct bpftrace *b, struct logs_thread *t, const char *name,
		      const struct logs_argument *arguments, unsigned n)
{
	const struct named_type *type = named_type(&b->types, SPAN_NONE, name, arguments, n);

	if (type)
		named_write(&b->types, t, b->time, type, name, arguments, n);
	return type;
}

static bool text_log(struct bpftrace *b, const char *name, const char *text, size_t length)
{
	const struct logs_argument argument = {"text", logs_bytes(text, length)};

	b->timeless++;
	return event_log(b, no_thread(b), name, &argument, 1);
}

static uint32_t number_of(const struct logs_argument *a)
{
	return a->value.kind == LOGS_NATURAL ? (uint32_t)a->value.natural : 0;
}

/* Returns the thread that fields name. */
static struct logs_thread *thread_of(struct bpftrace *b, const struct logs_argument *fields,
				     unsigned n)
{
	uint32_t pid = 0, tid = 0;
	const char *comm = NULL;
	struct logs_thread *t;

	for (unsigned i = 0; i < n; i++) {
		if (strcmp(fields[i].name, "pid") == 0)
			pid = number_of(&fields[i]);
		else if (strcmp(fields[i].name, "tid") == 0)
			tid = number_of(&fields[i]);
		else if (strcmp(fields[i].name, "comm") == 0 && fields[i].value.kind == LOGS_TEXT)
			comm = fields[i].value.text.bytes;
	}
	if (!pid && !tid)
		return no_thread(b);
	t = logs_thread(logs_process(b->logs, pid ? pid : tid, comm), tid ? tid : pid);
	if (comm)
		logs_thread_name(t, comm);
	return t;
}

/* A line with a time and a name. Returns false if it has none; *good: after a report. */
static bool timed_log(struct bpftrace *b, const char *line, size_t length, bool *good)
{
	struct logs_argument fields[ARGUMENTS_MOST];
	char *copy = text_format("%.*s", (int)length, line), *end, *name;
	unsigned long long time = strtoull(copy, &end, 10);
	unsigned n;
	size_t nname;
	bool timed;

	name = end + strspn(end, " ");
	nname = strcspn(name, " ");
	timed = isdigit((unsigned char)*copy) && name > end && time <= INT64_MAX && nname &&
		!memchr(name, '=', nname);
	if (timed) {
		n = perf_fields_read(name + nname, fields, ARGUMENTS_MOST);
		name[nname] = '\0';
		b->time = (int64_t)time;
		*good = event_log(b, thread_of(b, fields, n), name, fields, n);
	}
	free(copy);
	return timed;
}

static bool printf_take(struct bpftrace *b, const struct json_value *data)
{
	const char *at = data->text, *end = at + data->length;
	bool good = true;

	while (at < end && good) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((line ? line : end) - at);

		if (length && !timed_log(b, at, length, &good))
			good = text_log(b, "printf", at, length);
		at += length + 1;
	}
	return good;
}

/* ---- maps ---- */

static void argument_add(struct bpftrace *b, struct logs_argument *to, unsigned *n,
			 const char *name, const struct json_value *v)
{
	char *made;

	if (!named_has_room(&b->types, *n))
		return;
	to[(*n)++] = (struct logs_argument){name, json_logs_value(v, &made)};
	*vector_add(&b->made) = made;
}

/* Logs a value of a map, with its key: a bucket or statistics have members, each an argument. */
static bool value_log(struct bpftrace *b, const char *map, const char *key,
		      const struct json_value *v)
{
	struct logs_argument arguments[ARGUMENTS_MOST];
	unsigned n = 0;

	if (key)
		arguments[n++] = (struct logs_argument){"key", logs_bytes(key, strlen(key))};
	if (v->kind != JSON_OBJECT)
		argument_add(b, arguments, &n, "value", v);
	else
		for (const struct json_value *m = v->first; m; m = m->next)
			argument_add(b, arguments, &n, m->key, m);
	b->timeless++;
	return event_log(b, no_thread(b), map, arguments, n);
}

static bool buckets_log(struct bpftrace *b, const char *map, const char *key,
			const struct json_value *v)
{
	bool good = true;

	if (v->kind != JSON_ARRAY)
		return value_log(b, map, key, v);
	for (v = v->first; v && good; v = v->next)
		good = value_log(b, map, key, v);
	return good;
}

/* keys: whether an object without other objects in it is one with keys, and no statistics. */
static bool map_take(struct bpftrace *b, const struct json_value *map, bool keys)
{
	bool good = true;

	if (map->kind == JSON_OBJECT && map->first)
		keys = keys || map->first->kind == JSON_OBJECT || map->first->kind == JSON_ARRAY;
	if (map->kind != JSON_OBJECT || !keys)
		return buckets_log(b, map->key, NULL, map);
	for (const struct json_value *v = map->first; v && good; v = v->next)
		good = buckets_log(b, map->key, v->key, v);
	return good;
}

static bool maps_take(struct bpftrace *b, const struct json_value *data, bool keys)
{
	bool good = true;

	for (const struct json_value *map = data->first; map && good; map = map->next)
		good = map_take(b, map, keys);
	return good;
}

static bool part_take(void *context, const char *where, const struct json_value *v)
{
	struct bpftrace *b = context;
	const struct json_value *data = json_member(v, "data");
	const char *type = json_text_of(json_member(v, "type"), NULL);
	bool good = true;

	(void)where;
	if (!type || !data)
		return import_fail(b->in, "a line has no \"type\" and \"data\"");
	if (data->kind == JSON_OBJECT && strcmp(type, "lost_events") == 0)
		logs_lost(no_thread(b), (uint64_t)json_integer_of(json_member(data, "events"), 0));
	else if (data->kind == JSON_OBJECT && strcmp(type, "attached_probes") != 0)
		good = maps_take(b, data, strcmp(type, "stats") != 0);
	else if (data->kind == JSON_TEXT && strcmp(type, "printf") == 0)
		good = printf_take(b, data);
	else if (data->kind == JSON_TEXT)
		good = text_log(b, type, data->text, data->length);
	else
		b->unread += strcmp(type, "attached_probes") != 0;
	for (size_t i = 0; i < b->made.n; i++)
		free(b->made.at[i]);
	b->made.n = 0;
	return good;
}

static bool bpftrace_read(struct import_input *in, struct logs *l)
{
	struct bpftrace b = {.in = in, .logs = l};
	bool good;

	named_begin(&b.types, l);
	good = json_read(in, true, part_take, &b, NULL);
	if (good)
		import_passed_over(
		    in, b.timeless,
		    "texts and values have no time: they have that of the last line that has one");
	if (good)
		import_passed_over(in, b.unread, "lines of kinds that are not read were left out");
	named_end(&b.types, in, good);
	free(b.made.at);
	return good;
}

const struct import_format import_bpftrace = {
    .name = "bpftrace",
    .summary = "the output of bpftrace -f json, where it has times",
    .recognise = bpftrace_recognise,
    .read = bpftrace_read,
};
