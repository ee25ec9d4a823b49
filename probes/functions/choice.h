/*
 * Which functions are logged: those that the patterns of GLIMPSE_FUNCTIONS and of glimpse ctl
 * choose, without those that were dropped (probes/auto_off.h).
 *
 * GLIMPSE_FUNCTIONS has patterns of the shell between commas. A function is logged if the last
 * pattern that fits its name has no minus before it. If the first pattern has no minus, only
 * functions that a pattern fits are logged. The file `functions` of the log directory has more
 * patterns, in lines "+PATTERN" and "-PATTERN". After writing to it, glimpse ctl switches the event
 * Selected off, as a signal. The probe switches it on again when it has read the lines.
 */
#ifndef GLIMPSE_PROBES_FUNCTIONS_CHOICE_H
#define GLIMPSE_PROBES_FUNCTIONS_CHOICE_H

#include "probes/auto_off.h"

/* Reads the environment. Called by the probe's constructor. */
void choice_load(void);
/* Reads the file of patterns again, if there is news. */
void choice_renew(void);
/* Returns the choice for a function; NULL if there is no room for that: it is logged. */
struct auto_off_site *choice_find(uintptr_t function);
/* Returns whether a function that was found is not to be logged. */
bool choice_is_off(const struct auto_off_site *site);
/* Looks at the modules that were loaded since: whether whole addresses are to be logged. */
void choice_look(void);
/* A function was dropped: its sleds are taken out. */
void choice_dropped(uintptr_t function);
/* In a child of fork(): another thread may have been at work. */
void choice_forked(void);

#endif
