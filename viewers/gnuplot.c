#include "viewers/gnuplot.h"
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
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

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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

const struct gnuplot_terminal *gnuplot_window(void)
{
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
		if (can_open(&windows[i]))
			return &windows[i];
	return NULL;
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t\n^")] == '\0';
}

/* Reports the first line that gnuplot wrote; a warning only if there is no other. */
static void tell_complaint(FILE *errors, struct diag *diag)
{
	char line[256], said[256] = "";

	rewind(errors);
	while (fgets(line, sizeof line, errors))
		if (!is_blank(line) && (!said[0] ||
					(strstr(said, "warning:") && !strstr(line, "warning:"))))
			strcpy(said, line);
	said[strcspn(said, "\n")] = '\0';
	diag_error(diag, DIAG_NOWHERE,
		   "gnuplot could not draw the picture%s%s; --dump prints its script",
		   said[0] ? ": " : "", said);
}

int gnuplot_run(FILE *script, int out, struct diag *diag)
{
	FILE *errors = gnuplot_file();
	pid_t pid;
	int failed;

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
	} else if ((failed = wait_for(pid)) != 0) {
		tell_complaint(errors, diag);
	}
	fclose(errors);
	return failed != 0 ? -1 : 0;
}
