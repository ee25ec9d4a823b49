/*
 * Records of the other byte order. All words of such a log are swapped when it is loaded; what is left to do, record by
 * record, is to exchange the halves of what has 8 bytes and to swap back what was text.
 */
#ifndef GLIMPSE_TRACE_FORMAT_SWAP_H
#define GLIMPSE_TRACE_FORMAT_SWAP_H

#include "spec/spec.h"

void event_turn(const struct event_type *type, unsigned char *record);
/* A note; the whole of it is there. */
void note_turn(unsigned char *record);

#endif
