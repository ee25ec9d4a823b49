#include "base/csv.h"
#include <string.h>

void csv_write_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	csv_write_quoted(out, text);
	putc('"', out);
}

void csv_write_quoted(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
}
