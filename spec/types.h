/* Names of types and symbols to their values. */
#ifndef GLIMPSE_SPEC_TYPES_H
#define GLIMPSE_SPEC_TYPES_H

#include "spec/spec.h"

/* False: there is none of this name. */
bool type_find(const char *name, enum type *type);
bool symbol_find(const char *name, enum symbol *symbol);
bool connection_find(const char *name, enum connection *connection);

/* All names, for suggestions; their number goes to *n. */
const char *const *symbol_names(size_t *n);
const char *const *connection_names(size_t *n);

#endif
