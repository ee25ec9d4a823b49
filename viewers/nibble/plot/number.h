/* Numbers as text that reads back the same. */
#ifndef GLIMPSE_NIBBLE_PLOT_NUMBER_H
#define GLIMPSE_NIBBLE_PLOT_NUMBER_H

enum { NUMBER_TEXT = 32 };

/* The shortest text that reads back as the number; "NaN" for none. Gives text. */
const char *number_text(char text[NUMBER_TEXT], double number);

#endif
