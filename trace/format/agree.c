#include "trace/format/agree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool attributes_equal(const struct event_type *a, const struct event_type *b)
{
	if (a->nattributes != b->nattributes)
		return false;
	for (unsigned i = 0; i < a->nattributes; i++)
		if (a->attributes[i].type != b->attributes[i].type ||
		    strcmp(a->attributes[i].name, b->attributes[i].name) != 0)
			return false;
	return true;
}

static char *signature(const struct event_type *e)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f, "%s(", e->name);
	for (unsigned i = 0; i < e->nattributes; i++)
		fprintf(f, "%s%s %s", i ? ", " : "", type_name(e->attributes[i].type),
			e->attributes[i].name);
	fputc(')', f);
	return fclose(f) ? NULL : text;
}

static void differ_error(const struct event_type *wanted, const struct event_type *logged,
			 struct diag *diag)
{
	char *mine = signature(wanted), *theirs = signature(logged);

	diag_error(diag, wanted->where, "the logs were not written with %s",
		   mine ? mine : wanted->name);
	diag_note(diag, logged->where, "but with %s", theirs ? theirs : logged->name);
	free(mine);
	free(theirs);
}

bool events_agree(const struct event_type *wanted, const struct event_type *logged,
		  struct diag *diag)
{
	if (attributes_equal(wanted, logged))
		return true;
	differ_error(wanted, logged, diag);
	return false;
}
