#include "viewers/gorge/style/text_width.h"
#include "base/array.h"
#include "base/visible.h"
#include <stdlib.h>
#include <string.h>

/* Thousandths of the font's size, from the space to the tilde. */
static const short widths[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584,
};

enum { WIDTH_LETTER = 600, WIDTH_IDEOGRAPH = 1000, BOLD_PERCENT = 109 };

/* Returns the bytes of the well-formed UTF-8 sequence at text; 0: there is none. */
static size_t sequence(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = *p < 0x80   ? 1
		   : *p < 0xc2 ? 0
		   : *p < 0xe0 ? 2
		   : *p < 0xf0 ? 3
		   : *p < 0xf5 ? 4
			       : 0;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/*
 * Returns the width of a character. bytes: of its sequence; what is no sequence or no letter is as
 * wide as its replacement.
 */
static int character_width(const char *p, size_t bytes)
{
	if (bytes == 1)
		return *p < ' ' || *p > '~' ? widths[0] : widths[*p - ' '];
	if (!strncmp(p, ELLIPSIS, 3))
		return WIDTH_IDEOGRAPH;
	return bytes == 2 ? WIDTH_LETTER : WIDTH_IDEOGRAPH;
}

static double text_width_scaled(long thousandths, double size, bool bold)
{
	return thousandths * size / 1000 * (bold ? BOLD_PERCENT / 100.0 : 1);
}

double text_width(const char *text, double size, bool bold)
{
	long total = 0;

	for (size_t n; *text; text += n) {
		n = sequence(text);
		total += character_width(text, n);
		n = n ? n : 1;
	}
	return text_width_scaled(total, size, bold);
}

/* Returns how many bytes at the start of text take at most width. */
static size_t head_within(const char *text, double size, bool bold, double width)
{
	long total = 0;
	size_t at = 0;

	while (text[at]) {
		size_t n = sequence(text + at);
		total += character_width(text + at, n);
		if (text_width_scaled(total, size, bold) > width)
			break;
		at += n;
	}
	return at;
}

char *text_fit(const char *text, double size, bool bold, double width)
{
	double room = width - text_width(ELLIPSIS, size, bold);

	if (text_width(text, size, bold) <= width)
		return visible_text(text);
	if (room <= 0)
		return text_format("%s", "");
	return text_format("%.*s" ELLIPSIS, (int)head_within(text, size, bold, room), text);
}
