/* The threads of the program. */
#ifndef GLIMPSE_PROBES_SAMPLES_THREADS_H
#define GLIMPSE_PROBES_SAMPLES_THREADS_H

/* Follows threads and forks from now on; before a timer is made. */
void threads_begin(void);

#endif
