/*
 * What kind of file a program is: whether our libraries can be loaded into it. Safe in handlers and
 * in a child of vfork(), errno is kept.
 */
#ifndef GLIMPSE_PROBES_FOLLOW_EXEC_IMAGE_H
#define GLIMPSE_PROBES_FOLLOW_EXEC_IMAGE_H

#include <stdbool.h>

enum image_kind {
	IMAGE_UNKNOWN, /* no program, or it cannot be read */
	IMAGE_DYNAMIC, /* its loader loads our libraries */
	IMAGE_STATIC,  /* it has no loader */
	/* What would refuse our libraries, or not start or complain with them: */
	IMAGE_WIDTH,     /* it is for another word size */
	IMAGE_MACHINE,   /* for another processor */
	IMAGE_LOADER,    /* its loader is not ours: musl's, or that of another root */
	IMAGE_SANITIZED, /* AddressSanitizer's library has to be the first one */
};

struct exec_image {
	enum image_kind kind;
	bool go;               /* it is written in Go */
	bool java;             /* it starts a Java virtual machine, as the launcher java does */
	bool openmp;           /* it needs a runtime of OpenMP */
	char interpreter[128]; /* of a script: what was looked at in its place; else "" */
};

/*
 * Looks at a program. fd, path: as of openat(2); path may be NULL: it is the open file itself.
 */
void image_look(struct exec_image *i, int fd, const char *path);
/* The same with the flags of execveat(2). */
void image_look_at(struct exec_image *i, int fd, const char *path, int flags);
/* The same for a file that is looked for as execvp() does. */
void image_look_named(struct exec_image *i, const char *file);

static inline bool image_refuses(const struct exec_image *i)
{
	return i->kind >= IMAGE_WIDTH;
}

#endif
