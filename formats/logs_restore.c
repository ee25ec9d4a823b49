#include "formats/logs_restore.h"
#include "base/base64.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void restore_begin(struct restore *r, struct import_input *in, struct logs *l)
{
	*r = (struct restore){.in = in, .logs = l};
}

/* ---- arguments ---- */

static const struct logs_argument *named(const struct logs_argument *arguments, size_t n,
					 const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(arguments[i].name, name) == 0)
			return &arguments[i];
	return NULL;
}

/* Returns an integer, of which some formats have the digits; 0 if it is none. */
static struct logs_value integer_of(const struct logs_value *v)
{
	char digits[32];

	if (v->kind != LOGS_TEXT)
		return *v;
	snprintf(digits, sizeof digits, "%.*s", (int)(v->text.length < 31 ? v->text.length : 31),
		 v->text.bytes);
	if (*digits == '-')
		return logs_integer(strtoll(digits, NULL, 10));
	return logs_natural(strtoull(digits, NULL, strncmp(digits, "0x", 2) == 0 ? 16 : 10));
}

static uint64_t number_of(const struct logs_argument *arguments, size_t n, const char *name)
{
	const struct logs_argument *a = named(arguments, n, name);
	struct logs_value v = a ? integer_of(&a->value) : logs_natural(0);

	return v.kind == LOGS_INTEGER   ? (uint64_t)v.integer
	       : v.kind == LOGS_NATURAL ? v.natural
					: 0;
}

/* Returns a real number, of which JSON has some as texts. */
static struct logs_value real_of(const struct logs_value *v)
{
	if (v->kind != LOGS_TEXT)
		return *v;
	if (v->text.length == 3)
		return logs_real(NAN);
	return logs_real(v->text.length && *v->text.bytes == '-' ? -INFINITY : INFINITY);
}

/*
 * Returns a text, to be freed: all its bytes, if they are in an argument of their own. NULL: there
 * is none.
 */
static char *text_of(const struct logs_argument *arguments, size_t n, const char *name)
{
	char *bytes_name = text_format("%s.bytes", name);
	const struct logs_argument *plain = named(arguments, n, name),
				   *bytes = named(arguments, n, bytes_name);
	const struct logs_argument *a = bytes ? bytes : plain;
	char *text = NULL;

	free(bytes_name);
	if (!a || a->value.kind != LOGS_TEXT)
		return NULL;
	if (!bytes)
		return text_format("%.*s", (int)a->value.text.length, a->value.text.bytes);
	text = array_new(a->value.text.length + 1, 1);
	text[base64_read((unsigned char *)text, a->value.text.bytes, a->value.text.length)] = '\0';
	return text;
}

/* ---- what comes before the events ---- */

void restore_specification(struct restore *r, const char *text, size_t length)
{
	r->active = true;
	if (length)
		vector_append(&r->specification, text, length);
}

void restore_trace(struct restore *r, const struct logs_argument *arguments, size_t n)
{
	char *text = text_of(arguments, n, "specification");

	r->origin = (int64_t)number_of(arguments, n, "origin");
	r->origin_real = (int64_t)number_of(arguments, n, "origin_real");
	if (text)
		restore_specification(r, text, strlen(text));
	free(text);
}

void restore_process(struct restore *r, const struct logs_argument *arguments, size_t n)
{
	struct restored_process *p = vector_add(&r->processes);

	p->pid = (uint32_t)number_of(arguments, n, "pid");
	p->program = text_of(arguments, n, "program");
	p->directory = text_of(arguments, n, "log");
}

void restore_thread(struct restore *r, const struct logs_argument *arguments, size_t n)
{
	uint64_t id = number_of(arguments, n, "id");
	struct hash_slot *slot = hash_table_slot(&r->by_id, hash_mix(id), id);
	struct restored_thread *t;

	slot->head = (uint32_t)r->threads.n;
	slot->tail = 0;
	t = vector_add(&r->threads);
	t->tid = number_of(arguments, n, "tid");
	t->process = (uint32_t)number_of(arguments, n, "directory");
	t->number = (uint32_t)number_of(arguments, n, "number");
	t->log = (uint32_t)number_of(arguments, n, "log");
	t->name = text_of(arguments, n, "name");
	t->owner = text_of(arguments, n, "owner");
	t->first = text_of(arguments, n, "first");
}

/* ---- the logs ---- */

static bool is_made(const struct restored_thread *t, const char *name)
{
	char *made = text_format("thread %" PRIu32, t->number);
	bool is = strcmp(name, made) == 0;

	free(made);
	return is;
}

/*
 * Gives a thread the names that its log had, from which readers make the others; if they would not,
 * since they took it from the program, the name that it had for them.
 */
static void thread_settle(struct restored_thread *t, struct logs_process *p)
{
	const char *owner = t->owner ? t->owner : "", *name = t->name ? t->name : owner;
	bool follows = strcmp(name, owner) == 0 || strcmp(name, "main") == 0;
	const char *first = !follows ? name : t->first ? t->first : owner;

	t->thread = logs_thread_restore(p, t->tid, t->log, is_made(t, first) ? "" : first,
					follows && t->first ? owner : NULL);
}

/*
 * Lists the names of attributes that are objects: what has no name of its own is called "lock 1".
 */
static void objects_list(struct restore *r, const struct event_type *type)
{
	for (unsigned i = 0; i < type->nattributes; i++) {
		bool known = type->attributes[i].type != TYPE_OBJECT;

		for (size_t k = 0; k < r->objects.n && !known; k++)
			known = strcmp(r->objects.at[k], type->attributes[i].name) == 0;
		if (!known)
			*vector_add(&r->objects) = type->attributes[i].name;
	}
}

/* Makes what events need, before the first of them. */
static bool settle(struct restore *r)
{
	VECTOR(struct logs_process *) made = {0};

	r->settled = true;
	*vector_add(&r->specification) = '\0';
	if (!logs_spec(r->logs, r->specification.at))
		return false;
	if (r->origin_real)
		logs_realtime(r->logs, r->origin, r->origin_real);
	for (size_t i = 0; i < r->processes.n; i++) {
		const struct restored_process *p = &r->processes.at[i];

		*vector_add(&made) =
		    logs_process_restore(r->logs, p->pid, p->program ? p->program : "",
					 p->directory ? p->directory : "");
	}
	for (size_t i = 0; i < r->threads.n; i++) {
		struct restored_thread *t = &r->threads.at[i];

		if (t->process < made.n)
			thread_settle(t, made.at[t->process]);
	}
	free(made.at);
	return true;
}

/* ---- names of addresses ---- */

/* Returns whether a text is what readers call an address that has no name. */
static bool is_nameless(const struct restore *r, const char *text, uint64_t address, bool object)
{
	const char *space = strchr(text, ' ');
	char digits[20];

	snprintf(digits, sizeof digits, "0x%" PRIx64, address);
	if (strcmp(text, digits) == 0)
		return true;
	if (!object || !space || !space[1] || space[1 + strspn(space + 1, "0123456789")])
		return false;
	for (size_t i = 0; i < r->objects.n; i++)
		if (strncmp(r->objects.at[i], text, (size_t)(space - text)) == 0 &&
		    !r->objects.at[i][space - text])
			return true;
	return false;
}

static void address_settle(struct restore *r, enum type type, const struct restored_value *v)
{
	struct logs_process *p = logs_thread_process(r->thread->thread);
	uint64_t address = v->value.natural;

	if (!v->named || v->value.kind != LOGS_NATURAL)
		return;
	if (!is_nameless(r, v->text.at, address, type == TYPE_OBJECT) ||
	    (type != TYPE_OBJECT && logs_address_is_named(p, address)))
		logs_address_name(p, r->time, address, v->text.at);
}

/* ---- events ---- */

static void event_write(struct restore *r)
{
	const struct event_type *type;
	struct logs_value *values;

	if (!r->event)
		return;
	type = logs_event_type(r->event);
	values = array_new(type->nattributes, sizeof *values);
	for (unsigned i = 0; i < type->nattributes; i++) {
		struct restored_value *v = &r->values.at[i];

		if (type->attributes[i].type == TYPE_STRING) {
			v->value = logs_bytes(v->text.at, v->text.n);
			v->value.text.cut = v->cut;
		} else {
			address_settle(r, type->attributes[i].type, v);
		}
		values[i] = v->value;
	}
	logs_write(r->thread->thread, r->time, r->event, values);
	free(values);
	r->event = NULL;
}

bool restore_event(struct restore *r, uint64_t id, int64_t time, const char *name)
{
	const struct hash_slot *slot = hash_table_find(&r->by_id, hash_mix(id), id);
	const struct event_type *type;

	event_write(r);
	if (!r->settled && !settle(r))
		return false;
	r->thread = slot ? &r->threads.at[slot->head] : NULL;
	r->event = r->thread && r->thread->thread ? logs_event(r->logs, name) : NULL;
	if (!r->event) {
		r->unknown++;
		return true;
	}
	r->time = time;
	r->at = 0;
	type = logs_event_type(r->event);
	objects_list(r, type);
	while (r->values.n < type->nattributes)
		vector_add(&r->values);
	for (unsigned i = 0; i < type->nattributes; i++) {
		struct restored_value *v = &r->values.at[i];

		v->value = logs_natural(0);
		v->text.n = 0;
		v->bytes = v->cut = v->named = false;
	}
	return true;
}

/*
 * Returns the attribute that an argument is of, or the number of attributes; *part: what follows a
 * dot, or "".
 */
static unsigned attribute_of(const struct restore *r, const struct event_type *type,
			     const char *name, const char **part)
{
	size_t length = strcspn(name, ".");

	*part = name[length] ? name + length + 1 : "";
	for (unsigned k = 0; k < type->nattributes; k++) {
		unsigned i = (r->at + k) % type->nattributes;
		const char *own = type->attributes[i].name;

		if (strncmp(own, name, length) == 0 && !own[length])
			return i;
	}
	return type->nattributes;
}

static void text_set(struct restored_value *v, const struct logs_value *text)
{
	if (text->kind != LOGS_TEXT || v->bytes)
		return;
	v->text.n = 0;
	if (text->text.length)
		vector_append(&v->text, text->text.bytes, text->text.length);
}

static void bytes_set(struct restored_value *v, const struct logs_value *digits)
{
	if (digits->kind != LOGS_TEXT)
		return;
	v->bytes = true;
	v->text.at = vector_reserve(v->text.at, digits->text.length + 1, &v->text.room, 1);
	v->text.n =
	    base64_read((unsigned char *)v->text.at, digits->text.bytes, digits->text.length);
}

static void address_name_set(struct restored_value *v, const struct logs_value *name)
{
	text_set(v, name);
	*vector_add(&v->text) = '\0';
	v->named = name->kind == LOGS_TEXT;
}

static void argument_take(struct restored_value *v, enum type type, const char *part,
			  const struct logs_value *value)
{
	if (type == TYPE_STRING && !*part)
		text_set(v, value);
	else if (type == TYPE_STRING && strcmp(part, "bytes") == 0)
		bytes_set(v, value);
	else if (type == TYPE_STRING && strcmp(part, "cut") == 0)
		v->cut = true;
	else if (type == TYPE_DOUBLE)
		v->value = real_of(value);
	else if (type_is_symbolic(type) && !*part)
		address_name_set(v, value);
	else
		v->value = integer_of(value);
}

void restore_arguments(struct restore *r, const struct logs_argument *arguments, size_t n)
{
	const struct event_type *type = r->event ? logs_event_type(r->event) : NULL;

	for (size_t i = 0; type && i < n; i++) {
		const char *part;
		unsigned k = attribute_of(r, type, arguments[i].name, &part);

		if (k == type->nattributes)
			continue;
		argument_take(&r->values.at[k], type->attributes[k].type, part,
			      &arguments[i].value);
		r->at = k;
	}
}

/* ---- end ---- */

bool restore_end(struct restore *r, bool good)
{
	if (good) {
		event_write(r);
		import_passed_over(r->in, r->unknown,
				   "events of unknown threads or types were left out");
	}
	for (size_t i = 0; i < r->processes.n; i++) {
		free(r->processes.at[i].program);
		free(r->processes.at[i].directory);
	}
	for (size_t i = 0; i < r->threads.n; i++) {
		free(r->threads.at[i].name);
		free(r->threads.at[i].owner);
		free(r->threads.at[i].first);
	}
	for (size_t i = 0; i < r->values.n; i++)
		free(r->values.at[i].text.at);
	free(r->specification.at);
	free(r->processes.at);
	free(r->threads.at);
	free(r->objects.at);
	free(r->values.at);
	hash_table_free(&r->by_id);
	return good;
}
