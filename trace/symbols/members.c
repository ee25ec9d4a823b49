#ifdef HAVE_LIBDW
#include "trace/symbols/members.h"
#include "base/array.h"
#include "base/search.h"
#include "base/visible.h"
#include "trace/symbols/demangle.h"
#include "trace/symbols/source_path.h"
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many bytes of debug information are searched for variables, and for each so many members. */
static const int64_t work_most = 1 << 26;
enum { DEPTH_MOST = 32, MEMBERS_MOST = 1 << 16, DIMENSIONS_MOST = 8, TEXT_MOST = 1000 };

/* A variable that has a place of its own. */
struct placed_variable {
	Dwarf_Addr address;
	Dwarf_Off die;
};

/* How far units are searched: outside of functions, or in them, too. */
enum search_depth { SEARCH_NONE, SEARCH_OUTSIDE, SEARCH_ALL };

struct members {
	Dwarf *dwarf;
	VECTOR(struct placed_variable) variables; /* in ascending order of address */
	enum search_depth searched;
};

struct members *members_open(Dwarf *dwarf)
{
	struct members *x = array_zero(1, sizeof *x);

	x->dwarf = dwarf;
	return x;
}

/* ---- variables ---- */

static int order_by_address(const void *a, const void *b)
{
	const struct placed_variable *p = a, *q = b;

	if (p->address != q->address)
		return p->address < q->address ? -1 : 1;
	return p->die < q->die ? -1 : p->die > q->die;
}

static void variable_take(struct members *x, Dwarf_Die *die)
{
	Dwarf_Attribute memory, *location = dwarf_attr(die, DW_AT_location, &memory), indexed;
	Dwarf_Addr address;
	Dwarf_Op *operations;
	size_t n;

	if (!location || dwarf_getlocation(location, &operations, &n) != 0 || n != 1)
		return;
	if (operations[0].atom == DW_OP_addr)
		address = operations[0].number;
	else if (operations[0].atom != DW_OP_addrx ||
		 dwarf_getlocation_attr(location, operations, &indexed) != 0 ||
		 dwarf_formaddr(&indexed, &address) != 0)
		return;
	*vector_add(&x->variables) = (struct placed_variable){address, dwarf_dieoffset(die)};
}

/* Whether variables within an entry are wanted. */
static bool is_searched(const struct members *x, int tag)
{
	if (tag == DW_TAG_namespace)
		return true;
	return x->searched == SEARCH_ALL &&
	       (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
		tag == DW_TAG_inlined_subroutine);
}

/* Goes over what is next to an entry, and in it; all of it lies further on in the file. */
static void entries_search(struct members *x, Dwarf_Die die, unsigned depth, int64_t *work)
{
	for (;;) {
		Dwarf_Off at = dwarf_dieoffset(&die);
		int tag = dwarf_tag(&die);
		Dwarf_Die child;

		if (tag == DW_TAG_variable)
			variable_take(x, &die);
		else if (depth < DEPTH_MOST && is_searched(x, tag) &&
			 dwarf_child(&die, &child) == 0 && dwarf_dieoffset(&child) > at)
			entries_search(x, child, depth + 1, work);
		if (*work < 0 || dwarf_siblingof(&die, &die) != 0 || dwarf_dieoffset(&die) <= at)
			return;
		*work -= (int64_t)(dwarf_dieoffset(&die) - at);
	}
}

static void units_search(struct members *x, enum search_depth depth)
{
	int64_t work = work_most;
	Dwarf_Off offset = 0, next;
	Dwarf_Die unit, child;
	size_t header;

	x->variables.n = 0;
	x->searched = depth;
	while (work > 0 && dwarf_nextcu(x->dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(x->dwarf, offset + header, &unit) &&
		    dwarf_child(&unit, &child) == 0)
			entries_search(x, child, 0, &work);
		offset = next;
	}
	if (x->variables.n)
		qsort(x->variables.at, x->variables.n, sizeof *x->variables.at, order_by_address);
}

/* Finds the variable that begins at an address. Most are found without a look into functions. */
static bool variable_find(struct members *x, Dwarf_Addr address, Dwarf_Die *die)
{
	while (true) {
		size_t i = lower_bound(k, 0, x->variables.n, x->variables.at[k].address < address);

		if (i < x->variables.n && x->variables.at[i].address == address)
			return dwarf_offdie(x->dwarf, x->variables.at[i].die, die);
		if (x->searched == SEARCH_ALL)
			return false;
		units_search(x, x->searched + 1);
	}
}

/* ---- types ---- */

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
	Dwarf_Attribute memory, *attribute = dwarf_attr(die, name, &memory);

	return attribute && dwarf_formudata(attribute, number) == 0;
}

/* Finds the type of a variable, member or array's elements, without typedef and const. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute memory;

	/* a variable may be declared elsewhere, with its type */
	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &memory), type) &&
	       dwarf_peel_type(type, type) == 0;
}

static bool is_compound(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* What is being said of a byte of a variable. */
struct member_path {
	char *text;
	uint64_t byte;    /* in what the text names */
	unsigned members; /* that were looked at */
};

/* Adds what has a byte in what was named before. */
static void text_add(struct member_path *n, char *more, uint64_t byte)
{
	char *text = text_format("%s%s", n->text, more);

	free(n->text);
	free(more);
	n->text = text;
	n->byte = byte;
}

static void type_name(struct member_path *n, Dwarf_Die *type, uint64_t byte, unsigned depth);

/*
 * Gives the numbers of elements of each dimension, the first one's not; returns how many
 * dimensions.
 */
static unsigned dimensions_of(Dwarf_Die *array, uint64_t counts[DIMENSIONS_MOST])
{
	unsigned n = 0;
	Dwarf_Die die;

	for (int more = dwarf_child(array, &die); more == 0 && n < DIMENSIONS_MOST;
	     more = dwarf_siblingof(&die, &die)) {
		Dwarf_Word count = 0;

		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		if (!number_of(&die, DW_AT_count, &count) &&
		    number_of(&die, DW_AT_upper_bound, &count))
			count++;
		counts[n++] = count;
	}
	return n;
}

/* Names an element; elements that are not structures have no names of their own. */
static void element_name(struct member_path *n, Dwarf_Die *array, uint64_t byte, unsigned depth)
{
	uint64_t counts[DIMENSIONS_MOST], element;
	unsigned dimensions = dimensions_of(array, counts);
	char *index = NULL;
	Dwarf_Word size;
	Dwarf_Die type;

	if (!type_of(array, &type) || !is_compound(&type) || dimensions == 0 ||
	    dwarf_aggregate_size(&type, &size) != 0 || size == 0)
		return;
	element = byte / size;
	for (unsigned i = dimensions; i-- > 0;) {
		uint64_t at = i && counts[i] ? element % counts[i] : element;
		char *more = text_format("[%" PRIu64 "]%s", at, index ? index : "");

		free(index);
		index = more;
		element = i && counts[i] ? element / counts[i] : 0;
	}
	text_add(n, index, byte % size);
	type_name(n, &type, byte % size, depth + 1);
}

/* Whether a byte of a structure is in a member; *within: which byte of the member it is. */
static bool member_has(Dwarf_Die *member, uint64_t byte, Dwarf_Die *type, uint64_t *within)
{
	int tag = dwarf_tag(member);
	Dwarf_Word begin = 0, size;

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
	    dwarf_hasattr(member, DW_AT_bit_size) || dwarf_hasattr(member, DW_AT_declaration) ||
	    dwarf_hasattr(member, DW_AT_external) || !type_of(member, type))
		return false;
	/* a union's have none; a virtual base's is not a number */
	if (!number_of(member, DW_AT_data_member_location, &begin) &&
	    dwarf_hasattr(member, DW_AT_data_member_location))
		return false;
	if (byte < begin)
		return false;
	*within = byte - begin;
	/* the size of an array at the end may be unknown */
	return dwarf_aggregate_size(type, &size) != 0 || *within < size;
}

static bool has_members(Dwarf_Die *type)
{
	Dwarf_Die die;

	for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_member || dwarf_tag(&die) == DW_TAG_inheritance)
			return true;
	return false;
}

/* Whether a type is one of the libraries of Rust, whose types have no file. */
static bool is_of_rust_library(Dwarf_Die *type)
{
	static const char *const crates[] = {"std", "core", "alloc", "parking_lot", "lock_api"};
	Dwarf_Die *scopes = NULL;
	const char *crate = NULL;
	bool is = false;
	int n;

	if (dwarf_decl_file(type))
		return false;
	n = dwarf_getscopes_die(type, &scopes);
	for (int i = 0; i < n; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_namespace)
			crate = dwarf_diename(&scopes[i]);
	for (size_t i = 0; crate && i < sizeof crates / sizeof *crates; i++)
		is |= strcmp(crate, crates[i]) == 0;
	free(scopes);
	return is;
}

/*
 * Names the innermost member that a byte is in. A base, and a member without a name, is as its
 * members; those of the system are not the program's words.
 */
static void compound_name(struct member_path *n, Dwarf_Die *type, uint64_t byte, unsigned depth)
{
	bool silent = source_path_is_of_system(dwarf_decl_file(type));
	Dwarf_Die member;

	if (is_of_rust_library(type)) {
		n->byte = 0;
		return;
	}
	for (int more = dwarf_child(type, &member); more == 0 && n->members < MEMBERS_MOST;
	     more = dwarf_siblingof(&member, &member)) {
		const char *name;
		Dwarf_Die inner;
		uint64_t within;

		n->members++;
		/* an empty base shares its byte with what comes after it */
		if (!member_has(&member, byte, &inner, &within) ||
		    (is_compound(&inner) && !has_members(&inner)))
			continue;
		name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
		if (name && !silent)
			text_add(n, text_format(".%.*s", (int)NAME_MOST, name), within);
		type_name(n, &inner, within, depth + 1);
		return;
	}
}

/* Adds what is in a type at a byte, if it has parts there. */
static void type_name(struct member_path *n, Dwarf_Die *type, uint64_t byte, unsigned depth)
{
	if (depth >= DEPTH_MOST || strlen(n->text) > TEXT_MOST)
		return;
	if (dwarf_tag(type) == DW_TAG_array_type)
		element_name(n, type, byte, depth);
	else if (is_compound(type))
		compound_name(n, type, byte, depth);
}

char *members_text(struct members *x, Dwarf_Addr variable, uint64_t byte)
{
	struct member_path n = {.byte = byte};
	Dwarf_Die die, type;
	char *seen;

	if (!variable_find(x, variable, &die) || !type_of(&die, &type))
		return NULL;
	n.text = text_format("%s", "");
	type_name(&n, &type, byte, 0);
	if (n.byte)
		text_add(&n, text_format("+%" PRIu64, n.byte), 0);
	seen = visible_text(n.text);
	free(n.text);
	return seen;
}
#endif
