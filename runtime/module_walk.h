/*
 * Walks through the modules of the process: the program, its libraries, the kernel's vdso.
 */
#ifndef GLIMPSE_RUNTIME_MODULE_WALK_H
#define GLIMPSE_RUNTIME_MODULE_WALK_H

#include <link.h>

typedef int gl_module_function(struct dl_phdr_info *info, size_t size, void *data);

/*
 * Calls a function for each module as dl_iterate_phdr() does, until it returns not 0. A forked
 * child does so without the dynamic linker's lock: another thread of the parent may have held it,
 * and no thread of the child gives it back. There, dlpi_adds changes if what is loaded does.
 */
void gl_modules_walk(gl_module_function *function, void *data);

#endif
