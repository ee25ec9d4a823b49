#include "spec/load.h"
#include "base/array.h"
#include "base/file_open.h"
#include "grammar/parse.h"
#include "spec/import_path.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct load_unit *unit_add(struct load *l, struct source *source, const char *path,
				  const struct load_unit *importer)
{
	struct load_unit *u = array_new(1, sizeof *u);
	*u = (struct load_unit){.source = source, .importer = importer};
	u->identity = path ? realpath(path, NULL) : NULL;
	l->units = array_grow(l->units, l->nunits, sizeof *l->units);
	l->units[l->nunits++] = u;
	return u;
}

static struct load_unit *load_unit_find(const struct load *l, const char *identity)
{
	for (size_t i = 0; i < l->nunits; i++)
		if (l->units[i]->identity && strcmp(l->units[i]->identity, identity) == 0)
			return l->units[i];
	return NULL;
}

/*
 * Prints "a.spec -> b.spec -> a.spec", from the unit that is imported again down to its importer.
 */
static void cycle_text(char *out, size_t size, const struct load_unit *from,
		       const struct load_unit *to)
{
	const char *names[64];
	size_t n = 0;
	for (const struct load_unit *u = to; u != from && n < 64; u = u->importer)
		names[n++] = u->source->name;
	int used = snprintf(out, size, "%s", from->source->name);
	while (n > 0 && used >= 0 && (size_t)used < size) {
		out += used;
		size -= (size_t)used;
		used = snprintf(out, size, " -> %s", names[--n]);
	}
}

static void import_cycle_error(struct load *l, const struct ast_name *import,
			       const struct load_unit *from, const struct load_unit *to)
{
	char path[1024];
	cycle_text(path, sizeof path, from, to);
	diag_error(l->diag, import->where, "imports form a cycle: %s -> %s", path,
		   from->source->name);
}

/* Devices and pipes may never end: an import must be a regular file. */
static struct source *import_open(struct load *l, const struct ast_name *import, const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		diag_error(l->diag, import->where, "cannot import '%s': not a regular file", path);
		return NULL;
	}
	struct source *source = source_read(path);
	if (source)
		return source;
	bool nowhere = errno == ENOENT && *import->text != '/';
	diag_error(l->diag, import->where, "cannot import '%s': %s", path, strerror(errno));
	if (nowhere)
		diag_note(l->diag, DIAG_NOWHERE,
			  "it is in no folder of -I and GLIMPSE_SPEC_PATH, nor is it installed");
	return NULL;
}

/* Who prepared the logs shall not have other files of the reader's quoted in messages. */
static struct source *import_open_beside(struct load *l, const struct ast_name *import,
					 const char *path)
{
	int fd = file_open(path, O_RDONLY);
	struct source *source = fd >= 0 ? source_take(path, fd) : NULL;
	if (!source)
		diag_error(l->diag, import->where, "cannot import '%s': %s", path, file_why(errno));
	return source;
}

/* Returns whether an import may be read, after an error if not. */
static bool import_allowed(struct load *l, const struct ast_name *import)
{
	if (l->imports == IMPORTS_ANY ||
	    (l->imports == IMPORTS_BESIDE && !strchr(import->text, '/')))
		return true;
	diag_error(l->diag, import->where, "cannot import '%s': %s", import->text,
		   l->imports == IMPORTS_NONE
		       ? "in a packed file a specification imports nothing; unpack it"
		       : "a specification beside logs imports only from its own directory; copy "
			 "the file there");
	return false;
}

static bool unit_read(struct load *l, struct load_unit *u);

/* Reads an import from its path. */
static bool import_take(struct load *l, const struct load_unit *importer,
			const struct ast_name *import, const char *path)
{
	char *identity = realpath(path, NULL);
	struct load_unit *known = identity ? load_unit_find(l, identity) : NULL;
	free(identity);
	if (known) {
		if (known->busy)
			import_cycle_error(l, import, known, importer);
		return !known->busy;
	}
	struct source *source = l->imports == IMPORTS_ANY ? import_open(l, import, path)
							  : import_open_beside(l, import, path);
	if (!source)
		return false;
	return unit_read(l, unit_add(l, source, path, importer));
}

static bool import_read(struct load *l, const struct load_unit *importer,
			const struct ast_name *import)
{
	if (!import_allowed(l, import))
		return false;
	char *path = l->imports == IMPORTS_ANY
			 ? import_find(importer->source->name, import->text)
			 : import_beside(importer->source->name, import->text);
	bool good = import_take(l, importer, import, path);
	free(path);
	return good;
}

static void objects_gather(struct load *l, const struct ast_block *first)
{
	for (const struct ast_block *b = first; b; b = b->next)
		for (const struct ast_item *item = b->items; item; item = item->next)
			if (item->kind == AST_OBJECT) {
				l->objects =
				    array_grow(l->objects, l->nobjects, sizeof *l->objects);
				l->objects[l->nobjects++] = item;
			}
}

/* Puts the objects, in their order, where objects are among the items. */
static void objects_place(struct load *l)
{
	size_t next = 0;
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i]->kind == AST_OBJECT)
			l->items[i] = l->objects[next++];
}

static bool items_read(struct load *l, const struct load_unit *u, const struct ast_block *block)
{
	bool good = true;
	for (const struct ast_item *item = block->items; item; item = item->next) {
		if (item->kind == AST_IMPORT) {
			good &= import_read(l, u, &item->import);
			continue;
		}
		l->items = array_grow(l->items, l->nitems, sizeof *l->items);
		l->items[l->nitems++] = item;
	}
	return good;
}

static bool unit_read(struct load *l, struct load_unit *u)
{
	u->busy = true;
	u->tree = parse_spec(u->source, l->diag);
	bool good = u->tree != NULL;
	const struct ast_block *first = good ? u->tree->blocks : NULL;
	if (!l->block)
		l->block = first;
	objects_gather(l, first);
	for (const struct ast_block *b = first; b; b = b->next) {
		if (strcmp(b->name.text, first->name.text) != 0) {
			diag_error(l->diag, b->name.where,
				   "this block is named '%s', but the first one '%s'", b->name.text,
				   first->name.text);
			diag_note(l->diag, first->name.where,
				  "all blocks of a file must have the same name");
			good = false;
		}
		good &= items_read(l, u, b);
	}
	u->busy = false;
	return good;
}

bool load_read(struct load *l, struct source *source, const char *path, enum imports imports,
	       struct diag *diag)
{
	*l = (struct load){.imports = imports, .diag = diag};
	bool good = unit_read(l, unit_add(l, source, path, NULL));
	objects_place(l);
	return good;
}

struct source **load_release(struct load *l, size_t *n)
{
	struct source **sources = calloc(l->nunits ? l->nunits : 1, sizeof *sources);
	*n = sources ? l->nunits : 0;
	for (size_t i = 0; i < l->nunits; i++) {
		struct load_unit *u = l->units[i];
		if (sources)
			sources[i] = u->source;
		ast_free(u->tree);
		free(u->identity);
		free(u);
	}
	free(l->units);
	free(l->items);
	free(l->objects);
	return sources;
}
