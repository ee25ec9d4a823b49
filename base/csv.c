#include "base/csv.h"
#include "base/visible.h"
#include <string.h>

void csv_write_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		visible_puts(out, text);
		return;
	}
	putc('"', out);
	csv_write_quoted(out, text);
	putc('"', out);
}

void csv_write_quoted(FILE *out, const char *text)
{
	for (size_t n; *text; text += n) {
		n = strcspn(text, "\"");
		visible_print(out, text, n);
		if (text[n] == '"') {
			fputs("\"\"", out);
			n++;
		}
	}
}
