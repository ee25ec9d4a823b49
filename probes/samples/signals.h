/*
 * Chooses our signal: SIGPROF until the program uses it, then the first real-time signal without a
 * handler. The program sees neither our handler nor that the signal stays unblocked.
 */
#ifndef GLIMPSE_PROBES_SAMPLES_SIGNALS_H
#define GLIMPSE_PROBES_SAMPLES_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

typedef void signal_handler(int number, siginfo_t *info, void *context);

/* Takes a signal for this handler. Returns its number; 0: none is free. */
int signals_begin(signal_handler *handler);
/* A thread starts: our signal gets through. hidden: it seemed blocked to who created the thread. */
void signals_thread(bool hidden);
/* Returns whether our signal seems blocked to the calling thread. */
bool signals_hidden(void);
/*
 * Does what the system does with a signal of that number which is not from us: if the program has
 * blocked it, it stays pending.
 */
void signals_foreign(int number, siginfo_t *info, ucontext_t *context);

#endif
