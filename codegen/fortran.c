/*
 * Fortran: the module NAME_glimpse.f90 and the C file NAME_glimpse_f.c that it calls, beside the
 * files of the target C, which have the specification. A program with parts in both languages has
 * each file once, and so registers the specification once.
 */
#include "base/array.h"
#include "base/utf8.h"
#include "codegen/c.h"
#include "codegen/emit.h"
#include "codegen/reserved.h"
#include "codegen/target.h"
#include "config.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/*
 * Names that Fortran cannot have. It ignores case, and the argument of a subroutine cannot have the
 * subroutine's name.
 */
/* Names that the module uses. */
static const char *const occupied[] = {
    "c_char", "c_double", "c_int",   "c_int64_t",     "c_intptr_t",
    "c_ptr",  "c_size_t", "glimpse", "iso_c_binding", NULL,
};

static bool fortran_is_occupied(const char *name)
{
	for (const char *const *o = occupied; *o; o++)
		if (!strcasecmp(name, *o))
			return true;
	return false;
}

/* Returns whether a name is the runtime's. Attributes of such names are refused for C. */
static bool is_runtime(const char *name)
{
	return !strncasecmp(name, "glimpse_", strlen("glimpse_"));
}

static bool is_module(const struct spec *s, const char *name)
{
	size_t n = strlen(s->name);

	return !strncasecmp(name, s->name, n) && !strcasecmp(name + n, "_glimpse");
}

static void check_form(const char *what, const char *name, const char *suffix, struct span where,
		       struct diag *d)
{
	if (name[0] == '_')
		diag_error(d, where, "'%s' cannot name %s: names in Fortran begin with a letter",
			   name, what);
	if (strlen(name) + strlen(suffix) > NAME_FORTRAN_LONGEST)
		diag_error(d, where, "'%s%s' has %zu characters; the limit in Fortran is %d", name,
			   suffix, strlen(name) + strlen(suffix), NAME_FORTRAN_LONGEST);
}

static void check_attribute(const struct event_type *e, unsigned i, struct diag *d)
{
	const struct attribute *a = &e->attributes[i];

	check_form("an attribute", a->name, "", a->where, d);
	if (fortran_is_occupied(a->name))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute: the generated code uses that name",
			   a->name);
	if (!strcasecmp(a->name, e->name))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute of %s: its subroutine has the same name "
			   "in Fortran, where case is ignored",
			   a->name, e->name);
	for (unsigned k = 0; k < i; k++)
		if (!strcasecmp(a->name, e->attributes[k].name)) {
			diag_error(d, a->where,
				   "'%s' and '%s' are the same name in Fortran, "
				   "where case is ignored",
				   a->name, e->attributes[k].name);
			diag_note(d, e->attributes[k].where, "the other one is here");
			break;
		}
}

static void check_case(const struct spec *s, const struct event_type *e, struct diag *d)
{
	for (unsigned i = 0; i < e->index; i++)
		if (!strcasecmp(e->name, s->events[i]->name)) {
			diag_error(d, e->where,
				   "'%s' and '%s' are the same name in Fortran, "
				   "where case is ignored",
				   e->name, s->events[i]->name);
			diag_note(d, s->events[i]->where, "the other one is here");
			return;
		}
}

static void check_event(const struct spec *s, const struct event_type *e, struct diag *d)
{
	const char *owner = name_procedure(e->name);

	check_form("an event", e->name, "", e->where, d);
	if (fortran_is_occupied(e->name) || is_runtime(e->name) || is_module(s, e->name))
		diag_error(d, e->where,
			   "'%s' cannot name an event: the generated module uses that name",
			   e->name);
	else if (owner)
		diag_error(d, e->where,
			   "'%s' cannot name an event in Fortran: a procedure of %s has that name",
			   e->name, owner);
	check_case(s, e, d);
	for (unsigned i = 0; i < e->nattributes; i++)
		check_attribute(e, i, d);
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* Characters of a line of a comment; free form allows 132 with the indentation. */
enum { COMMENT_COLUMNS = 96 };

/* Returns the length of the longest piece that fits into a line, up to a blank if there is one. */
static size_t piece_length(const char *text, size_t length)
{
	size_t n = 0, blank = 0, next;

	for (unsigned column = 0; n < length && column < COMMENT_COLUMNS; column++) {
		if (text[n] == ' ')
			blank = n;
		next = utf8_length(text + n, length - n);
		n += next ? next : 1;
	}
	return n < length && blank ? blank : n;
}

static void emit_bytes(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(text + i, length - i);
		if (text[i] == '\t')
			putc(' ', out);
		else if (n == 0 || (unsigned char)text[i] < 0x20)
			fputs("\xef\xbf\xbd", out); /* U+FFFD */
		else
			fwrite(text + i, 1, n, out);
	}
}

static void emit_comment_line(FILE *out, const char *indent, const char *line, size_t length)
{
	size_t n;

	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	if (!length)
		fprintf(out, "%s!\n", indent);
	for (; length; line += n, length -= n) {
		n = piece_length(line, length);
		fprintf(out, "%s! ", indent);
		emit_bytes(out, line, n);
		putc('\n', out);
		while (n < length && line[n] == ' ')
			n++;
	}
}

static void emit_comment(FILE *out, const char *indent, const char *text)
{
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		emit_comment_line(out, indent, text, length);
	}
}

/* ---- The module ------------------------------------------------------------------------------ */

/*
 * NAME_glimpse.f90. An event without strings is an interface to the function of NAME_glimpse_f.c.
 * Strings have no counterpart in C before Fortran 2018, so events with strings are procedures that
 * pass lengths on.
 */
static const struct {
	const char *kind, *declaration;
} module_types[] = {
    [TYPE_INT] = {"c_int", "integer(c_int), value"},
    [TYPE_UINT] = {"c_int", "integer(c_int), value"},
    [TYPE_LONG] = {"c_int64_t", "integer(c_int64_t), value"},
    [TYPE_ULONG] = {"c_int64_t", "integer(c_int64_t), value"},
    [TYPE_DOUBLE] = {"c_double", "real(c_double), value"},
    [TYPE_STRING] = {"c_char", "character(kind=c_char), dimension(*), intent(in)"},
    [TYPE_ADDRESS] = {"c_ptr", "type(c_ptr), value"},
    [TYPE_CODE] = {"c_intptr_t", "integer(c_intptr_t), value"},
    [TYPE_OBJECT] = {"c_intptr_t", "integer(c_intptr_t), value"},
    [TYPE_CODE32] = {"c_intptr_t", "integer(c_intptr_t), value"},
};

/* The name of an event's procedure: the schema's identity and the event's index. */
#define PROCEDURE "recompile_callers_%016" PRIx64 "_%u"

/* The kinds, in the order in which they are imported. */
static const char *const kinds[] = {
    "c_char", "c_double", "c_int", "c_int64_t", "c_intptr_t", "c_ptr",
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

static bool uses_kind(const struct event_type *e, const char *kind)
{
	for (unsigned i = 0; i < e->nattributes; i++)
		if (!strcmp(module_types[e->attributes[i].type].kind, kind))
			return true;
	return false;
}

static bool any_uses_kind(const struct spec *s, const char *kind)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (uses_kind(s->events[i], kind))
			return true;
	return false;
}

static void emit_uses(FILE *out, const struct spec *s)
{
	const char *separator = "  use, intrinsic :: iso_c_binding, only: ";

	for (unsigned k = 0; k < NKINDS; k++) {
		if (!any_uses_kind(s, kinds[k]))
			continue;
		fprintf(out, "%s%s", separator, kinds[k]);
		separator = ", ";
	}
	if (any_uses_kind(s, module_types[TYPE_STRING].kind))
		fprintf(out, "%sc_size_t", separator);
	fputs(*separator == ',' ? "\n" : "", out);
	fputs("  use glimpse\n", out);
}

static void emit_module_opening(FILE *out, const struct spec *s)
{
	const char *name = s->name;

	fprintf(
	    out,
	    "!\n"
	    "! The events of %s, generated by glimpsec " VERSION " from %s: edit that.\n"
	    "!\n"
	    "! Call them where the events happen. Compile this file after Glimpse's glimpse.f90, and\n"
	    "! link with %s_glimpse.c, %s_glimpse_f.c and -lglimpse.\n"
	    "!\n"
	    "module %s_glimpse\n",
	    name, spec_origin(s), name, name, name);
	emit_uses(out, s);
	fputs(
	    "  implicit none\n"
	    "  private\n"
	    "\n"
	    "  public :: glimpse_init, glimpse_terminate, glimpse_thread_name, glimpse_thread_close\n"
	    "  public :: glimpse_thread_switch, glimpse_switch, glimpse_snapshot\n"
	    "\n",
	    out);
	for (unsigned i = 0; i < s->nevents; i++)
		fprintf(out, "  public :: %s\n", s->events[i]->name);
}

static void emit_arguments(struct wrap *line, const struct event_type *e, bool lengths)
{
	unsigned nlengths = lengths ? e->nstrings : 0, last = e->nattributes + nlengths;

	wrap_item(line, "%s", last ? "(" : "()");
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(line, "%s%s%s", i ? " " : "", e->attributes[i].name,
			  i + 1 < last ? "," : ")");
	for (unsigned i = 1; i <= nlengths; i++)
		wrap_item(line, " glimpse_length_%u%s", i, i < nlengths ? "," : ")");
}

static void emit_import(FILE *out, const struct event_type *e, const char *indent)
{
	const char *separator = "import :: ";

	if (!e->nattributes)
		return;
	fprintf(out, "  %s", indent);
	for (unsigned k = 0; k < NKINDS; k++) {
		if (!uses_kind(e, kinds[k]))
			continue;
		fprintf(out, "%s%s", separator, kinds[k]);
		separator = ", ";
	}
	fprintf(out, "%s\n", e->nstrings ? ", c_size_t" : "");
}

/* Prints the symbol of an event's function; emit_bound() gives it the same. */
static void emit_label(struct wrap *line, const struct spec *s, const struct event_type *e)
{
	wrap_item(line, " bind(C,");
	wrap_item(line, " name=\"%s_glimpse_\" //", s->name);
	wrap_item(line, " \"%s_%016" PRIx64 "__link_f_c_or_recompile_callers\")\n", e->name,
		  s->schema);
}

/* Prints the interface of the function in NAME_glimpse_f.c, called `name` in Fortran. */
static void emit_interface(FILE *out, const struct spec *s, const struct event_type *e,
			   const char *name, const char *indent)
{
	struct wrap line = {out, 0, " &\n          "};

	wrap_item(&line, "%ssubroutine %s", indent, name);
	emit_arguments(&line, e, true);
	emit_label(&line, s, e);
	emit_import(out, e, indent);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(out, "%s  %s :: %s\n", indent,
			module_types[e->attributes[i].type].declaration, e->attributes[i].name);
	for (unsigned i = 1; i <= e->nstrings; i++)
		fprintf(out, "%s  integer(c_size_t), value :: glimpse_length_%u\n", indent, i);
	fprintf(out, "%send subroutine %s\n", indent, name);
}

/* The lengths are type parameters, since `len` may be an attribute; they get the kind of C. */
static void emit_module_call(FILE *out, const struct event_type *e)
{
	struct wrap line = {out, 0, " &\n        "};

	wrap_item(&line, "    call glimpse_stamp(");
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(&line, "%s%s,", i ? " " : "", e->attributes[i].name);
	for (unsigned i = 0; i < e->nstrings; i++)
		wrap_item(&line, " %s%%len + 0_c_size_t%s", event_string(e, i)->name,
			  i + 1 < e->nstrings ? "," : ")\n");
}

/*
 * Lets callers use the event's name. The procedure has the schema's identity in its name, so that
 * the linker refuses objects that used the module of another schema.
 */
static void emit_generic(FILE *out, const struct spec *s, const struct event_type *e)
{
	fprintf(out,
		"\n"
		"  interface %s\n"
		"    module procedure " PROCEDURE "\n"
		"  end interface\n",
		e->name, s->schema, e->index);
}

static void emit_procedure(FILE *out, const struct spec *s, const struct event_type *e)
{
	struct wrap line = {out, 0, " &\n      "};

	wrap_item(&line, "  subroutine " PROCEDURE, s->schema, e->index);
	emit_arguments(&line, e, false);
	putc('\n', out);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(out, "    %s :: %s\n",
			e->attributes[i].type == TYPE_STRING
			    ? "character(len=*), intent(in)"
			    : module_types[e->attributes[i].type].declaration,
			e->attributes[i].name);
	fputs("    interface\n", out);
	emit_interface(out, s, e, "glimpse_stamp", "      ");
	fputs("    end interface\n"
	      "\n",
	      out);
	emit_module_call(out, e);
	fprintf(out, "  end subroutine " PROCEDURE "\n", s->schema, e->index);
}

/* Prints the events with strings, or those without, after the opening of their section. */
static bool emit_events(FILE *out, const struct spec *s, bool strings, const char *opening)
{
	bool any = false;

	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		if ((e->nstrings > 0) != strings)
			continue;
		fputs(any ? "" : opening, out);
		any = true;
		putc('\n', out);
		if (e->comment)
			emit_comment(out, strings ? "  " : "    ", e->comment);
		if (strings)
			emit_procedure(out, s, e);
		else
			emit_interface(out, s, e, e->name, "    ");
	}
	return any;
}

static void emit_module(FILE *out, const struct spec *s)
{
	emit_module_opening(out, s);
	if (emit_events(out, s, false, "\n  interface\n"))
		fputs("\n  end interface\n", out);
	for (unsigned i = 0; i < s->nevents; i++)
		if (s->events[i]->nstrings)
			emit_generic(out, s, s->events[i]);
	emit_events(out, s, true, "\ncontains\n");
	fprintf(out, "\nend module %s_glimpse\n", s->name);
}

/* ---- The C functions ------------------------------------------------------------------------- */

/*
 * NAME_glimpse_f.c. Each event has two functions. NAME_glimpse_EVENT takes values; the module binds
 * to it by a symbol with the schema's identity. event_ has the name and takes the references that
 * gfortran uses in a call without an interface. The length of a string `why` follows the attributes
 * as `why_n`.
 */
static const struct {
	const char *value, *reference, *use;
	const char *cast; /* to the parameter of the function of C */
} stub_types[] = {
    [TYPE_INT] = {"int ", "const int *", "*", ""},
    [TYPE_UINT] = {"unsigned ", "const int *", "(unsigned)*", ""},
    [TYPE_LONG] = {"int64_t ", "const int64_t *", "*", ""},
    [TYPE_ULONG] = {"uint64_t ", "const int64_t *", "(uint64_t)*", ""},
    [TYPE_DOUBLE] = {"double ", "const double *", "*", ""},
    [TYPE_ADDRESS] = {"const void *", "const void *const *", "*", ""},
    [TYPE_CODE] = {"intptr_t ", "const intptr_t *", "*", "(const void *)"},
    [TYPE_OBJECT] = {"intptr_t ", "const intptr_t *", "*", "(const void *)"},
    [TYPE_CODE32] = {"intptr_t ", "const intptr_t *", "*", "(const void *)"},
    [TYPE_STRING] = {"const char *", "const char *", "", ""},
};

/* Prints "size_t why_n" or "why_n" for each string, and the end of the list. */
static void emit_lengths(struct wrap *line, const struct event_type *e, const char *type)
{
	for (unsigned i = 0; i < e->nstrings; i++) {
		char *length = local_name(e, event_string(e, i)->name, "_n");
		wrap_item(line, " %s%s%s", type, length, i + 1 < e->nstrings ? "," : "");
		free(length);
	}
	wrap_item(line, ")");
}

static bool is_last(const struct event_type *e, unsigned i)
{
	return i + 1 == e->nattributes && !e->nstrings;
}

/* Returns the name of an event's function, which the caller frees. */
static char *function_name(const struct spec *s, const struct event_type *e, bool reference)
{
	char *name;

	if (!reference)
		return text_format("%s_glimpse_%s", s->name, e->name);
	name = text_format("%s_", e->name);
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

static void emit_prototype(FILE *out, const struct spec *s, const struct event_type *e,
			   bool reference, const char *end)
{
	struct wrap line = {out, 0, "\n\t\t"};
	char *name = function_name(s, e, reference);

	wrap_item(&line, "void %s(", name);
	free(name);
	if (!e->nattributes)
		wrap_item(&line, "void");
	for (unsigned i = 0; i < e->nattributes; i++) {
		enum type t = e->attributes[i].type;
		wrap_item(&line, "%s%s%s%s", i ? " " : "",
			  reference ? stub_types[t].reference : stub_types[t].value,
			  e->attributes[i].name, is_last(e, i) ? "" : ",");
	}
	emit_lengths(&line, e, "size_t ");
	fputs(end, out);
}

static void emit_stub_call(FILE *out, const struct spec *s, const struct event_type *e)
{
	struct wrap line = {out, 8, "\n\t\t"};
	char *function = c_function(s, e);

	putc('\t', out);
	wrap_item(&line, "%s(", function);
	free(function);
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(&line, "%s%s%s%s", i ? " " : "", stub_types[e->attributes[i].type].cast,
			  e->attributes[i].name, is_last(e, i) ? ");" : ",");
	fputs(e->nattributes ? "\n" : ");\n", out);
}

/* Prints a function with strings, whose lengths the function of C does not take. */
static void emit_padded(FILE *out, const struct spec *s, const struct event_type *e)
{
	fputs("#ifndef GLIMPSE_DISABLE\n", out);
	c_emit_body(out, s, e, C_PADDED);
	fputs("#else\n", out);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(out, "\t(void)%s;\n", e->attributes[i].name);
	for (unsigned i = 0; i < e->nstrings; i++) {
		char *length = local_name(e, event_string(e, i)->name, "_n");
		fprintf(out, "\t(void)%s;\n", length);
		free(length);
	}
	fputs("#endif\n", out);
}

static void emit_bound(FILE *out, const struct spec *s, const struct event_type *e)
{
	putc('\n', out);
	emit_prototype(out, s, e, false, "\n");
	fprintf(out,
		"\t__asm__(\"%s_glimpse_%s_%016" PRIx64 "__link_f_c_or_recompile_callers\");\n",
		s->name, e->name, s->schema);
	emit_prototype(out, s, e, false, "\n{\n");
	if (e->nstrings)
		emit_padded(out, s, e);
	else
		emit_stub_call(out, s, e);
	fputs("}\n", out);
}

static void emit_external(FILE *out, const struct spec *s, const struct event_type *e)
{
	struct wrap line = {out, 8, "\n\t\t"};

	putc('\n', out);
	emit_prototype(out, s, e, true, ";\n");
	emit_prototype(out, s, e, true, "\n{\n\t");
	wrap_item(&line, "%s_glimpse_%s(", s->name, e->name);
	for (unsigned i = 0; i < e->nattributes; i++)
		wrap_item(&line, "%s%s%s%s", i ? " " : "", stub_types[e->attributes[i].type].use,
			  e->attributes[i].name, is_last(e, i) ? "" : ",");
	emit_lengths(&line, e, "");
	fputs(";\n}\n", out);
}

static void emit_stubs(FILE *out, const struct spec *s)
{
	fprintf(out,
		"/*\n"
		" * The events of %s for Fortran, generated by glimpsec " VERSION
		" from %s: edit that.\n"
		" * To be compiled and linked with %s_glimpse.f90 and %s_glimpse.c.\n"
		" */\n"
		"#include \"%s_glimpse.h\"\n"
		"\n"
		"/* What the module binds to. */\n",
		s->name, spec_origin(s), s->name, s->name, s->name);
	for (unsigned i = 0; i < s->nevents; i++)
		emit_bound(out, s, s->events[i]);
	fputs("\n"
	      "#ifndef GLIMPSE_MODULE_ONLY\n"
	      "\n"
	      "/* For callers without the module: external names as gfortran makes them. */\n",
	      out);
	for (unsigned i = 0; i < s->nevents; i++)
		emit_external(out, s, s->events[i]);
	fputs("\n#endif\n", out);
}

/* ---- The target ------------------------------------------------------------------------------ */

static void check(const struct spec *s, struct diag *d)
{
	target_c.check(s, d);
	check_form("a specification", s->name, "_glimpse", s->where, d);
	for (unsigned i = 0; i < s->nevents; i++)
		check_event(s, s->events[i], d);
}

static void emit(const struct spec *s, struct output *o)
{
	FILE *module = output_file(o, "%s_glimpse.f90", s->name);
	FILE *stubs = output_file(o, "%s_glimpse_f.c", s->name);

	if (module)
		emit_module(module, s);
	if (stubs)
		emit_stubs(stubs, s);
	target_c.emit(s, o);
}

const struct target target_fortran = {
    .name = "fortran",
    .alias = "f90",
    .description = "Fortran: NAME_glimpse.f90, NAME_glimpse_f.c, and the files of c",
    .check = check,
    .emit = emit,
};
