/*
 * Describes sampled stacks: below a thread's states the functions that it ran in, the outermost
 * first, each below its caller. Where functions are too short for the pixels, the one with the most
 * of a pixel has it.
 */
#ifndef GLIMPSE_GORGE_SCENE_STACK_SCENE_H
#define GLIMPSE_GORGE_SCENE_STACK_SCENE_H

#include "viewers/gorge/index/stack_times.h"
#include "viewers/gorge/scene/scene.h"

/* Rows of frames shown in a lane, and how many outer frames are skipped. */
struct stack_rows {
	unsigned frames, above;
	uint32_t thread; /* index in the trace, of the first thread on the lane */
};

struct stack_scene {
	/*
	 * The keys are the theme's colours of functions. A bar's anchor is the node of the flame
	 * graph. Of a bar of a level, the thread ran in that function for so many quarters of the
	 * time.
	 */
	struct scene *bars;
	struct stack_times *times;
	struct stack_rows *rows; /* by lane */
	bool pending;            /* the times are still being found */
};

/* Takes the times. */
struct stack_scene *stack_scene_new(const struct scene *s, struct stack_times *times);
void stack_scene_free(struct stack_scene *t);

#endif
