/* The line of the legend that explains the signs which this picture uses, and no others. */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/symbols.h"
#include "viewers/gorge/style/text_width.h"
#include "viewers/units.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 17, LETTERS = 10, SAMPLE = 24, GAP = 22 };

/* Draws a sample of the sign in SAMPLE pixels right of x, about the height y. */
typedef void sample(struct drawing *d, const struct scene *s, double x, double y);

static void sample_strips(struct drawing *d, const struct scene *s, double x, double y)
{
	rgba colour = s->nevents ? s->events[0].colour : s->theme->muted;

	for (unsigned level = 1; level <= 3; level++) {
		drawing_brush(d, (struct brush){.colour = strip_colour(s, colour, level)});
		drawing_rect(d, x + (level - 1) * 6, y - 4, 6, 8);
	}
}

static void sample_runs(struct drawing *d, const struct scene *s, double x, double y)
{
	rgba colour = s->theme->muted;

	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].form == FORM_BAR) {
			colour = s->intervals[i].colour;
			break;
		}
	for (unsigned level = 1; level <= 4; level++) {
		drawing_brush(d, (struct brush){.colour = run_colour(s, colour, level)});
		drawing_rect(d, x + (level - 1) * 4.5, y - 4, 4.5, 8);
	}
}

static void sample_bold(struct drawing *d, const struct scene *s, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = s->theme->ink, .width = 2.4});
	symbol_add(d, SYMBOL_X, x + 12, y, 5);
}

static void sample_stub(struct drawing *d, const struct scene *s, double x, double y)
{
	rgba colour = s->theme->ink;

	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].unmatched) {
			colour = s->intervals[i].colour;
			break;
		}
	drawing_brush(d, (struct brush){.colour = colour, .width = 1.3});
	draw_stub(d, x + 6, y, 3, false);
}

static void sample_bundle(struct drawing *d, const struct scene *s, double x, double y)
{
	for (int i = 0; i < 3; i++) {
		drawing_brush(d, (struct brush){
			.colour = s->theme->muted, .width = bundle_width((double[]){1, 2, 8}[i])});
		drawing_move(d, x, y - 5 + 5 * i);
		drawing_line(d, x + 18, y - 5 + 5 * i);
	}
}

static void sample_passing(struct drawing *d, const struct scene *s, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = colour_fade(s->theme->muted, 0.35), .width = 1});
	drawing_move(d, x, y + 2);
	drawing_line(d, x + 18, y - 2);
}

static void sample_loss(struct drawing *d, const struct scene *s, double x, double y)
{
	draw_hatching(d, s->theme->muted, x, y - 5, 18, 10);
}

static void sample_off(struct drawing *d, const struct scene *s, double x, double y)
{
	draw_hatching(d, s->theme->muted, x, y - 2, 18, 5);
}

static void sample_life(struct drawing *d, const struct scene *s, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = s->theme->life, .width = 1});
	drawing_move(d, x, y);
	drawing_line(d, x + 18, y);
}

static void sample_violation(struct drawing *d, const struct scene *s, double x, double y)
{
	draw_violation(d, s->theme, x + 8, y - 3);
}

/* Where the next sign goes. */
struct cursor {
	double x, y;
};

static void add_sign(struct drawing *d, const struct scene *s, struct cursor *at, sample *draw,
		     char *text)
{
	struct typeface face = {.size = LETTERS, .colour = s->theme->muted};
	double width = SAMPLE + text_width(text, LETTERS, false);

	if (at->x > PAGE_MARGIN && at->x + width > d->width - PAGE_MARGIN) {
		at->x = PAGE_MARGIN;
		at->y += LINE;
	}
	draw(d, s, at->x, at->y - 4);
	drawing_text(d, &face, at->x + SAMPLE, at->y, d->width - PAGE_MARGIN - at->x - SAMPLE,
		     text);
	at->x += width + GAP;
	free(text);
}

static bool has_strips(const struct mark_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].level)
			return true;
	return false;
}

static bool has_bold(const struct scene *s)
{
	for (size_t i = 0; i < s->marks.n; i++)
		if (s->marks.at[i].level == 0 && s->marks.at[i].count > 1)
			return true;
	return false;
}

static bool has_passing(const struct scene *s)
{
	for (size_t i = 0; i < s->links.n; i++)
		if (s->links.at[i].passing)
			return true;
	return false;
}

static bool has_runs(const struct scene *s)
{
	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].level && s->bars.at[i].count > 1 &&
		    s->intervals[s->bars.at[i].key].form == FORM_BAR)
			return true;
	return false;
}

static void add_losses(struct drawing *d, const struct scene *s, struct cursor *at)
{
	char count[UNITS_TEXT];
	uint64_t lost = 0, skipped = 0;

	for (unsigned i = 0; i < s->nlanes; i++) {
		lost += s->lanes[i].lost;
		skipped += s->lanes[i].skipped;
	}
	if (lost)
		add_sign(d, s, at, sample_loss,
			 text_format("%s %s lost in threads marked so", count_text(count, lost),
				     lost == 1 ? "event was" : "events were"));
	if (skipped)
		add_sign(d, s, at, sample_loss,
			 text_format("damaged logs: %s bytes could not be read",
				     count_text(count, skipped)));
}

/* "switched off: Sendmsg, Recvmsg" */
static void add_switches(struct drawing *d, const struct scene *s, struct cursor *at)
{
	char *text = NULL;

	for (size_t i = 0; i < s->gaps.n; i++) {
		const char *type = s->gaps.at[i].type ? s->gaps.at[i].type : "all of a thread";
		char *before = text;
		if (!s->gaps.at[i].off || (text && strstr(text, type)))
			continue;
		text = before ? text_format("%s, %s", before, type)
		    : text_format("switched off: %s", type);
		free(before);
	}
	if (text)
		add_sign(d, s, at, sample_off, text);
}

static void add_bundles(struct drawing *d, const struct scene *s, struct cursor *at)
{
	char linked[UNITS_TEXT], lines[UNITS_TEXT];

	if (s->bundle > 1)
		add_sign(
		    d, s, at, sample_bundle,
		    text_format(
			"%s intervals drawn as %s lines: neighbours are bundled, wider for more",
			count_text(linked, s->linked), count_text(lines, s->links.n)));
	else if (s->linked > s->links.n)
		add_sign(d, s, at, sample_bundle,
			 text_format("wider: several between the same pixels"));
}

double compose_signs(struct drawing *d, const struct scene *s, double y)
{
	struct cursor at = {PAGE_MARGIN, y + LINE};

	if (s->stubs.n)
		add_sign(d, s, &at, sample_stub, text_format("unmatched: it has no partner"));
	if (s->violations.n)
		add_sign(d, s, &at, sample_violation, text_format("breaks an assertion"));
	if (has_bold(s))
		add_sign(d, s, &at, sample_bold, text_format("bold: several events in one pixel"));
	if (has_strips(&s->marks))
		add_sign(
		    d, s, &at, sample_strips,
		    text_format("events too close for symbols: one, a few, or many in each pixel"));
	if (has_runs(s))
		add_sign(d, s, &at, sample_runs,
			 text_format("intervals shorter than a pixel: the stronger, the more of "
				     "the time they cover"));
	add_bundles(d, s, &at);
	if (has_passing(s))
		add_sign(d, s, &at, sample_passing,
			 text_format("faint: begins before this picture and ends after it"));
	add_losses(d, s, &at);
	add_switches(d, s, &at);
	if (s->marks.n || s->bars.n)
		add_sign(d, s, &at, sample_life,
			 text_format("from a thread's first event to its last"));
	return at.x > PAGE_MARGIN ? at.y : y;
}
