/*
 * Preloaded: the program believes that it has one processor, and does alone what it would share among threads. The
 * same instructions run then on each machine.
 */
#include <dlfcn.h>
#include <unistd.h>

long sysconf(int name)
{
	long (*real)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");

	return name == _SC_NPROCESSORS_ONLN ? 1 : real(name);
}
