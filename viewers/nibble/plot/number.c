#include "viewers/nibble/plot/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *number_text(char text[NUMBER_TEXT], double number)
{
	if (isnan(number))
		return "NaN";
	if (number == rint(number) && fabs(number) < 1e15) {
		snprintf(text, NUMBER_TEXT, "%.0f", number == 0 ? 0.0 : number);
		return text;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, NUMBER_TEXT, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return text;
}
