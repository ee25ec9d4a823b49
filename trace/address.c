#include "trace/address.h"
#include <string.h>

bool type_is_address(enum type t)
{
	return t == TYPE_ADDRESS || type_is_symbolic(t);
}

const char *address_digits(char buffer[ADDRESS_TEXT], uint64_t address)
{
	char *at = buffer + ADDRESS_TEXT;

	*--at = '\0';
	do
		*--at = "0123456789abcdef"[address & 15];
	while (address >>= 4);
	*--at = 'x';
	*--at = '0';
	return at;
}

bool module_is_of_recorder(const char *module)
{
	return module && strncmp(module, "libglimpse", strlen("libglimpse")) == 0;
}

bool module_is_of_run_time(const char *module)
{
	static const char *const libraries[] = {
	    "libc",    "ld-linux", "ld-musl",     "libpthread",  "libm",
	    "libdl",   "librt",    "libgcc_s",    "libstdc++",   "libc++",
	    "libgomp", "libomp",   "libgfortran", "libquadmath",
	};

	if (!module)
		return false;
	if (module_is_of_recorder(module) || strcmp(module, "[vdso]") == 0 ||
	    strcmp(module, KERNEL_MODULE) == 0)
		return true;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		size_t n = strlen(libraries[i]);

		/* libc.so.6, libc-2.31.so */
		if (strncmp(module, libraries[i], n) == 0 && (module[n] == '.' || module[n] == '-'))
			return true;
	}
	return false;
}
