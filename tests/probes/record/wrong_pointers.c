/* Says with which errors exec fails whose arguments cannot be read; each is the kernel's to find. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void tell(const char *what, int result)
{
	printf("%s: %d %s\n", what, result, strerror(errno));
	errno = 0;
}

/* Fills a page with pointers, so that the list has no end before memory has. */
static char **endless(char *text)
{
	long page = sysconf(_SC_PAGESIZE);
	char **list = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap((char *)list + page, (size_t)page);
	for (size_t i = 0; i < (size_t)page / sizeof *list; i++)
		list[i] = text;
	return list;
}

int main(void)
{
	char *arguments[] = {"true", NULL},
	     text[] = "A=B", *volatile nowhere = (char *)(uintptr_t)1;
	char *wrong[] = {text, nowhere, NULL};
	const char *volatile none = NULL;
	int fd = open("/bin/true", O_RDONLY | O_CLOEXEC);
	pid_t child;

	tell("environment", execve("/bin/true", arguments, (char **)nowhere));
	tell("variable", execve("/bin/true", arguments, wrong));
	tell("endless", execve("/bin/true", arguments, endless(text)));
	tell("path", execve(nowhere, arguments, environ));
	tell("no path", execve(none, arguments, environ));
	tell("arguments", execve("/bin/true", (char **)nowhere, environ));
	tell("execveat", execveat(AT_FDCWD, none, arguments, environ, 0));
	tell("execveat of a file", execveat(fd, nowhere, arguments, environ, AT_EMPTY_PATH));
	tell("fexecve", fexecve(fd, arguments, wrong));
	tell("posix_spawn", posix_spawn(&child, "/bin/true", NULL, NULL, arguments, wrong));
	environ = wrong;
	tell("execv", execv("/bin/true", arguments));
	return 0;
}
