#include "viewers/gorge/draw/drawing.h"
#include "base/visible.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>

struct drawing *drawing_new(double width, double height, rgba background, const char *title)
{
	struct drawing *d = array_zero(1, sizeof *d);

	d->width = width;
	d->height = height;
	d->background = background;
	d->title = visible_text(title);
	return d;
}

void drawing_free(struct drawing *d)
{
	for (size_t i = 0; i < d->labels.n; i++)
		free(d->labels.at[i].text);
	for (size_t i = 0; i < d->figures.n; i++)
		free(d->figures.at[i].tip);
	free(d->title);
	free(d->strokes.at);
	free(d->figures.at);
	free(d->labels.at);
	free(d->items.at);
	free(d);
}

void drawing_brush(struct drawing *d, struct brush brush)
{
	*vector_add(&d->items) = (struct drawing_item){ITEM_FIGURE, d->figures.n};
	*vector_add(&d->figures) = (struct figure){.brush = brush, .first = d->strokes.n};
}

static void drawing_add(struct drawing *d, struct stroke stroke)
{
	*vector_add(&d->strokes) = stroke;
	d->figures.at[d->figures.n - 1].count++;
}

void drawing_move(struct drawing *d, double x, double y)
{
	drawing_add(d, (struct stroke){.op = OP_MOVE, .x = x, .y = y});
}

void drawing_line(struct drawing *d, double x, double y)
{
	drawing_add(d, (struct stroke){.op = OP_LINE, .x = x, .y = y});
}

void drawing_close(struct drawing *d)
{
	drawing_add(d, (struct stroke){.op = OP_CLOSE});
}

void drawing_rect(struct drawing *d, double x, double y, double width, double height)
{
	drawing_add(d, (struct stroke){OP_RECT, x, y, width, height});
}

void drawing_circle(struct drawing *d, double x, double y, double radius)
{
	drawing_add(d, (struct stroke){.op = OP_CIRCLE, .x = x, .y = y, .width = radius});
}

void drawing_tip(struct drawing *d, const char *name, const char *text)
{
	char *clean = visible_text(name);

	d->figures.at[d->figures.n - 1].tip = text_format("%s\n%s", clean, text);
	free(clean);
}

void drawing_strokes(struct drawing *d, const struct stroke *strokes, size_t n)
{
	vector_append(&d->strokes, strokes, n);
	d->figures.at[d->figures.n - 1].count += n;
}

double drawing_text(struct drawing *d, const struct typeface *face, double x, double y,
		    double limit, const char *text)
{
	char *clean = visible_text(text);
	char *shown =
	    limit > 0 ? text_fit(clean, face->size, face->bold, limit) : visible_text(clean);
	double width = text_width(shown, face->size, face->bold);

	free(clean);
	*vector_add(&d->items) = (struct drawing_item){ITEM_LABEL, d->labels.n};
	*vector_add(&d->labels) = (struct label){
	    .text = shown,
	    .x = x,
	    .y = y,
	    .size = face->size,
	    .width = width,
	    .align = face->align,
	    .bold = face->bold,
	    .colour = face->colour,
	};
	return width;
}

bool symbol_is_line(enum symbol s)
{
	return s == SYMBOL_X || s == SYMBOL_PLUS || s == SYMBOL_NONE;
}

static void segment(struct drawing *d, double x1, double y1, double x2, double y2)
{
	drawing_move(d, x1, y1);
	drawing_line(d, x2, y2);
}

static void diamond(struct drawing *d, double x, double y, double r)
{
	drawing_move(d, x, y - r);
	drawing_line(d, x + r, y);
	drawing_line(d, x, y + r);
	drawing_line(d, x - r, y);
	drawing_close(d);
}

/* Draws a triangle with its centre of gravity at (x, y). */
static void triangle(struct drawing *d, double x, double y, double r)
{
	drawing_move(d, x, y - r);
	drawing_line(d, x + 0.866 * r, y + 0.5 * r);
	drawing_line(d, x - 0.866 * r, y + 0.5 * r);
	drawing_close(d);
}

void symbol_add(struct drawing *d, enum symbol s, double x, double y, double radius)
{
	double r = radius;

	switch (s) {
	case SYMBOL_NONE:
		segment(d, x, y - r, x, y + r);
		break;
	case SYMBOL_X:
		segment(d, x - 0.75 * r, y - 0.75 * r, x + 0.75 * r, y + 0.75 * r);
		segment(d, x - 0.75 * r, y + 0.75 * r, x + 0.75 * r, y - 0.75 * r);
		break;
	case SYMBOL_PLUS:
		segment(d, x - r, y, x + r, y);
		segment(d, x, y - r, x, y + r);
		break;
	case SYMBOL_BOX:
		drawing_rect(d, x - 0.8 * r, y - 0.8 * r, 1.6 * r, 1.6 * r);
		break;
	case SYMBOL_DIAMOND:
		diamond(d, x, y, r);
		break;
	case SYMBOL_CIRCLE:
		drawing_circle(d, x, y, 0.9 * r);
		break;
	case SYMBOL_TRIANGLE:
		triangle(d, x, y, r);
		break;
	}
}
