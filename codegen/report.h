/* Prints reports about a specification instead of generating stubs. */
#ifndef GLIMPSE_CODEGEN_REPORT_H
#define GLIMPSE_CODEGEN_REPORT_H

#include "spec/spec.h"
#include <stdio.h>

/* Prints all of a specification as one JSON document, for --dump. */
void spec_dump(const struct spec *s, FILE *out);

/* Prints the bytes that each event takes in a log as a table, for --estimate. */
void spec_estimate(const struct spec *s, FILE *out);

#endif
