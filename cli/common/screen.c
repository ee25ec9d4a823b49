#include "cli/common/screen.h"
#include "base/terminal.h"
#include "base/usage.h"
#include "cli/common/wrap.h"
#include <stdint.h>

static enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } wanted;

static struct {
	FILE *stream; /* NULL: there is no text */
	size_t width;
	bool colours;
} screen = {.width = SIZE_MAX};

void screen_take_color(const char *value)
{
	static const char *const names[] = {"auto", "always", "never"};

	wanted = usage_choice("--color", "time", names, 3, value);
}

FILE *screen_open(bool wraps)
{
	unsigned columns = terminal_columns(stdout);

	if (columns)
		screen.width = columns < SCREEN_LEAST  ? SCREEN_LEAST
			       : columns > SCREEN_MOST ? SCREEN_MOST
						       : columns;
	screen.colours =
	    wanted == COLOR_ALWAYS || (wanted == COLOR_AUTO && terminal_has_colours(stdout));
	screen.stream = columns && wraps ? wrap_open(stdout, screen.width) : stdout;
	if (!screen.stream)
		screen.stream = stdout;
	return screen.stream;
}

void screen_close(void)
{
	if (screen.stream && screen.stream != stdout)
		fclose(screen.stream);
	screen.stream = NULL;
}

size_t screen_width(FILE *out)
{
	return out == screen.stream ? screen.width : SIZE_MAX;
}

void screen_tone(FILE *out, enum tone tone)
{
	static const char *const begins[] = {"\033[1m", "\033[31m", "\033[2m", "\033[0m"};

	if (screen.colours && out == screen.stream)
		fputs(begins[tone], out);
}
