#include "trace/symbols/image.h"
#include "base/array.h"
#include "base/file.h"
#include "base/search.h"
#include "base/visible.h"
#include "trace/symbols/debug_files.h"
#include "trace/symbols/demangle.h"
#include "trace/symbols/elf_read.h"
#include "trace/symbols/image_tables.h"
#include "trace/symbols/stored_names.h"
#include "trace/symbols/unwind_table.h"
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* A symbol, and its name as it is shown once somebody has asked. */
struct named {
	struct image_symbol symbol;
	char *shown; /* NULL: not yet */
};

struct named_list {
	VECTOR(struct named) list; /* in ascending order of address, each once */
};

struct image {
	char *path;
	struct build_id id;
	enum image_state state;
	struct elf_look look;
	bool read;                   /* what follows */
	struct image_file *file;     /* NULL: nothing more can be read */
	struct unwind_table *unwind; /* NULL: it has none */
	struct named_list functions, variables;
	const struct stored_file *stored; /* NULL: the names are the file's */
	bool packaged;
	bool opened;         /* the next one was: it stays open, as code is asked for often */
	struct elf_file elf; /* fd: -1, its code cannot be read */
};

/* All that were asked for; they stay. */
static VECTOR(struct image *) images;

/* ---- tables ---- */

/* Of several names for one address, which one is shown: one that has a size, and the plainest. */
static int plainness(const struct image_symbol *s)
{
	size_t underscores = strspn(s->name, "_");

	return (s->guessed ? 0 : 1000) + (s->global ? 1 : 0) -
	       2 * (int)(underscores < 400 ? underscores : 400);
}

static int order_by_address(const void *a, const void *b)
{
	const struct image_symbol *s = &((const struct named *)a)->symbol;
	const struct image_symbol *t = &((const struct named *)b)->symbol;
	int plain = plainness(t) - plainness(s);

	if (s->address != t->address)
		return s->address < t->address ? -1 : 1;
	return plain ? plain : strcmp(s->name, t->name);
}

/*
 * Takes a symbol after those before it. One without a size ends where the next one begins; within a
 * function it is only a label.
 */
static void symbol_follow(struct named_list *t, size_t *n, uint64_t *end, const struct named *next)
{
	const struct image_symbol *s = &next->symbol;
	struct image_symbol *last = *n ? &t->list.at[*n - 1].symbol : NULL;

	if ((last && last->address == s->address) || (s->guessed && s->address < *end))
		return;
	if (last && last->guessed && last->size > s->address - last->address)
		last->size = s->address - last->address;
	if (!s->guessed && s->address + s->size > *end)
		*end = s->address + s->size;
	t->list.at[(*n)++] = *next;
}

static void names_sort(struct named_list *t)
{
	size_t n = 0;
	uint64_t end = 0; /* of all functions so far that have a size */

	if (t->list.n)
		qsort(t->list.at, t->list.n, sizeof *t->list.at, order_by_address);
	for (size_t i = 0; i < t->list.n; i++)
		symbol_follow(t, &n, &end, &t->list.at[i]);
	t->list.n = n;
}

static void symbol_take(void *context, const struct image_symbol *s, bool variable)
{
	struct image *i = context;

	vector_add(variable ? &i->variables.list : &i->functions.list)->symbol = *s;
}

/* A symbol inside of another one may end before it: a few before the nearest are looked at. */
static struct named *names_find(struct named_list *t, uint64_t address)
{
	enum { LOOKED_AT = 8 };
	size_t from = lower_bound(i, 0, t->list.n, t->list.at[i].symbol.address <= address);

	for (size_t i = from; i > 0 && i + LOOKED_AT > from; i--) {
		struct named *one = &t->list.at[i - 1];

		if (address - one->symbol.address < one->symbol.size)
			return one;
	}
	return NULL;
}

static struct place named_place(struct named *n, uint64_t address)
{
	if (!n->shown)
		n->shown = demangle(n->symbol.name);
	return (struct place){.name = n->shown, .offset = address - n->symbol.address};
}

/* ---- files ---- */

/*
 * Returns a file of what the kernel maps into each process, this one, too, and which has a name but
 * no path; -1: it has none.
 */
static int vdso_open(void)
{
	const unsigned char *from = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	enum { VDSO_SIZE = 8192 };
	int fd = from ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	/* what lies beyond its end cannot be written */
	for (int at = 0; fd >= 0 && at < 4 * VDSO_SIZE; at += 4096)
		if (write(fd, from + at, 4096) != 4096)
			break;
	return fd;
}

static bool has_no_path(const char *path)
{
	return !strchr(path, '/');
}

/* Sets the state by an open file, which is closed unless it is the one; then it is returned. */
static int image_try(struct image *i, int fd)
{
	i->state = IMAGE_MISSING;
	if (fd >= 0 && elf_look(fd, &i->look))
		i->state = build_ids_equal(&i->look.id, &i->id) ? IMAGE_GOOD : IMAGE_OTHER;
	if (fd < 0 || i->state == IMAGE_GOOD)
		return fd;
	close(fd);
	return -1;
}

/* Opens the file that ran; sets the state. Returns -1 unless that is IMAGE_GOOD. */
static int image_open(struct image *i)
{
	int fd = image_try(i, has_no_path(i->path) ? vdso_open() : elf_open(i->path));
	enum image_state state = i->state;

	if (fd >= 0)
		return fd;
	if (state == IMAGE_OTHER && has_no_path(i->path))
		state = IMAGE_MISSING;
	fd = image_try(i, program_file_by_id(&i->id));
	if (fd < 0)
		i->state = state;
	return fd;
}

static bool has_debug_file(const struct image *i)
{
	int fd = debug_file_by_id(&i->id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Reads the names, when the first of them is asked for. */
static void image_read(struct image *i)
{
	int fd;

	if (i->read)
		return;
	i->read = true;
	fd = image_open(i);
	if (fd >= 0)
		i->unwind = unwind_table_read(fd);
	if (fd >= 0)
		i->file = image_file_open(i->path, fd, &i->id);
	if (i->file)
		image_file_symbols(i->file, symbol_take, i);
	names_sort(&i->functions);
	names_sort(&i->variables);
}

struct image *image_find(const char *path, const struct build_id *id, enum image_state *state)
{
	struct image *found = NULL;
	int fd;

	for (size_t i = 0; i < images.n && !found; i++)
		if (build_ids_equal(&images.at[i]->id, id) && !strcmp(images.at[i]->path, path))
			found = images.at[i];
	if (!found) {
		found = array_zero(1, sizeof *found);
		found->path = text_format("%s", path);
		found->id = *id;
		fd = image_open(found);
		if (fd >= 0)
			close(fd);
		found->packaged = found->state == IMAGE_GOOD && has_debug_file(found);
		*vector_add(&images) = found;
	}
	*state = found->state;
	return found->state == IMAGE_GOOD ? found : NULL;
}

struct image *image_stored(const struct stored_file *f)
{
	struct image *i = array_zero(1, sizeof *i);

	i->read = true;
	i->stored = f;
	stored_range(f, &i->look.low, &i->look.high);
	return i;
}

struct image_names image_names(struct image *i)
{
	image_read(i);
	return i->file ? image_file_names(i->file) : (struct image_names){0};
}

bool image_is_packaged(const struct image *i)
{
	return i->packaged;
}

void image_range(const struct image *i, uint64_t *low, uint64_t *high)
{
	*low = i->look.low;
	*high = i->look.high;
}

bool image_function(struct image *i, uint64_t address, struct place *p)
{
	struct named *named;
	uint64_t start, end;

	if (i->stored)
		return stored_function(i->stored, address, p);
	image_read(i);
	named = names_find(&i->functions, address);
	/* a size that was guessed may reach over functions that have no symbol */
	if (named && !named->symbol.guessed)
		*p = named_place(named, address);
	else if (i->unwind && unwind_table_find(i->unwind, address, &start, &end) &&
		 !(named && named->symbol.address >= start))
		*p = (struct place){.offset = address - start};
	else if (named)
		*p = named_place(named, address);
	else
		return false;
	return true;
}

/* Opens the file for its code, if it is there. */
static bool code_open(struct image *i)
{
	int fd;

	if (i->opened || i->stored)
		return i->opened && i->elf.fd >= 0;
	i->opened = true;
	fd = image_open(i);
	if (fd >= 0 && !elf_read(&i->elf, fd)) {
		close(fd);
		fd = -1;
	}
	i->elf.fd = fd;
	return fd >= 0;
}

bool image_code(struct image *i, uint64_t address, struct code_bytes *c)
{
	if (!code_open(i))
		return false;
	for (unsigned k = 0; k < i->elf.header.e_phnum; k++) {
		Elf64_Phdr p;
		uint64_t before, after;

		if (!elf_segment(&i->elf, k, &p) || p.p_type != PT_LOAD || !(p.p_flags & PF_X) ||
		    address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz)
			continue;
		before = address - p.p_vaddr;
		after = p.p_filesz - before;
		c->at = before < SPIN_LOOP_MOST ? before : SPIN_LOOP_MOST;
		c->n = c->at + (after < SPIN_LOOP_MOST ? after : SPIN_LOOP_MOST);
		c->machine = i->elf.header.e_machine;
		return file_read_at(i->elf.fd, c->bytes, c->n, p.p_offset + before - c->at);
	}
	return false;
}

const char *image_line(struct image *i, uint64_t address, unsigned *line)
{
	if (i->stored)
		return stored_line(i->stored, address, line);
	image_read(i);
	return i->file ? image_file_line(i->file, address, line) : NULL;
}

/*
 * Returns the name of a function by its symbol where it is not inlined, or NULL: with the types of
 * parameters, which what a C++ compiler calls a function of one file alone does not have.
 */
static char *instance_name(struct image *i, uint64_t address)
{
	const struct named *named = names_find(&i->functions, address);
	char *symbol, *name;

	if (!named || strncmp(named->symbol.name, "_Z", 2) != 0)
		return NULL;
	/* as it is without ".part.0" of such a piece of it */
	symbol = text_format("%.*s", (int)strcspn(named->symbol.name, "."), named->symbol.name);
	name = demangle(symbol);
	free(symbol);
	return name;
}

size_t image_inlined(struct image *i, uint64_t address, struct inlined_call calls[INLINED_MOST])
{
	size_t n;

	if (i->stored)
		return stored_inlined(i->stored, address, calls);
	image_read(i);
	n = i->file ? image_file_inlined(i->file, address, calls) : 0;
	for (size_t k = 0; k < n; k++) {
		struct inlined_call *c = &calls[k];
		char *name = c->linkage    ? demangle(c->linkage)
			     : c->instance ? instance_name(i, c->instance)
					   : NULL;

		if (!name)
			name = visible_text(c->name);
		free(c->name);
		c->name = name;
	}
	return n;
}

bool image_variable(struct image *i, uint64_t address, struct place *p)
{
	struct named *named;

	if (i->stored)
		return stored_variable(i->stored, address, p);
	image_read(i);
	named = names_find(&i->variables, address);
	if (named)
		*p = named_place(named, address);
	return named;
}

char *image_member(struct image *i, uint64_t address, const struct place *p)
{
	if (i->stored)
		return stored_member(i->stored, address);
	return i->file ? image_file_member(i->file, address - p->offset, p->offset) : NULL;
}
