/* Lists what a confined program needs to name the addresses of a trace. */
#ifndef GLIMPSE_TRACE_SYMBOLS_CONFINE_SYMBOLS_H
#define GLIMPSE_TRACE_SYMBOLS_CONFINE_SYMBOLS_H

#include "base/confine.h"

/*
 * Allows to read the files that the traces' files `modules` name, if they are ELF files, and those
 * of separate debug information. Called while the program has one thread.
 */
void confine_allow_symbols(struct confinement *c, const char *const *directories,
			   unsigned ndirectories);

/* Where dpkg has the names of each package's files, which tools may read as well. */
#define PACKAGE_LISTS "/var/lib/dpkg/info"

#endif
