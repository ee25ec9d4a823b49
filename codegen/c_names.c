#include "codegen/c.h"
#include "codegen/reserved.h"
#include <string.h>
#include <strings.h>

/* What the generated functions say themselves, and macros that a parameter's name would become. */
static const char *const occupied[] = {
	"int64_t", "uint32_t", "uint64_t",
	"NULL", "errno", "assert", "offsetof", "linux", "unix",
	NULL,
};

static bool is_occupied(const char *name)
{
	for (const char *const *o = occupied; *o; o++)
		if (!strcmp(name, *o))
			return true;
	return !strncasecmp(name, "glimpse_", strlen("glimpse_"));
}

/* A parameter of the name of the specification's object would hide it. */
static bool is_object(const struct spec *s, const char *name)
{
	size_t n = strlen(s->name);

	return !strncmp(name, s->name, n) && !strcmp(name + n, "_glimpse");
}

static void check_word(const char *what, const char *name, struct span where, struct diag *d)
{
	bool c = name_reserved(LANGUAGE_C, name), cxx = name_reserved(LANGUAGE_CPP, name);

	if (c || cxx)
		diag_error(d, where, "'%s' cannot name %s: %s reserves it", name, what,
			   c ? "C" : "C++");
}

static void check_attribute(const struct spec *s, const struct attribute *a, struct diag *d)
{
	if (is_occupied(a->name) || is_object(s, a->name))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute: the generated code uses that name",
			   a->name);
	else
		check_word("an attribute", a->name, a->where, d);
}

void c_check(const struct spec *s, struct diag *d)
{
	check_word("a specification", s->name, s->where, d);
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		check_word("an event", e->name, e->where, d);
		for (unsigned k = 0; k < e->nattributes; k++)
			check_attribute(s, &e->attributes[k], d);
	}
	if (s->nevents == 0)
		diag_error(d, s->where, "the specification '%s' has no events", s->name);
}
