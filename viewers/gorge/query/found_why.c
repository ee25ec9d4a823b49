#include "viewers/gorge/query/found_why.h"
#include "analysis/headline/headline_json.h"
#include "base/array.h"
#include <stdlib.h>

void found_why_free(struct found_why *w)
{
	if (!w)
		return;
	free(w->said);
	free(w->headline);
	if (w->path)
		critical_path_free(w->path);
	free(w);
}

static struct critical_path *path_copy(const struct critical_path *p)
{
	struct critical_path *copy = array_new(1, sizeof *copy);

	*copy = *p;
	copy->pieces = array_new(p->n, sizeof *p->pieces);
	memcpy(copy->pieces, p->pieces, p->n * sizeof *p->pieces);
	return copy;
}

static char *headline_text(const struct headline *h)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json j;

	if (!out)
		array_exhausted();
	j = json_begin(out, 0);
	json_object(&j, NULL);
	json_bool(&j, "ready", true);
	headline_json(&j, "lines", h);
	json_close(&j);
	if (fclose(out) != 0)
		array_exhausted();
	return text;
}

static void found_write(struct found_why *w, FILE *out, const char *directory,
			const struct why *found)
{
	struct headline *h = headline_of(found);

	why_json(out, directory, found, h);
	w->headline = headline_text(h);
	w->path = path_copy(found->evidence->path);
	if (h)
		headline_free(h);
}

struct found_why *found_why_new(struct trace *t, const struct window *window, const char *directory)
{
	struct found_why *w = array_zero(1, sizeof *w);
	FILE *out = open_memstream(&w->said, &w->size);
	struct diag diag = {.out = out, .program = "gorge"};
	struct why_options o = {
	    .from = window->from, .to = window->to, .search = true, .rank = true};
	struct why *found;

	if (!out)
		array_exhausted();
	found = why_of(t, &o, &diag);
	if (found) {
		found_write(w, out, directory, found);
		why_free(found);
	} else {
		w->headline = headline_text(NULL);
	}
	if (fclose(out) != 0)
		array_exhausted();
	return w;
}
