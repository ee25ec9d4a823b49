/* What glimpsec says about a specification instead of generating stubs. */
#ifndef GLIMPSE_CODEGEN_REPORT_H
#define GLIMPSE_CODEGEN_REPORT_H

#include "spec/spec.h"
#include <stdio.h>

/* --dump: everything that is known of the specification, as one JSON document. */
void spec_dump(const struct spec *s, FILE *out);

/* --estimate: the bytes that each event takes in a log, as a table. */
void spec_estimate(const struct spec *s, FILE *out);

#endif
