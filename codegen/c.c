/*
 * C and C++: NAME_glimpse.h with an inline function for each event, NAME_glimpse.c with the
 * specification for libglimpse. The path of an event is in runtime/glimpse.h.
 */
#include "codegen/c.h"
#include "base/array.h"
#include "base/utf8.h"
#include "codegen/emit.h"
#include "codegen/guards.h"
#include "codegen/reserved.h"
#include "codegen/target.h"
#include "config.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* Names that the generated functions use, and macros that would replace a parameter's name. */
static const char *const occupied[] = {
    "int64_t", "intptr_t", "uint32_t", "uint64_t", "uintptr_t", "NULL",
    "errno",   "assert",   "offsetof", "linux",    "unix",      NULL,
};

static bool c_is_occupied(const char *name)
{
	for (const char *const *o = occupied; *o; o++)
		if (!strcmp(name, *o))
			return true;
	return !strncasecmp(name, "glimpse_", strlen("glimpse_"));
}

/* Returns whether a parameter of this name would hide the specification's object. */
static bool is_object(const struct spec *s, const char *name)
{
	size_t n = strlen(s->name);

	return !strncmp(name, s->name, n) && !strcmp(name + n, "_glimpse");
}

static void check_word(const char *what, const char *name, struct span where, struct diag *d)
{
	bool c = name_reserved(LANGUAGE_C, name), cxx = name_reserved(LANGUAGE_CPP, name);

	if (c || cxx)
		diag_error(d, where, "'%s' cannot name %s: %s reserves it", name, what,
			   c ? "C" : "C++");
}

static void check_attribute(const struct spec *s, const struct attribute *a, struct diag *d)
{
	if (c_is_occupied(a->name) || is_object(s, a->name))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute: the generated code uses that name",
			   a->name);
	else
		check_word("an attribute", a->name, a->where, d);
}

static void check(const struct spec *s, struct diag *d)
{
	check_word("a specification", s->name, s->where, d);
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		check_word("an event", e->name, e->where, d);
		for (unsigned k = 0; k < e->nattributes; k++)
			check_attribute(s, &e->attributes[k], d);
	}
	if (s->nevents == 0)
		diag_error(d, s->where, "the specification '%s' has no events", s->name);
}

/*
 * Whether the functions are in a namespace, which has the specification's name. In C that name is
 * the beginning of theirs.
 */
static bool spaced;

void c_choose_namespace(void)
{
	spaced = true;
}

char *c_function(const struct spec *s, const struct event_type *e)
{
	return spaced ? text_format("%s_%s_Stamp", s->name, e->name)
		      : text_format("%s_Stamp", e->name);
}

/* ---- Literals and comments ------------------------------------------------------------------- */

/* Returns whether two characters would begin or end a comment, or begin a trigraph. */
static bool must_separate(char a, char b)
{
	return (a == '*' && b == '/') || (a == '/' && b == '*') || (a == '?' && b == '?');
}

static void emit_comment_line(FILE *out, const char *line, size_t length)
{
	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(line + i, length - i);
		if (n == 0 || ((unsigned char)line[i] < 0x20 && line[i] != '\t'))
			fputs("\xef\xbf\xbd", out); /* U+FFFD */
		else
			fwrite(line + i, 1, n, out);
		if (i + 1 < length && must_separate(line[i], line[i + 1]))
			putc(' ', out);
	}
}

static void emit_comment(FILE *out, const char *text)
{
	size_t length = strcspn(text, "\n");

	if (!text[length]) {
		fputs("/* ", out);
		emit_comment_line(out, text, length);
		fputs(" */\n", out);
		return;
	}
	fputs("/*\n", out);
	for (const char *line = text; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		fputs(length ? " * " : " *", out);
		emit_comment_line(out, line, length);
		putc('\n', out);
	}
	fputs(" */\n", out);
}

/* ---- The function of an event ---------------------------------------------------------------- */

/*
 * Local variables of an event's function are `slot` and, for a string `why`, `why_s`, with
 * underscores until no attribute has the name. Strings end with a NUL, or have a length and are
 * padded with blanks, as in Fortran, where code and object are integers: their casts take both.
 */
static const struct {
	const char *parameter, *store;
	const char *padded_store, *cast; /* in the source of C for Fortran */
} types[] = {
    [TYPE_INT] = {"int ", "glimpse_put_int", "glimpse_put32", "(uint32_t)"},
    [TYPE_UINT] = {"unsigned ", "glimpse_put32", "glimpse_put32", ""},
    [TYPE_LONG] = {"int64_t ", "glimpse_put_long", "glimpse_put64", "(uint64_t)"},
    [TYPE_ULONG] = {"uint64_t ", "glimpse_put64", "glimpse_put64", ""},
    [TYPE_DOUBLE] = {"double ", "glimpse_put_double", "glimpse_put_double", ""},
    [TYPE_ADDRESS] = {"const void *", "glimpse_put_address", "glimpse_put_address", ""},
    [TYPE_CODE] = {"const void *", "glimpse_put_address", "glimpse_put64", "(uint64_t)(uintptr_t)"},
    [TYPE_OBJECT] = {"const void *", "glimpse_put_address", "glimpse_put64",
		     "(uint64_t)(uintptr_t)"},
    [TYPE_CODE32] = {"const void *", "glimpse_put_code32", "glimpse_put32",
		     "(uint32_t)(uintptr_t)"},
    [TYPE_STRING] = {"glimpse_chars ", "glimpse_put_string", "glimpse_put_string", ""},
};

const char *c_parameter(enum type t)
{
	return types[t].parameter;
}

/*
 * Prints the head of an event's function, or of the one that gets the time as `ticks`; `what` ends
 * its name.
 */
static void emit_prototype(FILE *out, const struct spec *s, const struct event_type *e,
			   const char *what, const char *ticks)
{
	struct wrap line = {out, 0, "\n\t\t"};
	char *plain = text_format("%s_%s", e->name, what);
	char *name =
	    spaced ? text_format("GLIMPSE_NAME_%s(%s)", s->name, plain) : text_format("%s", plain);

	wrap_item(&line, "GLIMPSE_INLINE void %s(", name);
	if (ticks)
		wrap_item(&line, "uint64_t %s%s", ticks, e->nattributes ? "," : "");
	else if (!e->nattributes)
		wrap_item(&line, "void");
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(&line, "%s%s%s%s", !ticks && !i ? "" : " ",
			  types[e->attributes[i].type].parameter, e->attributes[i].name,
			  i + 1 < e->nattributes ? "," : "");
	putc(')', out);
	line.column++;
	wrap_item(&line, " GLIMPSE_NOEXCEPT");
	fputs("\n{\n", out);
	free(plain);
	free(name);
}

/* Prints " start", then " + a_s.size + b_s.size" for the first n strings, then end. */
static void emit_sum(struct wrap *line, const struct event_type *e, unsigned start, unsigned n,
		     const char *end)
{
	wrap_item(line, " %u%s", start, n ? "" : end);
	for (unsigned i = 0; i < n; i++) {
		char *measured = local_name(e, event_string(e, i)->name, "_s");
		wrap_item(line, " + %s.size%s", measured, i + 1 < n ? "" : end);
		free(measured);
	}
}

/* Prints the call that begins the record, at `ticks` unless that is NULL. */
static void emit_begin(FILE *out, const struct spec *s, const struct event_type *e,
		       const char *slot, const char *ticks)
{
	struct wrap line = {out, 8, "\n\t\t"};

	putc('\t', out);
	wrap_item(&line, "%s%s = glimpse_begin%s(&%s_glimpse, %u,",
		  e->nstrings ? "" : "struct glimpse_slot ", slot, ticks ? "_at" : "", s->name,
		  e->index);
	emit_sum(&line, e, e->fixed_size, e->nstrings, ticks ? "," : ");");
	if (ticks)
		wrap_item(&line, " %s);", ticks);
	putc('\n', out);
}

static void emit_begin_fixed(FILE *out, const struct spec *s, const struct event_type *e,
			     const char *slot, const char *ticks)
{
	emit_begin(out, s, e, slot, ticks);
	fprintf(out,
		"\n"
		"\tif (!%s.at)\n"
		"\t\treturn;\n",
		slot);
}

static void emit_measure(FILE *out, const struct event_type *e, const struct attribute *a,
			 enum c_strings strings)
{
	char *measured = local_name(e, a->name, "_s"), *length = local_name(e, a->name, "_n");

	if (strings == C_TERMINATED)
		fprintf(out, "\t%s = glimpse_measure(%s);\n", measured, a->name);
	else
		fprintf(out, "\t%s = glimpse_measure_padded(%s, %s);\n", measured, a->name, length);
	free(measured);
	free(length);
}

/* Measures the strings first, since the size of the record depends on them. */
static void emit_begin_strings(FILE *out, const struct spec *s, const struct event_type *e,
			       const char *slot, const char *ticks, enum c_strings strings)
{
	for (unsigned i = 0; i < e->nstrings; i++) {
		char *measured = local_name(e, event_string(e, i)->name, "_s");
		fprintf(out, "\tstruct glimpse_string %s;\n", measured);
		free(measured);
	}
	fprintf(out,
		"\tstruct glimpse_slot %s;\n"
		"\n"
		"\tif (glimpse_off(&%s_glimpse, %u))\n"
		"\t\treturn;\n",
		slot, s->name, e->index);
	for (unsigned i = 0; i < e->nstrings; i++)
		emit_measure(out, e, event_string(e, i), strings);
	emit_begin(out, s, e, slot, ticks);
	fprintf(out,
		"\tif (!%s.at)\n"
		"\t\treturn;\n",
		slot);
}

static void emit_store_string(struct wrap *line, const struct event_type *e,
			      const struct attribute *a)
{
	char *measured = local_name(e, a->name, "_s");

	emit_sum(line, e, a->offset, a->string_index, ",");
	wrap_item(line, " %s);", measured);
	free(measured);
}

static void emit_stores(FILE *out, const struct event_type *e, const char *slot,
			enum c_strings strings)
{
	bool padded = strings == C_PADDED;

	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		struct wrap line = {out, 8, "\n\t\t"};
		putc('\t', out);
		wrap_item(&line, "%s(%s.at +",
			  padded ? types[a->type].padded_store : types[a->type].store, slot);
		if (a->type == TYPE_STRING)
			emit_store_string(&line, e, a);
		else
			wrap_item(&line, " %u, %s%s);", a->offset,
				  padded ? types[a->type].cast : "", a->name);
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

static void emit_body(FILE *out, const struct spec *s, const struct event_type *e,
		      const char *ticks, enum c_strings strings)
{
	char *slot = local_name(e, "slot", "");

	if (e->nstrings)
		emit_begin_strings(out, s, e, slot, ticks, strings);
	else
		emit_begin_fixed(out, s, e, slot, ticks);
	emit_stores(out, e, slot, strings);
	emit_end(out, e, slot);
	free(slot);
}

void c_emit_body(FILE *out, const struct spec *s, const struct event_type *e,
		 enum c_strings strings)
{
	emit_body(out, s, e, NULL, strings);
}

static void emit_event(FILE *out, const struct spec *s, const struct event_type *e)
{
	char *ticks = local_name(e, "ticks", "");

	putc('\n', out);
	if (e->comment)
		emit_comment(out, e->comment);
	emit_prototype(out, s, e, "Stamp", NULL);
	emit_body(out, s, e, NULL, C_TERMINATED);
	fputs("}\n\n", out);
	emit_prototype(out, s, e, "StampAt", ticks);
	emit_body(out, s, e, ticks, C_TERMINATED);
	fputs("}\n", out);
	free(ticks);
}

/*
 * Prints a function for GLIMPSE_DISABLE. Its call is in a branch that is never taken, in which
 * the compiler still checks the arguments; in a namespace, whose name no macro can follow, it is
 * one of an empty function.
 */
static void emit_disabled_function(FILE *out, const struct spec *s, const struct event_type *e,
				   const char *ticks)
{
	const char *at = ticks ? "At" : "";
	char *name = text_format("Stamp%s%s", at, spaced ? "" : "None");

	emit_prototype(out, s, e, name, ticks);
	if (ticks)
		fprintf(out, "\tGLIMPSE_UNUSED(%s);\n", ticks);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(out, "\tGLIMPSE_UNUSED(%s);\n", e->attributes[i].name);
	fputs("}\n", out);
	if (!spaced)
		fprintf(out,
			"#define %s_Stamp%s(...) (0 ? %s_%s(__VA_ARGS__) : GLIMPSE_UNUSED(0))\n",
			e->name, at, e->name, name);
	putc('\n', out);
	free(name);
}

static void emit_disabled(FILE *out, const struct spec *s, const struct event_type *e)
{
	char *ticks = local_name(e, "ticks", "");

	emit_disabled_function(out, s, e, NULL);
	emit_disabled_function(out, s, e, ticks);
	free(ticks);
}

/* ---- Header and source ----------------------------------------------------------------------- */

static void emit_opening(FILE *out, const struct spec *s)
{
	const char *name = s->name;

	fprintf(
	    out,
	    "/*\n"
	    " * The events of %s, generated by glimpsec " VERSION " from %s: edit that.\n"
	    " *\n"
	    " * Call them where the events happen, and link with %s_glimpse.c and -lglimpse.\n"
	    " * NAME_StampAt() logs an event that happened before, when glimpse_now() was `ticks`.\n"
	    " * With -DGLIMPSE_DISABLE a call is type-checked and leaves no code.\n"
	    " */\n"
	    "#ifndef GLIMPSE_%s_H\n"
	    "#define GLIMPSE_%s_H\n"
	    "\n"
	    "#include <glimpse.h>\n"
	    "\n"
	    "GLIMPSE_QUIET\n"
	    "\n",
	    name, spec_origin(s), name, name, name);
}

static void emit_space(FILE *out, const struct spec *s)
{
	fprintf(out,
		"\n"
		"#endif\n"
		"\n"
		"#ifdef __cplusplus\n"
		"#define GLIMPSE_NAME_%s(name) name\n"
		"namespace %s {\n"
		"#else\n"
		"#define GLIMPSE_NAME_%s(name) %s_##name\n"
		"#endif\n"
		"\n"
		"#ifndef GLIMPSE_DISABLE\n",
		s->name, s->name, s->name, s->name);
}

/*
 * Prints the symbol that every event refers to. Its name has the schema, and says what to do if the
 * linker refuses an object that was compiled with the header of another schema.
 */
static void emit_declaration(FILE *out, const struct spec *s)
{
	const char *name = s->name;

	fprintf(out,
		"/* Its symbol is the schema's own: a linker that misses it says what to do. */\n"
		"extern struct glimpse_spec %s_glimpse __asm__(\n"
		"\t\"%s_glimpse_%016" PRIx64 "\"\n"
		"\t\"__link_%s_glimpse_c_or_recompile_all_that_include_%s_glimpse_h\");\n",
		name, name, s->schema, name, name);
}

static void emit_header(FILE *out, const struct spec *s)
{
	emit_opening(out, s);
	fputs("#ifndef GLIMPSE_DISABLE\n"
	      "\n",
	      out);
	emit_declaration(out, s);
	if (spaced)
		emit_space(out, s);
	for (unsigned i = 0; i < s->nevents; i++)
		emit_event(out, s, s->events[i]);
	fputs("\n"
	      "#else /* GLIMPSE_DISABLE: for the types of the arguments; never called */\n"
	      "\n",
	      out);
	for (unsigned i = 0; i < s->nevents; i++)
		emit_disabled(out, s, s->events[i]);
	fputs("#endif /* GLIMPSE_DISABLE */\n", out);
	guards_emit(out, s);
	if (spaced)
		fprintf(out,
			"\n"
			"#ifdef __cplusplus\n"
			"}\n"
			"#endif\n"
			"#undef GLIMPSE_NAME_%s\n",
			s->name);
	fputs("\n"
	      "GLIMPSE_LOUD\n"
	      "\n"
	      "#endif\n",
	      out);
}

/* ISO C guarantees this many bytes in a literal; compilers warn of more. */
enum { LITERAL_MAX = 4095 };

static void emit_text(FILE *out, const struct spec *s)
{
	const char *line = s->text, *end;

	if (strlen(s->text) > LITERAL_MAX)
		fputs("#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\n", out);
	fprintf(out, "static const char %s_text[] =", s->name);
	while (*line) {
		end = strchr(line, '\n');
		end = end ? end + 1 : line + strlen(line);
		fputs("\n\t", out);
		literal_emit(out, line, (size_t)(end - line), "\"\\?"); /* '?': for trigraphs */
		line = end;
	}
	fputs(";\n", out);
}

/* Returns whether readers need to know which modules the process had, or which objects. */
static bool spec_has_addresses(const struct spec *s)
{
	for (unsigned i = 0; i < s->nevents; i++)
		for (unsigned k = 0; k < s->events[i]->nattributes; k++)
			if (type_is_symbolic(s->events[i]->attributes[k].type))
				return true;
	return false;
}

static void emit_source(FILE *out, const struct spec *s)
{
	const char *name = s->name;

	fprintf(out,
		"/* The specification %s for logs, generated by glimpsec " VERSION " from %s. */\n"
		"#include \"%s_glimpse.h\"\n"
		"\n"
		"GLIMPSE_QUIET\n"
		"\n"
		"#ifndef GLIMPSE_DISABLE\n"
		"\n",
		name, spec_origin(s), name);
	emit_text(out, s);
	fprintf(out, "\nstatic const char *const %s_events[] = {\n", name);
	for (unsigned i = 0; i < s->nevents; i++)
		fprintf(out, "\t\"%s\",\n", s->events[i]->name);
	fprintf(out, "};\n\nstatic uint32_t %s_words[] = {\n", name);
	for (unsigned i = 0; i < s->nevents; i++)
		fprintf(out, "\tGLIMPSE_NEW, /* %s */\n", s->events[i]->name);
	fprintf(out,
		"};\n"
		"\n"
		"struct glimpse_spec %s_glimpse = {\n"
		"\t%s_words, %s_words, GLIMPSE_ABI%s, %u, UINT64_C(0x%016" PRIx64 "),\n"
		"\t\"%s\", %s_text, sizeof %s_text - 1, %s_events, GLIMPSE_NULL,\n"
		"};\n"
		"\n"
		"GLIMPSE_REGISTER(%s_glimpse)\n"
		"\n"
		"#endif\n"
		"\n"
		"GLIMPSE_LOUD\n",
		name, name, name, spec_has_addresses(s) ? " | GLIMPSE_ADDRESSES" : "", s->nevents,
		s->schema, name, name, name, name, name);
}

static void emit(const struct spec *s, struct output *o)
{
	FILE *header = output_file(o, "%s_glimpse.h", s->name);
	FILE *source = output_file(o, "%s_glimpse.c", s->name);

	if (header)
		emit_header(header, s);
	if (source)
		emit_source(source, s);
}

const struct target target_c = {
    .name = "c",
    .alias = "c++",
    .description = "C and C++ (also c++): NAME_glimpse.h, NAME_glimpse.c",
    .check = check,
    .emit = emit,
};
