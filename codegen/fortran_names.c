/*
 * Names that Fortran cannot take. Case does not count there, and the argument of a subroutine
 * cannot have the subroutine's name.
 */
#include "codegen/fortran.h"
#include "codegen/reserved.h"
#include <string.h>
#include <strings.h>

/* What the module says itself; it is all in lower case there. */
static const char *const occupied[] = {
	"c_char", "c_double", "c_int", "c_int64_t", "c_ptr", "c_size_t", "glimpse", "iso_c_binding",
	NULL,
};

static bool is_occupied(const char *name)
{
	for (const char *const *o = occupied; *o; o++)
		if (!strcasecmp(name, *o))
			return true;
	return false;
}

/* Attributes are none of these already for C. */
static bool is_runtime(const char *name)
{
	return !strncasecmp(name, "glimpse_", strlen("glimpse_"));
}

static bool is_module(const struct spec *s, const char *name)
{
	size_t n = strlen(s->name);

	return !strncasecmp(name, s->name, n) && !strcasecmp(name + n, "_glimpse");
}

static void check_form(const char *what, const char *name, const char *suffix, struct span where,
		       struct diag *d)
{
	if (name[0] == '_')
		diag_error(d, where, "'%s' cannot name %s: names in Fortran begin with a letter",
			   name, what);
	if (strlen(name) + strlen(suffix) > NAME_FORTRAN_LONGEST)
		diag_error(d, where, "'%s%s' has %zu characters; the limit in Fortran is %d", name,
			   suffix, strlen(name) + strlen(suffix), NAME_FORTRAN_LONGEST);
}

static void check_attribute(const struct event_type *e, unsigned i, struct diag *d)
{
	const struct attribute *a = &e->attributes[i];

	check_form("an attribute", a->name, "", a->where, d);
	if (is_occupied(a->name))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute: the generated code uses that name",
			   a->name);
	if (!strcasecmp(a->name, e->name))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute of %s: its subroutine has the same name "
			   "in Fortran, where case is ignored", a->name, e->name);
	for (unsigned k = 0; k < i; k++)
		if (!strcasecmp(a->name, e->attributes[k].name)) {
			diag_error(d, a->where, "'%s' and '%s' are the same name in Fortran, "
				   "where case is ignored", a->name, e->attributes[k].name);
			diag_note(d, e->attributes[k].where, "the other one is here");
			break;
		}
}

static void check_case(const struct spec *s, const struct event_type *e, struct diag *d)
{
	for (unsigned i = 0; i < e->index; i++)
		if (!strcasecmp(e->name, s->events[i]->name)) {
			diag_error(d, e->where, "'%s' and '%s' are the same name in Fortran, "
				   "where case is ignored", e->name, s->events[i]->name);
			diag_note(d, s->events[i]->where, "the other one is here");
			return;
		}
}

static void check_event(const struct spec *s, const struct event_type *e, struct diag *d)
{
	const char *owner = name_procedure(e->name);

	check_form("an event", e->name, "", e->where, d);
	if (is_occupied(e->name) || is_runtime(e->name) || is_module(s, e->name))
		diag_error(d, e->where,
			   "'%s' cannot name an event: the generated module uses that name",
			   e->name);
	else if (owner)
		diag_error(d, e->where,
			   "'%s' cannot name an event in Fortran: a procedure of %s has that name",
			   e->name, owner);
	check_case(s, e, d);
	for (unsigned i = 0; i < e->nattributes; i++)
		check_attribute(e, i, d);
}

void fortran_check(const struct spec *s, struct diag *d)
{
	check_form("a specification", s->name, "_glimpse", s->where, d);
	for (unsigned i = 0; i < s->nevents; i++)
		check_event(s, s->events[i], d);
}
