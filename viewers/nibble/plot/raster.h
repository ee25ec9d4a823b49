/* Dots on a grid of letters: each letter has two by four of them. */
#ifndef GLIMPSE_NIBBLE_PLOT_RASTER_H
#define GLIMPSE_NIBBLE_PLOT_RASTER_H

#include <stddef.h>

struct raster {
	unsigned columns, rows; /* letters */
	unsigned char *dots;	/* of each letter, as bits of a Braille pattern (U+2800) */
	unsigned char *owner;	/* the curve that lit a dot there last, from 1; 0: none */
};

struct raster raster_new(unsigned columns, unsigned rows);
void raster_free(struct raster *r);

/* Places are 0 to 1 from the lower left corner; what lies outside is cut off. curve: from 1. */
void raster_dot(struct raster *r, double x, double y, unsigned char curve);
void raster_line(struct raster *r, double x0, double y0, double x1, double y1, unsigned char curve);

/* Marks the letters that a tile touches as owned by the shade, unless a darker one has them. */
void raster_shade(struct raster *r, double left, double right, double low, double high,
		  unsigned char shade);

#endif
