#include "viewers/gorge/query/notes.h"
#include "base/units.h"
#include <stdlib.h>
#include <string.h>

static void add_wrong(struct notes *notes, unsigned number, char *why)
{
	*vector_add(&notes->wrong) = text_format("line %u: %s", number, why);
	free(why);
}

/* Ends the field at *line, moves *line behind it and returns the field; NULL: it is the last. */
static char *take_field(char **line)
{
	char *field = *line, *end = field;

	while (*end && *end != '\t' && strncmp(end, "  ", 2) != 0)
		end++;
	if (!*end)
		return NULL;
	*line = end + strspn(end, " \t");
	*end = '\0';
	return field;
}

static bool read_range(const char *text, struct note *note)
{
	const char *dash = strchr(text, '-');
	char *first = dash ? text_format("%.*s", (int)(dash - text), text) : NULL;
	bool good = units_parse_time(first ? first : text, &note->from);

	note->to = note->from;
	if (dash)
		good = good && units_parse_time(dash + 1, &note->to) && note->to >= note->from;
	free(first);
	return good && note->from >= 0;
}

static bool read_thread(const char *label, const struct trace *t, struct note *note)
{
	note->thread = NOTE_NO_THREAD;
	if (!strcmp(label, "-"))
		return true;
	for (unsigned i = 0; i < t->nthreads; i++)
		if (!strcmp(t->threads[i].label, label)) {
			note->thread = i;
			return true;
		}
	return false;
}

/* Reads a line, which it changes. Returns what is wrong with it, or NULL. */
static char *read_line(char *line, const struct trace *t, struct note *note)
{
	char *range = take_field(&line), *thread = range ? take_field(&line) : NULL;

	if (!thread || !*line)
		return text_format("expected TIME, THREAD or -, and TEXT, with tabs between them");
	if (!read_range(range, note))
		return text_format("'%s' is not a time or a range, such as 1.5ms or 20ms-25ms",
				   range);
	if (!read_thread(thread, t, note))
		return text_format("there is no thread '%s'", thread);
	note->text = text_format("%s", line);
	return NULL;
}

static void add_line(struct notes *notes, const char *line, size_t length, unsigned number,
		     const struct trace *t)
{
	struct note note = {0};
	char *copy, *why;

	if (length == 0 || *line == '#')
		return;
	if (length > NOTE_MOST_BYTES || notes->list.n >= NOTES_MOST) {
		add_wrong(notes, number,
			  length > NOTE_MOST_BYTES
			      ? text_format("longer than %d bytes", NOTE_MOST_BYTES)
			      : text_format("more than %d notes", NOTES_MOST));
		return;
	}
	copy = text_format("%.*s", (int)length, line);
	why = read_line(copy, t, &note);
	free(copy);
	if (why) {
		add_wrong(notes, number, why);
		return;
	}
	note.line = text_format("%.*s", (int)length, line);
	*vector_add(&notes->list) = note;
}

struct notes notes_read(const char *text, const struct trace *t)
{
	struct notes notes = {0};
	unsigned number = 1;

	for (const char *at = text ? text : ""; *at && notes.wrong.n < NOTES_MOST; number++) {
		size_t length = strcspn(at, "\n"), shown = length;

		if (shown && at[shown - 1] == '\r')
			shown--;
		add_line(&notes, at, shown, number, t);
		at += length + (at[length] == '\n');
	}
	return notes;
}

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->list.n; i++) {
		free(notes->list.at[i].text);
		free(notes->list.at[i].line);
	}
	for (size_t i = 0; i < notes->wrong.n; i++)
		free(notes->wrong.at[i]);
	free(notes->list.at);
	free(notes->wrong.at);
}

void notes_write(const struct notes *notes, const struct trace *t, struct json *j)
{
	json_array(j, "notes");
	for (size_t i = 0; i < notes->list.n; i++) {
		const struct note *n = &notes->list.at[i];

		json_object(j, NULL);
		json_int(j, "from", n->from);
		json_int(j, "to", n->to);
		if (n->thread != NOTE_NO_THREAD) {
			json_string(j, "thread", t->threads[n->thread].label);
			json_uint(j, "number", n->thread);
		}
		json_string(j, "text", n->text);
		json_string(j, "line", n->line);
		json_close(j);
	}
	json_close(j);
	json_array(j, "wrong");
	for (size_t i = 0; i < notes->wrong.n; i++)
		json_string(j, NULL, notes->wrong.at[i]);
	json_close(j);
}
