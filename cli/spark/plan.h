/* Describes a specification to the job of `glimpse spark-submit`, as JSON. */
#ifndef GLIMPSE_CLI_SPARK_PLAN_H
#define GLIMPSE_CLI_SPARK_PLAN_H

#include "spec/spec.h"
#include <stdio.h>

/* intervals: those to find, NULL-terminated. */
void spark_plan_print(const struct spec *spec, const struct interval *const *intervals, FILE *out);

#endif
