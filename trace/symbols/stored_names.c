#include "trace/symbols/stored_names.h"
#include "base/array.h"
#include "base/search.h"
#include "trace/symbols/line_tokens.h"
#include <stdlib.h>

/* The numbers of a line in the order of the file; texts are numbered from 1, and 0 is none. */
struct stored_call {
	uint32_t line, file, name;
};

struct named_place {
	uint64_t address, offset;
	uint32_t name;
	uint32_t line, file; /* of a variable: its member is in file */
	size_t first_call, ncalls;
};

typedef VECTOR(struct named_place) named_places;

struct stored_file {
	const struct stored_names *all;
	uint64_t low, high;
	struct build_id id;
	char *path;
	named_places code, data; /* in ascending order of address */
};

struct stored_names {
	VECTOR(struct stored_file) files;
	VECTOR(char *) texts;
	VECTOR(struct stored_call) calls;
};

/* ---- lines ---- */

static bool small_next(struct line_tokens *t, uint32_t *number)
{
	uint64_t large;

	if (!number_next(t, 10, &large) || large > UINT32_MAX)
		return false;
	*number = (uint32_t)large;
	return true;
}

static void file_line(struct stored_names *s, struct line_tokens *t)
{
	struct stored_file f = {.all = s};

	if (!number_next(t, 16, &f.low) || !number_next(t, 16, &f.high) ||
	    !build_id_next(t, &f.id) || !(f.path = text_rest(t)))
		return;
	*vector_add(&s->files) = f;
}

static bool call_next(struct line_tokens *t, struct stored_call *c)
{
	return small_next(t, &c->line) && small_next(t, &c->file) && small_next(t, &c->name);
}

static void code_line(struct stored_names *s, struct line_tokens *t, named_places *to)
{
	struct named_place p = {.first_call = s->calls.n};
	struct stored_call c;

	if (!number_next(t, 16, &p.address) || !number_next(t, 16, &p.offset) ||
	    !small_next(t, &p.name) || !small_next(t, &p.line) || !small_next(t, &p.file) ||
	    p.offset > p.address)
		return;
	while (p.ncalls < INLINED_MOST && call_next(t, &c)) {
		*vector_add(&s->calls) = c;
		p.ncalls++;
	}
	*vector_add(to) = p;
}

static void line_read(struct stored_names *s, struct line_tokens *t)
{
	struct stored_file *last = s->files.n ? &s->files.at[s->files.n - 1] : NULL;
	const char *kind;
	size_t n;

	if (!token_next(t, &kind, &n))
		return;
	if (n == 4 && !memcmp(kind, "text", n))
		*vector_add(&s->texts) = text_rest(t);
	else if (n == 4 && !memcmp(kind, "file", n))
		file_line(s, t);
	else if (last && n == 4 && !memcmp(kind, "code", n))
		code_line(s, t, &last->code);
	else if (last && n == 4 && !memcmp(kind, "data", n))
		code_line(s, t, &last->data);
}

static int order_by_address(const void *a, const void *b)
{
	const struct named_place *p = a, *q = b;

	return p->address < q->address ? -1 : p->address > q->address;
}

static void places_sort(named_places *p)
{
	if (p->n)
		qsort(p->at, p->n, sizeof *p->at, order_by_address);
}

struct stored_names *stored_names_read(const char *text, size_t n)
{
	struct stored_names *s = array_zero(1, sizeof *s);
	const char *end = text + n, *newline;

	for (; (newline = memchr(text, '\n', (size_t)(end - text))); text = newline + 1) {
		struct line_tokens t = {text, newline};

		line_read(s, &t);
	}
	for (size_t i = 0; i < s->files.n; i++) {
		places_sort(&s->files.at[i].code);
		places_sort(&s->files.at[i].data);
	}
	return s;
}

void stored_names_free(struct stored_names *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->files.n; i++) {
		free(s->files.at[i].path);
		free(s->files.at[i].code.at);
		free(s->files.at[i].data.at);
	}
	for (size_t i = 0; i < s->texts.n; i++)
		free(s->texts.at[i]);
	free(s->files.at);
	free(s->texts.at);
	free(s->calls.at);
	free(s);
}

/* ---- answers ---- */

const struct stored_file *stored_file_find(const struct stored_names *s, const char *path,
					   const struct build_id *id)
{
	for (size_t i = 0; s && i < s->files.n; i++)
		if (build_ids_equal(&s->files.at[i].id, id) && !strcmp(s->files.at[i].path, path))
			return &s->files.at[i];
	return NULL;
}

static const char *text_of(const struct stored_file *f, uint32_t number)
{
	return number && number <= f->all->texts.n ? f->all->texts.at[number - 1] : NULL;
}

static const struct named_place *place_at(const named_places *p, uint64_t address)
{
	size_t i = lower_bound(k, 0, p->n, p->at[k].address < address);

	return i < p->n && p->at[i].address == address ? &p->at[i] : NULL;
}

static bool place_set(const struct stored_file *f, const struct named_place *found, struct place *p)
{
	if (found)
		*p = (struct place){text_of(f, found->name), found->offset};
	return found;
}

void stored_range(const struct stored_file *f, uint64_t *low, uint64_t *high)
{
	*low = f->low;
	*high = f->high;
}

bool stored_function(const struct stored_file *f, uint64_t address, struct place *p)
{
	return place_set(f, place_at(&f->code, address), p);
}

bool stored_variable(const struct stored_file *f, uint64_t address, struct place *p)
{
	const struct named_place *found = place_at(&f->data, address);

	return found && text_of(f, found->name) && place_set(f, found, p);
}

char *stored_member(const struct stored_file *f, uint64_t address)
{
	const struct named_place *found = place_at(&f->data, address);
	const char *text = found ? text_of(f, found->file) : NULL;

	return text ? text_format("%s", text) : NULL;
}

const char *stored_line(const struct stored_file *f, uint64_t address, unsigned *line)
{
	const struct named_place *found = place_at(&f->code, address);

	if (found)
		*line = found->line;
	return found ? text_of(f, found->file) : NULL;
}

size_t stored_inlined(const struct stored_file *f, uint64_t address,
		      struct inlined_call calls[INLINED_MOST])
{
	const struct named_place *found = place_at(&f->code, address);
	size_t n = 0;

	for (size_t i = 0; found && i < found->ncalls; i++) {
		const struct stored_call *c = &f->all->calls.at[found->first_call + i];
		const char *name = text_of(f, c->name);

		if (name)
			calls[n++] = (struct inlined_call){.name = text_format("%s", name),
							   .file = text_of(f, c->file),
							   .line = c->line};
	}
	return n;
}
