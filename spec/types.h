/* Names of types, symbols and connections. */
#ifndef GLIMPSE_SPEC_TYPES_H
#define GLIMPSE_SPEC_TYPES_H

#include "spec/spec.h"

/* Find what a name stands for; return false if there is none of this name. */
bool type_find(const char *name, enum type *type);
bool symbol_find(const char *name, enum symbol *symbol);
bool connection_find(const char *name, enum connection *connection);

/* Return all names, for suggestions, and set *n to their number. */
const char *const *symbol_names(size_t *n);
const char *const *connection_names(size_t *n);

#endif
