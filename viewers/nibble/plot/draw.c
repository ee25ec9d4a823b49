#include "viewers/nibble/plot/draw.h"
#include "base/output.h"
#include "viewers/nibble/plot/script.h"
#include "viewers/nibble/plot/terminal_plot.h"
#include "viewers/suffix.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

/* Copies the root element: the prolog and the document type have no place in a page. */
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

static void html_write(FILE *out, const char *title, FILE *svg)
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

/* What gnuplot draws, and a page around its SVG. */
static const char *const suffixes[] = {"png", "svg", "pdf", "html", NULL};
enum { SVG = 1, HTML = 3 };

const struct gnuplot_terminal *plot_terminal_for(const char *path, struct diag *diag)
{
	int index = suffix_find(path, suffixes, diag);

	return index < 0 ? NULL : &gnuplot_terminals[index == HTML ? SVG : index];
}

static bool is_page(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && strcasecmp(dot + 1, suffixes[HTML]) == 0;
}

/*
 * Returns the script in a file, which the caller closes; NULL, and diag is told, if there
 * can be none.
 */
static FILE *script_file(const struct plot *p, const struct gnuplot_terminal *terminal,
			 struct diag *diag)
{
	FILE *script = gnuplot_file();

	if (!script) {
		diag_error(diag, DIAG_NOWHERE, "cannot write a temporary file: %s",
			   strerror(errno));
		return NULL;
	}
	script_write(script, p, terminal);
	return script;
}

static const char *title_of(const struct plot *p)
{
	const char *title = p->title ? p->title : p->at[0].title;

	return title ? title : "nibble";
}

/* Draws into the file, or into a page in the file. */
static bool draw_into(FILE *out, const struct plot *p, FILE *script, bool page, struct diag *diag)
{
	FILE *svg;
	bool drawn;

	if (!page)
		return gnuplot_run(script, fileno(out), diag) == 0;
	svg = gnuplot_file();
	if (!svg) {
		diag_error(diag, DIAG_NOWHERE, "cannot write a temporary file: %s",
			   strerror(errno));
		return false;
	}
	drawn = gnuplot_run(script, fileno(svg), diag) == 0;
	if (drawn)
		html_write(out, title_of(p), svg);
	fclose(svg);
	return drawn;
}

bool plot_draw_file(const struct plot *p, const char *path, struct diag *diag)
{
	const struct gnuplot_terminal *terminal = plot_terminal_for(path, diag);
	FILE *script = terminal ? script_file(p, terminal, diag) : NULL;
	struct output *output;
	FILE *out;
	bool drawn;

	if (!script)
		return false;
	output = output_begin(NULL, 0, diag_write_failed, diag);
	out = output_file(output, "%s", path);
	drawn = out && draw_into(out, p, script, is_page(path), diag);
	fclose(script);
	if (drawn)
		return output_commit(output);
	output_discard(output);
	return false;
}

bool plot_has_screen(void)
{
	const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

	return isatty(STDOUT_FILENO) && ((x11 && *x11) || (wayland && *wayland));
}

bool plot_draw_here(const struct plot *p, struct diag *diag)
{
	const struct gnuplot_terminal *window = plot_has_screen() ? gnuplot_window() : NULL;
	FILE *script;
	bool drawn;

	if (!window) {
		plot_draw_terminal(stdout, p);
		return true;
	}
	script = script_file(p, window, diag);
	if (script)
		gnuplot_window_check(script, window);
	drawn = script && gnuplot_run(script, STDOUT_FILENO, diag) == 0;
	if (script)
		fclose(script);
	return drawn;
}
