/*
 * C and C++: NAME_glimpse.h with one inline function for each event, NAME_glimpse.c with the specification as
 * libglimpse wants it. The path of an event is in runtime/glimpse.h.
 */
#include "codegen/c.h"
#include "codegen/target.h"
#include "config.h"
#include <inttypes.h>
#include <string.h>

/* No directory: the output is the same wherever the specification lies. */
static const char *origin(const struct spec *s)
{
	const char *path = s->sources[0]->name, *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return "standard input";
	return slash ? slash + 1 : path;
}

static void emit_opening(FILE *out, const struct spec *s)
{
	const char *name = s->name;

	fprintf(out,
		"/*\n"
		" * The events of %s. Generated from %s by glimpsec " PACKAGE_VERSION ": edit that instead.\n"
		" *\n"
		" * Call these functions where the events happen, and link with %s_glimpse.c and -lglimpse.\n"
		" * With -DGLIMPSE_DISABLE a call is checked, but evaluates nothing and leaves no code.\n"
		" */\n"
		"#ifndef GLIMPSE_%s_H\n"
		"#define GLIMPSE_%s_H\n"
		"\n"
		"#include <glimpse.h>\n"
		"\n"
		"#ifdef __cplusplus\n"
		"extern \"C\" {\n"
		"#endif\n"
		"\n", name, origin(s), name, name, name);
}

static void emit_header(FILE *out, const struct spec *s)
{
	emit_opening(out, s);
	fprintf(out,
		"#ifndef GLIMPSE_DISABLE\n"
		"\n"
		"extern struct glimpse_spec %s_glimpse;\n", s->name);
	for (unsigned i = 0; i < s->nevents; i++)
		c_emit_event(out, s, s->events[i]);
	fputs("\n"
	      "#else /* GLIMPSE_DISABLE: the functions are named, for their parameters, and never called */\n"
	      "\n", out);
	for (unsigned i = 0; i < s->nevents; i++)
		c_emit_disabled(out, s->events[i]);
	fputs("#endif /* GLIMPSE_DISABLE */\n"
	      "\n"
	      "#ifdef __cplusplus\n"
	      "}\n"
	      "#endif\n"
	      "\n"
	      "#endif\n", out);
}

/* ISO C promises no more than this in one literal, and compilers warn. */
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
		c_emit_literal(out, line, (size_t)(end - line));
		line = end;
	}
	fputs(";\n", out);
}

static void emit_source(FILE *out, const struct spec *s)
{
	const char *name = s->name;

	fprintf(out,
		"/* The specification %s, for the logs. Generated from %s by glimpsec " PACKAGE_VERSION ". */\n"
		"#include \"%s_glimpse.h\"\n"
		"\n"
		"#ifndef GLIMPSE_DISABLE\n"
		"\n", name, origin(s), name);
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
		"\t%s_words, %s_words, GLIMPSE_ABI, %u, UINT64_C(0x%016" PRIx64 "),\n"
		"\t\"%s\", %s_text, sizeof %s_text - 1, %s_events, NULL,\n"
		"};\n"
		"\n"
		"GLIMPSE_REGISTER(%s_glimpse)\n"
		"\n"
		"#endif\n", name, name, name, s->nevents, s->schema, name, name, name, name, name);
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
	.check = c_check,
	.emit = emit,
};
