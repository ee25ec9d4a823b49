/* Lists the names that target languages reserve. */
#ifndef GLIMPSE_CODEGEN_RESERVED_H
#define GLIMPSE_CODEGEN_RESERVED_H

#include <stdbool.h>

enum language { LANGUAGE_C, LANGUAGE_CPP, LANGUAGE_FORTRAN, LANGUAGE_JAVA };

/*
 * Returns whether a language cannot have an identifier of this spelling: its keywords and what it
 * reserves for the implementation. Fortran reserves no keywords, but limits what a name may look
 * like.
 */
bool name_reserved(enum language language, const char *name);

/* Characters of the longest name in Fortran 2008. */
enum { NAME_FORTRAN_LONGEST = 63 };

/*
 * Returns whose procedure an undeclared call of this name would be in Fortran: "Fortran itself" for
 * an intrinsic procedure, "a parallel library" for a prefix that one reserves, or NULL for the
 * program's own.
 */
const char *name_procedure(const char *name);

#endif
