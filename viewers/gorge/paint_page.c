#include "viewers/gorge/paint_page.h"
#include <math.h>
#include <stdlib.h>

/* Numbers are tenths of pixels, and what follows the first is told by its distance. */
struct path {
	VECTOR(char) text;
	int64_t x, y;           /* where it has come to */
	int64_t x0, y0;         /* where the subpath began */
};

static void put(struct path *p, char c)
{
	*vector_add(&p->text) = c;
}

static int64_t tenths(double x)
{
	return llround(fmin(fmax(x, -1e9), 1e9) * 10);
}

static void put_digits(struct path *p, uint64_t n)
{
	char digits[20];
	int i = 0;

	do
		digits[i++] = (char)('0' + n % 10);
	while (n /= 10);
	while (i)
		put(p, digits[--i]);
}

/* A minus keeps numbers apart, too. */
static void put_number(struct path *p, int64_t n)
{
	uint64_t magnitude = (uint64_t)llabs(n);
	char before = p->text.n ? p->text.at[p->text.n - 1] : ' ';

	if (n < 0)
		put(p, '-');
	else if (before >= '0' && before <= '9')
		put(p, ' ');
	if (magnitude >= 10 || magnitude == 0)
		put_digits(p, magnitude / 10);
	if (magnitude % 10) {
		put(p, '.');
		put(p, (char)('0' + magnitude % 10));
	}
}

static void put_move(struct path *p, double x, double y)
{
	int64_t to_x = tenths(x), to_y = tenths(y);

	put(p, 'm');
	put_number(p, to_x - p->x);
	put_number(p, to_y - p->y);
	p->x = p->x0 = to_x;
	p->y = p->y0 = to_y;
}

static void put_line(struct path *p, double x, double y)
{
	int64_t dx = tenths(x) - p->x, dy = tenths(y) - p->y;

	put(p, dy == 0 ? 'h' : dx == 0 ? 'v' : 'l');
	if (dx != 0 || dy == 0)
		put_number(p, dx);
	if (dy != 0)
		put_number(p, dy);
	p->x += dx;
	p->y += dy;
}

static void put_close(struct path *p)
{
	put(p, 'z');
	p->x = p->x0;
	p->y = p->y0;
}

static void put_rectangle(struct path *p, const struct stroke *s)
{
	put_move(p, s->x, s->y);
	put_line(p, s->x + s->width, s->y);
	put_line(p, s->x + s->width, s->y + s->height);
	put_line(p, s->x, s->y + s->height);
	put_close(p);
}

/* Two half circles, for an arc that ends where it begins is none. */
static void put_circle(struct path *p, const struct stroke *s)
{
	int64_t r = tenths(s->width);

	put_move(p, s->x - s->width, s->y);
	for (int side = 1; side >= -1; side -= 2) {
		put(p, 'a');
		put_number(p, r);
		put_number(p, r);
		for (const char *flags = " 0 1 0"; *flags; flags++)
			put(p, *flags);
		put_number(p, side * 2 * r);
		put_number(p, 0);
	}
	put_close(p);
}

static void put_stroke(struct path *p, const struct stroke *s)
{
	switch (s->op) {
	case OP_MOVE:
		put_move(p, s->x, s->y);
		break;
	case OP_LINE:
		put_line(p, s->x, s->y);
		break;
	case OP_CLOSE:
		put_close(p);
		break;
	case OP_RECT:
		put_rectangle(p, s);
		break;
	case OP_CIRCLE:
		put_circle(p, s);
		break;
	}
}

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
	put(p, ' ');
	put_number(p, n);
}

/* Of each strip the gap to the one before and its length; where another line begins, y and a colon. */
static void put_strips(struct path *p, const struct stroke *s, size_t count)
{
	for (size_t i = 0; i < count; i += 2) {
		int64_t x0 = tenths(s[i].x), x1 = tenths(s[i + 1].x), y = tenths(s[i].y);
		if (i == 0 || y != p->y) {
			if (i)
				put(p, ';');
			put_number(p, y);
			put(p, ':');
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
	struct path p = {0};

	if (f->count == 0)
		return;
	if (strips)
		put_strips(&p, &d->strokes.at[f->first], f->count);
	for (size_t i = 0; !strips && i < f->count; i++)
		put_stroke(&p, &d->strokes.at[f->first + i]);
	json_array(j, NULL);
	json_colour(j, NULL, f->brush.colour);
	json_real(j, NULL, f->brush.width);
	if (!strips)
		json_bool(j, NULL, f->brush.dashed);
	json_bytes(j, NULL, p.text.at, p.text.n);
	json_close(j);
	free(p.text.at);
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
