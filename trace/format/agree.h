/* Whether logs can be read with a specification that they were not written with. */
#ifndef GLIMPSE_TRACE_FORMAT_AGREE_H
#define GLIMPSE_TRACE_FORMAT_AGREE_H

#include "spec/spec.h"

/* Two events of the same name: false, and diag is told, when their attributes differ. */
bool events_agree(const struct event_type *wanted, const struct event_type *logged,
		  struct diag *diag);

#endif
