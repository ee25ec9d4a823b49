#include "viewers/nibble/draw.h"
#include "viewers/nibble/options.h"
#include "viewers/nibble/output.h"
#include "viewers/nibble/run.h"
#include "viewers/nibble/script.h"
#include "viewers/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static bool show(struct options *o, const struct runs *runs, const struct family *families,
		 struct diag *diag)
{
	struct plot *plot;
	char *subject;
	bool fine;

	o->plot.range = runs->range;
	if (o->action == ACTION_CSV || o->action == ACTION_JSON) {
		(o->action == ACTION_CSV ? output_csv : output_json)(stdout, families,
								     o->nexpressions, runs->range);
		return true;
	}
	subject = runs_subject(runs);
	plot = plot_make(families, o->nexpressions, subject, &o->plot);
	fine = draw(o, plot, diag);
	plot_free(plot);
	free(subject);
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

static bool work(struct options *o, struct diag *diag)
{
	struct family *families = zeroed(o->nexpressions, sizeof *families);
	struct expressions expressions = {0};
	struct runs runs = {0};
	/* A wrong suffix is told before the work, not after it. */
	bool fine = (!o->output || draw_terminal(o->output, diag)) &&
		    expressions_parse(&expressions, o, diag) && runs_open(&runs, o, diag) &&
		    runs_evaluate(&runs, o, &expressions, families, diag) &&
		    show(o, &runs, families, diag) && finish_output(diag);

	for (unsigned i = 0; i < o->nexpressions; i++)
		family_free(&families[i]);
	free(families);
	runs_close(&runs);
	expressions_free(&expressions);
	return fine;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "nibble"};
	struct options options;

	options_read(&options, argc, argv);
	return work(&options, &diag) ? 0 : 2;
}
