/*
 * Java: one class with a static method for each event. The path of an event is in
 * runtime/java/glimpse/Log.java. The generated source is plain ASCII, since compilers differ in the
 * encoding that they expect.
 */
#include "codegen/java.h"
#include "base/utf8.h"
#include "codegen/emit.h"
#include "codegen/reserved.h"
#include "codegen/target.h"
#include "config.h"
#include "spec/layout.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* Variables of these names would hide what the methods use. */
static const char *const occupied[] = {"DISABLE_GLIMPSE", "GLIMPSE_SPEC", "Log", NULL};

/* The other methods of the class, and those of every object. */
static const char *const methods[] = {
    "close",    "closeThreadData", "init",      "clone",    "equals", "finalize", "getClass",
    "hashCode", "notify",          "notifyAll", "toString", "wait",   NULL,
};

/* Classes that the generated one uses, and words that cannot name a class. */
static const char *const classes[] = {
    "Boolean", "Glimpse", "Log", "Specification", "String", "permits",
    "record",  "sealed",  "var", "yield",         NULL,
};

static bool java_is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool is_identifier(const char *name, size_t length)
{
	char *copy = strndup(name, length);
	bool good =
	    copy && length && !isdigit((unsigned char)*name) && !name_reserved(LANGUAGE_JAVA, copy);

	for (size_t i = 0; good && i < length; i++)
		good = isalnum((unsigned char)name[i]) || name[i] == '_';
	free(copy);
	return good;
}

static bool is_class(const char *name)
{
	return is_identifier(name, strlen(name)) && !java_is_one_of(name, classes);
}

static bool is_package(const char *name)
{
	size_t n = strcspn(name, ".");

	return is_identifier(name, n) && (!name[n] || is_package(name + n + 1));
}

static void check_event(const struct event_type *e, struct diag *d)
{
	if (name_reserved(LANGUAGE_JAVA, e->name))
		diag_error(d, e->where, "'%s' cannot name an event: Java reserves it", e->name);
	else if (java_is_one_of(e->name, methods))
		diag_error(d, e->where,
			   "'%s' cannot name an event in Java: the generated class has a method of "
			   "that name",
			   e->name);
}

static void check_attribute(const struct attribute *a, struct diag *d)
{
	if (name_reserved(LANGUAGE_JAVA, a->name))
		diag_error(d, a->where, "'%s' cannot name an attribute: Java reserves it", a->name);
	else if (java_is_one_of(a->name, occupied))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute: the generated code uses that name",
			   a->name);
}

/* The virtual machine passes 255 words. Types of 64 bits take two, and a uint is a long. */
static void check_words(const struct event_type *e, struct diag *d)
{
	unsigned words = 0;

	for (unsigned i = 0; i < e->nattributes; i++) {
		enum type t = e->attributes[i].type;
		words += t == TYPE_INT || t == TYPE_STRING ? 1 : 2;
	}
	if (words > 255)
		diag_error(d, e->where,
			   "'%s' has too many attributes for a Java method: they "
			   "take %u words, and the limit is 255",
			   e->name, words);
}

static void check_names(const struct spec *s, struct diag *d)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		check_event(e, d);
		check_words(e, d);
		for (unsigned k = 0; k < e->nattributes; k++)
			check_attribute(&e->attributes[k], d);
	}
	if (s->nevents == 0)
		diag_error(d, s->where, "the specification '%s' has no events", s->name);
}

/* ---- Literals and comments ------------------------------------------------------------------- */

/* Returns the character of n bytes of UTF-8. */
static unsigned long code_point(const char *s, size_t n)
{
	unsigned long point = (unsigned char)*s;

	if (n > 1)
		point &= 0xfful >> (n + 1);
	for (size_t i = 1; i < n; i++)
		point = point << 6 | ((unsigned char)s[i] & 0x3f);
	return point;
}

/*
 * Escapes characters that have a meaning in HTML, or in Javadoc's tags; a backslash, which may
 * begin an escape even in a comment; and a slash that ends the comment.
 */
static void emit_character(FILE *out, const char *s, size_t n, bool ends)
{
	if (n == 0 || ((unsigned char)*s < 0x20 && *s != '\t'))
		fputs("&#xfffd;", out);
	else if (n > 1 || ends || strchr("&<>@\\{}", *s))
		fprintf(out, "&#x%lx;", code_point(s, n));
	else
		putc(*s, out);
}

static void emit_javadoc_line(FILE *out, const char *line, size_t length)
{
	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	if (length)
		putc(' ', out);
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(line + i, length - i);
		emit_character(out, line + i, n, i && line[i] == '/' && line[i - 1] == '*');
	}
	putc('\n', out);
}

static void emit_javadoc(FILE *out, const char *indent, const char *text)
{
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		fprintf(out, "%s *", indent);
		emit_javadoc_line(out, text, length);
	}
}

/* ---- The method of an event ------------------------------------------------------------------ */

/*
 * Local variables of an event's method are `log` and, for a string `why`, `why_s`, with underscores
 * until no attribute has the name.
 *
 * A method of Java is known by the types of its parameters and of its result, not by the names of
 * its parameters: callers that were compiled for (int src, int seq) would call (int seq, int src).
 * So a method with parameters returns a type that stands for their types and names; its value is
 * null.
 */
#define RETURNED "RecompileCallers_%016" PRIx64

/* Java has no unsigned types: a uint is a long, which has all its values. */
static const struct {
	const char *parameter, *store, *cast, *remark;
} types[] = {
    [TYPE_INT] = {"int", "putInt", "", NULL},
    [TYPE_UINT] = {"long", "putInt", "(int) ", "its low 32 bits, unsigned"},
    [TYPE_LONG] = {"long", "putLong", "", NULL},
    [TYPE_ULONG] = {"long", "putLong", "", "64 bits, unsigned"},
    [TYPE_DOUBLE] = {"double", "putDouble", "", NULL},
    [TYPE_ADDRESS] = {"long", "putLong", "", "an address, or glimpse.Glimpse.address(object)"},
    [TYPE_CODE] = {"long", "putLong", "", "an address in the program"},
    [TYPE_OBJECT] = {"long", "putLong", "", "an address, or glimpse.Glimpse.address(object)"},
    [TYPE_CODE32] = {"long", "putInt", "(int) ", "an address in the program: its low 32 bits"},
    [TYPE_STRING] = {"String", "putString", "", NULL},
};

static void emit_comment(FILE *out, const struct event_type *e)
{
	bool separated = false;

	fputs("\n\t/**\n", out);
	if (e->comment)
		emit_javadoc(out, "\t", e->comment);
	else
		fprintf(out, "\t * The event {@code %s}.\n", e->name);
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		if (!types[a->type].remark)
			continue;
		fprintf(out, "%s\t * @param %s %s\n", separated ? "" : "\t *\n", a->name,
			types[a->type].remark);
		separated = true;
	}
	fputs("\t */\n", out);
}

/* Events of the same attributes share the type, which the first of them prints. */
static void emit_returned(FILE *out, const struct spec *s, const struct event_type *e)
{
	uint64_t hash = attributes_hash(e);

	for (unsigned i = 0; i < e->index; i++)
		if (attributes_hash(s->events[i]) == hash)
			return;
	fprintf(
	    out,
	    "\n"
	    "\t/** Callers that were compiled for other attributes ask for another type, and are refused. */\n"
	    "\tpublic interface " RETURNED " {\n"
	    "\t}\n",
	    hash);
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

/* Measures the strings first, since the size of the record depends on them. */
static void emit_sizes(FILE *out, const struct event_type *e)
{
	for (unsigned i = 0; i < e->nstrings; i++) {
		const char *name = event_string(e, i)->name;
		char *size = local_name(e, name, "_s");
		fprintf(out, "\t\tint %s = Log.size(%s);\n", size, name);
		free(size);
	}
}

/* Prints " start", then " + a_s + b_s" for the first n strings, then end. */
static void emit_sum(struct wrap *line, const struct event_type *e, unsigned start, unsigned n,
		     const char *end)
{
	wrap_item(line, "%u%s", start, n ? "" : end);
	for (unsigned i = 0; i < n; i++) {
		char *size = local_name(e, event_string(e, i)->name, "_s");
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

/* Returns what follows `return`. */
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

static void emit_event(FILE *out, const struct spec *s, const struct event_type *e)
{
	char *log = local_name(e, "log", "");
	struct wrap line = {out, 16, "\n\t\t\t"};

	if (e->nattributes)
		emit_returned(out, s, e);
	emit_comment(out, e);
	emit_signature(out, e);
	fprintf(out,
		"\t\tif (DISABLE_GLIMPSE || GLIMPSE_SPEC.off(%u))\n"
		"\t\t\treturn%s;\n",
		e->index, returned(e));
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

/* ---- The class ------------------------------------------------------------------------------- */

static const char *class_name = "GzEvent", *package_name;
static bool class_taken; /* by a specification that was checked */

bool java_choose_class(const char *name)
{
	class_name = name;
	return is_class(name);
}

bool java_choose_package(const char *name)
{
	package_name = name;
	return is_package(name);
}

static void check(const struct spec *s, struct diag *d)
{
	if (class_taken)
		diag_error(d, s->where,
			   "the class %s already belongs to another specification: "
			   "run glimpsec once for each, with --class",
			   class_name);
	class_taken = true;
	check_names(s, d);
}

static void emit_opening(FILE *out, const struct spec *s)
{
	if (package_name)
		fprintf(out, "package %s;\n\n", package_name);
	fprintf(
	    out,
	    "import glimpse.Glimpse;\n"
	    "import glimpse.Log;\n"
	    "import glimpse.Specification;\n"
	    "\n"
	    "/**\n"
	    " * The events of %s, generated by glimpsec " VERSION " from\n"
	    " * %s: edit that. Call the methods where the events happen.\n"
	    " */\n"
	    "public final class %s {\n"
	    "\t/** Set by {@code java -Dglimpse.disable=true}: no call does anything, and nothing is opened. */\n"
	    "\tpublic static final boolean DISABLE_GLIMPSE = Boolean.getBoolean(\"glimpse.disable\");\n"
	    "\n",
	    s->name, spec_origin(s), class_name);
}

/* A constant of a class has 65535 bytes, a byte may take two, and compilers limit long sums. */
enum { CONSTANT_MAX = 24000, CONSTANT_LINE = 48 };

static void emit_text(FILE *out, const struct spec *s)
{
	const char *line = s->text, *end;
	size_t constant = CONSTANT_MAX, n;

	fputs("\t\tString.join(\"\"", out);
	while (*line) {
		end = strchr(line, '\n');
		end = end ? end + 1 : line + strlen(line);
		n = (size_t)(end - line);
		if (n > CONSTANT_MAX)
			n = CONSTANT_MAX;
		fputs(constant + n > CONSTANT_MAX ? ",\n\t\t\t" : " +\n\t\t\t", out);
		constant = constant + n > CONSTANT_MAX ? n : constant + n;
		constant += CONSTANT_LINE;
		literal_emit(out, line, n, "\"\\");
		line += n;
	}
	fputs("));\n", out);
}

static void emit_specification(FILE *out, const struct spec *s)
{
	fprintf(
	    out,
	    "\tprivate static final Specification GLIMPSE_SPEC = DISABLE_GLIMPSE ? null : new Specification(\n"
	    "\t\t\"%s\", 0x%016" PRIx64 "L,\n"
	    "\t\tnew String[] {\n",
	    s->name, s->schema);
	for (unsigned i = 0; i < s->nevents; i++)
		fprintf(out, "\t\t\t\"%s\",\n", s->events[i]->name);
	fputs("\t\t},\n", out);
	emit_text(out, s);
}

static const struct {
	const char *comment, *name, *parameter, *call;
} services[] = {
    {"Opens the run where GLIMPSE_DIR says. Optional: the first event does it.", "init", "",
     "Glimpse.init(null)"},
    {"Opens the run in a directory, before the first event.", "init", "String dir",
     "Glimpse.init(dir)"},
    {"Ends the calling thread's log. Optional: the thread's end does it.", "closeThreadData", "",
     "Glimpse.closeThreadData()"},
    {"Ends the run: later events are not logged. Optional: the program's end does it.", "close", "",
     "Glimpse.close()"},
};

static void emit_services(FILE *out, const char *name)
{
	fprintf(out, "\n\tprivate %s() {\n\t}\n", name);
	for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
		fprintf(out, "\n\t/**\n\t * %s\n", services[i].comment);
		if (*services[i].parameter)
			fputs("\t *\n\t * @param dir the log directory\n", out);
		fprintf(out,
			"\t */\n"
			"\tpublic static void %s(%s) {\n"
			"\t\tif (!DISABLE_GLIMPSE)\n"
			"\t\t\t%s;\n"
			"\t}\n",
			services[i].name, services[i].parameter, services[i].call);
	}
}

static void emit(const struct spec *s, struct output *o)
{
	FILE *out = output_file(o, "%s.java", class_name);

	if (!out)
		return;
	emit_opening(out, s);
	emit_specification(out, s);
	emit_services(out, class_name);
	for (unsigned i = 0; i < s->nevents; i++)
		emit_event(out, s, s->events[i]);
	fputs("}\n", out);
}

const struct target target_java = {
    .name = "java",
    .description = "Java: GzEvent.java, or as --class says",
    .check = check,
    .emit = emit,
};
