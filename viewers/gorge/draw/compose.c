#include "viewers/gorge/draw/compose.h"
#include "base/visible.h"
#include "viewers/gorge/draw/legend_line.h"
#include "viewers/gorge/scene/dump.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_SIZE = 18, SUBTITLE_SIZE = 11, NOTE_SIZE = 10, NOTE_LINE = 14 };
/* Lanes are never squeezed below this, whatever the page's height. */
enum { LEAST_LANES = 40 };

static double compose_draw_title(struct drawing *d, const struct scene *s)
{
	struct typeface title = {.size = TITLE_SIZE, .bold = true, .colour = s->theme->ink};
	struct typeface subtitle = {.size = SUBTITLE_SIZE, .colour = s->theme->muted};
	double room = d->width - 2 * PAGE_MARGIN, y = PAGE_MARGIN + 14;

	drawing_text(d, &title, PAGE_MARGIN, y, room, s->title);
	if (!*s->subtitle)
		return y + 12;
	drawing_text(d, &subtitle, PAGE_MARGIN, y + 18, room, s->subtitle);
	return y + 32;
}

/* Returns how many bytes of text fit into a line, in whole words; at least one word. */
static size_t compose_line_length(const char *text, const struct typeface *face, double width)
{
	size_t fits = 0, end = 0;

	while (text[end]) {
		end += strspn(text + end, " ");
		end += strcspn(text + end, " ");
		char *head = text_format("%.*s", (int)end, text);
		double taken = text_width(head, face->size, face->bold);
		free(head);
		if (taken > width && fits)
			break;
		fits = end;
	}
	return fits;
}

/*
 * Sets a text in lines of that height and width below y, or only counts them if d is NULL. Returns
 * the base line of the last one.
 */
static double set_text(struct drawing *d, const struct typeface *face, const char *text, double x,
		       double y, double width, double line)
{
	char *clean = visible_text(text);

	for (const char *at = clean; *at;) {
		size_t length = compose_line_length(at, face, width);
		char *part = text_format("%.*s", (int)length, at);
		y += line;
		if (d)
			drawing_text(d, face, x, y, width, part);
		free(part);
		at += length;
		at += strspn(at, " ");
	}
	free(clean);
	return y;
}

/* ---- the headline ---- */

enum { HEADLINE_SIZE = 12, HEADLINE_LINE = 18, HEADLINE_PAD = 8, HEADLINE_GAP = 10 };

/*
 * Sets what limits the run below y, or only counts its lines if d is NULL. Returns the last base
 * line.
 */
static double set_headline(struct drawing *d, const struct scene *s, double y, double room)
{
	struct typeface first = {.size = HEADLINE_SIZE, .bold = true, .colour = s->theme->ink},
			second = {.size = SUBTITLE_SIZE, .colour = s->theme->muted};
	double x = PAGE_MARGIN + HEADLINE_PAD, width = room - 2 * HEADLINE_PAD;

	y = set_text(d, &first, s->headline[0], x, y, width, HEADLINE_LINE);
	return s->headline[1] ? set_text(d, &second, s->headline[1], x, y, width, HEADLINE_LINE)
			      : y;
}

/* Draws what limits the run in a box below y; returns where it ends. */
static double headline_draw(struct drawing *d, const struct scene *s, double y)
{
	double room = d->width - 2 * PAGE_MARGIN, height;

	if (!s->headline[0])
		return y;
	height = set_headline(NULL, s, 0, room) + HEADLINE_PAD;
	drawing_brush(d, (struct brush){.colour = colour_mix(s->theme->waits[WAIT_HELD],
							     s->theme->page, 0.08)});
	drawing_rect(d, PAGE_MARGIN, y, room, height);
	set_headline(d, s, y, room);
	return y + height + HEADLINE_GAP;
}

/* ---- notes ---- */

static double set_notes(struct drawing *d, const struct scene *s, double y, double width)
{
	struct typeface face = {.size = NOTE_SIZE, .colour = s->theme->muted};

	if (s->notes.n)
		y += 8;
	for (size_t i = 0; i < s->notes.n; i++)
		y = set_text(d, &face, s->notes.at[i], PAGE_MARGIN, y, width, NOTE_LINE);
	return y;
}

static void compose_empty(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct typeface face = {.size = 13, .align = ALIGN_CENTRE, .colour = s->theme->muted};

	if (s->marks.n || s->bars.n || s->merges.n || s->links.n || s->stubs.n || s->objects)
		return;
	drawing_text(d, &face, l->x + l->width / 2, (l->top + l->bottom) / 2 + 4, l->width,
		     "no selected event or interval in this window");
}

/* Draws the legend of one line below y; returns where it ends. */
static double line_draw(struct drawing *d, const struct scene *s, double y)
{
	return legend_draw_signs(d, s, legend_line_draw(d, s, y));
}

static double line_height(const struct scene *s, double width)
{
	struct drawing *scratch = drawing_new(width, 1, s->theme->page, "");
	double height = line_draw(scratch, s, 0);

	drawing_free(scratch);
	return height;
}

/* What is around the lanes of a picture. */
struct picture_margins {
	bool lined;           /* the legend is below them, in a line; else above */
	double legend, below; /* the heights of that line, and of all below the lanes and tracks */
	double tracks;
};

/* Begins a picture with what is above the lanes; lays them out. */
static struct layout *compose_begin(struct drawing *d, const struct scene *s,
				    struct picture_margins *f)
{
	double title = headline_draw(d, s, compose_draw_title(d, s)), top, lanes;

	f->lined = s->states && !s->full_legend;
	f->legend = f->lined ? line_height(s, d->width) : 0;
	f->tracks = tracks_height(s->series.n);
	f->below = axis_below(s) + f->legend + set_notes(NULL, s, 0, d->width - 2 * PAGE_MARGIN) +
		   PAGE_MARGIN;
	top = (f->lined ? title : legend_draw(d, s, title)) + axis_above();
	lanes = d->height > 0 ? fmax(d->height - top - f->tracks - f->below, LEAST_LANES) : 0;
	return layout_new(s, d->width, top, lanes);
}

struct drawing *scene_draw(const struct scene *s, double width, double height)
{
	struct drawing *d = drawing_new(width, height, s->theme->page, s->title);
	struct picture_margins f;
	struct layout *l = compose_begin(d, s, &f);

	ground_draw(d, s, l);
	shares_draw(d, s, l);
	object_chips_draw(d, s, l);
	lanes_draw(d, s, l);
	grid_draw(d, s, l);
	tracks_draw_ground(d, s, l, s->series.at, s->series.n, l->bottom);
	tracks_draw_curves(d, s, l, s->series.at, s->series.n, l->bottom);
	l->bottom += f.tracks;
	axis_draw(d, s, l);
	links_draw(d, s, l);
	merges_draw(d, s, l);
	bars_draw(d, s, l);
	stacks_draw(d, s, l);
	objects_draw(d, s, l);
	marks_draw(d, s, l);
	violations_draw(d, s, l);
	path_draw(d, s, l);
	remarks_draw(d, s, l);
	remarks_draw_flags(d, s, l, l->top);
	compose_empty(d, s, l);
	if (f.lined)
		line_draw(d, s, l->bottom + axis_below(s));
	set_notes(d, s, l->bottom + axis_below(s) + f.legend, width - 2 * PAGE_MARGIN);
	d->height = height > 0 ? fmax(height, l->bottom + f.below) : ceil(l->bottom + f.below);
	layout_free(l);
	return d;
}

static void dump_legend(const struct scene *s, FILE *out)
{
	static const char *const forms[] = {"tall", "low", "line", "symbol"};
	struct legend_line l = legend_line_of(s);

	for (size_t i = 0; i < l.entries.n; i++) {
		fprintf(out, "legend %s #%06x ", forms[l.entries.at[i].form],
			l.entries.at[i].colour >> 8);
		dump_quote(out, l.entries.at[i].text);
		putc('\n', out);
	}
	legend_line_free(&l);
}

void scene_dump_drawn(const struct scene *s, double width, double height, FILE *out)
{
	struct drawing *d = drawing_new(width, height, s->theme->page, s->title);
	struct picture_margins f;
	struct layout *l = compose_begin(d, s, &f);

	if (f.lined)
		dump_legend(s, out);
	for (unsigned i = 0; s->states && i < s->nlanes; i++) {
		const struct lane_place *p = &l->places[i];

		fprintf(out, "place lane %u height %.1f", i, p->height);
		if (s->lanes[i].merged)
			fprintf(out, " merged %.1f\n", p->merge);
		else
			fprintf(out, " states %.1f\n",
				s->lanes[i].bands[BAND_STATES] * p->row[BAND_STATES]);
	}
	layout_free(l);
	drawing_free(d);
}
