#include "viewers/gorge/server/whatif_change.h"
#include "analysis/replay/answer/changes_parse.h"
#include <stdlib.h>
#include <string.h>

/* Returns false if there is no room for it. */
static bool word_add(struct whatif_change *c, const char *word)
{
	size_t n = strlen(word) + 1;

	if (n > sizeof c->words - c->size)
		return false;
	memcpy(c->words + c->size, word, n);
	c->size += n;
	return true;
}

char *whatif_change_read(const struct http_request *request, struct whatif_change *c)
{
	const char *name, *text;

	c->exact = http_value(request, "exact");
	c->anyway = http_value(request, "anyway");
	c->size = 0;
	for (size_t i = 0; (name = http_value_at(request, i, &text)); i++) {
		if (strcmp(name, "exact") == 0 || strcmp(name, "anyway") == 0)
			continue;
		if (!word_add(c, name) || !word_add(c, text))
			return text_format("the changes are too long; at most %zu bytes",
					   sizeof c->words);
	}
	return c->size ? NULL : text_format("no change given; see glimpse whatif --help");
}

bool whatif_change_parse(const struct whatif_change *c, struct change_set *set, struct diag *diag)
{
	const char *text;

	*set = (struct change_set){.exact = c->exact};
	for (const char *name = c->words; name < c->words + c->size;
	     name = text + strlen(text) + 1) {
		char *wrong;

		text = name + strlen(name) + 1;
		wrong = changes_add(set, name, text, diag);
		if (wrong) {
			diag_error(diag, DIAG_NOWHERE, "%s", wrong);
			free(wrong);
			return false;
		}
	}
	return true;
}
