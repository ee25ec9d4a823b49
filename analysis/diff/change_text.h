/* Says a change in words, for the command and gorge's page. */
#ifndef GLIMPSE_ANALYSIS_DIFF_CHANGE_TEXT_H
#define GLIMPSE_ANALYSIS_DIFF_CHANGE_TEXT_H

#include "analysis/diff/changes.h"
#include "base/units.h"

/* Writes a value with its unit, "-" if there is none. Returns the text or a constant. */
const char *change_value_text(char text[UNITS_TEXT], enum diff_unit unit, double value);
/* The same of after / before: "1.25 x", "new", "gone". */
const char *change_factor_text(char text[UNITS_TEXT], const struct change *c);
/* Returns "slower", "less", "noise", ...; "" if there is nothing to compare. */
const char *change_verdict_word(const struct change *c);

#endif
