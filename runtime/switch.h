/*
 * Event types on and off. Each change is recorded in the log directory, so that tools know what
 * was off when.
 */
#ifndef GLIMPSE_RUNTIME_SWITCH_H
#define GLIMPSE_RUNTIME_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sets the switch of an event id. `start`: it is set for the first time, so being on is nothing
 * to record. Under the lock.
 */
void gl_switch_set(uint32_t id, bool on, bool start);

/* Whether GLIMPSE_OFF names the event: EVENT, SPECIFICATION.EVENT or * between commas. */
bool gl_switch_off_at_start(const char *spec, const char *event);

#endif
