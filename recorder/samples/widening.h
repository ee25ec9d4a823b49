/*
 * Decides from which events samples come. An event of a thread sets its timer whenever the thread
 * leaves a processor or comes back, which takes 4 us in a virtual machine. An event of a processor
 * never does, but interrupts all programs and idle processors, too. So the latter are used while
 * threads switch more often than these would interrupt.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_WIDENING_H
#define GLIMPSE_RECORDER_SAMPLES_WIDENING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Begins at a time (CLOCK_MONOTONIC, ns), with events of threads. ticks: how often events of all
 * processors would interrupt in a second; 0: the kernel refuses them.
 */
void widening_open(int64_t now, uint64_t ticks);
/*
 * Returns whether events of processors are to be used from now on, given how often threads have
 * left their processors so far.
 */
bool widening_look(int64_t now, uint64_t switches);

#endif
