/*
 * JSON Lines: an object for each event. Our own export begins with one that has the specification
 * and the threads.
 */
#include "base/array.h"
#include "base/base64.h"
#include "formats/json_read.h"
#include "formats/rows.h"
#include <stdlib.h>
#include <string.h>

struct jsonl {
	struct rows rows;
	VECTOR(struct row_field) fields;
	VECTOR(char *) made; /* texts of containers, and of bytes that are no text */
	VECTOR(struct logs_process *) processes; /* of our own export */
	uint64_t others;                         /* values that are no objects */
};

static bool jsonl_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;
	size_t n = strlen(in->path);

	if (in->directory)
		return false;
	head += strspn(head, "{ ");
	return strncmp(head, "\"glimpse\"", 9) == 0 ||
	       (n > 6 && strcmp(in->path + n - 6, ".jsonl") == 0) ||
	       (n > 7 && strcmp(in->path + n - 7, ".ndjson") == 0);
}

/* ---- values ---- */

/*
 * Our own export has strings that JSON cannot hold as {"base64": ...} or, if they were cut,
 * {"text": ...}.
 */
static bool own_string(struct jsonl *j, const struct json_value *v, struct row_field *field)
{
	const char *digits = json_text_of(json_member(v, "base64"), NULL);
	const struct json_value *plain = json_member(v, "text"), *cut = json_member(v, "cut");
	char *bytes;

	if (!j->rows.own || v->kind != JSON_OBJECT || (!digits && !plain))
		return false;
	if (digits) {
		bytes = array_new(strlen(digits) + 1, 1);
		field->text.length = base64_read((unsigned char *)bytes, digits, strlen(digits));
	} else {
		field->text.length = plain->length;
		bytes = array_new(plain->length + 1, 1);
		memcpy(bytes, plain->text, plain->length);
	}
	*vector_add(&j->made) = bytes;
	field->cut = cut && cut->truth;
	field->text.bytes = bytes;
	return true;
}

static struct row_field field_of(struct jsonl *j, const struct json_value *v)
{
	struct row_field field = {.name = {v->key, strlen(v->key)},
				  .is_text = v->kind != JSON_NUMBER && v->kind != JSON_BOOL};
	struct logs_value value;
	char *made;

	switch (v->kind) {
	case JSON_NULL:
		break;
	case JSON_BOOL:
		field.text = (struct line_text){v->truth ? "1" : "0", 1};
		break;
	case JSON_NUMBER:
	case JSON_TEXT:
		field.text = (struct line_text){v->text, v->length};
		break;
	default:
		if (own_string(j, v, &field))
			break;
		value = json_logs_value(v, &made);
		*vector_add(&j->made) = made;
		field.text = (struct line_text){value.text.bytes, value.text.length};
	}
	return field;
}

/* Adds the members of an object; returns how many. */
static size_t fields_add(struct jsonl *j, const struct json_value *v)
{
	size_t n = 0;

	for (v = v->first; v && n < FIELDS_MOST; v = v->next, n++)
		*vector_add(&j->fields) = field_of(j, v);
	return n;
}

/* In our own, attributes are apart: they may be called like what all events have. */
static struct row row_make(struct jsonl *j, const struct json_value *v)
{
	const struct json_value *attributes = j->rows.own ? json_member(v, "attributes") : NULL;
	size_t common;

	for (size_t i = 0; i < j->made.n; i++)
		free(j->made.at[i]);
	j->made.n = j->fields.n = 0;
	common = fields_add(j, v);
	if (!attributes || attributes->kind != JSON_OBJECT)
		return row_of(j->fields.at, common);
	fields_add(j, attributes);
	return (struct row){j->fields.at, j->fields.at + common, common, j->fields.n - common};
}

/* ---- the first line of our own ---- */

/* Returns the directory of a process within that of the first one, of their paths. */
static const char *directory_of(const char *path, const char *first)
{
	size_t n = strlen(first);

	if (strcmp(path, first) == 0)
		return "";
	if (strncmp(path, first, n) == 0 && path[n] == '/')
		return path + n + 1;
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static void processes_make(struct jsonl *j, const struct json_value *header)
{
	const struct json_value *list = json_member(header, "processes");
	const char *first = list ? json_text_of(json_member(list->first, "path"), "") : "";

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		*vector_add(&j->processes) = logs_process_restore(
		    j->rows.lines.logs, (uint32_t)json_integer_of(json_member(v, "pid"), 0),
		    json_text_of(json_member(v, "program"), ""),
		    directory_of(json_text_of(json_member(v, "path"), "process"), first));
}

/*
 * Makes the threads, with the numbers of their logs: in a trace, those of a process follow the
 * greatest of the process before.
 */
static void threads_make(struct jsonl *j, const struct json_value *header)
{
	const struct json_value *list = json_member(header, "threads");
	int64_t process = 0, offset = 0, next = 0;

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		int64_t number = json_integer_of(json_member(v, "thread"), 0),
			index = json_integer_of(json_member(v, "process"), 0);

		if (index < 0 || (size_t)index >= j->processes.n)
			continue;
		if (index != process)
			offset = next;
		process = index;
		next = number + 1;
		rows_thread(&j->rows, (uint64_t)number,
			    logs_thread_restore(j->processes.at[index],
						(uint64_t)json_integer_of(json_member(v, "tid"), 0),
						(uint32_t)(number - offset),
						json_text_of(json_member(v, "name"), ""), NULL));
	}
}

static bool header_take(struct jsonl *j, const struct json_value *header)
{
	const struct json_value *text = json_member(header, "specification"),
				*real = json_member(header, "origin_real");

	j->rows.own = true;
	if (real)
		logs_realtime(j->rows.lines.logs, 0, json_integer_of(real, 0));
	processes_make(j, header);
	threads_make(j, header);
	return rows_own(&j->rows, text && text->kind == JSON_TEXT
				      ? (struct line_text){text->text, text->length}
				      : (struct line_text){NULL, 0});
}

/* ---- lines ---- */

static bool part_take(void *context, const char *where, const struct json_value *v)
{
	struct jsonl *j = context;
	const struct json_value *header = json_member(v, "glimpse");
	struct row row;

	(void)where;
	j->rows.lines.in->line++;
	if (v->kind != JSON_OBJECT) {
		j->others++;
		return true;
	}
	if (j->rows.lines.in->line == 1 && header && header->kind == JSON_OBJECT)
		return header_take(j, header);
	row = row_make(j, v);
	return !row.ncommon || rows_take(&j->rows, &row);
}

static bool jsonl_read(struct import_input *in, struct logs *l)
{
	struct jsonl j = {.others = 0};
	bool good = rows_begin(&j.rows, in, l), bad = false;

	if (good)
		do
			good = json_read(in, true, part_take, &j, NULL);
		while (good && import_next(in, &bad));
	good = rows_end(&j.rows, good && !bad);
	if (good)
		import_passed_over(in, j.others, "lines are no objects and were left out");
	for (size_t i = 0; i < j.made.n; i++)
		free(j.made.at[i]);
	free(j.made.at);
	free(j.processes.at);
	free(j.fields.at);
	return good;
}

const struct import_format import_jsonl = {
    .name = "jsonl",
    .summary = "JSON Lines; our own, or any by its keys (-s: a specification)",
    .several = true,
    .recognise = jsonl_recognise,
    .read = jsonl_read,
};
