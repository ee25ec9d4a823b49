#include "viewers/gorge/paint/path.h"
#include <stdlib.h>

/* More than any stroke takes: a circle has a dozen numbers of at most 14 digits. */
enum { MOST_BYTES = 512 };

struct path path_new(unsigned decimals)
{
	struct path p = {.decimals = decimals, .scale = 1};

	while (decimals--)
		p.scale *= 10;
	return p;
}

void path_free(struct path *p)
{
	free(p->text);
}

char *path_room(struct path *p, size_t bytes)
{
	if (p->room - p->n < bytes)
		p->text = vector_reserve(p->text, p->n + bytes, &p->room, 1);
	return p->text + p->n;
}

static void path_put(struct path *p, char c)
{
	p->text[p->n++] = c;
}

static void put_digits(struct path *p, uint64_t n)
{
	char digits[20];
	int i = 0;

	do
		digits[i++] = (char)('0' + n % 10);
	while (n /= 10);
	while (i)
		path_put(p, digits[--i]);
}

/* Writes the fraction, without zeros at its end. */
static void put_fraction(struct path *p, uint64_t n)
{
	path_put(p, '.');
	for (uint64_t digit = (uint64_t)p->scale / 10; n; digit /= 10) {
		path_put(p, (char)('0' + n / digit));
		n %= digit;
	}
}

/* Writes a number; a minus also separates it from the one before. */
static void path_put_number(struct path *p, int64_t n)
{
	uint64_t magnitude = (uint64_t)llabs(n), scale = (uint64_t)p->scale;
	char before = p->n ? p->text[p->n - 1] : ' ';

	if (n < 0)
		path_put(p, '-');
	else if (before >= '0' && before <= '9')
		path_put(p, ' ');
	if (magnitude >= scale || magnitude == 0)
		put_digits(p, magnitude / scale);
	if (magnitude % scale)
		put_fraction(p, magnitude % scale);
}

static void put_move(struct path *p, double x, double y)
{
	int64_t to_x = path_measure(p, x), to_y = path_measure(p, y);

	path_put(p, 'm');
	path_put_number(p, to_x - p->x);
	path_put_number(p, to_y - p->y);
	p->x = p->x0 = to_x;
	p->y = p->y0 = to_y;
}

static void put_line(struct path *p, double x, double y)
{
	int64_t dx = path_measure(p, x) - p->x, dy = path_measure(p, y) - p->y;

	path_put(p, dy == 0 ? 'h' : dx == 0 ? 'v' : 'l');
	if (dx != 0 || dy == 0)
		path_put_number(p, dx);
	if (dy != 0)
		path_put_number(p, dy);
	p->x += dx;
	p->y += dy;
}

static void put_close(struct path *p)
{
	path_put(p, 'z');
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

/* Writes two half circles, for an arc that ends where it begins is empty. */
static void put_circle(struct path *p, const struct stroke *s)
{
	int64_t r = path_measure(p, s->width);

	put_move(p, s->x - s->width, s->y);
	for (int side = 1; side >= -1; side -= 2) {
		path_put(p, 'a');
		path_put_number(p, r);
		path_put_number(p, r);
		for (const char *flags = " 0 1 0"; *flags; flags++)
			path_put(p, *flags);
		path_put_number(p, side * 2 * r);
		path_put_number(p, 0);
	}
	put_close(p);
}

void path_stroke(struct path *p, const struct stroke *s)
{
	path_room(p, MOST_BYTES);
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
