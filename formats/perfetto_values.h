/*
 * Arguments of Perfetto's events: messages DebugAnnotation, whose values are of all kinds; those
 * that contain others become JSON.
 */
#ifndef GLIMPSE_FORMATS_PERFETTO_VALUES_H
#define GLIMPSE_FORMATS_PERFETTO_VALUES_H

#include "formats/logs_named.h"
#include "formats/perfetto_sequence.h"

struct perfetto_arguments {
	VECTOR(struct logs_argument) list;
	VECTOR(char *) made; /* texts in it */
};

/* Adds an argument. */
void perfetto_argument(struct perfetto_arguments *a, const struct perfetto_sequence *s,
		       struct proto annotation);
/* Keeps a text until the list is emptied; returns it. */
const char *perfetto_keep(struct perfetto_arguments *a, char *text);
void perfetto_arguments_reset(struct perfetto_arguments *a);
void perfetto_arguments_free(struct perfetto_arguments *a);

#endif
