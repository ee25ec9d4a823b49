/*
 * Blocks all signals of a process, and reads them from a descriptor. The C library leaves two
 * signals of its own out of any mask; they would end the process as well as others do, so the masks
 * here are the kernel's.
 */
#ifndef GLIMPSE_RECORDER_SIGNALS_H
#define GLIMPSE_RECORDER_SIGNALS_H

#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/types.h>

/* A bit for each signal, from signal 1 on. */
typedef uint64_t signals_mask;

/*
 * Blocks all signals. What the process itself does wrong (SIGSEGV) ends it all the same. Returns
 * the mask before.
 */
signals_mask signals_block(void);
void signals_restore(signals_mask mask);
/* Returns a descriptor of all signals that are blocked, which does not wait; -1 with errno set. */
int signals_open(void);
/* Returns the process that sent a signal; 0: the kernel did. */
pid_t signals_sender(const struct signalfd_siginfo *s);
/* Takes a signal that is blocked and has arrived. */
void signals_drop(int signal);
/*
 * Ends this process by that signal, without a dump of its memory; returns if the signal does not
 * end it.
 */
void signals_end_by(int signal);

#endif
