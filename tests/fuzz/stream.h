/* What must hold of every trace that was opened, whatever its bytes; abort() when it does not. */
#ifndef GLIMPSE_TESTS_FUZZ_STREAM_H
#define GLIMPSE_TESTS_FUZZ_STREAM_H

#include "trace/trace.h"

/* The merged stream is in order, its records are whole, and there are as many as the trace says. */
void stream_check(const struct trace *t);
/* So are the lists of all event types. */
void lists_check(struct trace *t);

#endif
