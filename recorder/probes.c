#include "recorder/probes.h"
#include "base/array.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/usage.h"
#include "grammar/diag.h"
#include "recorder/recorder.h"
#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/lib-names.h>
#endif

/* ---- where libraries lie ---- */

static char *library_if_there(char *path)
{
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/*
 * Finds libglimpse-NAME.so beside this program where it was built, from where libtool may have
 * moved it to .libs; else among the installed ones, also where the installation was moved.
 */
static char *library_find(const char *name)
{
	static const char *const built[] = {".libs", "probes/.libs", "../.libs", "../probes/.libs"};
	const char *own = path_own_folder();
	char *path;

	for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
		path = text_format("%s/%s/libglimpse-%s.so", own, built[i], name);
		if (library_if_there(path))
			return path;
		path = text_format("%s/%s/%s/.libs/libglimpse-%s.so", own,
				   strncmp(built[i], "..", 2) ? "probes" : "../probes", name, name);
		if (library_if_there(path))
			return path;
	}
	path = text_format(PROBES_FOLDER "/libglimpse-%s.so", name);
	if (library_if_there(path))
		return path;
	return library_if_there(text_format("%s/../lib/glimpse/libglimpse-%s.so", own, name));
}

/* ---- the list of --probes ---- */

static const struct probe_about *about_find(const char *name)
{
	for (const struct probe_about *a = probe_abouts; a->name; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

char *probe_needs(const char *name)
{
	const struct probe_about *a = about_find(name);
	const char *needs = a ? strstr(a->text, "Needs ") : NULL;

	return needs ? text_format("%.*s", (int)strcspn(needs + 6, ";\n"), needs + 6) : NULL;
}

bool probes_known(const char *name)
{
	return about_find(name) || recorder_has(name);
}

/* Returns the probe that gives what a word names, as threads gives locks; NULL if none does. */
static const char *probe_giving(const char *word)
{
	size_t length = strlen(word);

	for (const struct probe_about *a = probe_abouts; a->name && length >= 3; a++) {
		const char *end = a->text + strcspn(a->text, "\n");

		for (const char *at = a->text; (at = strcasestr(at, word)) && at < end; at++)
			if (at > a->text && !isalnum((unsigned char)at[-1]))
				return a->name;
	}
	return NULL;
}

static char *unknown_probe(const char *name)
{
	const char *names[64], *nearest, *giving = probe_giving(name);
	size_t n = 0;

	for (const struct probe_about *a = probe_abouts; a->name && n < 64; a++)
		names[n++] = a->name;
	nearest = nearest_name(name, names, n);
	if (nearest)
		return text_format("unknown probe '%s'; did you mean '%s'?", name, nearest);
	if (giving)
		return text_format("unknown probe '%s'; did you mean '%s', which gives %s?", name,
				   giving, name);
	return text_format(
	    "unknown probe '%s'; --probes list lists the probes; name a library of your "
	    "own with a slash: ./lib%s.so",
	    name, name);
}

bool probes_have(const struct probes *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->names[i], name) == 0)
			return true;
	return false;
}

/* A name that is not freed, as those of the table are not: it is needed until the end. */
static char *probe_add(struct probes *p, char *name)
{
	char *library = NULL;

	if (probes_have(p, name))
		return NULL;
	if (strchr(name, '/')) {
		library = realpath(name, NULL);
		if (!library)
			return text_format("there is no library '%s'", name);
	} else if (!recorder_has(name)) {
		library = library_find(name);
		if (!library && !about_find(name))
			return unknown_probe(name);
		if (!library)
			return text_format("the probe '%s' was not built or installed: "
					   "libglimpse-%s.so is missing",
					   name, name);
	}
	p->names = array_resize(p->names, p->count + 1, sizeof *p->names);
	p->libraries = array_resize(p->libraries, p->count + 1, sizeof *p->libraries);
	p->names[p->count] = name;
	p->libraries[p->count++] = library;
	return NULL;
}

char *probes_choose(struct probes *p, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, ",");
		char *wrong = n ? probe_add(p, text_format("%.*s", (int)n, list)) : NULL;

		if (wrong)
			return wrong;
		list += n + (list[n] == ',');
	}
	return NULL;
}

bool probes_preload_too(struct probes *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->names[i], name) == 0) {
			p->libraries[i] = library_find(name);
			return p->libraries[i];
		}
	return false;
}

void probes_free(struct probes *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free((char *)p->names[i]);
		free(p->libraries[i]);
	}
	free(p->names);
	free(p->libraries);
	*p = (struct probes){0};
}

/* ---- LD_PRELOAD ---- */

/*
 * Begins a path so that only the loader of glibc finds it: that replaces $LIB by the folder of its
 * libraries, and all ways up from there end at the root. The loader of musl finds nothing, and goes
 * on without a word: a static program may start one of its programs with our LD_PRELOAD.
 */
#define GLIBC_ONLY "/$LIB/../../../.."

static const char *path_begin(void)
{
#ifdef __GLIBC__
	void *handle = dlopen("/$LIB/" LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);

	if (handle) {
		dlclose(handle);
		return GLIBC_ONLY;
	}
#endif
	return "";
}

static bool preload_add(char **value, const char *path, char **wrong)
{
	const char *begin = *path == '/' ? path_begin() : "";
	char *longer;

	if (path[strcspn(path, " :;\t\n")]) {
		*wrong = text_format("%s: the loader splits LD_PRELOAD at blanks and colons; move "
				     "the library to a folder without them in its name",
				     path);
		return false;
	}
	longer =
	    *value ? text_format("%s:%s%s", *value, begin, path) : text_format("%s%s", begin, path);
	free(*value);
	*value = longer;
	return true;
}

static bool preload_record(char **value, char **wrong)
{
	char *path = library_find("record");
	bool good;

	if (!path) {
		*wrong = text_format(
		    "libglimpse-record.so is neither beside this program nor in " PROBES_FOLDER
		    "; make install puts it there");
		return false;
	}
	good = preload_add(value, path, wrong);
	free(path);
	return good;
}

char *probes_preload(const struct probes *p, char **wrong)
{
	char *value = NULL;
	bool good = preload_record(&value, wrong);

	for (size_t i = 0; good && i < p->count; i++)
		if (p->libraries[i])
			good = preload_add(&value, p->libraries[i], wrong);
	if (good)
		return value;
	free(value);
	return NULL;
}

char *probes_preload_of(const char *name)
{
	char *path = library_find(name), *value = NULL, *wrong = NULL;

	if (path)
		preload_add(&value, path, &wrong);
	free(path);
	free(wrong);
	return value;
}

/* ---- --probes list ---- */

enum { ABOUT_INDENT = 9, ABOUT_WIDTH = 90 };

/* Prints a text of n bytes in lines that begin below each other. */
static void text_wrap(FILE *out, const char *text, size_t n)
{
	size_t column = ABOUT_INDENT;

	while (n) {
		size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n");

		if (blanks + word > n)
			word = n - blanks;
		if (column + 1 + word > ABOUT_WIDTH) {
			fprintf(out, "\n%*s", ABOUT_INDENT, "");
			column = ABOUT_INDENT;
		} else if (column > ABOUT_INDENT) {
			putc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)word, text + blanks);
		column += word;
		text += blanks + word;
		n -= blanks + word;
	}
	putc('\n', out);
}

/* Prints "Gives ..." with its first word as the head of the line. */
static void about_line_print(FILE *out, const char *line, size_t n)
{
	size_t word = strcspn(line, " :\n"), rest = word + (line[word] == ':');

	fprintf(out, "  %c%-*.*s", tolower((unsigned char)line[0]), ABOUT_INDENT - 3, (int)word - 1,
		line + 1);
	if (line[n - 1] == '.')
		n--;
	text_wrap(out, line + rest, n - rest);
}

static void about_print(FILE *out, const struct probe_about *a)
{
	char *library = recorder_has(a->name) ? NULL : library_find(a->name);

	fprintf(out, "%s", a->name);
	if (!library && !recorder_has(a->name))
		fprintf(out, " (not available: libglimpse-%s.so was not built)", a->name);
	putc('\n', out);
	for (const char *line = a->text; *line;) {
		size_t n = strcspn(line, "\n");

		if (n)
			about_line_print(out, line, n);
		line += n + (line[n] == '\n');
	}
	free(library);
}

void probes_print(FILE *out)
{
	for (const struct probe_about *a = probe_abouts; a->name; a++)
		about_print(out, a);
}
