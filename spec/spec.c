#include "spec/spec.h"
#include "grammar/keyword.h"
#include "spec/lint.h"
#include "spec/load.h"
#include "spec/resolve.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct text_buffer {
	char *bytes; /* NULL while the size is counted */
	size_t length;
};

static void spec_append(struct text_buffer *o, const char *bytes, size_t length)
{
	if (o->bytes)
		memcpy(o->bytes + o->length, bytes, length);
	o->length += length;
}

static void append_string(struct text_buffer *o, const char *s)
{
	spec_append(o, s, strlen(s));
}

static void append_span(struct text_buffer *o, struct span where)
{
	if (where.end == where.start)
		return;
	spec_append(o, where.source->text + where.start, where.end - where.start);
	append_string(o, "\n");
}

/* Writes each item as it is spelled, with the comment before it. */
static void text_write(struct text_buffer *o, const char *name, const struct load *load)
{
	append_string(o, "glimpse ");
	append_string(o, name);
	append_string(o, "\n\n");
	for (size_t i = 0; i < load->nitems; i++) {
		const struct ast_item *item = load->items[i];
		append_span(o, item->comment_where);
		append_span(o, item->where);
		if (i + 1 == load->nitems ||
		    load->items[i + 1]->comment_where.end > load->items[i + 1]->comment_where.start)
			append_string(o, "\n");
	}
	append_string(o, "end");
	if (!keyword_begins_block(name)) {
		append_string(o, " ");
		append_string(o, name);
	}
	append_string(o, "\n");
}

/* Returns the specification with its imports written in place. */
static char *spec_text(struct arena *a, const char *name, const struct load *load)
{
	struct text_buffer o = {0};
	text_write(&o, name, load);
	o.bytes = arena_alloc(a, o.length + 1);
	o.length = 0;
	text_write(&o, name, load);
	return o.bytes;
}

/* Takes the source over. */
static struct spec *spec_build(struct source *source, const char *path, enum imports imports,
			       struct diag *diag)
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
	if (load_read(&load, source, path, imports, diag)) {
		spec_resolve(s, &load, diag);
		if (diag->errors == before) {
			s->text = spec_text(s->arena, s->name, &load);
			spec_lint(s, diag);
		}
	}
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
	return spec_build(source, strcmp(path, "-") ? path : NULL, IMPORTS_ANY, diag);
}

static void logs_begin(struct diag *diag)
{
	static const char *const muted[] = {"unused-attribute", NULL};

	diag->muted = muted;
}

static struct spec *logs_end(struct spec *spec, struct diag *diag)
{
	diag->muted = NULL;
	diag->mute_notes = false;
	return spec;
}

struct spec *spec_read_for_logs(const char *path, struct diag *diag)
{
	logs_begin(diag);
	return logs_end(spec_read(path, diag), diag);
}

struct spec *spec_take(const char *path, int fd, bool beside, struct diag *diag)
{
	struct source *source = source_take(path, fd);
	if (!source) {
		diag_error(diag, DIAG_NOWHERE, "cannot read the specification '%s': %s", path,
			   strerror(errno));
		return NULL;
	}
	return spec_build(source, beside ? path : NULL, beside ? IMPORTS_BESIDE : IMPORTS_NONE,
			  diag);
}

struct spec *spec_parse(const char *name, const char *text, struct diag *diag)
{
	struct source *source = source_text(name, text);
	if (!source) {
		diag_error(diag, DIAG_NOWHERE, "out of memory");
		return NULL;
	}
	return spec_build(source, NULL, IMPORTS_ANY, diag);
}

struct spec *spec_parse_for_logs(const char *name, const char *text, struct diag *diag)
{
	logs_begin(diag);
	return logs_end(spec_parse(name, text, diag), diag);
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
	for (unsigned i = 0; i < s->nhypotheses; i++)
		expr_free(s->hypotheses[i]->condition);
	for (size_t i = 0; i < s->nsources; i++)
		source_free(s->sources[i]);
	free(s->sources);
	arena_free(s->arena);
	free(s);
}

size_t spec_items(const struct spec *spec, const char **items)
{
	const char *end = spec->text + strlen(spec->text) - 1;

	*items = spec->text + strlen("glimpse ") + strlen(spec->name) + strlen("\n\n");
	while (end > *items && end[-1] != '\n')
		end--;
	return (size_t)(end - *items);
}
