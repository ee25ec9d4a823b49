/*
 * XRay sleds of clang (-fxray-instrument): places at the entry and the exits of functions that do
 * nothing until they are patched, which the XRay runtime in the program does. Programs without it
 * have none, and these functions do nothing.
 */
#ifndef GLIMPSE_PROBES_FUNCTIONS_XRAY_H
#define GLIMPSE_PROBES_FUNCTIONS_XRAY_H

#include <stdint.h>

/* Finds the XRay runtime, and patches the sleds of the functions that are chosen. */
void xray_load(void);
/* Patches what is chosen now, and takes the other sleds out. */
void xray_choose(void);
/* Takes the sleds of a function out. */
void xray_function_off(uintptr_t function);

#endif
