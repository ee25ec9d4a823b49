#include "viewers/gorge/paint/paint.h"

const char *const format_suffixes[] = {"svg", "png", "pdf", NULL};

const char *drawing_paint(const struct drawing *d, enum paint_format format, double scale,
			  FILE *out)
{
	switch (format) {
	case FORMAT_SVG:
		return svg_paint(d, out);
	case FORMAT_PDF:
		return pdf_paint(d, out);
	case FORMAT_PNG:
		break;
	}
	return png_paint(d, scale, out);
}
