/*
 * Scenes: each runs in a process of its own, which logs to a directory of its own; then its log
 * is read.
 */
#ifndef GLIMPSE_TESTS_SCENE_H
#define GLIMPSE_TESTS_SCENE_H

#include "probe.h"
#include "reader.h"
#include <sys/types.h>

/*
 * Whether the events of this program are logged. Compiled with GLIMPSE_DISABLE it has no logs to
 * check, but its scenes must end as they do otherwise (same.test).
 */
#ifdef GLIMPSE_DISABLE
enum { LOGGED = 0 };
#else
enum { LOGGED = 1 };
#endif

/* TAP. */
void plan(int tests);
bool ok(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
void skip(const char *what, const char *why);
int done(void);

/* The directory of all scenes, and of the newest one's log. */
extern char scene_root[256];
extern char scene_log[512];

/*
 * Starts a scene in a child with GLIMPSE_DIR set to a fresh directory; what it writes to stderr
 * is kept until the next one starts. The child ends with what the function returns.
 */
pid_t scene_start(int (*scene)(void *), void *argument);
/* Starts it and waits; the status of wait(2), which is printed, too. */
int scene_run(int (*scene)(void *), void *argument);
int scene_wait(pid_t pid);

/*
 * Runs a scene that logs to a disk of so many KiB, and waits. Until scene_disk_leave() scene_log is
 * there; that sets it back. Returns false if mounting is not allowed.
 */
bool scene_disk_run(unsigned size, int (*scene)(void *), void *argument, int *status);
void scene_disk_leave(void);

/* Reads scene_log, or the directory given. The former run is cleared. */
struct reader_run *scene_read(const char *directory);
/* How many events Tick(a, b) have this a; and whether their b are 0, 1, ... in order. */
size_t ticks_of(const struct reader_run *run, int32_t a, bool *ordered);
/* Whether the scene's stderr holds this text; how many lines it has. */
bool scene_said(const char *text);
int scene_lines(void);
const char *scene_text(void);
/* Removes the logs of all scenes so far. */
void scene_clear(void);

#endif
