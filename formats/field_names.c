#include "formats/field_names.h"
#include "base/array.h"
#include <stdlib.h>
#include <strings.h>

static bool is_taken(const struct field_names *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcasecmp(f->names[i], name) == 0)
			return true;
	return false;
}

const char *field_name_add(struct field_names *f, const char *name)
{
	char *own = text_format("%s", name);

	while (is_taken(f, own)) {
		char *longer = text_format("%s_", own);

		free(own);
		own = longer;
	}
	f->names = array_grow(f->names, f->n, sizeof *f->names);
	f->names[f->n++] = own;
	return own;
}

void field_names_free(struct field_names *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->names[i]);
	free(f->names);
	*f = (struct field_names){NULL, 0};
}

static struct field_names names_fixed(const char *const *fixed)
{
	struct field_names f = {NULL, 0};

	for (; *fixed; fixed++)
		field_name_add(&f, *fixed);
	return f;
}

struct field_names attribute_names(const struct event_type *e, const char *const *fixed)
{
	struct field_names f = names_fixed(fixed);

	for (unsigned i = 0; i < e->nattributes; i++)
		field_name_add(&f, e->attributes[i].name);
	return f;
}

const char *const interval_fields[INTERVAL_FIELDS + 1] = {
    "start",          "end",         "duration", "anchor_thread", "anchor_seq",
    "partner_thread", "partner_seq", NULL};

struct field_names metric_names(const struct interval *i)
{
	struct field_names f = names_fixed(interval_fields);

	for (unsigned k = 0; k < i->nmetrics; k++)
		field_name_add(&f, i->metrics[k].name);
	return f;
}
