/* The two tables of a parcel. */
#ifndef GLIMPSE_GORGE_DOCUMENT_PAYLOAD_COLUMNS_H
#define GLIMPSE_GORGE_DOCUMENT_PAYLOAD_COLUMNS_H

#include "viewers/gorge/document/slice.h"
#include <stdio.h>

/* Those of the type that the excerpt has. */
void payload_events(FILE *out, const struct trace_slice *x, struct trace *t,
		    const struct event_type *type);
/* The same; ends are places among the events that the excerpt has. */
void payload_instances(FILE *out, const struct trace_slice *x, struct trace *t,
		       const struct interval *interval);

#endif
