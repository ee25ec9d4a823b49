/*
 * What a document has of a trace: its threads, its events with their attributes, the instances of
 * its intervals, the specification, and what the command line asked for; as one sequence of bytes.
 * gorge writes it, and the engine in the document reads it.
 *
 * Numbers have seven bits in each byte, the lowest first, and the eighth where more follow; those
 * with a sign are folded, 0 -1 1 -2 2. A text is its length and its bytes. Columns of numbers are
 * differences from line to line, so that they compress well.
 */
#ifndef GLIMPSE_GORGE_DOCUMENT_PAYLOAD_H
#define GLIMPSE_GORGE_DOCUMENT_PAYLOAD_H

#include "viewers/gorge/document/slice.h"
#include <stdio.h>

#define PAYLOAD_MAGIC "gorge 1"

void payload_write(const struct trace_slice *x, const struct view *v, struct trace *t, FILE *out);

#endif
