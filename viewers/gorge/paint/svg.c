#include "viewers/gorge/paint/paint.h"
#include "viewers/gorge/paint/path.h"
#include <math.h>
#include <string.h>

enum { DECIMALS = 2 };

/* As PNG and PDF have them, as far as the reader's machine has such fonts. */
static const char FONTS[] = "Helvetica,Arial,sans-serif";

/* Writes a number as short as it can be. */
static void write_number(FILE *out, const char *name, double x)
{
	fprintf(out, " %s=\"%.10g\"", name, round(x * 100) / 100);
}

static void write_colour(FILE *out, const char *name, rgba colour)
{
	fprintf(out, " %s=\"#%06x\"", name, colour >> 8);
	if ((colour & 0xff) == 0xff)
		return;
	fprintf(out, " %s-opacity=\"%.3g\"", name, (colour & 0xff) / 255.0);
}

/* Returns whether U+FFFE or U+FFFF is there, which XML does not have. */
static bool is_no_character(const char *p)
{
	return p[0] == '\xef' && p[1] == '\xbf' && (p[2] == '\xbe' || p[2] == '\xbf');
}

static void write_text(FILE *out, const char *text)
{
	static const char special[] = "&<>\xef";

	while (*text) {
		size_t plain = strcspn(text, special);
		fwrite(text, 1, plain, out);
		text += plain;
		if (is_no_character(text)) {
			putc('?', out);
			text += 3;
		} else if (*text) {
			fputs(*text == '&'   ? "&amp;"
			      : *text == '<' ? "&lt;"
			      : *text == '>' ? "&gt;"
					     : "\xef",
			      out);
			text++;
		}
	}
}

static void paint_figure(const struct drawing *d, const struct figure *f, FILE *out)
{
	struct path p = path_new(DECIMALS);

	if (f->count == 0)
		return;
	for (size_t i = 0; i < f->count; i++)
		path_stroke(&p, &d->strokes.at[f->first + i]);
	fputs("<path", out);
	if (f->brush.width > 0) {
		write_colour(out, "stroke", f->brush.colour);
		write_number(out, "stroke-width", f->brush.width);
	} else {
		write_colour(out, "fill", f->brush.colour);
	}
	if (f->brush.dashed)
		fputs(" stroke-dasharray=\"3 2\"", out);
	fputs(" d=\"", out);
	fwrite(p.text, 1, p.n, out);
	if (f->tip) {
		fputs("\"><title>", out);
		write_text(out, f->tip);
		fputs("</title></path>\n", out);
	} else {
		fputs("\"/>\n", out);
	}
	path_free(&p);
}

/* Writes a text with its length, so that it is as long as it was laid out in any font. */
static void paint_label(const struct label *l, FILE *out)
{
	static const char *const anchors[] = {
	    [ALIGN_LEFT] = NULL, [ALIGN_CENTRE] = "middle", [ALIGN_RIGHT] = "end"};

	if (!*l->text)
		return;
	fputs("<text", out);
	write_number(out, "x", l->x);
	write_number(out, "y", l->y);
	write_number(out, "font-size", l->size);
	if (l->bold)
		fputs(" font-weight=\"bold\"", out);
	if (anchors[l->align])
		fprintf(out, " text-anchor=\"%s\"", anchors[l->align]);
	write_number(out, "textLength", l->width);
	fputs(" lengthAdjust=\"spacingAndGlyphs\"", out);
	write_colour(out, "fill", l->colour);
	putc('>', out);
	write_text(out, l->text);
	fputs("</text>\n", out);
}

static bool has_tips(const struct drawing *d)
{
	for (size_t i = 0; i < d->figures.n; i++)
		if (d->figures.at[i].tip)
			return true;
	return false;
}

/*
 * Writes the head. Spaces are preserved in the newer of the two ways to say so, and in the older
 * one.
 */
static void write_head(const struct drawing *d, FILE *out)
{
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.10g\" height=\"%.10g\" "
		"viewBox=\"0 0 %.10g %.10g\" font-family=\"%s\" fill=\"none\" "
		"stroke-linejoin=\"round\" xml:space=\"preserve\">\n"
		"<style>text{white-space:pre%s}</style>\n<title>",
		d->width, d->height, d->width, d->height, FONTS,
		has_tips(d) ? ";pointer-events:none" : "");
	write_text(out, d->title);
	fputs("</title>\n<rect width=\"100%\" height=\"100%\"", out);
	write_colour(out, "fill", d->background);
	fputs("/>\n", out);
}

const char *svg_paint(const struct drawing *d, FILE *out)
{
	write_head(d, out);
	for (size_t i = 0; i < d->items.n; i++) {
		const struct drawing_item *item = &d->items.at[i];
		if (item->kind == ITEM_FIGURE)
			paint_figure(d, &d->figures.at[item->index], out);
		else
			paint_label(&d->labels.at[item->index], out);
	}
	fputs("</svg>\n", out);
	return ferror(out) ? "cannot write the picture" : NULL;
}
