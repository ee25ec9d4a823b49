/*
 * The functions that start another program, with an environment in which it is recorded. In libc
 * they call each other by names of its own, so each of them is wrapped. They may run in signal
 * handlers and in a child of vfork(), which shares our memory: what they need is on the stack.
 */
#include "probes/follow_exec/environment.h"
#include "probes/follow_exec/image.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>

#define EXPORT __attribute__((visibility("default")))

/* On the stack, unless it would be too much for that of a small thread. */
enum { STACK_MOST = 64 << 10 };

static struct {
	int (*execve)(const char *, char *const *, char *const *);
	int (*execvpe)(const char *, char *const *, char *const *);
	int (*fexecve)(int, char *const *, char *const *);
	int (*execveat)(int, const char *, char *const *, char *const *, int);
	int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
		     const posix_spawnattr_t *, char *const *, char *const *);
	int (*spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
		      const posix_spawnattr_t *, char *const *, char *const *);
} real;

/* Before other constructors, one of which may start a program; an earlier call comes here. */
__attribute__((constructor(101))) static void exec_prepare(void)
{
	if (real.execve)
		return;
	real.execvpe = dlsym(RTLD_NEXT, "execvpe");
	real.fexecve = dlsym(RTLD_NEXT, "fexecve");
	real.execveat = dlsym(RTLD_NEXT, "execveat");
	real.spawn = dlsym(RTLD_NEXT, "posix_spawn");
	real.spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
	real.execve = dlsym(RTLD_NEXT, "execve");
	environment_note();
}

/* Memory for a large environment; NULL, where there is none, leaves it as it is. */
static void *room_map(size_t size)
{
	void *room =
	    system_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return room == MAP_FAILED ? NULL : room;
}

static void room_unmap(void *room, size_t size)
{
	int error = errno;

	if (size > STACK_MOST && room)
		system_munmap(room, size);
	errno = error;
}

static enum environment_libraries libraries_for(const struct exec_image *i)
{
	if (image_refuses(i) || !environment_reachable())
		return LIBRARIES_NONE;
	return i->java ? LIBRARIES_JAVA : LIBRARIES_ALL;
}

/*
 * Defines `with`, the environment to start with; room_unmap(room, size) is for when that failed.
 * look: looks at the program that is to be started, whose loader may refuse our libraries. Where
 * system calls are filtered, nothing is looked at, and the environment stays alike.
 */
#define ENVIRONMENT(with, environment, look) \
	struct exec_image image; \
	bool alike = (exec_prepare(), glimpse_filtered()); \
	enum environment_libraries libraries = \
	    alike ? LIBRARIES_ALL : (look, libraries_for(&image)); \
	size_t size = alike ? 0 : environment_room(environment, libraries); \
	void *room = !size ? NULL : size > STACK_MOST ? room_map(size) : alloca(size); \
	char *const *with = room ? environment_make(environment, libraries, room) : environment

/*
 * Defines `result`, of a call that executes a program, and takes back what failed. Where system
 * calls are filtered, the process file says that.
 */
#define EXECUTE(call) \
	int begun = !alike && glimpse_exec_begin(); \
	int result = call; \
	glimpse_exec_failed(begun); \
	room_unmap(room, size)

EXPORT int execve(const char *path, char *const argv[], char *const environment[])
{
	ENVIRONMENT(with, environment, image_look(&image, AT_FDCWD, path));
	EXECUTE(real.execve(path, argv, with));
	return result;
}

EXPORT int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const environment[])
{
	ENVIRONMENT(with, environment, image_look_named(&image, file));
	EXECUTE(real.execvpe(file, argv, with));
	return result;
}

EXPORT int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

EXPORT int fexecve(int fd, char *const argv[], char *const environment[])
{
	ENVIRONMENT(with, environment, image_look(&image, fd, NULL));
	EXECUTE(real.fexecve(fd, argv, with));
	return result;
}

EXPORT int execveat(int fd, const char *path, char *const argv[], char *const environment[],
		    int flags)
{
	ENVIRONMENT(with, environment, image_look_at(&image, fd, path, flags));
	EXECUTE(real.execveat ? real.execveat(fd, path, argv, with, flags)
			      : (int)SYSTEM_CALL(SYS_execveat, fd, path, argv, with, flags));
	return result;
}

/* ---- lists of arguments ---- */

static size_t arguments_count(va_list arguments)
{
	size_t n = 1;

	while (va_arg(arguments, char *))
		n++;
	return n;
}

/* Makes argv of the arguments from `first` on; `last` is behind them. */
#define ARGUMENTS(argv, last, first) \
	va_list last; \
	size_t count = (va_start(last, first), arguments_count(last)); \
	char **argv = (va_end(last), alloca((count + 1) * sizeof *argv)); \
	va_start(last, first); \
	argv[0] = (char *)first; \
	for (size_t i = 1; i <= count; i++) \
	argv[i] = va_arg(last, char *)

EXPORT int execl(const char *path, const char *first, ...)
{
	ARGUMENTS(argv, last, first);
	va_end(last);
	return execve(path, argv, environ);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
	ARGUMENTS(argv, last, first);
	va_end(last);
	return execvpe(file, argv, environ);
}

EXPORT int execle(const char *path, const char *first, ...)
{
	char *const *environment;

	ARGUMENTS(argv, last, first);
	environment = va_arg(last, char *const *);
	va_end(last);
	return execve(path, argv, environment);
}

/* ---- spawn: a child by any account, unlike exec ---- */

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const argv[],
		       char *const environment[])
{
	ENVIRONMENT(with, environment, image_look(&image, AT_FDCWD, path));
	int result = real.spawn(pid, path, actions, attributes, argv,
				environment_alone() ? environment : with);

	room_unmap(room, size);
	return result;
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const argv[],
			char *const environment[])
{
	ENVIRONMENT(with, environment, image_look_named(&image, file));
	int result = real.spawnp(pid, file, actions, attributes, argv,
				 environment_alone() ? environment : with);

	room_unmap(room, size);
	return result;
}
