/* The kernel's clocks, read by the code that the kernel maps into each process (the vDSO). */
#ifndef GLIMPSE_RUNTIME_VDSO_H
#define GLIMPSE_RUNTIME_VDSO_H

#include <time.h>

/*
 * As clock_gettime(), which other preloaded libraries define in order to fake the program's clock.
 * Where there is no vDSO, and in emulators that hide it, this is a system call.
 */
int gl_vdso_gettime(clockid_t clock, struct timespec *time);

#endif
