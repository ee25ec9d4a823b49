/* Adds what limits a run to a picture, in the words of glimpse why. */
#ifndef GLIMPSE_GORGE_HEADLINE_H
#define GLIMPSE_GORGE_HEADLINE_H

struct scene;
struct trace_index;
/*
 * Searches a trace for the lines of the scene's headline. Of a trace for which that takes long, a
 * note says how to have them.
 */
void headline_add(struct scene *scene, struct trace_index *m);

#endif
