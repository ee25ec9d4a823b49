#include "trace/symbols/source_path.h"
#include <stddef.h>
#include <string.h>

static bool begins(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

bool source_path_is_of_system(const char *path)
{
	/* of the system, and of Rust's libraries and what these are built from */
	static const char *const beginnings[] = {"/usr/include/", "/usr/lib/gcc", "/rustc/",
						 "/rust/deps/"};
	/*
	 * of the compiler and of the C++ library, wherever they are installed; of its own sources;
	 * of Rust's libraries, and of the packages that cargo downloads
	 */
	static const char *const folders[] = {
	    "/include/c++/",    "/lib/gcc/",         "/lib64/gcc/",        "/lib/clang/",
	    "/libstdc++-v3/",   "/library/std/src/", "/library/core/src/", "/library/alloc/src/",
	    "/cargo/registry/", "/.cargo/registry/",
	};

	if (!path)
		return false;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (begins(path, beginnings[i]))
			return true;
	/* the path may be relative to where the compiler ran */
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(path, folders[i]) || begins(path, folders[i] + 1))
			return true;
	return false;
}
