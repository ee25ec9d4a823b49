#include "analysis/headline/headline_json.h"
#include "analysis/why/search_json.h"
#include <stdlib.h>

static const char *const kinds[] = {
    [PART_PLAIN] = "plain",       [PART_OBJECT] = "object", [PART_THREAD] = "thread",
    [PART_FUNCTION] = "function", [PART_PLACE] = "place",   [PART_PROCESSORS] = "processors",
    [PART_WHAT_IF] = "what-if",
};

static void part_json(struct json *j, const struct line_part *p)
{
	json_object(j, NULL);
	json_string(j, "kind", kinds[p->kind]);
	json_string(j, "text", p->text);
	if (p->name)
		json_string(j, "name", p->name);
	if (p->option)
		json_string(j, "option", p->option);
	if (p->number >= 0)
		json_int(j, "number", p->number);
	if (p->from >= 0) {
		json_int(j, "from", p->from);
		json_int(j, "to", p->to);
	}
	json_close(j);
}

static void line_json(struct json *j, const struct part_line *l)
{
	char *text = line_text(l);

	json_object(j, NULL);
	json_string(j, "text", text);
	json_array(j, "parts");
	for (size_t i = 0; i < l->parts.n; i++)
		part_json(j, &l->parts.at[i]);
	json_close(j);
	json_close(j);
	free(text);
}

void headline_json(struct json *j, const char *key, const struct headline *h)
{
	json_array(j, key);
	for (unsigned i = 0; h && i < h->n; i++)
		line_json(j, &h->lines[i]);
	json_close(j);
}

void why_json(FILE *out, const char *directory, const struct why *w, const struct headline *h)
{
	struct json j = json_begin(out, 2);

	json_object(&j, NULL);
	headline_json(&j, "headline", h);
	j.lines = 3;
	search_json(&j, directory, w);
	json_close(&j);
}
