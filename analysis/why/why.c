#include "analysis/why/why.h"
#include "spec/qualified.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char why_spec[] =
#include "analysis/why/why_spec.h"
    ;

static bool is_known(const struct hypotheses *h, const char *name)
{
	for (size_t i = 0; i < h->all.n; i++)
		if (strcmp(h->all.at[i]->name, name) == 0)
			return true;
	return false;
}

static void hypotheses_add(struct hypotheses *h, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nhypotheses; i++)
		if (!is_known(h, spec->hypotheses[i]->name))
			*vector_add(&h->all) = spec->hypotheses[i];
}

bool hypotheses_read(struct hypotheses *h, const struct spec *spec, const char *file,
		     struct diag *diag)
{
	*h = (struct hypotheses){0};
	h->ready_made = file ? spec_read(file, diag) : spec_parse("why.spec", why_spec, diag);
	if (!h->ready_made)
		return false;
	hypotheses_add(h, spec);
	hypotheses_add(h, h->ready_made);
	return true;
}

void hypotheses_free(struct hypotheses *h)
{
	spec_free(h->ready_made);
	free(h->all.at);
}

/* Prints a list of measures, with && between them, as a condition. */
static void condition_print(FILE *out, const char *measures)
{
	const char *end;

	for (; (end = strstr(measures, "&&")); measures = end + 2)
		fprintf(out, "%.*s >= 0 && ", (int)(end - measures), measures);
	fprintf(out, "%s >= 0", measures);
}

struct spec *measures_read(const struct spec *spec, const char *measures, struct diag *diag)
{
	const char *items;
	char *text, *plain = qualified_replace(spec, measures);
	size_t length, n = spec_items(spec, &items);
	FILE *out = open_memstream(&text, &length);
	/* what is to be said of the trace's own has been said */
	static const char *const unheard[] = {"unused-attribute", "type-as-attribute",
					      "narrow-match", "never-holds", NULL};
	const char *const *muted = diag->muted;
	struct spec *s;

	/* the measures come first, so that messages about them have the line 1 */
	fputs("glimpse measures hypothesis Measured where ", out);
	condition_print(out, plain);
	free(plain);
	fprintf(out, ";\n%.*s\nend measures\n", (int)n, items);
	fclose(out);
	diag->muted = unheard;
	s = spec_parse("--measure", text, diag);
	diag->muted = muted;
	free(text);
	return s;
}
