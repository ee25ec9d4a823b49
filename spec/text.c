#include "grammar/keyword.h"
#include "spec/resolver.h"

#include <string.h>

struct output {
	char *bytes;            /* NULL while the size is counted */
	size_t length;
};

static void append(struct output *o, const char *bytes, size_t length)
{
	if (o->bytes)
		memcpy(o->bytes + o->length, bytes, length);
	o->length += length;
}

static void append_string(struct output *o, const char *s)
{
	append(o, s, strlen(s));
}

static void append_span(struct output *o, struct span where)
{
	if (where.end == where.start)
		return;
	append(o, where.source->text + where.start, where.end - where.start);
	append_string(o, "\n");
}

/* An item keeps its spelling, and the comment before it. */
static void text_write(struct output *o, const char *name, const struct load *load)
{
	append_string(o, "glimpse ");
	append_string(o, name);
	append_string(o, "\n\n");
	for (size_t i = 0; i < load->nitems; i++) {
		const struct ast_item *item = load->items[i];
		append_span(o, item->comment_where);
		append_span(o, item->where);
		if (i + 1 == load->nitems || load->items[i + 1]->comment_where.end >
						     load->items[i + 1]->comment_where.start)
			append_string(o, "\n");
	}
	append_string(o, "end");
	if (!keyword_begins_block(name)) {
		append_string(o, " ");
		append_string(o, name);
	}
	append_string(o, "\n");
}

char *spec_text(struct arena *a, const char *name, const struct load *load)
{
	struct output o = {0};
	text_write(&o, name, load);
	o.bytes = arena_alloc(a, o.length + 1);
	o.length = 0;
	text_write(&o, name, load);
	return o.bytes;
}

size_t spec_items(const struct spec *spec, const char **items)
{
	const char *end = spec->text + strlen(spec->text) - 1;

	*items = spec->text + strlen("glimpse ") + strlen(spec->name) + strlen("\n\n");
	while (end > *items && end[-1] != '\n')
		end--;
	return (size_t)(end - *items);
}
