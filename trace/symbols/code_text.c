#include "trace/symbols/code_text.h"
#include "base/visible.h"
#include "trace/address.h"
#include "trace/symbols/callables.h"
#include "trace/symbols/source_path.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *seen_text(char *text)
{
	char *seen = visible_text(text);

	free(text);
	return seen;
}

/* A function without a name is named by its file and where it begins. */
static char *function_text(const struct module *m, uint64_t address, const struct place *p)
{
	return p->name ? text_format("%s", p->name)
		       : seen_text(text_format("%.200s:fn_%" PRIx64, module_name(m),
					       address - p->offset));
}

/* Takes the path of a file and a line; returns NULL if they are not known. */
static char *line_text(const char *path, unsigned line)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return path ? seen_text(text_format("%.200s:%u", slash ? slash + 1 : path, line)) : NULL;
}

/* What is not the beginning is where a call returns to: the line is that of the call. */
static char *code_line(struct image *image, uint64_t address, const struct place *p)
{
	unsigned line;
	const char *path = image_line(image, address - (p->offset > 0), &line);

	return line_text(path, line);
}

char *code_text(struct image *image, const struct module *m, uint64_t address, enum code_part part)
{
	char offset[24] = "", *text, *line, *function;
	struct place p;

	if (part == CODE_MODULE)
		return seen_text(text_format("%.200s", module_name(m)));
	if (!image || !image_function(image, address, &p))
		return part == CODE_LINE ? NULL
		       : part == CODE_FUNCTION
			   ? seen_text(text_format("[%.200s]", module_name(m)))
			   : seen_text(text_format("%.200s+0x%" PRIx64, module_name(m), address));
	if (part == CODE_FUNCTION)
		return function_text(m, address, &p);
	line = code_line(image, address, &p);
	if (part == CODE_LINE)
		return line;
	if (p.offset)
		snprintf(offset, sizeof offset, "+0x%" PRIx64, p.offset);
	function = function_text(m, address, &p);
	text =
	    line ? text_format("%s (%s)", function, line) : text_format("%s%s", function, offset);
	free(function);
	free(line);
	return text;
}

/* ---- variables ---- */

/*
 * Returns whether a lock or condition is that of Python's GIL, the only ones in the state of its
 * run time. member: NULL: not known.
 */
static bool is_gil(const char *variable, const char *member)
{
	return strcmp(variable, "_PyRuntime") == 0 && (!member || strstr(member, "gil."));
}

char *code_variable(struct image *image, uint64_t address)
{
	char *member, *text;
	struct place p;

	if (!image || !image_variable(image, address, &p))
		return NULL;
	member = image_member(image, address, &p);
	if (is_gil(p.name, member)) {
		free(member);
		return text_format("GIL");
	}
	if (member) {
		text = text_format("%s%s", p.name, member);
		free(member);
		return text;
	}
	return p.offset ? text_format("%s+%" PRIu64, p.name, p.offset) : text_format("%s", p.name);
}

/* ---- frames ---- */

static void frame_line(struct code_frame *f, const char *path, unsigned line)
{
	f->line = line_text(path, line);
	f->of_system = source_path_is_of_system(path);
	f->text =
	    f->line ? text_format("%s (%s)", f->function, f->line) : text_format("%s", f->function);
}

/*
 * Each function has the line of the call that is inlined in it, the innermost that of the address.
 */
struct code_frames code_frames_make(struct image *image, const struct module *m, uint64_t address)
{
	struct inlined_call calls[INLINED_MOST];
	struct code_frames f = {0};
	unsigned line = 0;
	const char *path;
	struct place p;
	size_t n;

	if (!image || !image_function(image, address, &p) ||
	    !(n = image_inlined(image, address, calls)))
		return f;
	f.n = n + 1;
	f.at = array_zero(f.n, sizeof *f.at);
	f.at[0].function = function_text(m, address, &p);
	for (size_t i = 0; i < n; i++) {
		frame_line(&f.at[i], calls[i].file, calls[i].line);
		f.at[i + 1].function = calls[i].name;
	}
	path = image_line(image, address, &line);
	frame_line(&f.at[n], path, line);
	return f;
}

/* ---- call sites ---- */

/* Returns the end of what is in brackets from a place on; NULL: they do not end. */
static const char *brackets_end(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		depth += strchr("(<{[", *at) != NULL;
		depth -= strchr(")>}]", *at) != NULL;
		if (depth == 0)
			return at + 1;
	}
	return NULL;
}

/*
 * Returns the end of a lambda expression's type, "::{lambda(int)#1}" or, of clang, "::$_0"; or
 * NULL.
 */
static const char *lambda_type_end(const char *at)
{
	static const char lambda[] = "::{lambda", dollar[] = "::$_";

	if (strncmp(at, lambda, sizeof lambda - 1) == 0)
		return brackets_end(at + 2);
	if (strncmp(at, dollar, sizeof dollar - 1) != 0)
		return NULL;
	at += sizeof dollar - 1;
	return at + strspn(at, "0123456789");
}

/* Returns what follows "::{lambda(int)#1}::operator()(int) const" at a place; NULL: it is none. */
static const char *lambda_end(const char *at)
{
	static const char call[] = "::operator()", constant[] = " const";

	at = lambda_type_end(at);
	if (!at || strncmp(at, call, sizeof call - 1) != 0)
		return NULL;
	at += sizeof call - 1;
	if (*at == '<' && !(at = brackets_end(at)))
		return NULL;
	if (*at == '(' && !(at = brackets_end(at)))
		return NULL;
	return strncmp(at, constant, sizeof constant - 1) == 0 ? at + sizeof constant - 1 : at;
}

/* Returns a function's name, with a lambda expression as "main, lambda"; to be freed. */
static char *site_name(const char *function)
{
	char *name = array_new(strlen(function) + 1, 1), *to = name;
	const char *end;

	while (*function) {
		end = lambda_end(function);
		if (!end) {
			*to++ = *function++;
			continue;
		}
		/* what it replaces is longer */
		to = stpcpy(to, ", lambda");
		function = end;
	}
	*to = '\0';
	return name;
}

static struct code_frame site_copy(const char *function, const char *line)
{
	char *name = site_name(function);
	struct code_frame f = {
	    .function = text_format("%s", function),
	    .line = text_format("%s", line),
	    .text = text_format("%s (%s)", name, line),
	};

	free(name);
	return f;
}

/* Sets the frame of a call that is in a function alone; false: its line is not known. */
static bool site_plain(struct image *image, const struct module *m, uint64_t address,
		       struct code_frame *site)
{
	char *function = code_text(image, m, address, CODE_FUNCTION);
	char *line = code_text(image, m, address, CODE_LINE);

	if (line)
		*site = site_copy(function, line);
	free(function);
	free(line);
	return line;
}

struct code_frames code_site_make(struct image *image, const struct module *m, uint64_t address)
{
	struct code_frames all, site = {0};
	struct code_frame found;
	bool is = false;
	struct place p;
	size_t at;

	if (!image || !image_function(image, address, &p) || p.offset == 0)
		return site;
	all = code_frames_make(image, m, address - 1);
	at = all.n;
	while (at > 0 && (!all.at[at - 1].line || all.at[at - 1].of_system))
		at--;
	at -= at > 0;
	if (all.n && all.at[at].line) {
		found = site_copy(all.at[at].function, all.at[at].line);
		is = true;
	} else {
		is = site_plain(image, m, address, &found);
	}
	code_frames_free(&all);
	if (is) {
		site.at = array_zero(1, sizeof *site.at);
		*site.at = found;
		site.n = 1;
	}
	return site;
}

/* Returns whether any function at an address is the program's; *known: their lines are known. */
static bool frames_have_own(const struct code_frames *f, bool *known)
{
	bool own = false;

	*known = false;
	for (size_t i = 0; i < f->n; i++) {
		*known |= f->at[i].line != NULL;
		own |= f->at[i].line && !f->at[i].of_system;
	}
	return own;
}

bool code_is_library(struct image *image, const struct module *m, uint64_t address)
{
	struct code_frames all;
	const char *path;
	bool known, own;
	unsigned line;
	struct place p;

	if (module_is_of_run_time(module_name(m)))
		return true;
	if (!image || !image_function(image, address, &p) || p.offset == 0)
		return false;
	all = code_frames_make(image, m, address - 1);
	own = frames_have_own(&all, &known);
	code_frames_free(&all);
	if (known)
		return !own;
	path = image_line(image, address - 1, &line);
	if (path)
		return source_path_is_of_system(path);
	/* it calls main() */
	return p.name && (callable_is_standard(NULL, p.name) || strcmp(p.name, "_start") == 0);
}

/*
 * Whether a function is named after a semaphore or a futex that it waits for, such as
 * PGSemaphoreLock(). Who calls it knows for what.
 */
static bool is_named_after_semaphore(const char *function)
{
	static const char *const what[] = {"semaphore", "sema_", "sem_", "futex"};
	static const char *const does[] = {"wait", "lock", "acquire", "down", "pend", "take"};
	bool is = false, waits = false;

	for (size_t i = 0; i < sizeof what / sizeof *what; i++)
		is |= strcasestr(function, what[i]) != NULL;
	for (size_t i = 0; i < sizeof does / sizeof *does; i++)
		waits |= strcasestr(function, does[i]) != NULL;
	return is && waits && !strcasestr(function, "unlock");
}

bool code_is_wrapper(struct image *image, const struct module *m, uint64_t address)
{
	struct place p;

	(void)m;
	return image && image_function(image, address, &p) && p.offset > 0 && p.name &&
	       is_named_after_semaphore(p.name);
}
