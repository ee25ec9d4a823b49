/* Values of expressions as text. */
#ifndef GLIMPSE_CLI_VALUE_TEXT_H
#define GLIMPSE_CLI_VALUE_TEXT_H

#include "base/units.h"
#include "spec/expr.h"

/* For people: with its unit, four significant digits. */
const char *value_text(char text[UNITS_TEXT], const struct value *v, enum unit unit);
/* For scripts: digits that read back as the same. */
const char *value_digits(char text[UNITS_TEXT], const struct value *v);

#endif
