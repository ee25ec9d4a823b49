#include "trace/open/name_clash.h"
#include "grammar/arena.h"
#include "spec/qualified.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_taken(const struct spec *s, const char *name)
{
	return spec_event(s, name) || spec_interval(s, name);
}

unsigned clashing_events(const struct spec *first, const struct spec *spec)
{
	unsigned n = 0;

	for (unsigned i = 0; i < spec->nevents; i++)
		n += spec_event(first, spec->events[i]->name) != NULL;
	return n;
}

/* Prints a text with one word in place of another. */
static void words_replace(FILE *out, const char *text, const char *word, const char *with)
{
	for (size_t n; *text; text += n) {
		n = text_piece(text);
		if (n == strlen(word) && memcmp(text, word, n) == 0)
			fputs(with, out);
		else
			fwrite(text, 1, n, out);
	}
}

/* The text keeps the lines that begin and end its block, which spec_items() looks for. */
static bool text_rename(struct spec *spec, const char *word, const char *with)
{
	size_t head = strlen("glimpse ") + strlen(spec->name), size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return false;
	fwrite(spec->text, 1, head, out);
	words_replace(out, spec->text + head, word, with);
	if (fclose(out) != 0)
		return false;
	spec->text = arena_copy(spec->arena, text, size);
	free(text);
	return spec->text;
}

static bool item_rename(const struct spec *first, struct spec *spec, char **name)
{
	char *longer = NULL;
	size_t size;
	FILE *out;

	if (!is_taken(first, *name))
		return true;
	out = open_memstream(&longer, &size);
	if (!out)
		return false;
	fprintf(out, "%s_%s", spec->name, *name);
	for (fflush(out); is_taken(first, longer) || is_taken(spec, longer); fflush(out))
		putc('_', out);
	if (fclose(out) != 0 || !text_rename(spec, *name, longer))
		return false;
	*name = arena_copy(spec->arena, longer, size);
	free(longer);
	return *name;
}

static void homes_note(struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		spec->events[i]->declared = spec->events[i]->name;
		spec->events[i]->home = spec->name;
	}
	for (unsigned i = 0; i < spec->nintervals; i++) {
		spec->intervals[i]->declared = spec->intervals[i]->name;
		spec->intervals[i]->home = spec->name;
	}
}

bool name_clashes_rename(const struct spec *first, struct spec *spec)
{
	bool good = true;

	homes_note(spec);
	for (unsigned i = 0; good && i < spec->nevents; i++)
		good = item_rename(first, spec, &spec->events[i]->name);
	for (unsigned i = 0; good && i < spec->nintervals; i++)
		good = item_rename(first, spec, &spec->intervals[i]->name);
	return good;
}
