#include "viewers/gorge/build/build.h"
#include <stdlib.h>
#include <string.h>

/* Of a track's box: how finely points are told apart. */
enum { ROWS = 56 };

static const struct matches *lend(void *lender, const struct interval *interval)
{
	return trace_index_matches(lender, interval);
}

/* listed: more than one is asked for, so that it pays to list the events. */
static struct track *make(const char *expression, const struct scene *s, struct trace_index *m,
			  const bool *threads, bool listed, struct diag *diag)
{
	struct track_view view = {
		.trace = m->trace, .from = (double)s->window.from, .to = (double)s->window.to,
		.columns = s->columns, .rows = ROWS, .listed = listed, .lend = lend, .lender = m,
	};

	matcher_lend(m->matcher);
	for (unsigned i = 0; threads && i < m->trace->nthreads; i++)
		if (!threads[i])
			view.threads = threads;
	return track_new(expression, &view, diag);
}

struct track *track_build(const char *expression, const struct scene *s, struct trace_index *m,
			  const bool *threads, struct diag *diag)
{
	return make(expression, s, m, threads, true, diag);
}

bool tracks_build(struct scene *s, const struct view *v, struct trace_index *m, const bool *threads,
		   struct diag *diag)
{
	char *copy = text_format("%s", v->tracks ? v->tracks : ""), *rest = copy, *line;
	bool good = true;

	while ((line = strsep(&rest, "\n"))) {
		struct track *t;

		if (!line[strspn(line, " \t\r")])
			continue;
		t = make(line, s, m, threads, !v->complete, diag);
		if (t)
			*vector_add(&s->series) = t;
		good = good && t;
	}
	free(copy);
	return good;
}
