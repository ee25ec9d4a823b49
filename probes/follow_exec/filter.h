/*
 * What the probe samples does while system calls are filtered: its library, if it is there, has
 * this function. paused: no more signals are sent.
 */
#ifndef GLIMPSE_PROBES_FOLLOW_EXEC_FILTER_H
#define GLIMPSE_PROBES_FOLLOW_EXEC_FILTER_H

__attribute__((weak, visibility("default"))) void glimpse_samples_pause(int paused);

#endif
