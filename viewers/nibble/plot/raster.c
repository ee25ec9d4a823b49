#include "viewers/nibble/plot/raster.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

struct raster raster_new(unsigned columns, unsigned rows)
{
	return (struct raster){
	    .columns = columns,
	    .rows = rows,
	    .dots = array_zero((size_t)columns * rows, 1),
	    .owner = array_zero((size_t)columns * rows, 1),
	};
}

void raster_free(struct raster *r)
{
	free(r->dots);
	free(r->owner);
}

/* The bit of a dot by its column and its row in the letter, as Unicode numbers them. */
static const unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

void raster_dot(struct raster *r, double x, double y, unsigned char curve)
{
	unsigned width = 2 * r->columns, height = 4 * r->rows, column, row;
	size_t letter;

	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return;
	column = (unsigned)fmin(x * width, width - 1);
	row = height - 1 - (unsigned)fmin(y * height, height - 1);
	letter = (size_t)(row / 4) * r->columns + column / 2;
	r->dots[letter] |= bits[column % 2][row % 4];
	r->owner[letter] = curve;
}

void raster_line(struct raster *r, double x0, double y0, double x1, double y1, unsigned char curve)
{
	double across = fabs(x1 - x0) * 2 * r->columns, up = fabs(y1 - y0) * 4 * r->rows;
	double steps = fmin(ceil(fmax(across, up)) + 1, 4.0 * (r->columns + r->rows));

	if (isnan(steps) || isnan(x0 + x1 + y0 + y1))
		return;
	for (double i = 0; i <= steps; i++)
		raster_dot(r, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, curve);
}

/* The letters from one place up to another: at least one. */
static void letters(double from, double to, unsigned n, unsigned *first, unsigned *last)
{
	*first = (unsigned)fmin(fmax(from * n, 0), n - 1);
	*last = (unsigned)fmin(fmax(ceil(to * n), *first + 1), n);
}

void raster_shade(struct raster *r, double left, double right, double low, double high,
		  unsigned char shade)
{
	unsigned first, last, bottom, top;

	if (isnan(left + right + low + high) || right < 0 || left > 1)
		return;
	letters(left, right, r->columns, &first, &last);
	letters(low, high, r->rows, &bottom, &top);
	for (unsigned row = bottom; row < top; row++)
		for (unsigned column = first; column < last; column++) {
			size_t at = (size_t)(r->rows - 1 - row) * r->columns + column;

			if (r->owner[at] < shade)
				r->owner[at] = shade;
		}
}
