/* Notes of a recipe. */
#include "tests/trace/mklog.h"
#include <stdlib.h>
#include <string.h>

void schema_note(struct binary *b, const struct spec *s, unsigned base, const struct line *l)
{
	binary_64(b, l ? line_number(l, "identity", s->schema) : s->schema);
	binary_32(b, l ? (uint32_t)line_number(l, "base", base) : base);
	binary_32(b, l ? (uint32_t)line_number(l, "count", s->nevents) : s->nevents);
	binary_bytes(b, s->name, strlen(s->name));
}

static void note_schema(struct binary *b, const struct line *l)
{
	const struct word *name = line_word(l, 2, "a specification's name");

	for (unsigned i = 0; i < make.nspecs; i++) {
		if (strcmp(make.specs[i]->name, name->text) == 0) {
			schema_note(b, make.specs[i], make.bases[i], l);
			return;
		}
	}
	recipe_fail("no specification %s", name->text);
}

static void note_bytes(struct binary *b, const struct line *l)
{
	const struct word *text = line_word(l, 2, "bytes");

	binary_bytes(b, text->text, text->length);
}

static void note_clock(struct binary *b, const struct line *l)
{
	for (unsigned i = 2; i < 5; i++)
		binary_64(b, word_number(line_word(l, i, "TICKS MONOTONIC REALTIME")));
}

static void note_lost(struct binary *b, const struct line *l)
{
	binary_64(b, word_number(line_word(l, 2, "a count")));
	binary_32(b, (uint32_t)line_number(l, "reason", 1));
}

static void note_switch(struct binary *b, const struct line *l)
{
	const char *name = line_word(l, 2, "an event")->text;
	unsigned id = 0;

	if (strcmp(name, "all"))
		event_find(name, &id);
	binary_32(b, id);
	binary_32(b, (uint32_t)word_number(line_word(l, 3, "0 or 1")));
	binary_64(b, word_number(line_word(l, 4, "ticks")));
}

static void note_end(struct binary *b, const struct line *l)
{
	(void)b, (void)l;
}

/* note schema SPEC | name TEXT | clock T M R | lost N | switch EVENT|all 0|1 T | end | KIND BYTES */
void note_statement(const struct line *l)
{
	static const struct {
		const char *name;
		void (*put)(struct binary *b, const struct line *l);
	} notes[] = {
	    {"schema", note_schema}, {"name", note_bytes},    {"clock", note_clock},
	    {"lost", note_lost},     {"switch", note_switch}, {"end", note_end},
	};
	const struct word *kind = line_word(l, 1, "a kind");
	struct binary content = {.swap = make.swap};
	unsigned i = 0;

	while (i < 6 && strcmp(notes[i].name, kind->text) != 0)
		i++;
	if (i < 6)
		notes[i].put(&content, l);
	else
		note_bytes(&content, l);
	note_record(current(), i < 6 ? i + 1 : (unsigned)word_number(kind), &content);
	free(content.bytes);
}
