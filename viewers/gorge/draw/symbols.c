#include "viewers/gorge/draw/symbols.h"

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

/* Its centre of gravity is at (x, y). */
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
