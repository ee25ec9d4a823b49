#include "viewers/gnuplot.h"
#include "base/array.h"
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const struct gnuplot_terminal gnuplot_terminals[] = {
    {"pngcairo", 96, 1, "sans", "background rgb 'white'"},
    {"svg", 96, 96 / 72.0, "sans-serif", "background rgb 'white'"},
    {"pdfcairo", 1, 0.75, "sans", "fontscale 1 linewidth 1.5 background rgb 'white'"},
};

static const struct gnuplot_terminal windows[] = {
    {"qt", 96, 1, "sans", "persist"},
    {"wxt", 96, 1, "sans", "persist"},
    {"x11", 96, 1, "sans", "persist"},
};

void gnuplot_terminal_write(FILE *out, const struct gnuplot_terminal *t, unsigned width,
			    unsigned height, double points)
{
	fprintf(out, "set terminal %s size %.6g,%.6g font '%s,%.3g' %s\n", t->name,
		width * t->per_inch / 96, height * t->per_inch / 96, t->font,
		points * t->font_scale, t->options);
}

void gnuplot_window_check(FILE *script, const struct gnuplot_terminal *window)
{
	if (strcmp(window->name, "x11") == 0)
		fputs("if (!exists('GPVAL_TERM_WINDOWID')) exit status 1\n", script);
}

FILE *gnuplot_file(void)
{
	int fd = memfd_create("gnuplot", MFD_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

/* Starts gnuplot with the script on its standard input; returns an errno. */
static int start(pid_t *pid, int script, int out, int errors)
{
	char *arguments[] = {(char *)"gnuplot", (char *)"-", NULL};
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	error = posix_spawnp(pid, "gnuplot", &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Returns how it ended, as of waitpid. */
static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Tests whether gnuplot knows a terminal and can open it. */
static bool can_open(const struct gnuplot_terminal *t)
{
	FILE *script = gnuplot_file(), *nowhere = fopen("/dev/null", "w");
	bool can = false;
	pid_t pid;

	if (script && nowhere) {
		fprintf(script, "set terminal %s\n", t->name);
		rewind(script);
		can = start(&pid, fileno(script), fileno(nowhere), fileno(nowhere)) == 0 &&
		      wait_for(pid) == 0;
	}
	if (script)
		fclose(script);
	if (nowhere)
		fclose(nowhere);
	return can;
}

/*
 * The first time, wxt writes a file of settings into the home directory. A confined process may
 * not: wxt would say so in another window, wait for an answer, and fail.
 */
static bool has_settings(const struct gnuplot_terminal *t)
{
	const char *home = getenv("HOME");
	char *path;
	bool has;

	if (strcmp(t->name, "wxt") != 0)
		return true;
	path = text_format("%s/.gnuplot-wxt", home ? home : "");
	has = access(path, R_OK) == 0;
	free(path);
	return has;
}

const struct gnuplot_terminal *gnuplot_window(void)
{
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
		if (has_settings(&windows[i]) && can_open(&windows[i]))
			return &windows[i];
	return NULL;
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t\n^")] == '\0';
}

static bool is_warning(const char *line)
{
	return strstr(line, "warning:") != NULL;
}

/* After some errors gnuplot exits with 0: whether it wrote nothing into a file. */
static bool left_no_picture(int out)
{
	struct stat file;

	return fstat(out, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0;
}

static void how_it_ended(int status, char *text, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(text, size, "killed by signal %d", WTERMSIG(status));
	else if (status != 0)
		snprintf(text, size, "exit status %d", WEXITSTATUS(status));
	else
		snprintf(text, size, "it wrote no picture");
}

/* Reports the first line that gnuplot wrote; if there are but warnings, also how it ended. */
static void tell_complaint(FILE *errors, int status, struct diag *diag)
{
	char line[256], said[256] = "", end[64] = "";

	rewind(errors);
	while (fgets(line, sizeof line, errors))
		if (!is_blank(line) && (!said[0] || (is_warning(said) && !is_warning(line))))
			strcpy(said, line);
	said[strcspn(said, "\n")] = '\0';
	if (!said[0] || is_warning(said))
		how_it_ended(status, end, sizeof end);
	diag_error(diag, DIAG_NOWHERE,
		   "gnuplot could not draw the picture: %s%s%s; --dump prints its script", end,
		   end[0] && said[0] ? "; " : "", said + strspn(said, " \t"));
}

int gnuplot_run(FILE *script, int out, struct diag *diag)
{
	FILE *errors = gnuplot_file();
	bool drawn = false;
	int failed, status;
	pid_t pid;

	if (!errors || fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) < 0) {
		diag_error(diag, DIAG_NOWHERE, "cannot write a temporary file: %s",
			   strerror(errno));
		if (errors)
			fclose(errors);
		return -1;
	}
	failed = start(&pid, fileno(script), out, fileno(errors));
	if (failed != 0) {
		diag_error(diag, DIAG_NOWHERE,
			   "gnuplot cannot be run (%s): install the package "
			   "gnuplot-nox, or print the script with --dump",
			   strerror(failed));
	} else {
		/* Warnings are no failure: some of its installations have one for each picture. */
		status = wait_for(pid);
		drawn = status == 0 && !left_no_picture(out);
		if (!drawn)
			tell_complaint(errors, status, diag);
	}
	fclose(errors);
	return drawn ? 0 : -1;
}
