#include "cli/common/text.h"
#include "base/csv.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/format/record.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---- */

static const char *integer_digits(char text[UNITS_TEXT], __int128 i)
{
	const __int128 part = 1000000000000000000;

	if (i < 0)
		snprintf(text, UNITS_TEXT, "%" PRId64, (int64_t)i);
	else if (i <= UINT64_MAX)
		snprintf(text, UNITS_TEXT, "%" PRIu64, (uint64_t)i);
	else /* sums may be greater than any value */
		snprintf(text, UNITS_TEXT, "%" PRIu64 "%018" PRIu64, (uint64_t)(i / part),
			 (uint64_t)(i % part));
	return text;
}

const char *value_digits(char text[UNITS_TEXT], const struct value *v)
{
	switch (v->kind) {
	case VALUE_BOOL:
		snprintf(text, UNITS_TEXT, "%s", v->truth ? "true" : "false");
		return text;
	case VALUE_INT:
		return integer_digits(text, v->integer);
	case VALUE_REAL:
		return units_real(text, v->real, 1);
	default:
		snprintf(text, UNITS_TEXT, "%.*s", (int)v->string.length, v->string.bytes);
		for (char *at = text; *at; at++)
			*at = *at >= ' ' && *at < 0x7f ? *at : '?';
		return text;
	}
}

const char *value_text(char text[UNITS_TEXT], const struct value *v, enum unit unit)
{
	double x = v->kind == VALUE_REAL ? v->real : (double)v->integer;

	if (v->kind == VALUE_BOOL || v->kind == VALUE_STRING)
		return value_digits(text, v);
	if (unit == UNIT_TIME)
		return units_time(text, x);
	if (unit == UNIT_BYTES && x >= 0 && x < 0x1p64)
		return units_bytes(text, (uint64_t)(x + 0.5));
	if (v->kind == VALUE_INT)
		return integer_digits(text, v->integer);
	snprintf(text, UNITS_TEXT, "%.4g", x);
	return text;
}

const char *percent_text(char text[UNITS_TEXT], double part, double whole)
{
	if (whole <= 0)
		return strcpy(text, "-");
	snprintf(text, UNITS_TEXT, "%.1f %%", 100 * part / whole);
	return text;
}

const char *change_text(char text[UNITS_TEXT], double before, double after)
{
	if (before <= 0)
		return strcpy(text, "-");
	snprintf(text, UNITS_TEXT, "%+.1f %%", (after - before) / before * 100);
	return text;
}

void known_csv(FILE *out, bool known, int64_t value)
{
	putc(',', out);
	if (known)
		print_int(out, value);
}

void known_json(struct json *j, const char *name, bool known, int64_t value)
{
	if (known)
		json_int(j, name, value);
	else
		json_null(j, name);
}

void value_json(struct json *j, const char *key, const struct value *v)
{
	if (v->kind == VALUE_REAL)
		json_real(j, key, v->real);
	else if (v->kind == VALUE_BOOL)
		json_bool(j, key, v->truth);
	else if (v->kind == VALUE_STRING)
		json_bytes(j, key, v->string.bytes, v->string.length);
	else if (v->integer >= INT64_MIN && v->integer <= INT64_MAX)
		json_int(j, key, (int64_t)v->integer);
	else if (v->integer > 0 && v->integer <= UINT64_MAX)
		json_uint(j, key, (uint64_t)v->integer);
	else
		json_real(j, key, (double)v->integer);
}

const char *process_text(char *text, size_t size, const struct trace_process *p)
{
	snprintf(text, size, "%s %u", *p->program ? p->program : "process", p->pid);
	return text;
}

/* ---- attributes ---- */

static void string_print(FILE *out, const struct value *v)
{
	putc_unlocked('"', out);
	print_escaped(out, v->string.bytes, v->string.length, "\"\\");
	putc_unlocked('"', out);
	if (string_is_cut(v))
		print_text(out, "...");
}

static void number_print(FILE *out, const struct value *v)
{
	if (v->kind == VALUE_REAL)
		print_real(out, v->real);
	else
		print_integer(out, v->integer);
}

void attributes_print(FILE *out, const struct trace *t, const struct event *e)
{
	char text[ADDRESS_TEXT];

	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		struct value v = record_value(e->type, i, e->record);

		if (i)
			putc_unlocked(' ', out);
		print_text(out, a->name);
		putc_unlocked('=', out);
		if (a->type == TYPE_STRING)
			string_print(out, &v);
		else if (type_is_address(a->type))
			print_text(out, address_text(t, text, e, i));
		else
			number_print(out, &v);
	}
}

/* Gives the text of a string; of an address, as the names of functions may have commas. */
static bool csv_text(const struct trace *t, const struct event *e, unsigned attribute,
		     char buffer[ADDRESS_TEXT], struct value *v)
{
	enum type type = e->type->attributes[attribute].type;

	if (type_is_symbolic(type)) {
		*v = (struct value){.kind = VALUE_STRING};
		v->string.bytes = address_text(t, buffer, e, attribute);
		v->string.length = strlen(v->string.bytes);
		return true;
	}
	*v = record_value(e->type, attribute, e->record);
	return type == TYPE_STRING;
}

static bool attributes_need_quotes(const struct trace *t, const struct event *e)
{
	char text[ADDRESS_TEXT];
	struct value v;

	for (unsigned i = 0; i < e->type->nattributes; i++)
		if (csv_text(t, e, i, text, &v) &&
		    csv_needs_quotes(v.string.bytes, v.string.length))
			return true;
	return false;
}

void attributes_print_csv(FILE *out, const struct trace *t, const struct event *e)
{
	bool quoted = attributes_need_quotes(t, e);
	char text[ADDRESS_TEXT];
	struct value v;

	if (quoted)
		putc_unlocked('"', out);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		if (i)
			putc_unlocked(';', out);
		print_text(out, a->name);
		putc_unlocked('=', out);
		if (csv_text(t, e, i, text, &v))
			csv_write_escaped(out, v.string.bytes, v.string.length, ";\\", quoted);
		else if (type_is_address(a->type))
			print_text(out, address_digits(text, (uint64_t)v.integer));
		else
			number_print(out, &v);
	}
	if (quoted)
		putc_unlocked('"', out);
}
