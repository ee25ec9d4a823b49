/* What flame graphs of memory are made from. */
#include "analysis/flame/memory_window.h"
#include "viewers/gorge/answers/answers.h"

/*
 * Makes the window, unless that is done. Nothing changes the index while a slow request is
 * answered.
 */
static const struct memory_window *known_memory_window(struct session *s)
{
	struct session *common = s->common;
	struct memory_window *made;
	struct task *task;

	if (common->memory_window)
		return common->memory_window;
	task = analysis_begin(s);
	made = memory_window_of(s->index->trace);
	analysis_end(s, task);
	pthread_mutex_lock(&common->lock);
	common->memory_window = made;
	pthread_mutex_unlock(&common->lock);
	return made;
}

const struct memory_window *session_memory(struct session *s, const char **missing)
{
	*missing = FLAME_MEMORY_MISSING;
	return known_memory_window(s);
}
