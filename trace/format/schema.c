#include "trace/format/schema.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool schemas_add(struct schemas *s, const struct spec *spec)
{
	struct schema *schema, **list;

	if (schemas_find(s, spec->schema))
		return true;
	list = realloc(s->list, (s->count + 1) * sizeof(struct schema *));
	if (!list)
		return false;
	s->list = list;
	schema = calloc(1, sizeof *schema);
	if (!schema)
		return false;
	s->list[s->count++] = schema;
	schema->spec = spec;
	schema->types = calloc(spec->nevents + 1, sizeof *schema->types);
	return schema->types;
}

const struct schema *schemas_find(const struct schemas *s, uint64_t identity)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i]->spec->schema == identity)
			return s->list[i];
	return NULL;
}

void schemas_clear(struct schemas *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->list[i]->types);
		free(s->list[i]);
	}
	free(s->list);
	while (s->tables) {
		struct id_table *next = s->tables->next;

		free(s->tables->claims);
		free(s->tables);
		s->tables = next;
	}
	*s = (struct schemas){NULL, 0, NULL};
}

static bool claim_equal(const struct claim *a, const struct claim *b)
{
	return a->schema == b->schema && a->base == b->base;
}

static bool claim_overlaps(const struct claim *a, const struct claim *b)
{
	return a->base < b->base + b->schema->spec->nevents &&
	       b->base < a->base + a->schema->spec->nevents;
}

/* Returns whether the table has the claims of the table before, then this one. */
static bool table_follows(const struct id_table *t, const struct id_table *before,
			  const struct claim *claim)
{
	unsigned n = before ? before->nclaims : 0;

	if (t->nclaims != n + 1 || !claim_equal(&t->claims[n], claim))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!claim_equal(&t->claims[i], &before->claims[i]))
			return false;
	return true;
}

static struct id_table *id_table_new(const struct id_table *before, const struct claim *claim)
{
	const struct spec *spec = claim->schema->spec;
	unsigned n = before ? before->nclaims : 0;
	struct id_table *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->claims = malloc((n + 1) * sizeof *t->claims);
	if (!t->claims) {
		free(t);
		return NULL;
	}
	for (unsigned i = 0; i < n; i++)
		t->claims[i] = before->claims[i];
	t->claims[n] = *claim;
	t->nclaims = n + 1;
	if (before)
		memcpy(t->rows, before->rows, sizeof t->rows);
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];

		t->rows[claim->base + i] =
		    (struct id_row){e->fixed_size, (uint16_t)e->nstrings, claim->schema->types[i]};
	}
	return t;
}

const struct id_table *schemas_claim(struct schemas *s, const struct id_table *before,
				     struct claim claim, const char **why)
{
	struct id_table *t;

	*why = "does not fit into the range of event ids";
	if (claim.base < RECORD_FIRST_EVENT || claim.base > RECORD_IDS ||
	    claim.schema->spec->nevents > RECORD_IDS - claim.base)
		return NULL;
	for (unsigned i = 0; before && i < before->nclaims; i++) {
		if (claim_equal(&before->claims[i], &claim))
			return before;
		*why = "contradicts the one before it";
		if (claim_overlaps(&before->claims[i], &claim))
			return NULL;
	}
	for (t = s->tables; t; t = t->next)
		if (table_follows(t, before, &claim))
			return t;
	*why = "does not fit into memory";
	t = id_table_new(before, &claim);
	if (!t)
		return NULL;
	t->next = s->tables;
	s->tables = t;
	return t;
}

/* ---- agreement of event types ---- */

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

/* Returns the event as it is declared; the caller frees the text. */
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

bool event_types_agree(const struct event_type *wanted, const struct event_type *logged,
		       struct diag *diag)
{
	char *wanted_text, *logged_text;

	if (attributes_equal(wanted, logged))
		return true;
	wanted_text = signature(wanted);
	logged_text = signature(logged);
	diag_error(diag, wanted->where, "%s is not what the logs were written with",
		   wanted_text ? wanted_text : wanted->name);
	diag_note(diag, logged->where, "the logs were written with %s",
		  logged_text ? logged_text : logged->name);
	free(wanted_text);
	free(logged_text);
	return false;
}
