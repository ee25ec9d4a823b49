#include "viewers/nibble/draw.h"
#include "viewers/nibble/options.h"
#include "viewers/nibble/output.h"
#include "viewers/nibble/run.h"
#include "viewers/nibble/script.h"
#include "viewers/vector.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool evaluate_runs(const struct options *o, const struct expressions *x,
			  struct family *families, struct range *range, char **subject,
			  struct diag *diag)
{
	bool fine = true;

	if (o->join || o->nruns == 1)
		return run_evaluate(o, o->runs, o->nruns, -1, x, families, range, subject, diag);
	for (unsigned i = 0; i < o->nruns && fine; i++)
		fine = run_evaluate(o, &o->runs[i], 1, (int)i, x, families, range, subject, diag);
	return fine;
}

static bool draw(const struct options *o, const struct plot *p, struct diag *diag)
{
	const struct gnuplot_terminal *terminal;

	if (o->action != ACTION_DUMP)
		return o->output ? draw_file(p, o->output, diag) : draw_here(p, diag);
	terminal = o->output ? draw_terminal(o->output, diag) : NULL;
	if (o->output && !terminal)
		return false;
	script_write(stdout, p, terminal);
	return true;
}

static bool show(struct options *o, const struct family *families, struct range range,
		 const char *subject, struct diag *diag)
{
	struct plot *plot;
	bool fine;

	o->plot.range = range;
	if (o->action == ACTION_CSV || o->action == ACTION_JSON) {
		(o->action == ACTION_CSV ? output_csv : output_json)(stdout, families,
								     o->nexpressions, range);
		return true;
	}
	plot = plot_make(families, o->nexpressions, subject, &o->plot);
	fine = draw(o, plot, diag);
	plot_free(plot);
	return fine;
}

/* What was printed has arrived; a reader that left early (head) is no error to speak of. */
static bool finish_output(struct diag *diag)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	if (errno != EPIPE)
		diag_error(diag, DIAG_NOWHERE, "standard output: %s", strerror(errno));
	return false;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "nibble"};
	struct range range = {INFINITY, -INFINITY};
	struct expressions expressions = {0};
	struct family *families;
	struct options options;
	char *subject = NULL;
	bool fine;

	options_read(&options, argc, argv);
	families = zeroed(options.nexpressions, sizeof *families);
	/* A wrong suffix is told before the work, not after it. */
	fine = !options.output || draw_terminal(options.output, &diag);
	fine = fine && expressions_parse(&expressions, &options, &diag) &&
	       evaluate_runs(&options, &expressions, families, &range, &subject, &diag) &&
	       show(&options, families, range, subject, &diag) && finish_output(&diag);
	for (unsigned i = 0; i < options.nexpressions; i++)
		family_free(&families[i]);
	free(families);
	free(subject);
	expressions_free(&expressions);
	return fine ? 0 : 2;
}
