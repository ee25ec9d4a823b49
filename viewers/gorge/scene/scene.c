#include "base/hash.h"
#include "base/search.h"
#include "viewers/gorge/scene/object_scene.h"
#include "viewers/gorge/scene/stack_scene.h"
#include "viewers/gorge/style/density.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scene *scene_new(const struct theme *theme, struct window window, unsigned nlanes,
			unsigned nevents, unsigned nintervals)
{
	struct scene *s = array_zero(1, sizeof *s);

	s->theme = theme;
	s->window = window;
	s->columns = 1;
	s->tracks = 1;
	s->near = 6;
	s->stub_track = -1;
	s->bundle = s->bundle_lanes = 1;
	s->pick.key = NO_KEY;
	s->nlanes = nlanes;
	s->nevents = nevents;
	s->nintervals = nintervals;
	s->lanes = array_zero(nlanes, sizeof *s->lanes);
	s->events = array_zero(nevents, sizeof *s->events);
	s->intervals = array_zero(nintervals, sizeof *s->intervals);
	return s;
}

static void free_names(struct scene *s)
{
	for (unsigned i = 0; i < s->nlanes; i++) {
		free(s->lanes[i].name);
		free(s->lanes[i].group);
		free(s->lanes[i].shares);
		free(s->lanes[i].threads.at);
		for (size_t k = 0; k < s->lanes[i].lives.n; k++)
			free(s->lanes[i].lives.at[k].name);
		free(s->lanes[i].lives.at);
	}
	for (unsigned i = 0; i < s->nevents; i++) {
		free(s->events[i].name);
		free(s->events[i].label);
	}
	for (unsigned i = 0; i < s->nintervals; i++) {
		free(s->intervals[i].name);
		free(s->intervals[i].label);
	}
	for (size_t i = 0; i < s->notes.n; i++)
		free(s->notes.at[i]);
}

struct scene *scene_part(const struct scene *s)
{
	struct scene *part = array_zero(1, sizeof *part);

	*part = *s;
	memset(&part->marks, 0, sizeof part->marks);
	memset(&part->stubs, 0, sizeof part->stubs);
	memset(&part->violations, 0, sizeof part->violations);
	memset(&part->bars, 0, sizeof part->bars);
	memset(&part->links, 0, sizeof part->links);
	memset(&part->merges, 0, sizeof part->merges);
	memset(&part->names, 0, sizeof part->names);
	part->linked = 0;
	part->objects = NULL;
	part->stacks = NULL;
	part->picked = NULL;
	return part;
}

static void scene_part_free(struct scene *part)
{
	if (!part)
		return;
	free(part->bars.at);
	free(part->links.at);
	free(part);
}

void scene_free(struct scene *s)
{
	scene_part_free(s->picked);
	object_scene_free(s->objects);
	stack_scene_free(s->stacks);
	free_names(s);
	free(s->title);
	free(s->subtitle);
	free(s->absent);
	free(s->hidden);
	free(s->headline[0]);
	free(s->headline[1]);
	free(s->lanes);
	free(s->events);
	free(s->intervals);
	free(s->marks.at);
	free(s->stubs.at);
	free(s->violations.at);
	free(s->bars.at);
	for (size_t i = 0; i < s->names.n; i++) {
		free(s->names.at[i]->text);
		free(s->names.at[i]);
	}
	free(s->names.at);
	for (size_t i = 0; i < s->merges.n; i++)
		free(s->merges.at[i].threads);
	free(s->merges.at);
	free(s->links.at);
	for (size_t i = 0; i < s->gaps.n; i++)
		free(s->gaps.at[i].type);
	free(s->gaps.at);
	for (size_t i = 0; i < s->series.n; i++)
		track_free(s->series.at[i]);
	free(s->path.at);
	for (size_t i = 0; i < s->remarks.n; i++)
		free(s->remarks.at[i].text);
	free(s->remarks.at);
	free(s->series.at);
	free(s->notes.at);
	free(s);
}

/* Beside the axis stands "time (ms)" where the names are. */
enum { LEAST_NAMES = 58 };
/* Beside the name of a folded group are its triangle and its scale. */
enum { MERGED_BESIDE = 36, LIMIT_BESIDE = 16 };

double scene_names_need(const struct scene *s, double width)
{
	double font = density_for(s->nlanes)->font, widest = LEAST_NAMES;

	for (unsigned i = 0; i < s->nlanes; i++)
		if (s->lanes[i].processors)
			widest =
			    fmax(widest, text_width(s->lanes[i].name, font, false) + LIMIT_BESIDE);
		else if (!s->lanes[i].heading)
			widest = fmax(widest, text_width(s->lanes[i].name, font, false) +
						  s->lanes[i].indent);
		else if (s->lanes[i].merged)
			widest =
			    fmax(widest, text_width(s->lanes[i].name, font, true) + MERGED_BESIDE);
	return fmin(ceil(widest) + 1, fmax(floor(width * 0.2), LEAST_NAMES));
}

double scene_names_width(const struct scene *s, double width)
{
	return fmax(scene_names_need(s, width), fmin(s->names_least, width / 2));
}

/* A number alone, and with a bar; pages from these widths on have room for them. */
enum { NUMBER_ROOM = 560, BAR_ROOM = 800, NUMBER_WIDTH = 44, BAR_WIDTH = 180 };

double scene_shares_width(const struct scene *s, double width)
{
	/* columns of logical order are no time */
	if (!s->states || s->logical || width < NUMBER_ROOM)
		return 0;
	return width < BAR_ROOM ? NUMBER_WIDTH : BAR_WIDTH;
}

unsigned scene_columns_for(const struct scene *s, double width)
{
	double shares = scene_shares_width(s, width), columns;

	columns =
	    width - 2 * PAGE_MARGIN - scene_names_width(s, width) - LABEL_GAP - 2 * PLOT_INDENT;
	if (shares > 0)
		columns -= shares + SHARES_GAP;

	return columns < 10 ? 10 : (unsigned)columns;
}

static rgba colour_of(const struct scene *s, const char *name)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (!strcmp(s->intervals[i].name, name))
			return s->intervals[i].colour;
	for (unsigned i = 0; i < s->nevents; i++)
		if (!strcmp(s->events[i].name, name))
			return s->events[i].colour;
	return s->theme->hues[0];
}

rgba scene_track_colour(const struct scene *s, const struct series_track *t, size_t curve)
{
	if (t->curves.n <= 1 && t->name)
		return theme_line_colour(s->theme, colour_of(s, t->name));
	return s->theme->hues[curve % PALETTE_HUES];
}

void key_add(struct interval_key *key, const struct span_sums *sums)
{
	key->shortest = sums->shortest < key->shortest ? sums->shortest : key->shortest;
	key->longest = sums->longest > key->longest ? sums->longest : key->longest;
	key->count += sums->count;
	key->total += sums->total;
}

void scene_note(struct scene *s, char *text)
{
	*vector_add(&s->notes) = text;
}

double scene_x(const struct scene *s, int64_t time)
{
	double length = (double)s->window.to - (double)s->window.from;

	return ((double)time - (double)s->window.from) * s->columns / length;
}

int32_t scene_column(const struct scene *s, int64_t time)
{
	double x = scene_x(s, time);

	return x < 0 ? 0 : x >= s->columns ? (int32_t)s->columns - 1 : (int32_t)x;
}

/* Returns the end of a column; the steps correct the rounding error of the product. */
int64_t scene_column_end(const struct scene *s, int32_t column)
{
	double length = (double)s->window.to - (double)s->window.from;
	int64_t end;

	if (column >= (int32_t)s->columns - 1)
		return s->window.to + 1;
	end = s->window.from + (int64_t)((column + 1) * (length / s->columns));
	while (end > s->window.from && scene_column(s, end - 1) > column)
		end--;
	while (end <= s->window.to && scene_column(s, end) <= column)
		end++;
	return end;
}

size_t scene_bars(const struct scene *s, uint32_t lane)
{
	return lower_bound(i, 0, s->bars.n, s->bars.at[i].lane < lane);
}
