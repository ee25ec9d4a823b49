/*
 * A file that appears when it is complete, or not at all: written under a temporary name beside its
 * own, then renamed. A signal that ends the program leaves nothing behind. What is no regular file
 * (/dev/stdout) is written in place.
 */
#ifndef GLIMPSE_VIEWERS_OUTFILE_H
#define GLIMPSE_VIEWERS_OUTFILE_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stdio.h>

struct outfile;

/* One at a time. NULL, and diag is told, when it cannot be written. */
struct outfile *outfile_open(const char *path, struct diag *diag);
/* For writing; belongs to the outfile. */
FILE *outfile_stream(struct outfile *o);
/*
 * Puts the file in place; false, and diag is told, when something could not be written. Ends the
 * outfile in both cases.
 */
bool outfile_commit(struct outfile *o, struct diag *diag);
/* Ends the outfile and leaves nothing. */
void outfile_discard(struct outfile *o);

#endif
