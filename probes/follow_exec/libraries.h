/* Which of the loaded libraries are Glimpse's. */
#ifndef GLIMPSE_PROBES_FOLLOW_EXEC_LIBRARIES_H
#define GLIMPSE_PROBES_FOLLOW_EXEC_LIBRARIES_H

#include <link.h>
#include <stdbool.h>
#include <string.h>

static inline bool library_has_name(const struct dl_phdr_info *library, const char *name)
{
	const char *slash = strrchr(library->dlpi_name, '/');

	return slash && !strncmp(slash + 1, name, strlen(name));
}

static inline bool library_is_ours(const struct dl_phdr_info *library)
{
	return library_has_name(library, "libglimpse");
}

#endif
