/* Lists the probes, and finds their libraries. */
#ifndef GLIMPSE_RECORDER_PROBES_H
#define GLIMPSE_RECORDER_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What NAME/NAME.about says, as built in. */
struct probe_about {
	const char *name;
	const char *text; /* lines "gives ...", "costs ...", "needs ..." */
};
extern const struct probe_about probe_abouts[]; /* ends with a NULL */

/* The probes that a command line asks for. */
struct probes {
	const char **names; /* of --probes, in its order, each once */
	char **libraries;   /* to preload; NULL where the probe runs in the recorder */
	size_t count;
};

/*
 * Takes a list of names between commas; a name with a slash is a library of the user's own, a
 * trailing comma is no error. Returns NULL, or what is wrong as a text to be freed.
 */
char *probes_choose(struct probes *p, const char *list);
/*
 * Preloads the library of a probe that runs in the recorder otherwise. Returns false if there is
 * none.
 */
bool probes_preload_too(struct probes *p, const char *name);
void probes_free(struct probes *p);
/* Returns whether there is a probe of that name, built or not. */
bool probes_known(const char *name);
/* Returns what a probe needs, as a text without a full stop; NULL if that is not known. */
char *probe_needs(const char *name);
bool probes_have(const struct probes *p, const char *name);

/*
 * Returns what is to be preloaded, libglimpse-record.so and the libraries of the probes, between
 * colons; to be freed. NULL, with *wrong set to a text to be freed, if a library is missing or its
 * path has a blank or a colon, where the loader would part it.
 */
char *probes_preload(const struct probes *p, char **wrong);

/*
 * Returns the path of a probe's library as LD_PRELOAD has it; to be freed. NULL: there is none, or
 * the loader would part its path.
 */
char *probes_preload_of(const char *name);

/* Prints what --probes list shows. */
void probes_print(FILE *out);

#endif
