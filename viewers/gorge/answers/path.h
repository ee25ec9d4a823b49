/* Writes the critical path for the page. */
#ifndef GLIMPSE_GORGE_ANSWERS_PATH_H
#define GLIMPSE_GORGE_ANSWERS_PATH_H

#include "analysis/graph/critical_path.h"
#include "viewers/gorge/answers/session.h"

/* Answers with the pieces in the window of a picture's scene, at its resolution. */
struct reply path_reply(const struct session *s, const struct scene *scene,
			const struct critical_path *path);

#endif
