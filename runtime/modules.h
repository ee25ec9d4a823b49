/*
 * Modules: the program and the libraries in its memory, and where they are. The file modules of the
 * log directory tells readers, who resolve logged addresses by it. It is kept if a specification
 * has attributes that are addresses of code or objects. Nothing is allocated.
 */
#ifndef GLIMPSE_RUNTIME_MODULES_H
#define GLIMPSE_RUNTIME_MODULES_H

/* Asks for the file: a specification with addresses is registered. Under the lock, or not. */
void gl_modules_want(void);

/*
 * Writes what was loaded and unloaded since the last time, if it is wanted; `soon` only if it was
 * asked for since then. Inside a guard, but not under the lock: a thread that holds the dynamic
 * linker's lock, which this takes, may be waiting for that.
 */
void gl_modules_update(void);
void gl_modules_update_soon(void);

/* Forgets all, in a forked child. */
void gl_modules_forget(void);

#endif
