/* What the page asks about tracks: those of all its expressions, in the window that it shows. */
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/paint/canvas.h"
#include "viewers/gorge/server/request.h"
#include "viewers/gorge/server/session.h"
#include <stdlib.h>
#include <string.h>

/* The tracks that have a meaning, in their order. */
struct drawn {
	VECTOR(struct track *) tracks;
};

/* One expression: its track, or what is wrong with it. */
static void write_track(struct session *s, const struct scene *scene, const char *expression,
			const bool *threads, struct drawn *drawn, struct json *j)
{
	struct reply_stream complaints;
	struct diag diag = {.out = reply_begin(&complaints), .program = "gorge"};
	struct track *t = track_build(expression, scene, s->index, threads, &diag);
	struct reply said = reply_end(&complaints, "text/plain");

	json_object(j, NULL);
	json_string(j, "expression", expression);
	if (t) {
		json_real(j, "top", tracks_height(drawn->tracks.n));
		track_write(scene, t, j);
		*vector_add(&drawn->tracks) = t;
	} else {
		json_string(j, "said", said.body);
	}
	json_close(j);
	free(said.body);
}

static void write_tracks(struct session *s, const struct scene *scene, const char *expressions,
			 const bool *threads, struct drawn *drawn, struct json *j)
{
	char *copy = text_format("%s", expressions), *rest = copy, *line;

	json_array(j, "tracks");
	while ((line = strsep(&rest, "\n")))
		if (*line && !task_stopped())
			write_track(s, scene, line, threads, drawn, j);
	json_close(j);
	free(copy);
}

static void write_drawings(const struct picture *p, const struct drawn *drawn, struct json *j)
{
	double height = tracks_height(drawn->tracks.n);
	rgba page = p->scene->theme->page;
	struct drawing *ground = drawing_new(p->width, height, page, "tracks");
	struct drawing *plot = drawing_new(p->width, height, page, "tracks");

	tracks_draw_ground(ground, p->scene, p->layout, drawn->tracks.at, drawn->tracks.n, 0);
	tracks_draw_curves(plot, p->scene, p->layout, drawn->tracks.at, drawn->tracks.n, 0);
	json_int(j, "from", p->scene->window.from);
	json_int(j, "to", p->scene->window.to);
	json_real(j, "height", height);
	canvas_write(ground, j, "ground");
	canvas_write(plot, j, "plot");
	drawing_free(ground);
	drawing_free(plot);
}

struct reply answer_tracks(struct session *s, const struct http_request *a)
{
	const char *expressions = http_value(a, "expressions");
	struct reply failure;
	const struct picture *p = session_picture(s, a, &failure);
	struct drawn drawn = {0};
	struct choice chosen;
	struct reply_stream w;
	struct json json;
	struct view_request q;

	if (!p)
		return failure;
	request_view(a, &s->options->view, &q);
	chosen = choice_new(&q.view, s->index->trace, &(struct diag){0});
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	write_tracks(s, p->scene, expressions ? expressions : "", chosen.threads, &drawn, &json);
	write_drawings(p, &drawn, &json);
	json_close(&json);
	for (size_t i = 0; i < drawn.tracks.n; i++)
		track_free(drawn.tracks.at[i]);
	free(drawn.tracks.at);
	choice_free(&chosen);
	return reply_end(&w, "application/json");
}
