/* The events that are exported: those of the chosen threads, in the order of the stream. */
#ifndef GLIMPSE_FORMATS_CHOSEN_EVENTS_H
#define GLIMPSE_FORMATS_CHOSEN_EVENTS_H

#include "formats/export.h"

struct chosen_events {
	const struct export_request *request;
	struct merge *merge;
	uint64_t done;
};

/*
 * Begins with a progress bar, and warns that the format does not say where events are missing.
 * Returns false after a report to diag.
 */
bool chosen_events_begin(struct chosen_events *c, const struct export_request *r,
			 const struct export_format *f);
/*
 * Gets the next event, and the index of its thread. Returns false at the end, and when
 * output_interrupted().
 */
bool chosen_events_next(struct chosen_events *c, struct event *e, uint32_t *thread);
void chosen_events_end(struct chosen_events *c);

#endif
