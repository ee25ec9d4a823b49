#include "viewers/gorge/scene/stack_scene.h"
#include <stdlib.h>

struct stack_scene *stack_scene_new(const struct scene *s, struct stack_times *times)
{
	struct stack_scene *t = array_zero(1, sizeof *t);

	t->bars = scene_part(s);
	t->bars->intervals = NULL;
	t->bars->nintervals = 0;
	t->bars->pick.key = NO_KEY;
	t->times = times;
	t->rows = array_zero(s->nlanes, sizeof *t->rows);
	return t;
}

void stack_scene_free(struct stack_scene *t)
{
	if (!t)
		return;
	free(t->bars->intervals);
	free(t->bars->bars.at);
	free(t->bars);
	free(t->rows);
	stack_times_release(t->times);
	free(t);
}
