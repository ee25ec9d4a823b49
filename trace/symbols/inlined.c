#ifdef HAVE_LIBDW
#include "trace/symbols/inlined.h"
#include "base/hash.h"
#include "base/search.h"
#include "trace/symbols/demangle.h"
#include "trace/symbols/inlined_units.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* So much of a file is read (inlined_units.h). */
static const int64_t work_most = 1 << 27;
/* A function that is an instance of another one, and so on, is followed so far. */
enum { ORIGINS_MOST = 16, SCOPES_MOST = 32 };

struct inlined {
	struct hash_table places; /* by file and unit: its index */
	VECTOR(struct inlined_unit *) units;
	int64_t work; /* that is left */
};

struct inlined *inlined_open(void)
{
	struct inlined *x = array_zero(1, sizeof *x);

	x->work = work_most;
	return x;
}

void inlined_close(struct inlined *x)
{
	for (size_t i = 0; i < x->units.n; i++)
		inlined_unit_free(x->units.at[i]);
	free(x->units.at);
	hash_table_free(&x->places);
	free(x);
}

static const struct inlined_unit *unit_of(struct inlined *x, Dwarf_Die *unit)
{
	uint64_t file = (uint64_t)(uintptr_t)dwarf_cu_getdwarf(unit->cu);
	struct hash_slot *slot =
	    hash_table_slot(&x->places, hash_mix(dwarf_dieoffset(unit) ^ hash_mix(file)), file);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)x->units.n;
		*vector_add(&x->units) = inlined_unit_read(unit, &x->work);
	}
	return x->units.at[slot->head];
}

/* ---- names ---- */

/* Goes on to what a function is an instance of, or is declared as. */
static bool origin_next(Dwarf_Die *die)
{
	Dwarf_Attribute memory, *origin = dwarf_attr(die, DW_AT_abstract_origin, &memory);

	if (!origin)
		origin = dwarf_attr(die, DW_AT_specification, &memory);
	return origin && dwarf_formref_die(origin, die);
}

static const char *linkage_of(Dwarf_Die *die)
{
	Dwarf_Attribute memory, *linkage = dwarf_attr(die, DW_AT_linkage_name, &memory);

	if (!linkage)
		linkage = dwarf_attr(die, DW_AT_MIPS_linkage_name, &memory);
	return linkage ? dwarf_formstring(linkage) : NULL;
}

static char *scope_text(const struct name_scope *s, bool called)
{
	const char *what = called ? "lambda" : "unnamed";

	if (s->name)
		return text_format("%.*s", (int)NAME_MOST, s->name);
	/* compilers number them in their symbols, but not here */
	return s->line ? text_format("{%s at line %u}", what, s->line) : text_format("{%s}", what);
}

/* Returns the name of a scope and those around it, and the function's. */
static char *name_within(const struct inlined_unit *u, uint32_t scope, const char *name)
{
	bool called = strncmp(name, "operator()", strlen("operator()")) == 0;
	char *text = text_format("%.*s", (int)NAME_MOST, name);

	for (unsigned i = 0; i < SCOPES_MOST && scope; i++, scope = u->scopes.at[scope].outer) {
		char *around = scope_text(&u->scopes.at[scope], called);
		char *longer = text_format("%s::%.*s", around, (int)NAME_MOST, text);

		free(around);
		free(text);
		text = longer;
	}
	return text;
}

/* Returns a function's name with its scopes, which it has in the unit where it is declared. */
static char *scoped_name(struct inlined *x, Dwarf_Die *die, const char *name)
{
	const struct inlined_unit *u;
	Dwarf_Off at = dwarf_dieoffset(die);
	uint8_t type;
	Dwarf_Die unit;
	size_t found;

	/* places of type units may be those of others, too */
	if (!dwarf_diecu(die, &unit, NULL, NULL) ||
	    dwarf_cu_info(unit.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    type == DW_UT_type)
		return text_format("%.*s", (int)NAME_MOST, name);
	u = unit_of(x, &unit);
	found = lower_bound(i, 0, u->scoped.n, u->scoped.at[i].die < at);
	return name_within(
	    u, found < u->scoped.n && u->scoped.at[found].die == at ? u->scoped.at[found].scope : 0,
	    name);
}

static Dwarf_Addr instance_of(const struct inlined_unit *u, Dwarf_Off origin)
{
	size_t found = lower_bound(i, 0, u->instances.n, u->instances.at[i].origin < origin);

	return found < u->instances.n && u->instances.at[found].origin == origin
		   ? u->instances.at[found].address
		   : 0;
}

/* Names the function of a call; returns false if it has no name. */
static bool call_name(struct inlined *x, const struct inlined_unit *u, Dwarf_Die call,
		      struct inlined_call *c)
{
	for (unsigned i = 0; i < ORIGINS_MOST && origin_next(&call); i++) {
		const char *name = dwarf_hasattr(&call, DW_AT_name) ? dwarf_diename(&call) : NULL;

		if (i == 0)
			c->instance = instance_of(u, dwarf_dieoffset(&call));
		if (!c->linkage)
			c->linkage = linkage_of(&call);
		if (!c->name && name && *name)
			c->name = scoped_name(x, &call, name);
	}
	return c->name || c->linkage;
}

/* ---- calls ---- */

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
	Dwarf_Attribute memory, *attribute = dwarf_attr(die, name, &memory);

	return attribute && dwarf_formudata(attribute, number) == 0;
}

static void call_line(Dwarf_Die *unit, Dwarf_Die *call, struct inlined_call *c)
{
	Dwarf_Word line, file;
	Dwarf_Files *files;
	const char *path;
	size_t n;

	if (!number_of(call, DW_AT_call_line, &line) || line == 0 || line > INT32_MAX ||
	    !number_of(call, DW_AT_call_file, &file) || dwarf_getsrcfiles(unit, &files, &n) != 0 ||
	    file >= n || !(path = dwarf_filesrc(files, file, NULL, NULL)))
		return;
	c->file = path;
	c->line = (unsigned)line;
}

static bool entry_has(const struct inlined_unit *u, const struct code_entry *e, Dwarf_Addr address)
{
	for (uint32_t i = 0; i < e->nranges; i++) {
		const struct code_range *r = &u->ranges.at[e->ranges + i];

		if (r->from <= address && address < r->to)
			return true;
	}
	return false;
}

static const struct code_range *function_at(const struct inlined_unit *u, Dwarf_Addr address)
{
	size_t next = lower_bound(i, 0, u->functions.n, u->functions.at[i].from <= address);

	return next && address < u->functions.at[next - 1].to ? &u->functions.at[next - 1] : NULL;
}

size_t inlined_find(struct inlined *x, Dwarf_Die *unit, Dwarf_Addr address,
		    struct inlined_call calls[INLINED_MOST])
{
	const struct inlined_unit *u = unit_of(x, unit);
	const struct code_range *function = function_at(u, address);
	uint32_t at, end;
	size_t n = 0;

	if (!function)
		return 0;
	at = function->entry + 1;
	end = u->entries.at[function->entry].next;
	while (at < end && n < INLINED_MOST) {
		const struct code_entry *e = &u->entries.at[at];
		Dwarf_Die call;

		if (e->function || !entry_has(u, e, address)) {
			at = e->next;
			continue;
		}
		end = e->next;
		at++;
		calls[n] = (struct inlined_call){0};
		if (!dwarf_offdie(dwarf_cu_getdwarf(unit->cu), e->die, &call) ||
		    !call_name(x, u, call, &calls[n]))
			continue;
		call_line(unit, &call, &calls[n++]);
	}
	return n;
}
#endif
