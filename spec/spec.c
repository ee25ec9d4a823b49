#include "spec/spec.h"
#include "spec/load.h"
#include "spec/resolver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct event_type *spec_event(const struct spec *s, const char *name)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (strcmp(s->events[i]->name, name) == 0)
			return s->events[i];
	return NULL;
}

const struct interval *spec_interval(const struct spec *s, const char *name)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (strcmp(s->intervals[i]->name, name) == 0)
			return s->intervals[i];
	return NULL;
}

int event_attribute(const struct event_type *e, const char *name)
{
	for (unsigned i = 0; i < e->nattributes; i++)
		if (strcmp(e->attributes[i].name, name) == 0)
			return (int)i;
	return -1;
}

static void spec_resolve(struct spec *s, const struct load *load, struct diag *diag)
{
	unsigned before = diag->errors;
	struct resolver r = {.spec = s, .load = load, .diag = diag};
	const struct ast_name *name = &load->block->name;
	s->name = arena_copy(s->arena, name->text, strlen(name->text));
	s->where = name->where;
	names_enter(&r);
	events_resolve(&r);
	intervals_resolve(&r);
	assertions_resolve(&r);
	if (diag->errors == before) {
		s->text = spec_text(s->arena, s->name, load);
		spec_lint(s, diag);
	}
}

/* Takes the source over. */
static struct spec *spec_build(struct source *source, const char *path, struct diag *diag)
{
	unsigned before = diag->errors;
	struct load load;
	struct spec *s = calloc(1, sizeof *s);
	if (!s) {
		source_free(source);
		diag_error(diag, DIAG_NOWHERE, "out of memory");
		return NULL;
	}
	s->arena = arena_new();
	if (load_read(&load, source, path, diag))
		spec_resolve(s, &load, diag);
	s->sources = load_release(&load, &s->nsources);
	if (diag->errors == before)
		return s;
	spec_free(s);
	return NULL;
}

struct spec *spec_read(const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	if (!source) {
		diag_error(diag, DIAG_NOWHERE, "cannot read the specification '%s': %s", path,
			   strerror(errno));
		return NULL;
	}
	return spec_build(source, strcmp(path, "-") ? path : NULL, diag);
}

struct spec *spec_parse(const char *name, const char *text, struct diag *diag)
{
	struct source *source = source_text(name, text);
	if (!source) {
		diag_error(diag, DIAG_NOWHERE, "out of memory");
		return NULL;
	}
	return spec_build(source, NULL, diag);
}

void spec_free(struct spec *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->nintervals; i++) {
		struct interval *interval = s->intervals[i];
		expr_free(interval->condition);
		for (unsigned k = 0; k < interval->nmetrics; k++)
			expr_free(interval->metrics[k].value);
	}
	for (unsigned i = 0; i < s->nassertions; i++)
		expr_free(s->assertions[i]->condition);
	for (size_t i = 0; i < s->nsources; i++)
		source_free(s->sources[i]);
	free(s->sources);
	arena_free(s->arena);
	free(s);
}
