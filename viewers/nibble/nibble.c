#include "base/array.h"
#include "trace/open/confine_trace.h"
#include "trace/open/foreign.h"
#include "trace/symbols/confine_symbols.h"
#include "viewers/confine_viewer.h"
#include "viewers/nibble/options.h"
#include "viewers/nibble/plot/draw.h"
#include "viewers/nibble/plot/script.h"
#include "viewers/nibble/plot/series_text.h"
#include "viewers/nibble/run.h"
#include "viewers/nibble/sweep.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool nibble_draw(const struct nibble_options *o, const struct plot *p, struct diag *diag)
{
	const struct gnuplot_terminal *terminal;

	if (o->action != ACTION_DUMP)
		return o->output ? plot_draw_file(p, o->output, diag) : plot_draw_here(p, diag);
	terminal = o->output ? plot_terminal_for(o->output, diag) : NULL;
	if (o->output && !terminal)
		return false;
	script_write(stdout, p, terminal);
	return true;
}

static bool draw_page(const struct nibble_options *o, const struct runs *runs,
		      const struct expressions *x, const struct family *families, struct diag *diag)
{
	unsigned *sections = array_zero(x->n, sizeof *sections);
	char *subject = runs_subject(runs);
	struct plot *plot;
	bool fine;

	for (size_t i = 0; i < x->n; i++)
		sections[i] = x->at[i].section;
	plot = plot_make(&(struct plot_content){families, sections, x->n, x->headings.at, subject},
			 &o->plot);
	fine = nibble_draw(o, plot, diag);
	plot_free(plot);
	free(subject);
	free(sections);
	return fine;
}

static bool show(struct nibble_options *o, const struct runs *runs, const struct expressions *x,
		 const struct family *families, struct diag *diag)
{
	o->plot.range = runs->range;
	if (o->action == ACTION_CSV)
		curves_write_csv(stdout, families, x->n, runs->range);
	else if (o->action == ACTION_JSON)
		curves_write_json(stdout, families, x->n, runs->range);
	else
		return draw_page(o, runs, x, families, diag);
	return true;
}

static bool read_expressions(struct expressions *x, const struct nibble_options *o,
			     struct diag *diag)
{
	bool fine = !o->file || expressions_read(x, o->file, diag);

	fine = expressions_take(x, o->expressions, o->nexpressions, diag) && fine;
	if (fine && x->n == 0)
		diag_error(diag, DIAG_NOWHERE, "%s: the file has no expression", o->file);
	return fine && x->n > 0;
}

/* Flushes standard output. A reader that left early (head) is no error to report. */
static bool finish_output(struct diag *diag)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	if (errno != EPIPE)
		diag_error(diag, DIAG_NOWHERE, "standard output: %s", strerror(errno));
	return false;
}

static bool work(struct nibble_options *o, const struct expressions *x, struct diag *diag)
{
	struct family *families = array_zero(x->n, sizeof *families);
	struct runs runs = {0};
	bool fine = runs_open(&runs, o, diag) && runs_evaluate(&runs, o, x, families, diag) &&
		    show(o, &runs, x, families, diag) && finish_output(diag);

	for (size_t i = 0; i < x->n; i++)
		family_free(&families[i]);
	free(families);
	runs_close(&runs);
	return fine;
}

/* Asks for an expression, with an event of the run as an example. */
static void expression_ask(const struct nibble_options *o, struct diag *diag)
{
	struct runs runs = {0};
	const char *event = runs_open(&runs, o, diag) ? runs_frequent_event(&runs) : NULL;

	if (event)
		diag_error(diag, DIAG_NOWHERE,
			   "nothing to draw: add an expression after the log directory, such as "
			   "nibble %s 'count(%s)'",
			   o->runs[0], event);
	else if (runs.n)
		diag_error(diag, DIAG_NOWHERE, "nothing to draw: %s has no events", o->runs[0]);
	runs_close(&runs);
}

/* Draws a file of predictions; the page is about no run. */
static bool draw_sweep(struct nibble_options *o, struct diag *diag)
{
	struct family f = {0};
	unsigned section = 0;
	char *headings[] = {NULL};
	char *title;
	bool fine = sweep_read(&f, o->sweep, &title, diag);

	if (fine && !o->plot.title)
		o->plot.title = title;
	if (fine && o->action == ACTION_CSV)
		curves_write_csv(stdout, &f, 1, o->plot.range);
	else if (fine && o->action == ACTION_JSON)
		curves_write_json(stdout, &f, 1, o->plot.range);
	else if (fine) {
		struct plot *plot = plot_make(
		    &(struct plot_content){&f, &section, 1, headings, o->plot.title}, &o->plot);

		fine = nibble_draw(o, plot, diag);
		plot_free(plot);
	}
	family_free(&f);
	return fine && finish_output(diag);
}

/* Confines the program to the files that the command line names, and to gnuplot if that draws. */
static void nibble_confine(const struct nibble_options *o)
{
	bool window = o->action == ACTION_DRAW && !o->output && plot_has_screen();
	struct confinement c;

	setlocale(LC_CTYPE, ""); /* reads the locale, for the terminal */
	confine_begin(&c, window ? CONFINE_CONNECTS : 0);
	confine_allow_trace(&c, o->runs, o->nruns, o->spec);
	confine_allow_symbols(&c, o->runs, o->nruns);
	if (o->file)
		confine_allow(&c, CONFINE_READ, o->file);
	if (o->sweep && strcmp(o->sweep, "-") != 0)
		confine_allow(&c, CONFINE_READ, o->sweep);
	if (window)
		confine_allow_window(&c);
	if (o->action == ACTION_DRAW && o->output) {
		confine_allow_gnuplot(&c);
		confine_allow_output(&c, o->output);
	}
	confine_end(&c);
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "nibble"};
	struct expressions expressions = {0};
	struct nibble_options options;
	bool fine;

	nibble_options_read(&options, argc, argv);
	options.runs = foreign_open(options.runs, options.nruns, options.spec, &diag);
	if (!options.runs)
		return 2;
	nibble_confine(&options);
	if (options.align)
		options.plot.time = text_format("time after the first %s", options.align);
	/* A wrong suffix is reported before the work, not after it. */
	fine = !options.output || plot_terminal_for(options.output, &diag);
	if (!options.sweep && !options.file && !options.nexpressions) {
		expression_ask(&options, &diag);
		fine = false;
	}
	if (fine && options.sweep)
		fine = draw_sweep(&options, &diag);
	else if (fine)
		fine = read_expressions(&expressions, &options, &diag) &&
		       work(&options, &expressions, &diag);
	expressions_free(&expressions);
	free(options.plot.time);
	return fine ? 0 : 2;
}
