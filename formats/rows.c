#include "formats/rows.h"
#include "formats/field_names.h"
#include "formats/unescape.h"
#include <stdlib.h>
#include <string.h>

enum { TYPES_MOST = 600 }; /* event types by names; rows of further names share one */

/* What texts of a column were seen. */
enum { SEEN_WHOLE = 1, SEEN_NEGATIVE = 2, SEEN_LARGE = 4, SEEN_REAL = 8, SEEN_TEXT = 16 };

struct row_column {
	char *name;   /* NULL: no row had the attribute yet */
	size_t guess; /* where it was in the last row */
	unsigned seen;
};

struct row_type {
	char *key; /* the event's name in rows; NULL: they have none */
	const struct logs_event *event;
	struct time_reader time;
	VECTOR(struct row_column) columns; /* by attribute */
};

struct kept_row {
	uint64_t line;
	struct row_field *fields;
	size_t n;
	char *bytes; /* of all fields */
};

static bool piece_equals(struct line_text text, const char *word)
{
	return text.bytes && strlen(word) == text.length &&
	       memcmp(text.bytes, word, text.length) == 0;
}

/* ---- fields that every event has ---- */

static const char *const times[] = {"time",     "timestamp", "ts", "@timestamp",
				    "datetime", "date",      NULL};
static const char *const threads[] = {"thread", "tid", NULL};
static const char *const processes[] = {"process", "pid", NULL};
static const char *const events[] = {"event", NULL};
static const char *const own_fields[] = {"time", "realtime", "process", "pid",   "thread",
					 "tid",  "name",     "seq",     "event", NULL};

static bool is_among(struct line_text name, const char *const *words)
{
	for (; *words; words++)
		if (piece_equals(name, *words))
			return true;
	return false;
}

/* Returns the first of the words that is a field of the row, or no text. */
static struct line_text field_among(const struct row_field *fields, size_t n,
				    const char *const *words)
{
	for (; *words; words++)
		for (size_t i = 0; i < n; i++)
			if (piece_equals(fields[i].name, *words))
				return fields[i].text;
	return (struct line_text){NULL, 0};
}

struct line_text rows_field(const struct row_field *fields, size_t n, const char *name)
{
	const char *const words[] = {name, NULL};

	return field_among(fields, n, words);
}

static int64_t own_number(const struct row_field *fields, size_t n, const char *word)
{
	struct line_text text = rows_field(fields, n, word);
	struct logs_value value;

	return text.bytes && piece_whole(text, &value) ? value.integer : 0;
}

/* ---- columns ---- */

/* Returns the key of an attribute in our own logfmt. */
static char *own_key(const struct event_type *e, unsigned attribute)
{
	enum { FIXED = sizeof own_fields / sizeof *own_fields - 1 };
	struct field_names names = attribute_names(e, own_fields);
	char *key = text_format("%s", names.names[FIXED + attribute]);

	field_names_free(&names);
	return key;
}

/*
 * Returns what an attribute is called in a row: by its name, with the event's before it where all
 * events share the columns. NULL: the row has none. The caller frees it.
 */
static char *column_find(const struct rows *r, const struct event_type *e, unsigned attribute,
			 const struct row *row)
{
	bool shared = r->own && row->common == row->attributes;
	char *names[] = {text_format("%s.%s", e->name, e->attributes[attribute].name),
			 shared ? own_key(e, attribute)
				: text_format("%s", e->attributes[attribute].name)};
	char *column = NULL;

	for (unsigned i = 0; i < 2; i++)
		if (!column && rows_field(row->attributes, row->nattributes, names[i]).bytes)
			column = names[i];
		else
			free(names[i]);
	return column;
}

/*
 * Returns the field of an attribute, or NULL; those of rows of one type mostly stand in the same
 * order.
 */
static const struct row_field *field_of(struct rows *r, struct row_type *t, unsigned attribute,
					const struct row *row)
{
	struct row_column *c = &t->columns.at[attribute];
	const struct row_field *fields = row->attributes;

	if (!c->name)
		c->name = column_find(r, logs_event_type(t->event), attribute, row);
	if (!c->name)
		return NULL;
	if (c->guess < row->nattributes && piece_equals(fields[c->guess].name, c->name))
		return &fields[c->guess];
	for (c->guess = 0; c->guess < row->nattributes; c->guess++)
		if (piece_equals(fields[c->guess].name, c->name))
			return &fields[c->guess];
	return NULL;
}

static struct logs_value value_of(struct rows *r, struct row_type *t, unsigned attribute,
				  const struct row *row)
{
	const struct attribute *a = &logs_event_type(t->event)->attributes[attribute];
	const struct row_field *field = field_of(r, t, attribute, row);
	struct logs_value value =
	    lines_value(&r->lines, a, field ? field->text : (struct line_text){NULL, 0});

	if (a->type == TYPE_STRING)
		value.text.cut = field && field->cut;
	return value;
}

/* ---- types ---- */

static struct row_type *type_add(struct rows *r, struct line_text key)
{
	struct row_type *t = array_zero(1, sizeof *t);

	*vector_add(&r->types) = t;
	t->time = time_reader_make(NULL, r->lines.latest);
	if (key.bytes)
		t->key = text_format("%.*s", (int)key.length, key.bytes);
	return t;
}

static struct row_type *type_find(const struct rows *r, struct line_text key)
{
	for (size_t i = 0; i < r->types.n; i++) {
		struct row_type *t = r->types.at[i];

		if (key.bytes ? t->key && piece_equals(key, t->key) : !t->key)
			return t;
	}
	return NULL;
}

/* Adds the type of an event that a specification has. */
static struct row_type *type_known(struct rows *r, const struct logs_event *event)
{
	const struct event_type *e = logs_event_type(event);
	struct row_type *t = type_add(r, (struct line_text){e->name, strlen(e->name)});

	t->event = event;
	t->time = time_reader_make(&e->from, r->lines.latest);
	for (unsigned i = 0; i < e->nattributes; i++)
		vector_add(&t->columns);
	return t;
}

/* ---- types from the first rows ---- */

static unsigned kind_of(const struct row_field *field)
{
	struct line_text text = field->text;
	struct logs_value v;
	bool zeros = text.length > 1 && text.bytes[0] == '0' && text.bytes[1] != '.';

	if (!text.length || (text.length == 1 && *text.bytes == '-'))
		return 0;
	if (field->is_text || zeros)
		return SEEN_TEXT;
	if (piece_whole(text, &v))
		return SEEN_WHOLE | (*text.bytes == '-' ? SEEN_NEGATIVE : 0) |
		       (v.kind == LOGS_NATURAL && v.natural > INT64_MAX ? SEEN_LARGE : 0);
	return piece_real(text, &v) ? SEEN_REAL : SEEN_TEXT;
}

static enum type type_of(unsigned seen)
{
	if (!seen || seen & SEEN_TEXT)
		return TYPE_STRING;
	if (seen & SEEN_REAL || (seen & SEEN_LARGE && seen & SEEN_NEGATIVE))
		return TYPE_DOUBLE;
	return seen & SEEN_LARGE ? TYPE_ULONG : TYPE_LONG;
}

/* Returns whether a field is no attribute of a type of events that is made. */
static bool is_common(const struct rows *r, const struct row_type *t, const struct row_field *field)
{
	if (r->own)
		return !field->text.bytes || is_among(field->name, own_fields);
	return is_among(field->name, times) || is_among(field->name, threads) ||
	       is_among(field->name, processes) || (t->key && is_among(field->name, events));
}

static void columns_note(const struct rows *r, struct row_type *t, const struct row *row)
{
	const struct row_field *fields = row->attributes;

	for (size_t i = 0; i < row->nattributes; i++) {
		size_t at = 0;

		if (is_common(r, t, &fields[i]))
			continue;
		while (at < t->columns.n && !piece_equals(fields[i].name, t->columns.at[at].name))
			at++;
		if (at == t->columns.n)
			*vector_add(&t->columns) = (struct row_column){
			    text_format("%.*s", (int)fields[i].name.length, fields[i].name.bytes),
			    i, 0};
		t->columns.at[at].seen |= kind_of(&fields[i]);
	}
}

/* Columns that all events share are called EVENT.ATTRIBUTE. */
static const char *attribute_name(const struct row_type *t, const struct row_column *c)
{
	size_t n = t->key ? strlen(t->key) : 0;

	return n && strncmp(c->name, t->key, n) == 0 && c->name[n] == '.' ? c->name + n + 1
									  : c->name;
}

/* Makes the event of a type whose columns are known. */
static bool type_make(struct rows *r, struct row_type *t)
{
	struct logs_field *fields = array_new(t->columns.n, sizeof *fields);

	for (size_t i = 0; i < t->columns.n; i++)
		fields[i] = (struct logs_field){attribute_name(t, &t->columns.at[i]),
						type_of(t->columns.at[i].seen)};
	t->event = logs_event_make(r->lines.logs, t->key ? t->key : r->lines.program, fields,
				   (unsigned)t->columns.n, NULL);
	free(fields);
	return t->event != NULL;
}

/* ---- rows ---- */

static bool has_field(struct rows *r, struct row_type *t, unsigned attribute, const struct row *row)
{
	const struct row_field *field = field_of(r, t, attribute, row);

	return field && field->text.bytes;
}

/* Returns the first event of the user's specification whose attributes all are in a row. */
static struct row_type *type_fitting(struct rows *r, const struct row *row)
{
	for (size_t i = 0; i < r->types.n; i++) {
		struct row_type *t = r->types.at[i];
		unsigned found = 0;

		while (found < t->columns.n && has_field(r, t, found, row))
			found++;
		if (found && found == t->columns.n)
			return t;
	}
	return NULL;
}

static bool has_spec(const struct rows *r)
{
	return r->lines.spec || r->known;
}

static struct row_type *type_of_spec(struct rows *r, struct line_text key, const struct row *row)
{
	struct row_type *t = key.bytes ? type_find(r, key) : NULL;
	const struct logs_event *event;
	char *name;

	if (t || !key.bytes)
		return t ? t : type_fitting(r, row);
	name = text_format("%.*s", (int)key.length, key.bytes);
	event = logs_event(r->lines.logs, name);
	free(name);
	return event ? type_known(r, event) : NULL;
}

void rows_thread(struct rows *r, uint64_t number, struct logs_thread *thread)
{
	struct hash_slot *slot = hash_table_slot(&r->by_number, hash_mix(number), number);

	slot->head = (uint32_t)r->threads.n;
	slot->tail = 0;
	*vector_add(&r->threads) = thread;
}

/* Returns a thread that was made for its number, or NULL. */
static struct logs_thread *thread_find(const struct rows *r, uint64_t number)
{
	const struct hash_slot *slot = hash_table_find(&r->by_number, hash_mix(number), number);

	return slot ? r->threads.at[slot->head] : NULL;
}

/* Makes a thread as it was recorded, of the fields that each of its rows has. */
static struct logs_thread *thread_restore(struct rows *r, const struct row_field *fields, size_t n)
{
	struct line_text name = rows_field(fields, n, "name");
	const char *pid = rows_field(fields, n, "pid").bytes ? "pid" : "process";
	char *text = text_format("%.*s", (int)name.length, name.bytes ? name.bytes : "");
	struct logs_thread *t = logs_thread_restore(
	    logs_process(r->lines.logs, (uint32_t)own_number(fields, n, pid), NULL),
	    (uint64_t)own_number(fields, n, "tid"), (uint32_t)own_number(fields, n, "thread"), text,
	    NULL);

	free(text);
	return t;
}

static struct logs_thread *thread_of(struct rows *r, const struct row *row)
{
	const struct row_field *fields = row->common;
	size_t n = row->ncommon;
	struct logs_thread *t;
	uint64_t number;

	if (!r->own)
		return lines_thread(&r->lines, field_among(fields, n, processes),
				    field_among(fields, n, threads));
	number = (uint64_t)own_number(fields, n, "thread");
	t = thread_find(r, number);
	if (!t) {
		t = thread_restore(r, fields, n);
		rows_thread(r, number, t);
	}
	return t;
}

static bool time_of(struct rows *r, struct row_type *t, const struct row *row, int64_t *time)
{
	struct line_text text = field_among(row->common, row->ncommon, times);
	struct logs_value value;
	int64_t realtime;

	if (!r->own)
		return lines_time(&r->lines, &t->time, text, time);
	if (!text.bytes || !piece_whole(text, &value)) {
		lines_note(&r->lines, &r->lines.untimed, text, "");
		return false;
	}
	*time = value.integer;
	realtime = r->dated ? 0 : own_number(row->common, row->ncommon, "realtime");
	if (realtime) {
		logs_realtime(r->lines.logs, *time, realtime);
		r->dated = true;
	}
	return true;
}

static void row_write(struct rows *r, struct row_type *t, const struct row *row)
{
	const struct event_type *e = logs_event_type(t->event);
	struct logs_thread *thread;
	int64_t time;

	if (!time_of(r, t, row, &time))
		return;
	thread = thread_of(r, row);
	r->values.n = 0;
	for (unsigned i = 0; i < e->nattributes; i++)
		*vector_add(&r->values) = value_of(r, t, i, row);
	logs_write(thread, lines_earlier(e, r->values.at, time), t->event, r->values.at);
}

/* Without a specification, the key of a row that has a type of its own. */
static struct line_text key_of(const struct rows *r, const struct row *row)
{
	struct line_text key = field_among(row->common, row->ncommon, events);

	if (key.bytes && (key.length > 200 || (r->types.n >= TYPES_MOST && !type_find(r, key))))
		key.bytes = NULL;
	return key;
}

static bool row_log(struct rows *r, const struct row *row)
{
	struct line_text key = field_among(row->common, row->ncommon, events);
	struct row_type *t;

	if (has_spec(r)) {
		t = type_of_spec(r, key, row);
		if (t)
			row_write(r, t, row);
		else
			lines_note(&r->lines, &r->lines.unmatched, key, key.bytes ? "event " : "");
		return true;
	}
	key = key_of(r, row);
	t = type_find(r, key);
	if (!t) {
		t = type_add(r, key);
		columns_note(r, t, row);
		if (!type_make(r, t))
			return false;
	}
	row_write(r, t, row);
	return true;
}

/* ---- keeping the first rows ---- */

static void piece_keep(struct line_text *p, char **to)
{
	if (p->bytes) {
		if (p->length)
			memcpy(*to, p->bytes, p->length);
		p->bytes = *to;
		*to += p->length;
	}
}

static void row_keep(struct rows *r, const struct row *row)
{
	const struct row_field *fields = row->attributes;
	size_t n = row->nattributes;
	struct kept_row *k = array_new(1, sizeof *k);
	size_t size = 1;
	char *to;

	for (size_t i = 0; i < n; i++)
		size += fields[i].name.length + fields[i].text.length;
	*k = (struct kept_row){r->lines.in->line, array_new(n, sizeof *k->fields), n,
			       array_new(size, 1)};
	if (n)
		memcpy(k->fields, fields, n * sizeof *fields);
	to = k->bytes;
	for (size_t i = 0; i < n; i++) {
		piece_keep(&k->fields[i].name, &to);
		piece_keep(&k->fields[i].text, &to);
	}
	*vector_add(&r->kept) = k;
}

static bool types_make(struct rows *r)
{
	bool good = true;

	for (size_t i = 0; i < r->kept.n; i++) {
		const struct kept_row *k = r->kept.at[i];
		struct row row = row_of(k->fields, k->n);
		struct line_text key = key_of(r, &row);
		struct row_type *t = type_find(r, key);

		columns_note(r, t ? t : type_add(r, key), &row);
	}
	for (size_t i = 0; i < r->types.n && good; i++)
		good = type_make(r, r->types.at[i]);
	return good;
}

/* Logs the rows that were kept, of which now all types are known. */
static bool settle(struct rows *r)
{
	uint64_t line = r->lines.in->line;
	bool good = types_make(r);

	r->settled = true;
	for (size_t i = 0; i < r->kept.n; i++) {
		struct kept_row *k = r->kept.at[i];
		struct row row = row_of(k->fields, k->n);

		r->lines.in->line = k->line;
		good = good && row_log(r, &row);
		free(k->fields);
		free(k->bytes);
		free(k);
	}
	r->kept.n = 0;
	r->lines.in->line = line;
	return good;
}

bool rows_take(struct rows *r, const struct row *row)
{
	if (r->settled || has_spec(r))
		return row_log(r, row);
	row_keep(r, row);
	return r->kept.n < ROWS_KEPT || settle(r);
}

/* ---- begin and end ---- */

bool rows_begin(struct rows *r, struct import_input *in, struct logs *logs)
{
	*r = (struct rows){.own = false};
	if (!lines_begin(&r->lines, in, logs))
		return false;
	for (unsigned i = 0; r->lines.spec && i < r->lines.spec->nevents; i++)
		type_known(r, logs_event(logs, r->lines.spec->events[i]->name));
	return true;
}

void rows_unescape(struct row_field *field)
{
	static const char mark[] = "\\...";
	size_t n = field->text.length, backslashes = 1;
	char *text = (char *)field->text.bytes;

	if (!text)
		return;
	if (n >= 4 && memcmp(text + n - 4, mark, 4) == 0) {
		while (backslashes < n - 3 && text[n - 4 - backslashes] == '\\')
			backslashes++;
		field->cut = backslashes % 2;
	}
	field->text.length = unescape(text, field->cut ? n - 4 : n);
}

bool rows_own(struct rows *r, struct line_text specification)
{
	char *text;
	bool good;

	if (r->lines.spec || r->known)
		return true;
	if (!specification.bytes)
		return import_fail(r->lines.in, "the specification is missing");
	text = text_format("%.*s", (int)specification.length, specification.bytes);
	good = logs_spec(r->lines.logs, text);
	free(text);
	r->known = good;
	return good;
}

bool rows_end(struct rows *r, bool good)
{
	if (good && !r->settled && !has_spec(r))
		good = settle(r);
	if (!r->own)
		logs_realtime(r->lines.logs, 0, 0);
	lines_end(&r->lines);
	for (size_t i = 0; i < r->types.n; i++) {
		struct row_type *t = r->types.at[i];

		for (size_t k = 0; k < t->columns.n; k++)
			free(t->columns.at[k].name);
		free(t->columns.at);
		free(t->key);
		free(t);
	}
	/* of a file that could not be read */
	for (size_t i = 0; i < r->kept.n; i++) {
		free(r->kept.at[i]->fields);
		free(r->kept.at[i]->bytes);
		free(r->kept.at[i]);
	}
	free(r->types.at);
	free(r->threads.at);
	hash_table_free(&r->by_number);
	free(r->kept.at);
	free(r->values.at);
	return good;
}
