/* Lists what a confined viewer needs of the system. */
#ifndef GLIMPSE_VIEWERS_CONFINE_VIEWER_H
#define GLIMPSE_VIEWERS_CONFINE_VIEWER_H

#include "base/confine.h"

/* Allows to read the system's folders, and the user's fonts. */
void confine_allow_fonts(struct confinement *c);
/* Allows to run gnuplot, which reads these and the user's settings. */
void confine_allow_gnuplot(struct confinement *c);
/*
 * Allows gnuplot to open a window: to read and run all files, and to write what windows share with
 * the screen. CONFINE_CONNECTS is needed as well.
 */
void confine_allow_window(struct confinement *c);

#endif
