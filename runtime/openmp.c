/*
 * These functions exist only in a program that was compiled for OpenMP, with whichever library;
 * libglimpse links none.
 */
#include "runtime/openmp.h"
#include "runtime/text.h"

extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_ancestor_thread_num(int level) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));
/* Only the library of LLVM and Intel has it. */
extern int __kmpc_global_thread_num(void *place) __attribute__((weak));

/*
 * The library of LLVM and Intel starts, and registers a thread, when it is first asked, under a
 * lock that this thread may hold already: what it calls in its start may be logged. Only
 * omp_get_thread_num() never does that; it returns 0 for a thread that is not known.
 */
static bool asking_starts_nothing(void)
{
	return !__kmpc_global_thread_num || (omp_get_thread_num && omp_get_thread_num() > 0);
}

bool gl_openmp_name(char *name, size_t size)
{
	int level;

	if (!omp_get_level || !omp_get_ancestor_thread_num)
		return false;
	/* At level 0 a thread is in no team: many programs have OpenMP in a library only. */
	level = asking_starts_nothing() ? omp_get_level() : 0;
	if (level <= 0)
		return false;
	while (level > 1 && omp_get_ancestor_thread_num(level) == 0)
		level--;
	*name = '\0';
	gl_text_add(name, size, "omp ");
	gl_text_add_number(name, size, (uint64_t)omp_get_ancestor_thread_num(1));
	for (int i = 2; i <= level; i++) {
		gl_text_add(name, size, ".");
		gl_text_add_number(name, size, (uint64_t)omp_get_ancestor_thread_num(i));
	}
	return true;
}
