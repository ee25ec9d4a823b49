#include "viewers/gorge/paint_page.h"
#include <math.h>
#include <stdlib.h>

struct path {
	VECTOR(char) text;
};

static void put(struct path *p, char c)
{
	*vector_add(&p->text) = c;
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

/* Two decimals, as far as they are not 0; a space keeps numbers apart. */
static void put_number(struct path *p, double x)
{
	int64_t n = llround(fmin(fmax(x, -1e9), 1e9) * 100);
	uint64_t magnitude = (uint64_t)llabs(n), rest = magnitude % 100;

	put(p, n < 0 ? '-' : ' ');
	put_digits(p, magnitude / 100);
	if (rest == 0)
		return;
	put(p, '.');
	put(p, (char)('0' + rest / 10));
	if (rest % 10)
		put(p, (char)('0' + rest % 10));
}

static void put_op(struct path *p, char letter, const double *numbers, int n)
{
	put(p, letter);
	for (int i = 0; i < n; i++)
		put_number(p, numbers[i]);
}

static void put_rectangle(struct path *p, const struct stroke *s)
{
	put_op(p, 'M', (double[]){s->x, s->y}, 2);
	put_op(p, 'h', (double[]){s->width}, 1);
	put_op(p, 'v', (double[]){s->height}, 1);
	put_op(p, 'h', (double[]){-s->width}, 1);
	put(p, 'z');
}

/* Two half circles, for an arc that ends where it begins is none. */
static void put_circle(struct path *p, const struct stroke *s)
{
	double r = s->width;

	put_op(p, 'M', (double[]){s->x - r, s->y}, 2);
	put_op(p, 'a', (double[]){r, r, 0, 1, 0, 2 * r, 0}, 7);
	put_op(p, 'a', (double[]){r, r, 0, 1, 0, -2 * r, 0}, 7);
	put(p, 'z');
}

static void put_stroke(struct path *p, const struct stroke *s)
{
	switch (s->op) {
	case OP_MOVE:
		put_op(p, 'M', (double[]){s->x, s->y}, 2);
		break;
	case OP_LINE:
		put_op(p, 'L', (double[]){s->x, s->y}, 2);
		break;
	case OP_CLOSE:
		put(p, 'z');
		break;
	case OP_RECT:
		put_rectangle(p, s);
		break;
	case OP_CIRCLE:
		put_circle(p, s);
		break;
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
	struct path p = {0};

	if (f->count == 0)
		return;
	for (size_t i = 0; i < f->count; i++)
		put_stroke(&p, &d->strokes.at[f->first + i]);
	json_array(j, NULL);
	json_colour(j, NULL, f->brush.colour);
	json_real(j, NULL, f->brush.width);
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
