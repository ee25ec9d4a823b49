#include "codegen/target.h"
#include <string.h>

const struct target *const targets[] = {&target_c, &target_fortran, &target_java, NULL};

const struct target *target_find(const char *name)
{
	for (const struct target *const *t = targets; *t; t++)
		if (!strcmp(name, (*t)->name) || ((*t)->alias && !strcmp(name, (*t)->alias)))
			return *t;
	return NULL;
}
