#include "viewers/gorge/paint/paint.h"
#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>

/*
 * The first looks like the layout's table of widths; the others have the letters of more scripts.
 */
static const char *const faces[] = {"Helvetica", "sans-serif", "Noto Sans CJK SC",
				    "WenQuanYi Zen Hei"};
enum { NFACES = sizeof faces / sizeof *faces };

#ifdef __SANITIZE_ADDRESS__
/*
 * fontconfig, which finds the font for cairo, keeps what it read; the leak checker need not say so.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig\n";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
#endif

static cairo_status_t write_to_file(void *out, const unsigned char *bytes, unsigned n)
{
	return fwrite(bytes, 1, n, out) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static void set_colour(cairo_t *c, rgba colour)
{
	cairo_set_source_rgba(c, (colour >> 24) / 255.0, (colour >> 16 & 0xff) / 255.0,
			      (colour >> 8 & 0xff) / 255.0, (colour & 0xff) / 255.0);
}

static void add_stroke(cairo_t *c, const struct stroke *s)
{
	switch (s->op) {
	case OP_MOVE:
		cairo_move_to(c, s->x, s->y);
		break;
	case OP_LINE:
		cairo_line_to(c, s->x, s->y);
		break;
	case OP_CLOSE:
		cairo_close_path(c);
		break;
	case OP_RECT:
		cairo_rectangle(c, s->x, s->y, s->width, s->height);
		break;
	case OP_CIRCLE:
		cairo_new_sub_path(c);
		cairo_arc(c, s->x, s->y, s->width, 0, 2 * M_PI);
		cairo_close_path(c);
		break;
	}
}

static void paint_figure(cairo_t *c, const struct drawing *d, const struct figure *f)
{
	static const double dashes[] = {3, 2};

	if (f->count == 0)
		return;
	for (size_t i = 0; i < f->count; i++)
		add_stroke(c, &d->strokes.at[f->first + i]);
	set_colour(c, f->brush.colour);
	cairo_set_dash(c, dashes, f->brush.dashed ? 2 : 0, 0);
	cairo_set_line_width(c, f->brush.width);
	if (f->brush.width > 0)
		cairo_stroke(c);
	else
		cairo_fill(c);
}

/* Tests whether the font has all letters of the text. */
static bool has_letters(cairo_t *c, const char *text)
{
	cairo_scaled_font_t *font = cairo_get_scaled_font(c);
	cairo_glyph_t *glyphs = NULL;
	bool all = true;
	int n = 0;

	if (cairo_scaled_font_text_to_glyphs(font, 0, 0, text, -1, &glyphs, &n, NULL, NULL, NULL) !=
	    CAIRO_STATUS_SUCCESS)
		return true;
	for (int i = 0; i < n; i++)
		all &= glyphs[i].index != 0;
	cairo_glyph_free(glyphs);
	return all;
}

static void set_face(cairo_t *c, const char *face, bool bold)
{
	cairo_select_font_face(c, face, CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}

/* Sets the first face that has all letters: cairo takes no missing letter from another face. */
static void choose_face(cairo_t *c, const struct label *l)
{
	for (int i = 0; i < NFACES; i++) {
		set_face(c, faces[i], l->bold);
		if (has_letters(c, l->text))
			return;
	}
	set_face(c, faces[1], l->bold);
}

static void paint_label(cairo_t *c, const struct label *l)
{
	cairo_text_extents_t extents;

	cairo_set_font_size(c, l->size);
	choose_face(c, l);
	cairo_text_extents(c, l->text, &extents);
	if (extents.x_advance > l->width) {
		cairo_set_font_size(c, l->size * l->width / extents.x_advance);
		cairo_text_extents(c, l->text, &extents);
	}
	set_colour(c, l->colour);
	cairo_move_to(c, l->x - extents.x_advance * l->align / 2, l->y);
	cairo_show_text(c, l->text);
}

/*
 * Sets fonts whose letters are not fitted to the pixels: only then do they have the same widths in
 * every format.
 */
static void set_fonts(cairo_t *c)
{
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(c, options);
	cairo_font_options_destroy(options);
}

static void paint_all(cairo_t *c, const struct drawing *d)
{
	set_fonts(c);
	set_colour(c, d->background);
	cairo_paint(c);
	cairo_set_line_cap(c, CAIRO_LINE_CAP_BUTT);
	cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
	for (size_t i = 0; i < d->items.n; i++) {
		const struct drawing_item *item = &d->items.at[i];
		if (item->kind == ITEM_FIGURE)
			paint_figure(c, d, &d->figures.at[item->index]);
		else
			paint_label(c, &d->labels.at[item->index]);
	}
	cairo_show_page(c);
}

void paint_find_fonts(void)
{
	cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
	cairo_t *c = cairo_create(s);

	set_face(c, faces[0], false);
	has_letters(c, "a");
	cairo_destroy(c);
	cairo_surface_destroy(s);
}

/* The unit of PDF is 1/72 inch, that of drawings 1/96. */
#define PDF_SCALE 0.75

static cairo_surface_t *pdf_surface(const struct drawing *d, FILE *out)
{
	cairo_surface_t *s = cairo_pdf_surface_create_for_stream(
	    write_to_file, out, d->width * PDF_SCALE, d->height * PDF_SCALE);

	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_TITLE, d->title);
	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR, "gorge");
	return s;
}

static cairo_surface_t *png_surface(const struct drawing *d, double scale)
{
	return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(d->width * scale),
					  (int)ceil(d->height * scale));
}

/* Ends the document; returns what went wrong, or NULL. */
static const char *finish(cairo_t *c, cairo_surface_t *s, cairo_status_t status)
{
	cairo_destroy(c);
	cairo_surface_finish(s);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(s);
	cairo_surface_destroy(s);
	return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

const char *png_paint(const struct drawing *d, double scale, FILE *out)
{
	cairo_surface_t *s = png_surface(d, scale);
	cairo_t *c = cairo_create(s);
	cairo_status_t status;

	cairo_scale(c, scale, scale);
	paint_all(c, d);
	status = cairo_status(c);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(s, write_to_file, out);
	return finish(c, s, status);
}

const char *pdf_paint(const struct drawing *d, FILE *out)
{
	cairo_surface_t *s = pdf_surface(d, out);
	cairo_t *c = cairo_create(s);

	cairo_scale(c, PDF_SCALE, PDF_SCALE);
	paint_all(c, d);
	return finish(c, s, cairo_status(c));
}
