#include "viewers/gorge/scene/object_scene.h"
#include <stdlib.h>

struct object_scene *object_scene_new(const struct scene *s)
{
	struct object_scene *o = array_zero(1, sizeof *o);

	o->bars = scene_part(s);
	o->bars->intervals = NULL;
	o->bars->nintervals = 0;
	o->bars->objects = NULL;
	o->bars->pick.key = NO_KEY;
	o->objects = array_new(s->nlanes, sizeof *o->objects);
	for (unsigned i = 0; i < s->nlanes; i++)
		o->objects[i] = NO_KEY;
	return o;
}

void object_scene_free(struct object_scene *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < o->bars->nintervals; i++)
		free(o->bars->intervals[i].label);
	free(o->bars->intervals);
	free(o->bars->bars.at);
	free(o->bars);
	for (size_t i = 0; i < o->threads.n; i++)
		free(o->threads.at[i].name);
	free(o->threads.at);
	free(o->marks.at);
	free(o->links.at);
	free(o->objects);
	free(o);
}

/* Where the hues are used up, they come again, nearer to the ink. */
rgba object_thread_colour(const struct theme *theme, unsigned thread)
{
	unsigned round = thread / PALETTE_HUES % 3;

	return colour_mix(theme->hues[thread % PALETTE_HUES], theme->ink, 1 - 0.28 * round);
}

rgba object_wait_colour(const struct theme *theme, rgba colour)
{
	return colour_mix(colour, theme->page, 0.25);
}
