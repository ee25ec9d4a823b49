/* Replaces the numbers in a name, so that numbered names have one pattern. */
#ifndef GLIMPSE_BASE_NAME_PATTERN_H
#define GLIMPSE_BASE_NAME_PATTERN_H

/* Returns the name with each number replaced by a star: of "worker-12" "worker-*"; to be freed. */
char *name_pattern(const char *name);

#endif
