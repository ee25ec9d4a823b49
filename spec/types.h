/* Names of types, symbols, connections and kinds of intervals. */
#ifndef GLIMPSE_SPEC_TYPES_H
#define GLIMPSE_SPEC_TYPES_H

#include "spec/spec.h"

/* Find what a name stands for; return false if nothing has this name. */
bool type_find(const char *name, enum type *type);
bool symbol_find(const char *name, enum symbol *symbol);
bool connection_find(const char *name, enum connection *connection);
bool interval_kind_find(const char *name, enum interval_kind *kind);

/* Return all names, for suggestions, and set *n to their number. */
const char *const *symbol_names(size_t *n);
const char *const *connection_names(size_t *n);
const char *const *interval_kind_names(size_t *n);

#endif
