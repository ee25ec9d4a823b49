/*
 * Files that appear all together, or not at all. Each is written under a temporary name in its
 * directory; only when the last one is complete are they renamed. What was there before stays until
 * then. An error or a signal that ends the program leaves nothing behind.
 */
#ifndef GLIMPSE_CODEGEN_OUTPUT_H
#define GLIMPSE_CODEGEN_OUTPUT_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stdio.h>

/* Of the functions below, those that fail tell diag. There is one output in a program. */
struct output;

/* directory: where the files go. It is not created. */
struct output *output_begin(const char *directory, struct diag *diag);

/*
 * A new file, e.g. output_file(o, "%s_glimpse.h", name). The stream belongs to the output.
 * NULL on an error, and after one.
 */
__attribute__((format(printf, 2, 3)))
FILE *output_file(struct output *o, const char *name, ...);

/* Puts the files in place; false if there was an error. The output is gone in both cases. */
bool output_commit(struct output *o);

/* Removes what was written. */
void output_discard(struct output *o);

#endif
