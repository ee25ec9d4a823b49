#include "base/path.h"
#include "base/array.h"

size_t path_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

char *path_copy(const char *path)
{
	return text_format("%.*s", (int)path_length(path), path);
}

char *path_name(const char *path)
{
	size_t end = path_length(path), start = end;

	while (start > 0 && path[start - 1] != '/')
		start--;
	return start == end ? path_copy(path)
			    : text_format("%.*s", (int)(end - start), path + start);
}
