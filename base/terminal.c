#include "base/terminal.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Returns 0 if the terminal does not say. WebAssembly has no terminals. */
static unsigned window_columns(int fd)
{
#ifdef TIOCGWINSZ
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
#else
	(void)fd;
#endif
	return 0;
}

unsigned terminal_columns(FILE *out)
{
	const char *wanted = getenv("COLUMNS");
	unsigned columns = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 0;

	if (!isatty(fileno(out)))
		return 0;
	if (!columns)
		columns = window_columns(fileno(out));
	return columns ? columns : 80;
}

bool terminal_has_colours(FILE *out)
{
	const char *term = getenv("TERM"), *quiet = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(quiet && *quiet) && term && strcmp(term, "dumb") != 0;
}
