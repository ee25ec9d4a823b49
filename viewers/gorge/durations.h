/* How long the instances of one interval in a window took: exact quantiles, and a histogram. */
#ifndef GLIMPSE_GORGE_DURATIONS_H
#define GLIMPSE_GORGE_DURATIONS_H

#include "spec/json.h"
#include "viewers/gorge/model.h"
#include "viewers/gorge/scene.h"

/* Of the instances that touch the window, in all threads. Writes members of the open object. */
void durations_write(struct model *m, const struct interval *interval, const struct window *w,
		     struct json *j);

#endif
