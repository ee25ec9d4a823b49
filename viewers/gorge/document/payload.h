/*
 * The payload of an html document: its part of a trace as one sequence of bytes. It has the
 * threads, the events and their attributes, the instances of intervals, and the specification. It
 * also has what the command line asked for, and what was found in the part (analyses.h).
 * viewers/gorge/wasm/payload_read.c reads it in the browser.
 *
 * Numbers have seven bits in each byte, the lowest first; the eighth bit says that more follow.
 * Signed numbers are folded: 0 -1 1 -2 2. A text is its length and its bytes. Columns of numbers
 * are differences from line to line, which compress well. After a column of code or objects come
 * the texts of its values, as a number for each event. The number counts the distinct texts so far;
 * if it is new, the text follows.
 */
#ifndef GLIMPSE_GORGE_DOCUMENT_PAYLOAD_H
#define GLIMPSE_GORGE_DOCUMENT_PAYLOAD_H

#include "viewers/gorge/document/slice.h"
#include <stdio.h>

#define PAYLOAD_MAGIC "gorge 3"

/* directory: what the commands of findings name. */
void payload_write(const struct trace_slice *x, const struct view *v, struct trace *t,
		   const char *directory, FILE *out);

#endif
