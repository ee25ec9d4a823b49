#ifdef HAVE_LIBDW
#include "trace/symbols/inlined_units.h"
#include <dwarf.h>
#include <stdlib.h>

/* A unit that is deeper is not read on. */
enum { DEPTH_MOST = 200 };
/* What a range or an entry costs more than the bytes that it has. */
enum { ENTRY_WORK = 32 };
/*
 * Bytes of a unit are read so often on the average: as deep as they are, if the file gives no
 * siblings.
 */
enum { AGAIN_MOST = 16 };

#define NO_ENTRY UINT32_MAX

/* What is around the entry of debug information that is read. */
struct scope_level {
	Dwarf_Die die;
	uint32_t entry; /* that it is; NO_ENTRY */
	uint32_t scope;
};

struct unit_reader {
	struct inlined_unit *unit;
	int64_t *work;
	Dwarf_Off begin, far; /* the unit, and the last entry that was seen */
	uint64_t again;       /* bytes that were read once more */
	bool over;            /* no more is read */
	struct scope_level levels[DEPTH_MOST];
	unsigned depth;
};

/* ---- entries ---- */

/* Adds what has code; returns NO_ENTRY if it has none. */
static uint32_t entry_add(struct unit_reader *r, Dwarf_Die *die, bool function)
{
	struct inlined_unit *u = r->unit;
	struct code_entry e = {
	    .die = dwarf_dieoffset(die), .ranges = (uint32_t)u->ranges.n, .function = function};
	uint32_t number = (uint32_t)u->entries.n;
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while (*r->work > 0 && (at = dwarf_ranges(die, at, &base, &from, &to)) > 0) {
		struct code_range range = {from, to, number};

		*r->work -= ENTRY_WORK;
		if (from >= to)
			continue;
		*vector_add(&u->ranges) = range;
		e.nranges++;
		if (function)
			*vector_add(&u->functions) = range;
	}
	if (!e.nranges)
		return NO_ENTRY;
	*r->work -= ENTRY_WORK;
	*vector_add(&u->entries) = e;
	return number;
}

static void entry_close(struct unit_reader *r, uint32_t entry)
{
	if (entry != NO_ENTRY)
		r->unit->entries.at[entry].next = (uint32_t)r->unit->entries.n;
}

static uint32_t scope_add(struct unit_reader *r, const char *name, uint32_t outer)
{
	*vector_add(&r->unit->scopes) = (struct name_scope){.name = name, .outer = outer};
	return (uint32_t)r->unit->scopes.n - 1;
}

static uint32_t class_add(struct unit_reader *r, Dwarf_Die *die, uint32_t outer)
{
	uint32_t scope = scope_add(r, dwarf_diename(die), outer);
	struct name_scope *s = &r->unit->scopes.at[scope];
	int line;

	if (!s->name && dwarf_decl_line(die, &line) == 0 && line > 0)
		s->line = (unsigned)line;
	return scope;
}

static void instance_add(struct unit_reader *r, Dwarf_Die *die, uint32_t entry)
{
	struct inlined_unit *u = r->unit;
	Dwarf_Attribute memory, *origin = dwarf_attr(die, DW_AT_abstract_origin, &memory);
	Dwarf_Die of;

	if (origin && dwarf_formref_die(origin, &of))
		*vector_add(&u->instances) = (struct code_instance){
		    dwarf_dieoffset(&of), u->ranges.at[u->entries.at[entry].ranges].from};
}

static struct scope_level function_take(struct unit_reader *r, Dwarf_Die *die, uint32_t scope)
{
	const char *name = dwarf_hasattr(die, DW_AT_name) ? dwarf_diename(die) : NULL;
	struct scope_level l = {*die, entry_add(r, die, true), scope};

	if (l.entry != NO_ENTRY)
		instance_add(r, die, l.entry);
	if (name && !dwarf_hasattr(die, DW_AT_linkage_name) &&
	    !dwarf_hasattr(die, DW_AT_MIPS_linkage_name))
		*vector_add(&r->unit->scoped) =
		    (struct scoped_function){dwarf_dieoffset(die), scope};
	if (name)
		l.scope = scope_add(r, name, scope);
	return l;
}

/* Sets *l to what is around all that is in an entry; returns false if nothing in it is wanted. */
static bool die_take(struct unit_reader *r, Dwarf_Die *die, uint32_t scope, struct scope_level *l)
{
	const char *name;

	*l = (struct scope_level){*die, NO_ENTRY, scope};
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		*l = function_take(r, die, scope);
		return true;
	case DW_TAG_inlined_subroutine:
		l->entry = entry_add(r, die, false);
		return true;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	case DW_TAG_namespace:
	case DW_TAG_module:
		name = dwarf_diename(die);
		l->scope = scope_add(r, name ? name : "(anonymous namespace)", scope);
		return true;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		l->scope = class_add(r, die, scope);
		return true;
	default:
		return false;
	}
}

/* ---- the order of entries ---- */

/*
 * Takes note of bytes that were read, and of such that are read once more; false: these are too
 * many.
 */
static bool work_take(struct unit_reader *r, Dwarf_Off bytes, Dwarf_Off again)
{
	r->again += again;
	*r->work -= (int64_t)(bytes + again);
	return *r->work > 0 && r->again <= AGAIN_MOST * (r->far - r->begin + 4096);
}

/*
 * Goes on to an entry after all that is within this one, which was read unless the file says where
 * that ends; else libdw goes over it once more. Returns false if there is none.
 */
static bool die_next(struct unit_reader *r, Dwarf_Die *die)
{
	Dwarf_Off before = r->far, at = dwarf_dieoffset(die);

	if (r->over)
		return false;
	r->over = !work_take(r, 1, dwarf_hasattr(die, DW_AT_sibling) ? 0 : before - at);
	if (r->over || dwarf_siblingof(die, die) != 0)
		return false;
	/* only forwards: a file may say anything */
	r->far = dwarf_dieoffset(die);
	r->over = r->far <= before || !work_take(r, r->far - before, 0);
	return !r->over;
}

/* Goes on to the first entry within one; returns false if there is none, or it is not wanted. */
static bool die_enter(struct unit_reader *r, const struct scope_level *l, bool wanted,
		      Dwarf_Die *die)
{
	if (r->over || !dwarf_haschildren(die) || (!wanted && dwarf_hasattr(die, DW_AT_sibling)))
		return false;
	r->over = r->depth == DEPTH_MOST;
	if (r->over || dwarf_child(die, die) != 0)
		return false;
	r->over = dwarf_dieoffset(die) <= r->far;
	r->far = dwarf_dieoffset(die);
	r->levels[r->depth++] = *l;
	return true;
}

static void unit_walk(struct unit_reader *r, Dwarf_Die *unit)
{
	struct scope_level l = {*unit, NO_ENTRY, 0};
	Dwarf_Die die = *unit;
	bool more;

	r->begin = r->far = dwarf_dieoffset(unit);
	more = die_enter(r, &l, true, &die);
	while (more) {
		bool wanted = die_take(r, &die, r->levels[r->depth - 1].scope, &l);

		if (die_enter(r, &l, wanted, &die))
			continue;
		die = l.die;
		entry_close(r, l.entry);
		while (!(more = die_next(r, &die)) && r->depth > 1) {
			die = r->levels[--r->depth].die;
			entry_close(r, r->levels[r->depth].entry);
		}
	}
}

/* ---- all ---- */

static int order_by_from(const void *a, const void *b)
{
	const struct code_range *r = a, *s = b;

	return r->from < s->from ? -1 : r->from > s->from;
}

static int order_by_origin(const void *a, const void *b)
{
	const struct code_instance *i = a, *j = b;

	if (i->origin != j->origin)
		return i->origin < j->origin ? -1 : 1;
	return i->address < j->address ? -1 : i->address > j->address;
}

struct inlined_unit *inlined_unit_read(Dwarf_Die *unit, int64_t *work)
{
	struct inlined_unit *u = array_zero(1, sizeof *u);
	struct unit_reader *r = array_zero(1, sizeof *r);

	r->unit = u;
	r->work = work;
	scope_add(r, NULL, 0);
	unit_walk(r, unit);
	free(r);
	if (u->functions.n)
		qsort(u->functions.at, u->functions.n, sizeof *u->functions.at, order_by_from);
	if (u->instances.n)
		qsort(u->instances.at, u->instances.n, sizeof *u->instances.at, order_by_origin);
	return u;
}

void inlined_unit_free(struct inlined_unit *u)
{
	free(u->entries.at);
	free(u->ranges.at);
	free(u->functions.at);
	free(u->instances.at);
	free(u->scopes.at);
	free(u->scoped.at);
	free(u);
}
#endif
