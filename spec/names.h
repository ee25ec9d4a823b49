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

/* Characters of the longest name in Fortran 2008. */
enum { NAME_FORTRAN_LONGEST = 63 };

/*
 * Whose procedure a call of this name would be in Fortran without any declaration: "Fortran itself" for
 * an intrinsic procedure, "a parallel library" for a prefix that one reserves; NULL: the program's own.
 */
const char *name_procedure(const char *name);

#endif
