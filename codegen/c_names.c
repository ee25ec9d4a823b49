#include "codegen/c.h"
#include <stdlib.h>
#include <string.h>

/* What the generated functions say themselves, and macros that a parameter's name would become. */
static const char *const occupied[] = {
	"int64_t", "uint32_t", "uint64_t", "NULL", "errno", "assert", "offsetof", "linux", "unix", NULL,
};

static bool is_occupied(const char *name)
{
	for (const char *const *o = occupied; *o; o++)
		if (!strcmp(name, *o))
			return true;
	return !strncmp(name, "glimpse_", strlen("glimpse_")) || !strncmp(name, "GLIMPSE_", strlen("GLIMPSE_"));
}

/* A parameter of the name of the specification's object would hide it. */
static bool is_object(const struct spec *s, const char *name)
{
	size_t n = strlen(s->name);

	return !strncmp(name, s->name, n) && !strcmp(name + n, "_glimpse");
}

static void check_attribute(const struct spec *s, const struct attribute *a, struct diag *d)
{
	if (is_occupied(a->name) || is_object(s, a->name))
		diag_error(d, a->where, "attribute '%s': the generated C code needs this name for itself",
			   a->name);
}

void c_check(const struct spec *s, struct diag *d)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		for (unsigned k = 0; k < e->nattributes; k++)
			check_attribute(s, &e->attributes[k], d);
	}
	if (s->nevents == 0)
		diag_error(d, s->where, "the specification '%s' has no event that could be logged", s->name);
}
