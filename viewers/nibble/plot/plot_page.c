#include "viewers/nibble/plot/plot_page.h"

#include <stdlib.h>
#include <string.h>

static void write_escaped(FILE *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		if (*c == '<')
			fputs("&lt;", out);
		else if (*c == '&')
			fputs("&amp;", out);
		else
			putc(*c, out);
	}
}

/* The prolog and the document type have no place inside of a page. */
static void copy_root(FILE *out, FILE *svg)
{
	char *line = NULL;
	size_t room = 0;
	bool inside = false;

	rewind(svg);
	while (getline(&line, &room, svg) > 0) {
		inside = inside || strncmp(line, "<svg", 4) == 0;
		if (inside)
			fputs(line, out);
	}
	free(line);
}

void html_write(FILE *out, const char *title, FILE *svg)
{
	fputs("<!DOCTYPE html>\n"
	      "<html lang=\"en\">\n"
	      "<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<title>",
	      out);
	write_escaped(out, title);
	fputs("</title>\n"
	      "<style>\n"
	      "body { margin: 1em; background: #fff; }\n"
	      "svg { max-width: 100%; height: auto; }\n"
	      "</style>\n"
	      "</head>\n"
	      "<body>\n",
	      out);
	copy_root(out, svg);
	fputs("</body>\n</html>\n", out);
}
