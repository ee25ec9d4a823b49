#include "trace/symbols/source_path.h"
#include <stddef.h>
#include <string.h>

bool source_path_is_of_system(const char *path)
{
	/*
	 * of the compiler and of the C++ library, wherever they are installed; and of its own
	 * sources
	 */
	static const char *const folders[] = {"/include/c++/", "/lib/gcc/", "/lib64/gcc/",
					      "/lib/clang/", "/libstdc++-v3/"};
	static const char headers[] = "/usr/include/", compiler[] = "/usr/lib/gcc";

	if (!path)
		return false;
	if (strncmp(path, headers, sizeof headers - 1) == 0 ||
	    strncmp(path, compiler, sizeof compiler - 1) == 0)
		return true;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(path, folders[i]))
			return true;
	return false;
}
