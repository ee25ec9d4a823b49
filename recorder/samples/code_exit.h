/*
 * Finds how a function without tables returns, from its instructions: for code that was generated
 * at run time and keeps no frame pointer.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_CODE_EXIT_H
#define GLIMPSE_RECORDER_SAMPLES_CODE_EXIT_H

#include "probes/unwind/cfi.h"
#include <stdbool.h>

/* Instructions up to a return have at most so many bytes. */
enum { CODE_EXIT_SIZE = 32 };

/*
 * Sets the rule for the frame of an instruction from n bytes of code that begin with it. Returns
 * false unless these give up the frame and return, with no other instruction before.
 */
bool code_exit_rule(const unsigned char *code, size_t n, struct cfi_rule *rule);

#endif
