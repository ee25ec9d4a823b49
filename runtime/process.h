/* The process: the state that all threads share, its lock, and the process file. */
#ifndef GLIMPSE_RUNTIME_PROCESS_H
#define GLIMPSE_RUNTIME_PROCESS_H

#include "runtime/clock.h"
#include "runtime/glimpse.h"
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

#define GL_IDS 4096 /* switches in the process file */
#define GL_SPECS 30
#define GL_PAIRS 340 /* clock pairs in the process file */
#define GL_DIRECTORY_MAX 3072
#define GL_PATH_MAX (GL_DIRECTORY_MAX + 288)

enum process_file_state {
	PROCESS_NEW, /* nothing was logged yet */
	PROCESS_OPEN,
	PROCESS_CLOSED /* after glimpse_close(), or if logging is not possible */
};

/* State of the process file. */
enum {
	GL_STATE_RUNS,
	GL_STATE_ENDED,
	GL_STATE_FILTERED, /* logs nothing after a filter of system calls */
	GL_STATE_EXECUTED, /* executed another program, or is about to */
};

/* One specification in the process file; schema and base are valid once count is not 0. */
struct spec_entry {
	uint64_t schema;
	uint32_t base;
	uint32_t count;
	char name[112];
};

/* The mapped process file, as doc/log-format.md describes it. */
struct process_file {
	uint64_t magic;
	uint32_t version;
	uint32_t pid;
	uint32_t clock;
	uint32_t state;
	struct clock_pair first, newest;
	uint64_t cost;             /* ps that an event costs */
	uint64_t dropped;          /* events that no log could record */
	uint64_t frequency;        /* ticks per second, roughly: all that a very short run has */
	uint32_t pairs_at, npairs; /* offset and size of `pairs` */
	char source[24]; /* the kernel's clock source if it is not the counter, or empty */
	char program[128];
	struct spec_entry specs[GL_SPECS];
	uint32_t switches[GL_IDS];
	struct clock_pair pairs[GL_PAIRS]; /* ascending; those with ticks 0 are none */
	uint32_t keep;                     /* enum retention_kind */
	uint32_t rank;                     /* of a parallel job, from 1; 0: none */
	uint64_t pid_space;                /* inode of the name space of its pid; 0: unknown */
	unsigned char boot[16];            /* the kernel's boot id; zeros: unknown */
};

struct process {
	pthread_mutex_t lock; /* of everything below; taken inside a guard */
	enum process_file_state state;
	struct process_file *file;
	struct process_file *copy;  /* in the log directory, if the file is not; or NULL */
	struct glimpse_spec *specs; /* the loaded ones */
	uint32_t next_thread;       /* number of the next log */
	uint32_t next_id;
	bool forked;
	/* Its name when it began, without '/': servers write titles over their arguments. */
	char program[128];
	char start[GL_DIRECTORY_MAX];  /* working directory when the program began */
	char wanted[GL_DIRECTORY_MAX]; /* argument of glimpse_init(), or empty */
	char directory[GL_DIRECTORY_MAX];
	char root[GL_DIRECTORY_MAX];  /* that forks make theirs in; or empty */
	char tails[GL_DIRECTORY_MAX]; /* directory of what is mapped; empty: the same */
	char path[GL_PATH_MAX];       /* scratch, under the lock */
};

extern struct process gl_process;

void gl_process_lock(void);
void gl_process_unlock(void);

/*
 * Gives a new process file its blocks, maps it, and closes the descriptor. Returns NULL with errno
 * set if there is no room.
 */
struct process_file *gl_process_map(int fd);

/* Makes the process open, with a mapped process file whose header is filled in. Under the lock. */
void gl_process_begin(struct process_file *file);

/*
 * Writes DIRECTORY/name, with a number after it unless that is UINT32_MAX, to gl_process.path and
 * returns it. Under the lock.
 */
const char *gl_process_path(const char *name, uint32_t number);

/* Writes the path of a file that is mapped, as gl_process_path() does. */
const char *gl_process_mapped_path(const char *name, uint32_t number);

/* Copies the process file to the log directory, if it is not there. Under the lock. */
void gl_process_save(void);

/* Counts events that no log could record. May be called from everywhere. */
void gl_process_dropped(uint64_t events);

/*
 * Detaches a forked child from the parent's process file; the child's process is new. Under the
 * lock.
 */
void gl_process_forget(void);

#endif
