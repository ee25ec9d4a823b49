/*
 * Keeps the table of the kernel's functions in the user's cache until the next boot: the kernel
 * takes some 40 ms to print its list.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_KERNEL_CACHE_H
#define GLIMPSE_RECORDER_SAMPLES_KERNEL_CACHE_H

#include "recorder/samples/made_names.h"

/* Paths: of the list, of the loaded modules, and of what is another text after each boot. */
struct kernel_files {
	const char *list, *modules, *boot;
};

extern const struct kernel_files kernel_files;

/*
 * Gives the functions that n addresses are in, which are in ascending order, each once: from the
 * cache if it knows all of them, else from the list, which is then kept. Returns false if the list
 * cannot be read, or has more than is read.
 */
bool kernel_names_find(const struct kernel_files *files, const uint64_t *addresses, size_t n,
		       made_take *take, void *context);

#endif
