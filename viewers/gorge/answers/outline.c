/* Answers where in a picture an instance is drawn, so that the page can frame its bars. */
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/draw/picture.h"
#include "viewers/gorge/index/event_walk.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/scene/object_scene.h"
#include <string.h>

/* Pixels that are looked through at most: as high as a screen. */
enum { HIGHEST = 4400 };

struct outlined {
	struct session *session;
	const struct scene *scene;
	const struct interval *interval;
	uint32_t thread; /* of the anchor */
	event_id anchor;
};

static bool lane_has(const struct lane *lane, uint32_t thread)
{
	for (size_t i = 0; i < lane->threads.n; i++)
		if (lane->threads.at[i].first <= thread && thread <= lane->threads.at[i].last)
			return true;
	return false;
}

static bool is_object_bar_of(const struct outlined *o, const struct bar *b)
{
	struct object_index *x = trace_index_objects(o->session->index, -1);
	const struct traced_object *object = &x->objects.at[o->scene->objects->objects[b->lane]];
	event_id anchor;

	return object_anchor(x, o->session->index, &object->spans.at[b->anchor], &anchor) &&
	       anchor == o->anchor;
}

/* Returns whether a hit is a bar of the instance, or of several of which it may be one. */
static bool is_outlined(const struct outlined *o, struct hit hit)
{
	const struct bar *b;

	if (hit.thing == THING_OBJECT_BAR)
		return is_object_bar_of(o, &o->scene->objects->bars->bars.at[hit.index]);
	if (hit.thing != THING_BAR)
		return false;
	b = &o->scene->bars.at[hit.index];
	return !strcmp(o->scene->intervals[b->key].name, o->interval->name) &&
	       lane_has(&o->scene->lanes[b->lane], o->thread);
}

static void write_box(struct json *j, double top, double bottom)
{
	json_array(j, NULL);
	json_real(j, NULL, top);
	json_real(j, NULL, bottom);
	json_close(j);
}

/* Writes the stretches of a column in which the instance's bars are. */
static void write_boxes(const struct outlined *o, const struct picture *p, double x, double top,
			double bottom, struct json *j)
{
	struct hit last = {THING_NONE, 0};
	double begin = top;

	json_array(j, "boxes");
	for (double y = top; y <= bottom; y++) {
		struct hit hit = y < bottom ? picture_hit(p, x, y) : (struct hit){THING_NONE, 0};

		if (!is_outlined(o, hit))
			hit = (struct hit){THING_NONE, 0};
		if (hit.thing == last.thing && hit.index == last.index)
			continue;
		if (last.thing != THING_NONE)
			write_box(j, begin, y);
		begin = y;
		last = hit;
	}
	json_close(j);
}

struct reply answer_outline(struct session *s, const struct http_request *request)
{
	struct outlined o = {s, .interval = session_interval(s, http_value(request, "interval"))};
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	double x, top, bottom;
	struct reply_stream w;
	struct instance i;
	struct json json;
	size_t index;

	if (!p)
		return failure;
	if (!o.interval ||
	    !request_index(request, "index", lookup_instances(s->index, o.interval), &index) ||
	    !lookup_instance(s->index, o.interval, index, &i))
		return reply_text(400, "Unknown instance.");
	if (!request_number(request, "x", -1e6, 1e6, &x) ||
	    !request_number(request, "top", 0, 1e6, &top) ||
	    !request_number(request, "bottom", top, top + HIGHEST, &bottom))
		return reply_text(400, "x, top and bottom must be pixels");
	o.scene = p->scene;
	o.thread = i.anchor.thread;
	o.anchor = event_index_id(s->index->events, &i.anchor);
	json = reply_begin_json(&w);
	write_boxes(&o, p, x, top, bottom, &json);
	return reply_end_json(&w, &json);
}
