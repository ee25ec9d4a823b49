#include "codegen/literal.h"
#include <string.h>

static void byte_emit(FILE *out, unsigned char c, const char *escaped)
{
	if (c == '\n')
		fputs("\\n", out);
	else if (c == '\t')
		fputs("\\t", out);
	else if (c && strchr(escaped, c))
		fprintf(out, "\\%c", c);
	else if (c < 0x20 || c >= 0x7f)
		fprintf(out, "\\%03o", c);
	else
		putc(c, out);
}

void literal_emit(FILE *out, const char *bytes, size_t length, const char *escaped)
{
	putc('"', out);
	for (size_t i = 0; i < length; i++)
		byte_emit(out, (unsigned char)bytes[i], escaped);
	putc('"', out);
}
