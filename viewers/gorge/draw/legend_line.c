#include "viewers/gorge/draw/legend_line.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>

enum { LETTERS = 10, LINE = 17, SAMPLE = 22, GAP = 18, SWATCH = 15 };

static void entry_add(struct legend_line *l, enum legend_form form, rgba colour, char *text)
{
	*vector_add(&l->entries) = (struct legend_entry){.form = form, .colour = colour, .text = text};
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
 * Adds the waits of a class, and what they are called: "waits for another thread: lock". Those with a
 * colour of their own are told apart.
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
	if (s->hidden && *s->hidden)
		entry_add(&l, LEGEND_TEXT, s->theme->muted, text_format("hidden: %s", s->hidden));
	return l;
}

void legend_line_free(struct legend_line *l)
{
	for (size_t i = 0; i < l->entries.n; i++)
		free(l->entries.at[i].text);
	free(l->entries.at);
}

static void sample_draw(struct drawing *d, const struct legend_entry *e, double x, double y)
{
	bool line = e->form == LEGEND_LINE ||
		    (e->form == LEGEND_SYMBOL && symbol_is_line(e->symbol));

	drawing_brush(d, (struct brush){.colour = e->colour, .width = line ? 1.6 : 0});
	switch (e->form) {
	case LEGEND_TEXT:
		break;
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

double legend_line_draw(struct drawing *d, const struct scene *s, double y)
{
	struct typeface face = {.size = LETTERS, .colour = s->theme->muted};
	struct legend_line l = legend_line_of(s);
	double x = PAGE_MARGIN;

	y += LINE;
	for (size_t i = 0; i < l.entries.n; i++) {
		const struct legend_entry *e = &l.entries.at[i];
		double sample = e->form == LEGEND_TEXT ? 0 : SAMPLE;
		double width = sample + text_width(e->text, LETTERS, false);

		if (x > PAGE_MARGIN && x + width > d->width - PAGE_MARGIN) {
			x = PAGE_MARGIN;
			y += LINE;
		}
		sample_draw(d, e, x, y);
		drawing_text(d, &face, x + sample, y, d->width - PAGE_MARGIN - x - sample, e->text);
		x += width + GAP;
	}
	legend_line_free(&l);
	return y;
}
