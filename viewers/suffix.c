#include "viewers/suffix.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void tell_known(const char *path, const char *const *known, struct diag *diag)
{
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);

	/* ".svg, .png or .pdf" */
	for (int i = 0; known[i]; i++)
		fprintf(out, "%s.%s", !i ? "" : known[i + 1] ? ", " : " or ", known[i]);
	fclose(out);
	diag_error(diag, DIAG_NOWHERE, "%s: the suffix selects the format; it must be %s", path,
		   list);
	free(list);
}

int suffix_find(const char *path, const char *const *known, struct diag *diag)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	for (int i = 0; dot && known[i]; i++)
		if (!strcasecmp(dot + 1, known[i]))
			return i;
	tell_known(path, known, diag);
	return -1;
}
