#include "viewers/confine_viewer.h"
#include "base/array.h"
#include <stdio.h>
#include <stdlib.h>

/* Where systems have programs, libraries, fonts and their settings. */
static const char *const system_folders[] = {"/usr",
					     "/etc",
					     "/lib",
					     "/lib64",
					     "/bin",
					     "/opt",
					     "/nix/store",
					     "/gnu/store",
					     "/run/current-system",
					     "/var/cache/fontconfig",
					     NULL};
static const char *const font_folders[] = {
    ".fonts", ".fonts.conf", ".config/fontconfig", ".local/share/fonts", ".cache/fontconfig", NULL};
static const char *const gnuplot_settings[] = {".gnuplot", ".config/gnuplot", NULL};

static void allow_all(struct confinement *c, enum confine_use use, const char *const *paths)
{
	for (; *paths; paths++)
		confine_allow(c, use, *paths);
}

static void allow_below_home(struct confinement *c, const char *const *names)
{
	const char *home = getenv("HOME");

	for (; home && *home && *names; names++) {
		char *path = text_format("%s/%s", home, *names);

		confine_allow(c, CONFINE_READ, path);
		free(path);
	}
}

void confine_allow_fonts(struct confinement *c)
{
	allow_all(c, CONFINE_READ, system_folders);
	allow_below_home(c, font_folders);
}

void confine_allow_gnuplot(struct confinement *c)
{
	confine_allow_fonts(c);
	allow_all(c, CONFINE_EXECUTE, system_folders);
	confine_allow_list(c, CONFINE_EXECUTE, getenv("PATH"));
	confine_allow_list(c, CONFINE_READ, getenv("LD_LIBRARY_PATH"));
	allow_below_home(c, gnuplot_settings);
	confine_allow(c, CONFINE_WRITE, "/dev/null");
}

void confine_allow_window(struct confinement *c)
{
	const char *session = getenv("XDG_RUNTIME_DIR");

	confine_allow(c, CONFINE_EXECUTE, "/");
	confine_allow(c, CONFINE_WRITE, "/dev");
	confine_allow(c, CONFINE_WRITE, P_tmpdir);
	if (session && *session)
		confine_allow(c, CONFINE_WRITE, session);
}
