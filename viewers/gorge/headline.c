#include "viewers/gorge/headline.h"
#include "analysis/headline/headline_text.h"
#include "base/array.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/scene/scene.h"

/* A picture of more events is not kept waiting for the search. */
enum { MOST_EVENTS = 3000000 };

void headline_add(struct scene *scene, struct trace_index *m)
{
	if (m->trace->events > MOST_EVENTS) {
		scene_note(scene,
			   text_format("This run has too many events to find what limits it here; "
				       "use glimpse why."));
		return;
	}
	matcher_lend(m->matcher);
	matcher_lock(m->matcher);
	headline_texts(m->trace, scene->headline);
	matcher_unlock(m->matcher);
}
