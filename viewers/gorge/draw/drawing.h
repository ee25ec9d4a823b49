/*
 * Represents a picture as a list of figures and texts, in the order of painting. A painter only
 * walks through the list; no graphics library is involved. Lengths are pixels (1/96 inch), x runs
 * right, y runs down.
 */
#ifndef GLIMPSE_GORGE_DRAW_DRAWING_H
#define GLIMPSE_GORGE_DRAW_DRAWING_H

#include "base/array.h"
#include "spec/spec.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/palette.h"
#include <stdbool.h>
#include <stdint.h>

enum stroke_op { OP_MOVE, OP_LINE, OP_CLOSE, OP_RECT, OP_CIRCLE };

struct stroke {
	enum stroke_op op;
	float x, y;
	float width, height; /* of a rectangle; a circle's radius is its width */
};

struct brush {
	rgba colour;
	double width; /* of the pen; 0 fills the figure */
	bool dashed;
};

/* What one brush paints at once: the strokes [first, first + count) of the drawing. */
struct figure {
	struct brush brush;
	size_t first, count;
	char *tip; /* a text for who points at it, in SVG; or NULL */
};

enum align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

struct label {
	char *text;  /* UTF-8, well-formed */
	double x, y; /* where the align-ed point of its base line is */
	double size; /* of the font */
	/* what it may take: painters make the letters smaller where needed */
	double width;
	enum align align;
	bool bold;
	rgba colour;
};

enum item_kind { ITEM_FIGURE, ITEM_LABEL };

struct drawing_item {
	enum item_kind kind;
	size_t index; /* in figures or labels */
};

struct drawing {
	double width, height;
	rgba background;
	char *title; /* for the document's metadata */
	VECTOR(struct stroke) strokes;
	VECTOR(struct figure) figures;
	VECTOR(struct label) labels;
	VECTOR(struct drawing_item) items;
};

struct drawing *drawing_new(double width, double height, rgba background, const char *title);
void drawing_free(struct drawing *d);

/* Begins a figure; the calls below add strokes to it. */
void drawing_brush(struct drawing *d, struct brush brush);
void drawing_move(struct drawing *d, double x, double y);
void drawing_line(struct drawing *d, double x, double y);
void drawing_close(struct drawing *d);
void drawing_rect(struct drawing *d, double x, double y, double width, double height);
void drawing_circle(struct drawing *d, double x, double y, double radius);
/* Gives the figure a text of two lines: a name of anybody's, and one of ours. */
void drawing_tip(struct drawing *d, const char *name, const char *text);
/* Adds strokes that were made elsewhere. */
void drawing_strokes(struct drawing *d, const struct stroke *strokes, size_t n);

/* How a text is set; colour and size say it all in most places. */
struct typeface {
	double size;
	bool bold;
	enum align align;
	rgba colour;
};

/*
 * Adds a text, which is cleaned, and shortened to at most limit pixels (0: no limit). Returns its
 * width.
 */
double drawing_text(struct drawing *d, const struct typeface *face, double x, double y,
		    double limit, const char *text);

/*
 * Tests whether the symbol is made of lines; the others are filled. An event without a symbol is an
 * upright line.
 */
bool symbol_is_line(enum symbol s);

/* Adds the symbol to the drawing's figure, within a circle of the radius about (x, y). */
void symbol_add(struct drawing *d, enum symbol s, double x, double y, double radius);

#endif
