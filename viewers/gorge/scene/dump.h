/*
 * Prints a scene as text, one thing a line, in a stable order: for tests, and to see what a picture
 * is made of.
 */
#ifndef GLIMPSE_GORGE_SCENE_DUMP_H
#define GLIMPSE_GORGE_SCENE_DUMP_H

#include "viewers/gorge/scene/scene.h"
#include <stdio.h>

void scene_dump(const struct scene *s, FILE *out);
/* Prints a text in quotes. */
void dump_quote(FILE *out, const char *text);

#endif
