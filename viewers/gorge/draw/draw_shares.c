/*
 * Draws at the right of each lane how much of the window's time its threads ran, and a bar of all
 * that they did. Of a lane of several threads: how many ran on average.
 */
#include "base/array.h"
#include "viewers/gorge/draw/compose.h"
#include <math.h>
#include <stdlib.h>

enum { LETTERS = 10, SMALL_LETTERS = 8, NUMBER = 40, BAR_HEIGHT = 11, BAR_GAP = 10 };

static int compare_keys(const void *pa, const void *pb, void *context)
{
	const struct scene *s = context;
	unsigned a = *(const unsigned *)pa, b = *(const unsigned *)pb;
	unsigned ra = key_rank(&s->intervals[a]), rb = key_rank(&s->intervals[b]);

	return ra != rb ? (ra > rb) - (ra < rb) : (a > b) - (a < b);
}

/* Returns the keys of states in the order of the bar, NO_KEY at last. */
static unsigned *keys_of(const struct scene *s)
{
	unsigned *keys = array_zero(s->nintervals + 1, sizeof *keys), n = 0;

	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].band == BAND_STATES)
			keys[n++] = i;
	qsort_r(keys, n, sizeof *keys, compare_keys, (void *)s);
	keys[n] = NO_KEY;
	return keys;
}

double shares_running(const struct scene *s, const struct lane *lane)
{
	double sum = 0;

	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].state == STATE_RUNNING)
			sum += lane->shares[i];
	return sum;
}

/* Draws the bar in which the whole, nanoseconds, has the width. */
static void bar_draw(struct drawing *d, const struct scene *s, const struct lane *lane,
		     const unsigned *keys, double whole, double x, double y, double width)
{
	double at = 0;

	for (; *keys != NO_KEY; keys++) {
		double share = fmin(lane->shares[*keys] / whole, 1 - at);

		if (share * width < 0.2)
			continue;
		drawing_brush(d, (struct brush){.colour = s->intervals[*keys].colour});
		drawing_rect(d, x + at * width, y, share * width, BAR_HEIGHT);
		at += share;
	}
}

static double whole_of(const struct scene *s, const struct lane *lane)
{
	double sum = 0;

	for (unsigned i = 0; lane->merged && i < s->nintervals; i++)
		sum += lane->shares[i];
	return lane->merged ? fmax(sum, 1) : (double)s->window.to - (double)s->window.from;
}

static void lane_draw(struct drawing *d, const struct scene *s, const struct layout *l, unsigned i,
		      const unsigned *keys)
{
	const struct lane *lane = &s->lanes[i];
	struct typeface face = {.size = lane->small ? SMALL_LETTERS : LETTERS,
				.colour = s->theme->ink,
				.align = ALIGN_RIGHT};
	struct typeface words = {.size = LETTERS, .colour = s->theme->muted};
	double x = l->shares, middle = layout_row_middle(s, l, i);
	double running = shares_running(s, lane) / ((double)s->window.to - (double)s->window.from);
	double width = l->shares_width - NUMBER - BAR_GAP;
	char text[32];

	if (lane->merged)
		snprintf(text, sizeof text, "%.2f", running);
	else
		snprintf(text, sizeof text, "%.0f %%", fmin(running, 1) * 100);
	drawing_text(d, &face, x + NUMBER, middle + face.size * 0.36, NUMBER, text);
	if (width <= 0)
		return;
	if (lane->processors && s->processors)
		snprintf(text, sizeof text, "of %u busy", s->processors);
	if (lane->processors)
		drawing_text(d, &words, x + NUMBER + BAR_GAP, middle + words.size * 0.36, width,
			     s->processors ? text : "busy");
	else
		bar_draw(d, s, lane, keys, whole_of(s, lane), x + NUMBER + BAR_GAP,
			 middle - BAR_HEIGHT / 2.0, width);
}

void shares_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	unsigned *keys = keys_of(s);

	for (unsigned i = 0; l->shares_width > 0 && i < s->nlanes; i++)
		if (s->lanes[i].shares && !s->lanes[i].object &&
		    !(s->lanes[i].heading && !s->lanes[i].merged))
			lane_draw(d, s, l, i, keys);
	free(keys);
}

void shares_draw_head(struct drawing *d, const struct scene *s, const struct layout *l,
		      const char *of, double y)
{
	struct typeface face = {.size = LETTERS, .colour = s->theme->muted, .align = ALIGN_RIGHT};
	double width = l->shares_width - NUMBER - BAR_GAP;
	char text[64];

	if (l->shares_width <= 0)
		return;
	snprintf(text, sizeof text, "share of %s", of);
	drawing_text(d, &face, l->shares + NUMBER, y, NUMBER, "runs");
	face.align = ALIGN_LEFT;
	if (width > 0)
		drawing_text(d, &face, l->shares + NUMBER + BAR_GAP, y, width, text);
}
