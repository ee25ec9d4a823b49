/* The real functions behind those that this probe defines anew. */
#ifndef GLIMPSE_PROBES_SAMPLES_REAL_H
#define GLIMPSE_PROBES_SAMPLES_REAL_H

#include "probes/wrap.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <threads.h>

/* As those have that are like signal(); headers declare some of them only in old modes. */
typedef void (*plain_handler)(int number);

struct real_signals {
#define ENTRY(name) __typeof__(&name) name;
#define SIGNAL_LIKE(name) plain_handler (*name)(int, plain_handler);
#include "probes/samples/entries.h"
#undef ENTRY
};

extern struct real_signals real;

#define REAL(name) WRAP_REAL(real.name, #name, NULL)

#endif
