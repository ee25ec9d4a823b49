/*
 * Scenes made by hand, without a trace: what becomes of many events, and that on the page no text
 * lies on another one or beyond the edge, whatever the number of threads, the names and the size.
 */
#include "tests/viewers/gorge/scene/oracle.h"
#include "tests/tap.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/scene/links.h"
#include "viewers/gorge/scene/marks.h"
#include "viewers/gorge/scene/merges.h"
#include <math.h>
#include <stdlib.h>

enum { LENGTH = 1000000, COLUMNS = 1000 };

static struct scene *plain(unsigned lanes)
{
	struct scene *s = scene_new(&theme_light, (struct window){0, LENGTH}, lanes, 1, 2);

	s->columns = COLUMNS;
	for (unsigned i = 0; i < lanes; i++)
		s->lanes[i].name = text_format("worker-%u", i);
	s->events[0] =
	    (struct event_key){.name = text_format("E"), .label = text_format("E"),
			       .symbol = SYMBOL_BOX};
	for (unsigned i = 0; i < 2; i++)
		s->intervals[i] = (struct interval_key){.name = text_format("I%u", i),
							.label = text_format("I%u", i),
							.band = BAND_BARS,
							.form = i ? FORM_LINE : FORM_BAR};
	s->title = text_format("by hand");
	s->subtitle = text_format("%u threads", lanes);
	return s;
}

static uint64_t total(const struct mark_list *list)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += list->at[i].count;
	return n;
}

static void marks(void)
{
	struct scene *s = plain(2);
	struct mark_builder *m = marks_begin(s, 0);

	marks_count(m, 0, 10, 0, 0, 1);
	marks_count(m, 1, 10, 0, 0, 1);
	marks_count(m, 0, 10, 0, 0, 1);
	marks_count(m, 0, 100, 0, 0, 1);
	marks_end(m, &s->marks);
	ok(s->marks.n == 3 && s->marks.at[0].count == 2 && s->marks.at[2].lane == 1,
	   "marks in one pixel of one lane are one");
	ok(s->marks.at[0].level == 0, "and a symbol where they are alone");

	m = marks_begin(s, 0);
	s->marks.n = 0;
	for (int i = 0; i < 100000; i++)
		marks_count(m, 0, i / 100, 0, 0, 1);
	marks_end(m, &s->marks);
	ok(s->marks.n == 1 && s->marks.at[0].x0 == 0 && s->marks.at[0].x1 == COLUMNS,
	   "a full lane is one strip");
	ok(total(&s->marks) == 100000, "that counts them all");
	scene_free(s);
}

static void bars(void)
{
	struct scene *s = plain(1);
	struct pile *b = pile_new(s, 3);
	uint64_t n = 0;

	pile_add(b, 0, 0, -5000, 500000, 0);
	pile_add(b, 0, 0, 100000, 400000, 0);
	pile_add(b, 0, 0, 200000, 300000, 0);
	pile_add(b, 0, 0, 250000, 260000, 0);
	pile_add(b, 0, 0, 400000, 500000, 0);
	pile_add(b, 0, 0, 500000, 2000000, 0);
	pile_end(b);
	ok(s->bars.n == 6 && s->bars.at[1].row == 1 && s->bars.at[2].row == 2, "nested bars stack");
	ok(s->bars.at[3].row == 2 && s->deep == 1,
	   "what is too deep is in the last row, and counted");
	ok(s->bars.at[4].row == 1, "a row is free again when its bar has ended");
	ok(s->bars.at[0].cut_left && s->bars.at[0].x0 == 0 && s->bars.at[5].cut_right,
	   "bars end at the window");
	ok(s->lanes[0].rows == 3, "the lane knows its rows");

	s->bars.n = 0;
	b = pile_new(s, 3);
	for (int i = 0; i < 10000; i++)
		pile_add(b, 0, i % 2, i * 100, i * 100 + 50, 0);
	pile_end(b);
	for (size_t i = 0; i < s->bars.n; i++)
		n += s->bars.at[i].count;
	ok(s->bars.n == 2 && n == 10000, "bars narrower than a pixel are runs that count them all");
	ok(s->bars.at[0].slices == 2 && s->bars.at[1].slice == 1,
	   "different ones in one pixel share its height");
	ok(s->bars.at[0].level == 2 && s->bars.at[0].x1 == COLUMNS,
	   "and say how much of the time they cover");
	scene_free(s);
}

static void links(void)
{
	enum { LANES = 64, LIMIT = 500, NLINKS = 100000 };
	struct scene *s = plain(LANES);
	struct links *l = links_begin(s, LIMIT);
	uint64_t n = 0;

	for (unsigned i = 0; i < NLINKS; i++)
		links_add(l, 1, (struct link_end){i * 7 % LANES, NO_KEY, 0, i % COLUMNS},
			  (struct link_end){i * 11 % LANES, NO_KEY, 0, i % COLUMNS + 20}, 0, 1);
	links_end(l);
	for (size_t i = 0; i < s->links.n; i++)
		n += s->links.at[i].count;
	ok(s->links.n > 10 && s->links.n <= LIMIT, "lines are bundled until they are few enough");
	ok(n == NLINKS && s->linked == NLINKS, "and count all of them");
	scene_free(s);
}

/* A scene with something of everything. */
static struct scene *full(unsigned lanes, const char *name, double width)
{
	struct scene *s = plain(lanes);
	struct mark_builder *m = marks_begin(s, 0), *u = marks_begin(s, 1);
	struct pile *b = pile_new(s, density_for(lanes)->rows);
	struct links *l = links_begin(s, 200);

	for (unsigned i = 0; i < lanes; i += 3) {
		free(s->lanes[i].name);
		s->lanes[i].name = text_format("%s-%u", name, i);
		s->lanes[i].lost = i;
	}
	s->columns = scene_columns_for(s, width);
	for (unsigned i = 0; i < 20 * lanes; i++) {
		int64_t time = (int64_t)i * LENGTH / (20 * lanes);
		marks_count(m, i % lanes, scene_column(s, time), 0, 0, 1);
		pile_add(b, i % lanes, i % 2, time, time + 12000, 0);
		links_add(l, 1, (struct link_end){i % lanes, 0, 0, scene_x(s, time)},
			  (struct link_end){(i + 1) % lanes, NO_KEY, 0, scene_x(s, time + 9000)}, 0, 1);
		if (i % 17 == 0)
			marks_count(u, i % lanes, scene_column(s, time), 0, 0, 1);
	}
	marks_end(m, &s->marks);
	marks_end(u, &s->stubs);
	pile_end(b);
	links_end(l);
	s->tracks = 2;
	s->stub_track = 1;
	scene_note(
	    s,
	    text_format(
		"A note that is long enough to take two lines of the page, %s, because it has %s",
		"and this is what notes are like", "very much to say about everything in it"));
	return s;
}

struct box {
	double x0, y0, x1, y1;
};

static struct box box_of(const struct label *l)
{
	double left = l->x - l->width * l->align / 2;

	return (struct box){left, l->y - 0.74 * l->size, left + l->width, l->y + 0.05 * l->size};
}

static bool page_is_good(const struct drawing *d)
{
	for (size_t i = 0; i < d->labels.n; i++) {
		struct box a = box_of(&d->labels.at[i]);
		if (a.x0 < 0 || a.y0 < 0 || a.x1 > d->width || a.y1 > d->height) {
			printf("# beyond the edge: %s\n", d->labels.at[i].text);
			return false;
		}
		for (size_t j = 0; j < i; j++) {
			struct box b = box_of(&d->labels.at[j]);
			if (a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1) {
				printf("# on each other: %s, %s\n", d->labels.at[i].text,
				       d->labels.at[j].text);
				return false;
			}
		}
	}
	return true;
}

static void page(unsigned lanes, const char *name, double width, double height)
{
	struct scene *s = full(lanes, name, width);
	struct drawing *d;
	char *what = text_format("%u lanes, %.0f x %.0f: no text on another", lanes, width, height);

	d = scene_draw(s, width, height);
	ok(page_is_good(d), what);
	ok(d->width == width && (height == 0 ? d->height > 100 : d->height >= height),
	   "the page has its size");
	free(what);
	drawing_free(d);
	scene_free(s);
}

/* The axis of a window that is far from 0 has a longer title. */
static void far_away(void)
{
	struct scene *s = full(3, "w", 600);
	struct drawing *d;

	s->window = (struct window){123456789012345, 123456789013345};
	d = scene_draw(s, 600, 0);
	ok(page_is_good(d), "a window far from 0: no text on another");
	drawing_free(d);
	scene_free(s);
}

static void pages(void)
{
	static const unsigned lanes[] = {1, 2, 12, 64, 1000};
	static const char *const names[] = {
		"io", "a-thread-with-a-name-that-takes-more-room-than-there-is", "<b>&\"'\\",
		"\xe6\x9c\x8d\xe5\x8a\xa1\xe5\x99\xa8 \xd0\xbf\xd0\xbe\xd1\x82\xd0\xbe\xd0\xba",
	};

	for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
		for (size_t j = 0; j < sizeof names / sizeof *names; j++)
			page(lanes[i], names[j], 1200, 0);
	page(12, "w", 600, 0);
	far_away();
	page(12, "w", 3000, 2000);
	page(64, "w", 1200, 500);
	page(1000, "w", 1200, 700);
	page(2, "w", 300, 0);
	page(2, "a-thread-with-a-long-name", 200, 0);
}

/* ---- the strip of the processors ---- */

enum { STRIP_SPANS = 12, STRIP_KEYS = 2 };

/* Times of the first column's left edge on, at which some threads are in a state. */
static int64_t strip_spans[STRIP_KEYS][STRIP_SPANS][2];

/* A lane of the processors; the threads run or are ready for whole columns, by lot. */
static struct scene *strip(void)
{
	struct scene *s = scene_new(&theme_light, (struct window){0, LENGTH}, 1, 0, STRIP_KEYS);
	struct lane_merge *m;

	s->columns = COLUMNS;
	s->title = text_format("by hand");
	s->processors = 2;
	s->lanes[0].name = text_format("processors");
	s->lanes[0].merged = s->lanes[0].processors = true;
	for (unsigned k = 0; k < STRIP_KEYS; k++)
		s->intervals[k] = (struct interval_key){.name = text_format("I%u", k),
							.label = text_format("I%u", k),
							.band = BAND_STATES,
							.form = FORM_BAR,
							.colour = theme_light.states[k ? STATE_READY : STATE_RUNNING],
							.state = k ? STATE_READY : STATE_RUNNING};
	m = lane_merge_new(s, 0);
	for (unsigned k = 0; k < STRIP_KEYS; k++)
		for (unsigned i = 0; i < STRIP_SPANS; i++) {
			int64_t *span = strip_spans[k][i];

			span[0] = rand() % COLUMNS * (LENGTH / COLUMNS);
			span[1] = span[0] + (1 + rand() % (COLUMNS / 4)) * (LENGTH / COLUMNS);
			lane_merge_put(m, k, span[0], span[1]);
		}
	lane_merge_end(m, s);
	merges_end(s);
	return s;
}

/* How many threads are in one of the first states. */
static unsigned strip_counted(unsigned keys, int64_t time)
{
	unsigned n = 0;

	for (unsigned k = 0; k < keys; k++)
		for (unsigned i = 0; i < STRIP_SPANS; i++)
			n += strip_spans[k][i][0] <= time && time < strip_spans[k][i][1];
	return n;
}

/* The top of a figure's polygons at x; base: it has none there. */
static double strip_top(const struct drawing *d, const struct figure *f, double x, double base)
{
	double top = base;
	const struct stroke *from = &d->strokes.at[f->first];

	for (const struct stroke *a = from; a + 1 < from + f->count; a++) {
		double y;

		if (a[1].op != OP_LINE || fmin(a->x, a[1].x) > x || fmax(a->x, a[1].x) <= x)
			continue;
		y = a->y + (x - a->x) / (a[1].x - a->x) * (a[1].y - a->y);
		top = fmin(top, y);
	}
	return top;
}

/* At each column the areas of running, and of it and ready, are as high as so many threads. */
static bool strip_is_right(const struct scene *s, const struct layout *l, const struct drawing *d)
{
	const struct lane_place *p = &l->places[0];
	double base = p->rows + p->merge, unit = (p->merge - 2) / s->lanes[0].most;
	int64_t column = LENGTH / COLUMNS;

	for (unsigned c = 0; c < COLUMNS; c++)
		for (unsigned k = 0; k < STRIP_KEYS; k++) {
			/* the last area is drawn first; where nobody is in a state, it has none */
			const struct figure *f = &d->figures.at[STRIP_KEYS - 1 - k];
			bool any = strip_counted(k + 1, c * column) > strip_counted(k, c * column);
			double n = any ? fmin(strip_counted(k + 1, c * column), s->lanes[0].most) : 0;
			double top = strip_top(d, f, l->x + c + 0.5, base);

			if (fabs(base - n * unit - top) > 0.01) {
				printf("# column %u, area %u: %.2f threads, not %.0f\n", c, k,
				       (base - top) / unit, n);
				return false;
			}
		}
	return true;
}

static void strips(void)
{
	bool right = true;

	for (unsigned i = 0; i < 50 && right; i++) {
		struct scene *s = strip();
		struct layout *l = layout_new(s, 1200, 0, 0);
		struct drawing *d = drawing_new(1200, 100, theme_light.page, "");

		merges_draw(d, s, l);
		right = strip_is_right(s, l, d);
		drawing_free(d);
		layout_free(l);
		scene_free(s);
	}
	ok(right, "the strip is as high as the threads in the states are many, at each time");
}

int main(void)
{
	strips();
	marks();
	bars();
	links();
	pages();
	return tap_end();
}
