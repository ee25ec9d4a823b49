#include "viewers/gorge/build/scene_tracks.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/paint/canvas.h"
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

struct track *tracks_make(const char *expression, const struct scene *s, struct trace_index *m,
			  const bool *threads, struct diag *diag)
{
	return make(expression, s, m, threads, true, diag);
}

bool tracks_gather(struct scene *s, const struct view *v, struct trace_index *m, const bool *threads,
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

void tracks_free(struct scene *s)
{
	for (size_t i = 0; i < s->series.n; i++)
		track_free(s->series.at[i]);
	free(s->series.at);
}

static rgba colour_of(const struct scene *s, const char *name)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (!strcmp(s->intervals[i].name, name))
			return s->intervals[i].colour;
	for (unsigned i = 0; i < s->nevents; i++)
		if (!strcmp(s->events[i].name, name))
			return s->events[i].colour;
	return s->theme->hues[0];
}

rgba tracks_colour(const struct scene *s, const struct track *t, size_t curve)
{
	if (t->curves.n <= 1 && t->name)
		return colour_of(s, t->name);
	return s->theme->hues[curve % PALETTE_HUES];
}

static void dump_curve(const struct track_curve *c, FILE *out)
{
	fprintf(out, "curve \"%s\" %s", c->name ? c->name : "", c->points ? "points" : "lines");
	for (size_t i = 0; i < c->vertices.n; i++)
		fprintf(out, " %.1f,%.6g", c->vertices.at[i].x, c->vertices.at[i].y);
	putc('\n', out);
}

void tracks_dump(const struct scene *s, FILE *out)
{
	for (size_t i = 0; i < s->series.n; i++) {
		const struct track *t = s->series.at[i];
		fprintf(out, "track \"%s\" axis \"%s\" from %.6g to %.6g\n", t->expression,
			t->axis ? t->axis : "", t->low, t->high);
		for (size_t k = 0; k < t->curves.n; k++)
			dump_curve(&t->curves.at[k], out);
		for (size_t k = 0; k < t->tiles.n; k++)
			fprintf(out, "tile %.1f-%.1f of %.6g-%.6g part %.3f\n", t->tiles.at[k].left,
				t->tiles.at[k].right, t->tiles.at[k].low, t->tiles.at[k].high,
				t->tiles.at[k].part);
	}
}

static void write_curve(const struct scene *s, const struct track *t, size_t number, struct json *j)
{
	const struct track_curve *c = &t->curves.at[number];

	json_object(j, NULL);
	if (c->name)
		json_string(j, "name", c->name);
	json_colour(j, "colour", tracks_colour(s, t, number));
	json_bool(j, "points", c->points);
	json_array(j, "vertices");
	for (size_t i = 0; i < c->vertices.n; i++) {
		json_real(j, NULL, c->vertices.at[i].x);
		json_real(j, NULL, c->vertices.at[i].y / t->divisor);
	}
	json_close(j);
	json_close(j);
}

void tracks_write(const struct scene *s, const struct track *t, struct json *j)
{
	json_string(j, "axis", t->axis ? t->axis : "");
	json_string(j, "unit", t->unit ? t->unit : "");
	json_array(j, "curves");
	for (size_t i = 0; i < t->curves.n; i++)
		write_curve(s, t, i, j);
	json_close(j);
}
