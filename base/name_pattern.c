#include "base/name_pattern.h"
#include "base/array.h"
#include <ctype.h>

char *name_pattern(const char *name)
{
	char *pattern = text_format("%s", name), *to = pattern;

	while (*name) {
		*to++ = isdigit((unsigned char)*name) ? '*' : *name;
		if (isdigit((unsigned char)*name))
			while (isdigit((unsigned char)*name))
				name++;
		else
			name++;
	}
	*to = '\0';
	return pattern;
}
