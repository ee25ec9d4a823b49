#include "analysis/flame/flame.h"
#include "analysis/calls/calls.h"
#include "trace/symbols/symbols.h"
#include <inttypes.h>
#include <stdlib.h>

static const char *const kinds[NFLAME_KINDS] = {"cpu", "off", "bytes", "count", "peak", "left"};

int flame_kind_find(const char *name)
{
	for (int i = 0; i < NFLAME_KINDS; i++)
		if (strcmp(name, kinds[i]) == 0)
			return i;
	return -1;
}

const char *flame_kind_name(enum flame_kind kind)
{
	return kinds[kind];
}

const char *flame_text(const struct flame *f, const char *text)
{
	return symbols_numbered(f->trace, symbols_number(f->trace, text));
}

uint32_t flame_child(struct flame *f, uint32_t parent, enum frame_kind kind, const char *name,
		     const char *origin)
{
	uint64_t number = (uint64_t)symbols_number(f->trace, name);
	struct hash_slot *slot = hash_table_slot(&f->children, hash_mix(number << 32 | parent),
						 number >> 32 << 2 | kind);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)f->nodes.n;
		*vector_add(&f->nodes) = (struct flame_node){
		    .name = symbols_numbered(f->trace, (int64_t)number),
		    .origin = origin ? flame_text(f, origin) : NULL,
		    .parent = parent,
		    .kind = kind,
		};
	}
	return slot->head;
}

void flame_totals(const struct flame *f, struct flame_amounts *amounts)
{
	for (size_t i = f->nodes.n; i-- > 0;) {
		amounts[i].total += amounts[i].self;
		if (i)
			amounts[f->nodes.at[i].parent].total += amounts[i].total;
	}
}

static void totals_add(struct flame *f)
{
	for (size_t i = 0; i < f->nodes.n; i++)
		f->nodes.at[i].total = f->nodes.at[i].self;
	for (size_t i = f->nodes.n; i-- > 1;)
		f->nodes.at[f->nodes.at[i].parent].total += f->nodes.at[i].total;
}

static bool fill(struct flame *f, struct trace *t, const struct flame_part *part, struct diag *diag)
{
	if (f->kind == FLAME_CPU && !trace_has_calls(t)) {
		diag_error(diag, DIAG_NOWHERE, CALLS_MISSING);
		return false;
	}
	if (f->kind == FLAME_CPU)
		flame_of_cpu(f, t, part);
	else if (f->kind == FLAME_OFF)
		flame_of_pauses(f, t, part);
	else if (!flame_of_heap(f, t, part)) {
		diag_error(diag, DIAG_NOWHERE, FLAME_MEMORY_MISSING);
		return false;
	}
	totals_add(f);
	return true;
}

struct flame *flame_of(struct trace *t, enum flame_kind kind, const struct flame_part *part,
		       struct diag *diag)
{
	struct flame *f = array_zero(1, sizeof *f);

	f->kind = kind;
	f->trace = t;
	*vector_add(&f->nodes) = (struct flame_node){.name = flame_text(f, "all")};
	if (fill(f, t, part, diag))
		return f;
	flame_free(f);
	return NULL;
}

void flame_free(struct flame *f)
{
	hash_table_free(&f->children);
	free(f->nodes.at);
	free(f);
}

/* ---- text ---- */

static void frame_print(const char *name, FILE *out)
{
	for (; *name; name++)
		putc(*name == ';' ? ':' : (unsigned char)*name < ' ' ? ' ' : *name, out);
}

void flame_print(const struct flame *f, FILE *out)
{
	VECTOR(uint32_t) path = {0};

	for (uint32_t i = 1; i < f->nodes.n; i++) {
		if (!f->nodes.at[i].self)
			continue;
		path.n = 0;
		for (uint32_t at = i; at; at = f->nodes.at[at].parent)
			*vector_add(&path) = at;
		while (path.n-- > 0) {
			frame_print(f->nodes.at[path.at[path.n]].name, out);
			if (path.n)
				putc(';', out);
			else
				break;
		}
		fprintf(out, " %" PRId64 "\n", f->nodes.at[i].self);
	}
	free(path.at);
}
