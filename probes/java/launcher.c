/*
 * The launcher of Java, which calls JLI_Launch() of its libjli: options of our own come first. An
 * environment variable would do the same, but the JVM says on stderr that it is there.
 */
#include "probes/java/agent.h"
#include "probes/wrap.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int launch(int argc, char **argv, int jargc, const char **jargv, int appclassc,
		   const char **appclassv, const char *fullversion, const char *dotversion,
		   const char *pname, const char *lname, unsigned char javaargs,
		   unsigned char cpwildcard, unsigned char javaw, int ergo);
WRAP_EXPORT launch JLI_Launch;

enum { OPTIONS = 3, OPTION_MOST = 8192 };

/* Makes an option of the JVM; in tools such as javac it is one for the JVM that runs them. */
static char *option(bool tool, const char *format, const char *one, const char *two)
{
	char text[OPTION_MOST];
	int n = snprintf(text, sizeof text, "%s", tool ? "-J" : "");

	n += snprintf(text + n, sizeof text - (size_t)n, format, one, two);
	return n < (int)sizeof text ? strdup(text) : NULL;
}

/* Adds the options to at; returns how many there are. */
static int options_add(char **at, bool tool)
{
	const char *methods = getenv("GLIMPSE_FUNCTIONS");
	char *jar = agent_beside("glimpse-methods.jar");
	Dl_info own;
	int n = 0;

	if (dladdr((void *)options_add, &own)) {
		at[n] = option(tool, "-agentpath:%s%s", own.dli_fname, "");
		n += at[n] != NULL;
	}
	if (n && methods && *methods && jar) {
		at[n] = option(tool, "-javaagent:%s=%s", jar, methods);
		n += at[n] != NULL;
	}
	/* without frame pointers, stacks end in compiled methods */
	if (n && getenv("GLIMPSE_JIT")) {
		at[n] = option(tool, "%s%s", "-XX:+PreserveFramePointer", "");
		n += at[n] != NULL;
	}
	free(jar);
	return n;
}

int JLI_Launch(int argc, char **argv, int jargc, const char **jargv, int appclassc,
	       const char **appclassv, const char *fullversion, const char *dotversion,
	       const char *pname, const char *lname, unsigned char javaargs,
	       unsigned char cpwildcard, unsigned char javaw, int ergo)
{
	static launch *next;
	launch *real = WRAP_REAL(next, "JLI_Launch", NULL);
	char **more = malloc(((size_t)argc + OPTIONS + 1) * sizeof *more);

	if (more && argc > 0) {
		int added = options_add(more + 1, javaargs);

		more[0] = argv[0];
		memcpy(more + 1 + added, argv + 1, (size_t)argc * sizeof *more);
		argc += added;
		argv = more;
	}
	return real(argc, argv, jargc, jargv, appclassc, appclassv, fullversion, dotversion, pname,
		    lname, javaargs, cpwildcard, javaw, ergo);
}
