/* Names that Java, or the generated class, cannot take. */
#include "codegen/java.h"
#include "codegen/reserved.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Variables called so would hide what the methods use. */
static const char *const occupied[] = {"DISABLE_GLIMPSE", "GLIMPSE_SPEC", "Log", NULL};

/* What the class offers besides events, and what every object has. */
static const char *const methods[] = {
	"close", "closeThreadData", "init",
	"clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait",
	NULL,
};

/* The classes that the generated one speaks of, and what the language keeps from classes alone. */
static const char *const classes[] = {
	"Boolean", "Glimpse", "Log", "Specification", "String",
	"permits", "record", "sealed", "var", "yield",
	NULL,
};

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool is_identifier(const char *name, size_t length)
{
	char *copy = strndup(name, length);
	bool good = copy && length && !isdigit((unsigned char)*name) &&
		    !name_reserved(LANGUAGE_JAVA, copy);

	for (size_t i = 0; good && i < length; i++)
		good = isalnum((unsigned char)name[i]) || name[i] == '_';
	free(copy);
	return good;
}

bool java_is_class(const char *name)
{
	return is_identifier(name, strlen(name)) && !is_one_of(name, classes);
}

bool java_is_package(const char *name)
{
	size_t n = strcspn(name, ".");

	return is_identifier(name, n) && (!name[n] || java_is_package(name + n + 1));
}

static void check_event(const struct event_type *e, struct diag *d)
{
	if (name_reserved(LANGUAGE_JAVA, e->name))
		diag_error(d, e->where, "'%s' cannot name an event: Java reserves it", e->name);
	else if (is_one_of(e->name, methods))
		diag_error(d, e->where,
			   "'%s' cannot name an event in Java: the generated class has a method of that name",
			   e->name);
}

static void check_attribute(const struct attribute *a, struct diag *d)
{
	if (name_reserved(LANGUAGE_JAVA, a->name))
		diag_error(d, a->where, "'%s' cannot name an attribute: Java reserves it", a->name);
	else if (is_one_of(a->name, occupied))
		diag_error(d, a->where,
			   "'%s' cannot name an attribute: the generated code uses that name",
			   a->name);
}

/* The virtual machine passes 255 words; two for what has 64 bits, and a uint comes as a long. */
static void check_words(const struct event_type *e, struct diag *d)
{
	unsigned words = 0;

	for (unsigned i = 0; i < e->nattributes; i++) {
		enum type t = e->attributes[i].type;
		words += t == TYPE_INT || t == TYPE_STRING ? 1 : 2;
	}
	if (words > 255)
		diag_error(d, e->where, "'%s' has too many attributes for a Java method: they "
			   "take %u words, and the limit is 255", e->name, words);
}

void java_check_names(const struct spec *s, struct diag *d)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		check_event(e, d);
		check_words(e, d);
		for (unsigned k = 0; k < e->nattributes; k++)
			check_attribute(&e->attributes[k], d);
	}
	if (s->nevents == 0)
		diag_error(d, s->where, "the specification '%s' has no events", s->name);
}
