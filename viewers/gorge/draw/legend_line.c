#include "viewers/gorge/draw/legend_line.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>

enum { LETTERS = 10, LINE = 17, SAMPLE = 22, GAP = 18, SWATCH = 15 };

static void entry_add(struct legend_line *l, enum legend_form form, rgba colour, char *text)
{
	*vector_add(&l->entries) =
	    (struct legend_entry){.form = form, .colour = colour, .text = text};
}

/* Appends a label to a list, which is replaced. */
static void list_add(char **list, const char *label)
{
	char *longer = *list ? text_format("%s, %s", *list, label) : text_format("%s", label);

	free(*list);
	*list = longer;
}

static bool is_drawn(const struct interval_key *k)
{
	return k->count > 0 && !k->absent;
}

/* Adds the states of one kind: "ready: no processor". */
static void states_add(struct legend_line *l, const struct scene *s, enum thread_state state,
		       const char *words)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].state == state && is_drawn(&s->intervals[i])) {
			entry_add(l, LEGEND_TALL, s->intervals[i].colour,
				  text_format("%s%s", s->intervals[i].label, words));
			return;
		}
}

/*
 * Adds the waits of a class, and what they are called: "waits for another thread: lock". Those with
 * a colour of their own are told apart.
 */
static void waits_add(struct legend_line *l, const struct scene *s, enum wait_class wait,
		      const char *words)
{
	rgba ours = s->theme->waits[wait];
	char *list = NULL;

	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval_key *k = &s->intervals[i];
		bool blocked = k->state == STATE_BLOCKED && wait == WAIT_REST;

		if (!is_drawn(k) || (!blocked && (!k->explains || k->wait != wait)))
			continue;
		if (k->colour == ours || blocked)
			list_add(&list, k->label);
		else
			entry_add(l, wait == WAIT_HELD ? LEGEND_TALL : LEGEND_LOW, k->colour,
				  text_format("%s", k->label));
	}
	if (list)
		entry_add(l, wait == WAIT_HELD ? LEGEND_TALL : LEGEND_LOW, ours,
			  text_format("%s: %s", words, list));
	free(list);
}

/* Whether lines of an interval are in the picture. */
static bool has_links(const struct scene *s, unsigned key)
{
	for (size_t i = 0; i < s->links.n; i++)
		if (s->links.at[i].key == key)
			return true;
	return false;
}

static void others_add(struct legend_line *l, const struct scene *s)
{
	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval_key *k = &s->intervals[i];

		if (k->band == BAND_STATES ? k->state != STATE_OTHER || k->explains : !is_drawn(k))
			continue;
		if (k->form == FORM_LINE && !has_links(s, i))
			continue;
		entry_add(l, k->form == FORM_LINE ? LEGEND_LINE : LEGEND_TALL,
			  k->form == FORM_LINE ? theme_line_colour(s->theme, k->colour) : k->colour,
			  text_format("%s", k->label));
	}
	for (unsigned i = 0; i < s->nevents; i++)
		if (s->events[i].count) {
			entry_add(l, LEGEND_SYMBOL, s->events[i].colour,
				  text_format("%s", s->events[i].label));
			l->entries.at[l->entries.n - 1].symbol = s->events[i].symbol;
		}
}

struct legend_line legend_line_of(const struct scene *s)
{
	struct legend_line l = {0};

	states_add(&l, s, STATE_RUNNING, "");
	states_add(&l, s, STATE_READY, ": no processor");
	waits_add(&l, s, WAIT_HELD, "another thread holds");
	waits_add(&l, s, WAIT_WORK, "waits for work");
	waits_add(&l, s, WAIT_REST, "other waits");
	others_add(&l, s);
	return l;
}

void legend_line_free(struct legend_line *l)
{
	for (size_t i = 0; i < l->entries.n; i++)
		free(l->entries.at[i].text);
	free(l->entries.at);
}

void legend_sample_draw(struct drawing *d, const struct legend_entry *e, double x, double y)
{
	bool line =
	    e->form == LEGEND_LINE || (e->form == LEGEND_SYMBOL && symbol_is_line(e->symbol));

	drawing_brush(d, (struct brush){.colour = e->colour, .width = line ? 1.6 : 0});
	switch (e->form) {
	case LEGEND_TALL:
		drawing_rect(d, x, y - 9, SWATCH, 11);
		break;
	case LEGEND_LOW:
		drawing_rect(d, x, y - 2, SWATCH, 4);
		break;
	case LEGEND_LINE:
		drawing_move(d, x, y);
		drawing_line(d, x + SWATCH, y - 7);
		break;
	case LEGEND_SYMBOL:
		symbol_add(d, e->symbol, x + SWATCH / 2.0, y - 3.5, 4.4);
		break;
	}
}

/* Where the next entry goes. */
struct legend_cursor {
	double x, y;
};

/* Begins another line, where the width has no room any more. */
static void place_for(const struct drawing *d, struct legend_cursor *at, double width)
{
	if (at->x == PAGE_MARGIN || at->x + width <= d->width - PAGE_MARGIN)
		return;
	at->x = PAGE_MARGIN;
	at->y += LINE;
}

double legend_line_draw(struct drawing *d, const struct scene *s, double y)
{
	struct typeface face = {.size = LETTERS, .colour = s->theme->muted};
	struct legend_line l = legend_line_of(s);
	struct legend_cursor at = {PAGE_MARGIN, y + LINE};

	for (size_t i = 0; i < l.entries.n; i++) {
		const struct legend_entry *e = &l.entries.at[i];
		double width = SAMPLE + text_width(e->text, LETTERS, false);

		place_for(d, &at, width);
		legend_sample_draw(d, e, at.x, at.y);
		drawing_text(d, &face, at.x + SAMPLE, at.y, d->width - PAGE_MARGIN - at.x - SAMPLE,
			     e->text);
		at.x += width + GAP;
	}
	if (s->hidden && *s->hidden) {
		char *text = text_format("hidden: %s", s->hidden);

		place_for(d, &at, text_width(text, LETTERS, false));
		drawing_text(d, &face, at.x, at.y, d->width - PAGE_MARGIN - at.x, text);
		free(text);
	}
	legend_line_free(&l);
	return at.y;
}
