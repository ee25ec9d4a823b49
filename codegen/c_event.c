/*
 * An event's function. Its local variables are `slot` and, for a string `why`, `why_s`; one that
 * an attribute is called like gets underscores until it is free. Strings end with a NUL, or come
 * with a length and are padded with blanks, as Fortran has them.
 */
#include "base/array.h"
#include "codegen/c.h"
#include "codegen/wrap.h"
#include <stdlib.h>

static const struct {
	const char *parameter, *store, *cast;
} types[] = {
	[TYPE_INT] = {"int ", "glimpse_put32", "(uint32_t)"},
	[TYPE_UINT] = {"unsigned ", "glimpse_put32", ""},
	[TYPE_LONG] = {"int64_t ", "glimpse_put64", "(uint64_t)"},
	[TYPE_ULONG] = {"uint64_t ", "glimpse_put64", ""},
	[TYPE_DOUBLE] = {"double ", "glimpse_put_double", ""},
	[TYPE_ADDRESS] = {"const void *", "glimpse_put_address", ""},
	[TYPE_STRING] = {"const char *", "glimpse_put_string", ""},
};

char *c_local_name(const struct event_type *e, const char *base, const char *suffix)
{
	char *name = text_format("%s%s", base, suffix);

	while (event_attribute(e, name) >= 0) {
		char *longer = text_format("%s_", name);
		free(name);
		name = longer;
	}
	return name;
}

const struct attribute *c_string(const struct event_type *e, unsigned n)
{
	const struct attribute *a = e->attributes;

	while (a->type != TYPE_STRING || a->string_index != n)
		a++;
	return a;
}

static void emit_prototype(FILE *out, const struct event_type *e)
{
	struct wrap line = {out, 0, "\n\t\t"};

	wrap_item(&line, "static inline void %s_Stamp(%s", e->name, e->nattributes ? "" : "void");
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(&line, "%s%s%s%s", i ? " " : "", types[e->attributes[i].type].parameter,
			  e->attributes[i].name, i + 1 < e->nattributes ? "," : "");
	fputs(")\n{\n", out);
}

/* " start", then " + a_s.size + b_s.size" for the first n strings, then end. */
static void emit_sum(struct wrap *line, const struct event_type *e, unsigned start, unsigned n,
		     const char *end)
{
	wrap_item(line, " %u%s", start, n ? "" : end);
	for (unsigned i = 0; i < n; i++) {
		char *measured = c_local_name(e, c_string(e, i)->name, "_s");
		wrap_item(line, " + %s.size%s", measured, i + 1 < n ? "" : end);
		free(measured);
	}
}

static void emit_begin_fixed(FILE *out, const struct spec *s, const struct event_type *e,
			     const char *slot)
{
	fprintf(out,
		"\tstruct glimpse_slot %s = glimpse_begin(&%s_glimpse, %u, %u);\n"
		"\n"
		"\tif (!%s.at)\n"
		"\t\treturn;\n", slot, s->name, e->index, e->fixed_size, slot);
}

static void emit_measure(FILE *out, const struct event_type *e, const struct attribute *a,
			 enum c_strings strings)
{
	char *measured = c_local_name(e, a->name, "_s"), *length = c_local_name(e, a->name, "_n");

	if (strings == C_TERMINATED)
		fprintf(out, "\t%s = glimpse_measure(%s);\n", measured, a->name);
	else
		fprintf(out, "\t%s = glimpse_measure_padded(%s, %s);\n", measured, a->name, length);
	free(measured);
	free(length);
}

/* The strings are measured first: their lengths are the record's size. */
static void emit_begin_strings(FILE *out, const struct spec *s, const struct event_type *e,
			       const char *slot, enum c_strings strings)
{
	struct wrap line = {out, 8, "\n\t\t"};

	for (unsigned i = 0; i < e->nstrings; i++) {
		char *measured = c_local_name(e, c_string(e, i)->name, "_s");
		fprintf(out, "\tstruct glimpse_string %s;\n", measured);
		free(measured);
	}
	fprintf(out,
		"\tstruct glimpse_slot %s;\n"
		"\n"
		"\tif (glimpse_off(&%s_glimpse, %u))\n"
		"\t\treturn;\n", slot, s->name, e->index);
	for (unsigned i = 0; i < e->nstrings; i++)
		emit_measure(out, e, c_string(e, i), strings);
	putc('\t', out);
	wrap_item(&line, "%s = glimpse_begin(&%s_glimpse, %u,", slot, s->name, e->index);
	emit_sum(&line, e, e->fixed_size, e->nstrings, ");");
	fprintf(out,
		"\n"
		"\tif (!%s.at)\n"
		"\t\treturn;\n", slot);
}

static void emit_store_string(struct wrap *line, const struct event_type *e,
			      const struct attribute *a)
{
	char *measured = c_local_name(e, a->name, "_s");

	emit_sum(line, e, a->offset, a->string_index, ",");
	wrap_item(line, " %s);", measured);
	free(measured);
}

static void emit_stores(FILE *out, const struct event_type *e, const char *slot)
{
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		struct wrap line = {out, 8, "\n\t\t"};
		putc('\t', out);
		wrap_item(&line, "%s(%s.at +", types[a->type].store, slot);
		if (a->type == TYPE_STRING)
			emit_store_string(&line, e, a);
		else
			wrap_item(&line, " %u, %s%s);", a->offset, types[a->type].cast, a->name);
		putc('\n', out);
	}
}

static void emit_end(FILE *out, const struct event_type *e, const char *slot)
{
	struct wrap line = {out, 8, "\n\t\t"};

	putc('\t', out);
	wrap_item(&line, "glimpse_end(%s,", slot);
	emit_sum(&line, e, e->fixed_size, e->nstrings, ");");
	putc('\n', out);
}

void c_emit_body(FILE *out, const struct spec *s, const struct event_type *e,
		 enum c_strings strings)
{
	char *slot = c_local_name(e, "slot", "");

	if (e->nstrings)
		emit_begin_strings(out, s, e, slot, strings);
	else
		emit_begin_fixed(out, s, e, slot);
	emit_stores(out, e, slot);
	emit_end(out, e, slot);
	free(slot);
}

void c_emit_event(FILE *out, const struct spec *s, const struct event_type *e)
{
	putc('\n', out);
	if (e->comment)
		c_emit_comment(out, e->comment);
	emit_prototype(out, e);
	c_emit_body(out, s, e, C_TERMINATED);
	fputs("}\n", out);
}

/* The macro's branch is never taken, but the compiler sees the arguments' types and uses in it. */
void c_emit_disabled(FILE *out, const struct event_type *e)
{
	emit_prototype(out, e);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(out, "\t(void)%s;\n", e->attributes[i].name);
	fprintf(out,
		"}\n"
		"#define %s_Stamp(...) (0 ? %s_Stamp(__VA_ARGS__) : (void)0)\n"
		"\n", e->name, e->name);
}
