#include "formats/firefox_tables.h"
#include "analysis/activity/roles.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* ---- making ---- */

uint32_t firefox_string(struct firefox_tables *f, const char *text)
{
	int64_t number = symbols_number(f->trace, text);
	uint32_t at = hash_table_number(&f->known_strings, (uint64_t)number, 0, f->strings.n);

	if (at == f->strings.n)
		*vector_add(&f->strings) = symbols_numbered(f->trace, number);
	return at;
}

static int source_of(struct firefox_tables *f, const char *line, const char *colon)
{
	char *file = text_format("%.*s", (int)(colon - line), line);
	uint32_t name = firefox_string(f, file);
	uint32_t at = hash_table_number(&f->known_sources, name, 0, f->sources.n);

	free(file);
	if (at == f->sources.n)
		*vector_add(&f->sources) = name;
	return (int)at;
}

static int module_of(struct firefox_tables *f, const char *module)
{
	uint32_t name = firefox_string(f, module);
	uint32_t at = hash_table_number(&f->known_modules, name, 0, f->modules.n);

	if (at == f->modules.n)
		*vector_add(&f->modules) = name;
	return (int)at;
}

static uint32_t frame_of(struct firefox_tables *f, uint32_t function, int64_t line)
{
	uint32_t at = hash_table_number(&f->known_frames, function, (uint64_t)line, f->frames.n);

	if (at == f->frames.n)
		*vector_add(&f->frames) = (struct firefox_frame){function, line};
	return at;
}

static uint32_t function_of(struct firefox_tables *f, const char *name, int source,
			    const char *module)
{
	uint32_t text = firefox_string(f, name);
	uint32_t at = hash_table_number(&f->known_functions, text, 0, f->functions.n);

	if (at == f->functions.n)
		*vector_add(&f->functions) =
		    (struct firefox_function){text, source, module ? module_of(f, module) : -1};
	return at;
}

static uint32_t stack_frame(struct firefox_tables *f, const struct sample_stack *stack)
{
	const struct samples *s = f->samples;
	const struct event *e = &stack->frame;
	struct role role = role_of_samples(s->calls[e->type->index]);
	unsigned code = (unsigned)role.start.code[0];
	const char *line = address_line(f->trace, e, code);
	const char *colon = line ? strrchr(line, ':') : NULL;
	int source = colon ? source_of(f, line, colon) : -1;
	int64_t function = s->paths.at[stack->path].function;

	return frame_of(f,
			function_of(f, symbols_numbered(f->trace, function), source,
				    address_module(f->trace, e, code)),
			colon ? strtol(colon + 1, NULL, 10) : 0);
}

void firefox_tables_make(struct firefox_tables *f, const struct trace *t, const struct samples *s)
{
	*f = (struct firefox_tables){.trace = t, .samples = s};
	if (!s)
		return;
	f->stack_frames = array_zero(s->stacks.n, sizeof *f->stack_frames);
	f->stack_frames[STACK_CUT] =
	    frame_of(f, function_of(f, "(callers not known)", -1, NULL), 0);
	for (size_t i = STACK_CUT + 1; i < s->stacks.n; i++)
		f->stack_frames[i] = stack_frame(f, &s->stacks.at[i]);
}

void firefox_tables_free(struct firefox_tables *f)
{
	struct hash_table *tables[] = {&f->known_strings, &f->known_sources, &f->known_modules,
				       &f->known_functions, &f->known_frames};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		hash_table_free(tables[i]);
	free(f->strings.at);
	free(f->sources.at);
	free(f->modules.at);
	free(f->functions.at);
	free(f->frames.at);
	free(f->stack_frames);
}

/* ---- writing: a table is an object with an array for each column ---- */

static void table_open(struct json *j, const char *name, size_t length)
{
	json_object(j, name);
	json_uint(j, "length", length);
}

enum constant { CONSTANT_NULL, CONSTANT_FALSE, CONSTANT_NUMBER };

/* Writes a column of which all entries are the same. */
static void constant_write(struct json *j, const char *name, size_t length, enum constant what,
			   int number)
{
	json_array(j, name);
	for (size_t i = 0; i < length; i++)
		if (what == CONSTANT_NUMBER)
			json_int(j, NULL, number);
		else if (what == CONSTANT_FALSE)
			json_bool(j, NULL, false);
		else
			json_null(j, NULL);
	json_close(j);
}

static void known_write(struct json *j, int64_t number, bool known)
{
	if (known)
		json_int(j, NULL, number);
	else
		json_null(j, NULL);
}

/* Stacks are numbered from STACK_CUT on, which has a frame that says so. */
void firefox_stack_write(struct json *j, uint32_t stack)
{
	known_write(j, (int64_t)stack - STACK_CUT, stack >= STACK_CUT);
}

static void stacks_write(struct json *j, const struct firefox_tables *f)
{
	size_t n = f->samples ? f->samples->stacks.n : STACK_CUT;

	table_open(j, "stackTable", n - STACK_CUT);
	json_array(j, "frame");
	for (size_t i = STACK_CUT; i < n; i++)
		json_uint(j, NULL, f->stack_frames[i]);
	json_close(j);
	json_array(j, "prefix");
	for (size_t i = STACK_CUT; i < n; i++)
		firefox_stack_write(j,
				    i == STACK_CUT ? STACK_WHOLE : f->samples->stacks.at[i].caller);
	json_close(j);
	json_close(j);
}

static void frames_write(struct json *j, const struct firefox_tables *f)
{
	size_t n = f->frames.n;

	table_open(j, "frameTable", n);
	constant_write(j, "address", n, CONSTANT_NUMBER, -1);
	constant_write(j, "inlineDepth", n, CONSTANT_NUMBER, 0);
	constant_write(j, "category", n, CONSTANT_NUMBER, FIREFOX_CODE);
	constant_write(j, "subcategory", n, CONSTANT_NUMBER, 0);
	json_array(j, "func");
	for (size_t i = 0; i < n; i++)
		json_uint(j, NULL, f->frames.at[i].function);
	json_close(j);
	constant_write(j, "nativeSymbol", n, CONSTANT_NULL, 0);
	constant_write(j, "innerWindowID", n, CONSTANT_NUMBER, 0);
	json_array(j, "line");
	for (size_t i = 0; i < n; i++)
		known_write(j, f->frames.at[i].line, f->frames.at[i].line > 0);
	json_close(j);
	constant_write(j, "column", n, CONSTANT_NULL, 0);
	json_close(j);
}

static void functions_write(struct json *j, const struct firefox_tables *f)
{
	size_t n = f->functions.n;

	table_open(j, "funcTable", n);
	json_array(j, "name");
	for (size_t i = 0; i < n; i++)
		json_uint(j, NULL, f->functions.at[i].name);
	json_close(j);
	constant_write(j, "isJS", n, CONSTANT_FALSE, 0);
	constant_write(j, "relevantForJS", n, CONSTANT_FALSE, 0);
	json_array(j, "resource");
	for (size_t i = 0; i < n; i++)
		json_int(j, NULL, f->functions.at[i].resource);
	json_close(j);
	json_array(j, "source");
	for (size_t i = 0; i < n; i++)
		known_write(j, f->functions.at[i].source, f->functions.at[i].source >= 0);
	json_close(j);
	constant_write(j, "lineNumber", n, CONSTANT_NULL, 0);
	constant_write(j, "columnNumber", n, CONSTANT_NULL, 0);
	json_close(j);
}

static void strings_column(struct json *j, const char *name, const uint32_t *strings, size_t n)
{
	json_array(j, name);
	for (size_t i = 0; i < n; i++)
		json_uint(j, NULL, strings[i]);
	json_close(j);
}

/* A module is a resource, and the library of the same number. */
static void resources_write(struct json *j, const struct firefox_tables *f)
{
	enum { RESOURCE_LIBRARY = 1 };
	size_t n = f->modules.n;

	table_open(j, "resourceTable", n);
	json_array(j, "lib");
	for (size_t i = 0; i < n; i++)
		json_uint(j, NULL, i);
	json_close(j);
	strings_column(j, "name", f->modules.at, n);
	constant_write(j, "host", n, CONSTANT_NULL, 0);
	constant_write(j, "type", n, CONSTANT_NUMBER, RESOURCE_LIBRARY);
	json_close(j);
}

static void no_symbols_write(struct json *j)
{
	static const char *const columns[] = {"libIndex", "address", "name", "functionSize"};

	table_open(j, "nativeSymbols", 0);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		constant_write(j, columns[i], 0, CONSTANT_NULL, 0);
	json_close(j);
}

void firefox_shared_write(struct json *j, const struct firefox_tables *f)
{
	json_object(j, "shared");
	stacks_write(j, f);
	frames_write(j, f);
	functions_write(j, f);
	resources_write(j, f);
	no_symbols_write(j);
	table_open(j, "sources", f->sources.n);
	constant_write(j, "uuid", f->sources.n, CONSTANT_NULL, 0);
	strings_column(j, "filename", f->sources.at, f->sources.n);
	json_close(j);
	json_array(j, "stringArray");
	for (size_t i = 0; i < f->strings.n; i++)
		json_string(j, NULL, f->strings.at[i]);
	json_close(j);
	json_close(j);
}

void firefox_libs_write(struct json *j, const struct firefox_tables *f)
{
	json_array(j, "libs");
	for (size_t i = 0; i < f->modules.n; i++) {
		const char *name = f->strings.at[f->modules.at[i]];

		json_object(j, NULL);
		json_string(j, "arch", "");
		json_string(j, "name", name);
		json_string(j, "path", name);
		json_string(j, "debugName", name);
		json_string(j, "debugPath", name);
		json_string(j, "breakpadId", "");
		json_null(j, "codeId");
		json_close(j);
	}
	json_close(j);
}
