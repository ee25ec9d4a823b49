/* The page: its parts lie in viewers/gorge/page and are embedded in the program. */
#ifndef GLIMPSE_GORGE_ASSETS_H
#define GLIMPSE_GORGE_ASSETS_H

#include <stdio.h>

/* The whole page as one document. */
void assets_page(FILE *out);

#endif
