/*
 * An event's method. Its local variables are `log` and, for a string `why`, `why_s`, with
 * underscores until no attribute is called like them.
 *
 * A method of Java is known by the types of its parameters and of what it returns, not by the names
 * of its parameters: callers that were compiled for (int src, int seq) would call (int seq, int src).
 * So a method with parameters returns a type that stands for their types and names: null, always.
 */
#include "codegen/c.h"
#include "codegen/java.h"
#include "codegen/wrap.h"
#include "spec/layout.h"
#include <inttypes.h>
#include <stdlib.h>

#define RETURNED "RecompileCallers_%016" PRIx64

/* Java has no types without a sign: a uint comes as a long, which holds all of its values. */
static const struct {
	const char *parameter, *store, *cast, *remark;
} types[] = {
	[TYPE_INT] = {"int", "putInt", "", NULL},
	[TYPE_UINT] = {"long", "putInt", "(int) ", "its low 32 bits, unsigned"},
	[TYPE_LONG] = {"long", "putLong", "", NULL},
	[TYPE_ULONG] = {"long", "putLong", "", "64 bits, unsigned"},
	[TYPE_DOUBLE] = {"double", "putDouble", "", NULL},
	[TYPE_ADDRESS] = {"long", "putLong", "", "an address, or glimpse.Glimpse.address(object)"},
	[TYPE_STRING] = {"String", "putString", "", NULL},
};

static void emit_comment(FILE *out, const struct event_type *e)
{
	bool parted = false;

	fputs("\n\t/**\n", out);
	if (e->comment)
		java_emit_javadoc(out, "\t", e->comment);
	else
		fprintf(out, "\t * The event {@code %s}.\n", e->name);
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		if (!types[a->type].remark)
			continue;
		fprintf(out, "%s\t * @param %s %s\n", parted ? "" : "\t *\n", a->name, types[a->type].remark);
		parted = true;
	}
	fputs("\t */\n", out);
}

/* Events of the same attributes share the type. */
static void emit_returned(FILE *out, const struct spec *s, const struct event_type *e)
{
	uint64_t hash = attributes_hash(e);

	for (unsigned i = 0; i < e->index; i++)
		if (attributes_hash(s->events[i]) == hash)
			return;
	fprintf(out,
		"\n"
		"\t/** Callers that were compiled for other attributes ask for another type, and are refused. */\n"
		"\tpublic interface " RETURNED " {\n"
		"\t}\n", hash);
}

static void emit_signature(FILE *out, const struct event_type *e)
{
	struct wrap line = {out, 8, "\n\t\t\t"};

	putc('\t', out);
	if (e->nattributes)
		wrap_item(&line, "public static " RETURNED " %s(", attributes_hash(e), e->name);
	else
		wrap_item(&line, "public static void %s(", e->name);
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(&line, "%s%s %s%s", i ? " " : "", types[e->attributes[i].type].parameter,
			  e->attributes[i].name, i + 1 < e->nattributes ? "," : "");
	fputs(") {\n", out);
}

/* The strings are measured first: their sizes are part of the record's. */
static void emit_sizes(FILE *out, const struct event_type *e)
{
	for (unsigned i = 0; i < e->nstrings; i++) {
		const char *name = c_string(e, i)->name;
		char *size = c_local_name(e, name, "_s");
		fprintf(out, "\t\tint %s = Log.size(%s);\n", size, name);
		free(size);
	}
}

/* " start", then " + a_s + b_s" for the first n strings, then end. */
static void emit_sum(struct wrap *line, const struct event_type *e, unsigned start, unsigned n,
		     const char *end)
{
	wrap_item(line, "%u%s", start, n ? "" : end);
	for (unsigned i = 0; i < n; i++) {
		char *size = c_local_name(e, c_string(e, i)->name, "_s");
		wrap_item(line, " + %s%s", size, i + 1 < n ? "" : end);
		free(size);
	}
}

static void emit_store(FILE *out, const struct event_type *e, const struct attribute *a,
		       const char *log)
{
	struct wrap line = {out, 16, "\n\t\t\t"};

	fputs("\t\t", out);
	wrap_item(&line, "%s.%s(", log, types[a->type].store);
	emit_sum(&line, e, a->offset, a->type == TYPE_STRING ? a->string_index : 0, ",");
	wrap_item(&line, " %s%s);", types[a->type].cast, a->name);
	putc('\n', out);
}

/* What follows `return`. */
static const char *returned(const struct event_type *e)
{
	return e->nattributes ? " null" : "";
}

static void emit_begin(FILE *out, const struct event_type *e, const char *log)
{
	struct wrap line = {out, 16, "\n\t\t\t"};

	fputs("\t\t", out);
	wrap_item(&line, "Log %s = GLIMPSE_SPEC.begin(%u, ", log, e->index);
	emit_sum(&line, e, e->fixed_size, e->nstrings, ");");
	fprintf(out, "\n\t\tif (%s == null)\n\t\t\treturn%s;\n", log, returned(e));
}

void java_emit_event(FILE *out, const struct spec *s, const struct event_type *e)
{
	char *log = c_local_name(e, "log", "");
	struct wrap line = {out, 16, "\n\t\t\t"};

	if (e->nattributes)
		emit_returned(out, s, e);
	emit_comment(out, e);
	emit_signature(out, e);
	fprintf(out, "\t\tif (DISABLE_GLIMPSE || GLIMPSE_SPEC.off(%u))\n\t\t\treturn%s;\n", e->index,
		returned(e));
	emit_sizes(out, e);
	emit_begin(out, e, log);
	for (unsigned i = 0; i < e->nattributes; i++)
		emit_store(out, e, &e->attributes[i], log);
	fputs("\t\t", out);
	wrap_item(&line, "%s.end(", log);
	emit_sum(&line, e, e->fixed_size, e->nstrings, ");");
	fputs(e->nattributes ? "\n\t\treturn null;\n\t}\n" : "\n\t}\n", out);
	free(log);
}
