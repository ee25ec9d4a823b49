/*
 * Answers what the threads of a picture's lanes did in a part of its time, which is selected: the
 * shares as numbers, and drawn as those of the whole picture are.
 */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/paint/canvas.h"
#include <stdlib.h>
#include <string.h>

/* Pixels of a picture that nobody sees: its shares are as exact as those of a wide one. */
enum { NARROW = 200 };

bool request_selects(const struct http_request *request, struct window *w)
{
	*w = (struct window){.from = -1, .to = -1};
	request_duration(request, "begin", &w->from);
	request_duration(request, "end", &w->to);
	return w->from >= 0 && w->to > w->from;
}

struct scene *answers_selected(struct session *s, const struct http_request *request,
			       const struct window *w)
{
	struct view_request q;

	if (request_view(request, s->view, &q))
		return NULL;
	q.view.window = *w;
	q.view.has_from = q.view.has_to = true;
	q.view.has_viewport = false;
	q.view.lanes = "threads";
	q.view.events = "none";
	q.view.tracks = NULL;
	q.view.pick.interval = NULL;
	q.view.width = NARROW;
	return scene_build(&q.view, s->index, &(struct diag){0});
}

static bool has_number(const struct lane *lane, uint32_t number)
{
	for (size_t i = 0; i < lane->threads.n; i++)
		if (lane->threads.at[i].first <= number && number <= lane->threads.at[i].last)
			return true;
	return false;
}

/* Returns how many of the threads of `some` are threads of a lane; *n: how many it has. */
static uint64_t threads_in(const struct lane *lane, const struct lane *some, uint64_t *n)
{
	uint64_t in = 0;

	*n = 0;
	for (size_t i = 0; i < some->threads.n; i++)
		for (uint64_t t = some->threads.at[i].first; t <= some->threads.at[i].last; t++) {
			in += has_number(lane, (uint32_t)t);
			++*n;
		}
	return in;
}

/* Adds the shares of a lane of the selection, whose intervals may have other keys. */
static void shares_add(double *sum, const struct scene *s, const struct scene *selected,
		       const double *shares)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		for (unsigned k = 0; k < selected->nintervals; k++)
			if (!strcmp(s->intervals[i].name, selected->intervals[k].name))
				sum[i] += shares[k];
}

/*
 * Returns the shares of a lane by those of the selection's lanes; NULL: it has none, or it has
 * threads that share a lane there with others.
 */
static double *lane_shares(const struct scene *s, const struct scene *selected,
			   const struct lane *lane)
{
	double *sum = array_zero(s->nintervals + 1, sizeof *sum);

	for (unsigned i = 0; lane->shares && i < selected->nlanes; i++) {
		const struct lane *part = &selected->lanes[i];
		uint64_t n = 0,
			 in = lane->processors ? part->processors : threads_in(lane, part, &n);

		if (!part->shares || !in)
			continue;
		if (!lane->processors && in < n) {
			free(sum);
			return NULL;
		}
		shares_add(sum, s, selected, part->shares);
	}
	if (lane->shares)
		return sum;
	free(sum);
	return NULL;
}

static void write_lane(const struct scene *s, const struct lane *lane, struct json *j)
{
	json_object(j, NULL);
	json_string(j, "name", lane->name);
	if (lane->shares) {
		json_int(j, "running", (int64_t)shares_running(s, lane));
		json_array(j, "states");
		for (unsigned i = 0; i < s->nintervals; i++)
			if (lane->shares[i] > 0) {
				json_object(j, NULL);
				json_string(j, "key", s->intervals[i].name);
				json_int(j, "ns", (int64_t)lane->shares[i]);
				json_close(j);
			}
		json_close(j);
	}
	json_close(j);
}

static struct reply write_shares(const struct picture *p, const struct scene *selected)
{
	struct scene s = *p->scene;
	struct drawing *shares = drawing_new(p->width, p->height, s.theme->page, s.title);
	struct drawing *head = drawing_new(p->width, p->ruler->height, s.theme->page, s.title);
	struct reply_stream w;
	struct json json = reply_begin_json(&w);

	s.window = selected->window;
	s.lanes = array_new(s.nlanes + 1, sizeof *s.lanes);
	json_int(&json, "from", s.window.from);
	json_int(&json, "to", s.window.to);
	json_array(&json, "lanes");
	for (unsigned i = 0; i < s.nlanes; i++) {
		s.lanes[i] = p->scene->lanes[i];
		s.lanes[i].shares = lane_shares(p->scene, selected, &s.lanes[i]);
		write_lane(&s, &s.lanes[i], &json);
	}
	json_close(&json);
	shares_draw(shares, &s, p->layout);
	ruler_draw_shares(head, &s, p->layout, "the selection");
	canvas_write(shares, &json, "shares");
	canvas_write(head, &json, "sharesHead");
	for (unsigned i = 0; i < s.nlanes; i++)
		free(s.lanes[i].shares);
	free(s.lanes);
	drawing_free(shares);
	drawing_free(head);
	return reply_end_json(&w, &json);
}

struct reply answer_shares(struct session *s, const struct http_request *request)
{
	struct window w;
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	struct scene *selected;
	struct reply r;

	if (!p)
		return failure;
	if (!request_selects(request, &w))
		return reply_text(400, "begin and end must be nanoseconds of a selection");
	selected = answers_selected(s, request, &w);
	if (!selected)
		return reply_text(400, "Unknown selection.");
	r = write_shares(p, selected);
	scene_free(selected);
	return r;
}
