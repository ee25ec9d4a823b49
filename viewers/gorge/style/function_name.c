#include "viewers/gorge/style/function_name.h"
#include "base/array.h"
#include "base/visible.h"
#include "trace/plain_name.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>
#include <string.h>

/* Takes the form, unless it is no shorter than the last one. */
static void form_add(struct name_forms *f, char *form)
{
	if (f->n && strlen(form) >= strlen(f->at[f->n - 1]))
		free(form);
	else
		f->at[f->n++] = form;
}

struct name_forms name_forms_of(const char *name)
{
	struct name_forms f = {.n = 0};
	size_t line;
	const char *place = plain_name_line(name, &line);
	char *function = plain_name_function(name);

	form_add(&f, text_format("%s", name));
	if (place)
		form_add(&f, text_format("%.*s", (int)(place - 2 - name), name));
	form_add(&f, text_format("%s", function));
	form_add(&f, text_format("%s", plain_name_unqualified(function)));
	free(function);
	return f;
}

void name_forms_free(struct name_forms *f)
{
	for (unsigned i = 0; i < f->n; i++)
		free(f->at[i]);
}

char *name_fit(const char *name, double size, double width)
{
	struct name_forms f = name_forms_of(name);
	char *fit = NULL, *clean;

	for (unsigned i = 0; i < f.n && !fit; i++) {
		clean = visible_text(f.at[i]);
		if (i + 1 == f.n || text_width(clean, size, false) <= width)
			fit = text_fit(clean, size, false, width);
		free(clean);
	}
	name_forms_free(&f);
	return fit;
}
