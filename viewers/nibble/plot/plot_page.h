/* A picture as one self-contained HTML page. */
#ifndef GLIMPSE_NIBBLE_PLOT_PLOT_PAGE_H
#define GLIMPSE_NIBBLE_PLOT_PLOT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* svg: read from its start; what stands before its root element is left out. */
void html_write(FILE *out, const char *title, FILE *svg);

#endif
