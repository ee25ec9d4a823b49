/*
 * Finds items of the same name in two specifications of one trace: a probe's and the program's own,
 * or two probes'.
 */
#ifndef GLIMPSE_TRACE_OPEN_NAME_CLASH_H
#define GLIMPSE_TRACE_OPEN_NAME_CLASH_H

#include "spec/spec.h"

/*
 * Renames the events and intervals of a specification whose names another one has: NAME becomes
 * SPECIFICATION_NAME, in its text, too. Notes of all what they were declared as. Returns false if
 * there is no memory.
 */
bool name_clashes_rename(const struct spec *first, struct spec *spec);

/* Returns how many of the events of a specification another one has, by name. */
unsigned clashing_events(const struct spec *first, const struct spec *spec);

#endif
