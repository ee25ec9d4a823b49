/* Prints verdicts: for people, as JSON, and as JUnit's XML. */
#ifndef GLIMPSE_CLI_CHECK_PRINT_H
#define GLIMPSE_CLI_CHECK_PRINT_H

#include "match/stats/check.h"
#include <stdio.h>

void check_text(FILE *out, struct aggregates *a, const struct trace *t,
		const struct verdict *verdicts, size_t n);
void check_json(FILE *out, struct aggregates *a, const struct verdict *verdicts, size_t n);
void check_junit(FILE *out, struct aggregates *a, const struct trace *t,
		 const struct verdict *verdicts, size_t n);

#endif
