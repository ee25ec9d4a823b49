#include "viewers/gorge/paint_page.h"
#include "viewers/gorge/path.h"

/* Numbers are tenths of pixels, and what follows the first is told by its distance. */
enum { DECIMALS = 1 };

/* ---- strips: level lines, of which a dense picture has thousands ---- */

static bool are_strips(const struct drawing *d, const struct figure *f)
{
	const struct stroke *s = &d->strokes.at[f->first];

	if (f->brush.width <= 0 || f->brush.dashed || f->count % 2)
		return false;
	for (size_t i = 0; i < f->count; i += 2)
		if (s[i].op != OP_MOVE || s[i + 1].op != OP_LINE || s[i].y != s[i + 1].y)
			return false;
	return true;
}

static void put_apart(struct path *p, int64_t n)
{
	path_put(p, ' ');
	path_number(p, n);
}

/* Of each strip the gap to the one before and its length; where another line begins, y and a colon. */
static void put_strips(struct path *p, const struct stroke *s, size_t count)
{
	for (size_t i = 0; i < count; i += 2) {
		int64_t x0 = path_measure(p, s[i].x), x1 = path_measure(p, s[i + 1].x),
			y = path_measure(p, s[i].y);
		if (i == 0 || y != p->y) {
			if (i)
				path_put(p, ';');
			path_number(p, y);
			path_put(p, ':');
			p->x = 0;
			p->y = y;
		}
		put_apart(p, x0 - p->x);
		put_apart(p, x1 - x0);
		p->x = x1;
	}
}

void json_colour(struct json *j, const char *key, rgba colour)
{
	char text[16];

	snprintf(text, sizeof text, "#%08x", colour);
	json_string(j, key, text);
}

static void paint_figure(const struct drawing *d, const struct figure *f, struct json *j)
{
	bool strips = are_strips(d, f);
	struct path p = path_new(DECIMALS);

	if (f->count == 0)
		return;
	if (strips)
		put_strips(&p, &d->strokes.at[f->first], f->count);
	for (size_t i = 0; !strips && i < f->count; i++)
		path_stroke(&p, &d->strokes.at[f->first + i]);
	json_array(j, NULL);
	json_colour(j, NULL, f->brush.colour);
	json_real(j, NULL, f->brush.width);
	if (!strips)
		json_bool(j, NULL, f->brush.dashed);
	json_bytes(j, NULL, p.text, p.n);
	json_close(j);
	path_free(&p);
}

static void paint_label(const struct label *l, struct json *j)
{
	json_array(j, NULL);
	json_colour(j, NULL, l->colour);
	json_string(j, NULL, l->text);
	json_real(j, NULL, l->x);
	json_real(j, NULL, l->y);
	json_real(j, NULL, l->size);
	json_bool(j, NULL, l->bold);
	json_int(j, NULL, l->align);
	json_real(j, NULL, l->width);
	json_close(j);
}

void paint_page(const struct drawing *d, struct json *j, const char *key)
{
	json_array(j, key);
	for (size_t i = 0; i < d->items.n; i++) {
		const struct item *item = &d->items.at[i];
		if (item->kind == ITEM_FIGURE)
			paint_figure(d, &d->figures.at[item->index], j);
		else
			paint_label(&d->labels.at[item->index], j);
	}
	json_close(j);
}
