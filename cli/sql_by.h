/* Reads `glimpse sql --by`: what the instances of intervals are grouped by. */
#ifndef GLIMPSE_CLI_SQL_BY_H
#define GLIMPSE_CLI_SQL_BY_H

#include "grammar/diag.h"
#include "sql/grouped.h"

/* Takes an expression of the command line. */
void sql_by_take(const char *expression);
bool sql_by_wanted(void);
/* Reads the expressions; false after a report to diag. */
bool sql_by_begin(const struct spec *spec, struct diag *diag);
/*
 * Sets *by to what the expressions mean for an interval, valid until sql_by_end(). Returns false,
 * and tells diag, if the interval does not have what they ask for.
 */
bool sql_by_of(const struct spec *spec, const struct interval *i, struct grouped_by *by,
	       struct diag *diag);
void sql_by_end(void);

#endif
