#include "analysis/activity/span_text.h"
#include "base/search.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

const struct instance_span *span_at(const span_vector *spans, int64_t time)
{
	size_t next = lower_bound(i, 0, spans->n, spans->at[i].start <= time);

	while (next-- > 0)
		if (spans->at[next].end > time)
			return &spans->at[next];
	return NULL;
}

const char *span_class_text(const struct trace *t, const struct span_class *c)
{
	int attribute = c->role->start.code[0];
	char address[ADDRESS_TEXT];
	const char *kept;
	char *text;

	if (c->role->kind == KIND_CALL && attribute >= 0)
		return symbols_numbered(t,
					symbols_number(t, address_function(t, address, &c->first,
									   (unsigned)attribute)));
	text = attribute < 0
		   ? text_format("%s", c->role->interval->name)
		   : text_format("%s at %s", c->role->interval->name,
				 address_text(t, address, &c->first, (unsigned)attribute));
	kept = symbols_numbered(t, symbols_number(t, text));
	free(text);
	return kept;
}

const char *class_style_label(const struct span_class *c)
{
	return c->words && c->words->label && c->role->kind == KIND_WAIT
		   ? c->words->label
		   : c->role->interval->style.label;
}

const char *class_object_word(const struct span_class *c)
{
	const struct role_end *start = &c->role->start;

	if (c->words && c->words->hold)
		return NAME_LOCK;
	return start->object < 0 ? NULL : start->event->attributes[start->object].name;
}

bool name_says(const char *name, const char *word)
{
	size_t n = strlen(word);

	return strncmp(name, word, n) == 0 && name[n] == ' ';
}
