/*
 * Addresses in the attributes of events, as people and scripts see them: the one place where a code
 * address or an object could get a name.
 */
#ifndef GLIMPSE_TRACE_ADDRESS_H
#define GLIMPSE_TRACE_ADDRESS_H

#include "trace/trace.h"

/* Room for the text of an address. */
enum { ADDRESS_TEXT = 24 };

/* Returns whether the values of a type are shown as addresses: address, code or object. */
bool type_is_address(enum type t);

/*
 * Returns an attribute of an event that is an address, as "0x7f00"; the result is in the buffer, or
 * a part of it.
 */
const char *address_text(char buffer[ADDRESS_TEXT], const struct event *e, unsigned attribute);

/* Returns the same of an address without an event. */
const char *address_digits(char buffer[ADDRESS_TEXT], uint64_t address);

#endif
