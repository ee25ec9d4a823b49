/* Shortens names of functions to the room that bars, frames and the page have. */
#ifndef GLIMPSE_GORGE_STYLE_FUNCTION_NAME_H
#define GLIMPSE_GORGE_STYLE_FUNCTION_NAME_H

#include <stdbool.h>

/*
 * A name, and what is shown instead where it has no room, each shorter than the one before:
 * "int Queue<int>::get(int&) (queue.cc:7)", "int Queue<int>::get(int&)", "Queue::get", "get".
 */
enum { NAME_FORMS = 4 };

struct name_forms {
	char *at[NAME_FORMS];
	unsigned n;
};

struct name_forms name_forms_of(const char *name);
void name_forms_free(struct name_forms *f);

/*
 * Returns the longest form that takes at most width pixels in a font of the size, all of it
 * visible; of the shortest, if that has no room, as much as text_fit() leaves. The caller frees it.
 */
char *name_fit(const char *name, double size, double width);

#endif
