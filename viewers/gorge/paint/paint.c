#include "viewers/gorge/paint/paint.h"

const char *const format_suffixes[] = {"svg", "png", "pdf", NULL};

const char *paint(const struct drawing *d, enum format format, double scale, FILE *out)
{
	switch (format) {
	case FORMAT_SVG:
		return paint_svg(d, out);
	case FORMAT_PDF:
		return paint_pdf(d, out);
	case FORMAT_PNG:
		break;
	}
	return paint_png(d, scale, out);
}
