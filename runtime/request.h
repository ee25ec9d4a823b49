/*
 * Asks the recorder of the run for what the process itself has no right to: a directory for its
 * logs, and their files. A process loses that right when it becomes another user, gives
 * capabilities up or changes its root directory. The recorder passes descriptors; who owns a file,
 * and its mode, stay as they would be.
 *
 * GLIMPSE_RECORDER is NAME:TOKEN:DIRECTORY. The recorder listens to the abstract socket of that
 * name, which needs no path. An empty file of that name marks the directory as the run's. The token
 * tells the processes of the run from others. A request is one message (SOCK_SEQPACKET), and so is
 * the answer. A process may have the files of its own run alone.
 *
 * No descriptor is held. Call these functions inside a guard.
 */
#ifndef GLIMPSE_RUNTIME_REQUEST_H
#define GLIMPSE_RUNTIME_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#define GL_REQUEST_VARIABLE "GLIMPSE_RECORDER"
#define GL_REQUEST_TOKEN 32 /* characters */
#define GL_REQUEST_NAME 256

enum request_kind {
	REQUEST_MAKE,   /* a directory for the process' program, `name` */
	REQUEST_OPEN,   /* a file of it, with flags as of open(2) */
	REQUEST_REMOVE, /* a file of it, if that has device and inode */
	REQUEST_MISSING /* nothing: the process, `name`, is not recorded because of an error */
};

struct request {
	char token[GL_REQUEST_TOKEN];
	uint32_t kind;
	uint32_t pid; /* as the process knows it */
	int32_t flags;
	int32_t error;
	uint64_t device, inode;
	char directory[GL_REQUEST_NAME]; /* within the run's; empty: that itself */
	char name[GL_REQUEST_NAME];
};

struct answer {
	int32_t error;                   /* 0: it is done */
	char directory[GL_REQUEST_NAME]; /* that was made */
};

/* Reads GLIMPSE_RECORDER, before the program changes its environment. */
void gl_request_prepare(void);
/* Returns whether a recorder started the program; it may have ended since. */
bool gl_request_recorded(void);
/* Returns the directory of the run that a recorder records, or NULL if there is none to ask. */
const char *gl_request_root(void);
/*
 * Returns false, with errno set, if a path is that of the run's directory and no longer leads
 * there. The process has another root, or the directory was removed. It may have been made again
 * for a later run.
 */
bool gl_request_root_is_run(const char *path);

/*
 * Makes a directory for a program's logs in the run's and writes its path. Returns a descriptor of
 * it (O_PATH), or -1 with errno set.
 */
int gl_request_make(const char *program, char *path, unsigned size);
/* Opens a file in a directory of this process. Returns its descriptor, or -1 with errno set. */
int gl_request_open(const char *directory, const char *name, int flags);
/* Removes a file there that has this device and inode. Returns false with errno set. */
bool gl_request_remove(const char *directory, const char *name, uint64_t device, uint64_t inode);
/* Says that nothing of this process is recorded. Returns false if the recorder cannot know. */
bool gl_request_missing(const char *program, int error);

#endif
