/* Names that a target language does not give away. */
#ifndef GLIMPSE_SPEC_NAMES_H
#define GLIMPSE_SPEC_NAMES_H

#include <stdbool.h>

enum language { LANGUAGE_C, LANGUAGE_CPP, LANGUAGE_FORTRAN, LANGUAGE_JAVA };

/*
 * Whether the language cannot have an identifier of this spelling: its keywords and what it
 * reserves for itself. Fortran has no keywords that are reserved, but limits what a name may look
 * like.
 */
bool name_reserved(enum language language, const char *name);

#endif
