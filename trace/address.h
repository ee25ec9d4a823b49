/*
 * Prints addresses in the attributes of events for people and scripts: only here does a code
 * address or an object get its text. The functions here use the address alone; trace/symbols finds
 * the names.
 */
#ifndef GLIMPSE_TRACE_ADDRESS_H
#define GLIMPSE_TRACE_ADDRESS_H

#include "trace/trace.h"

/* Room for the digits of an address, or for the number of an object. */
enum { ADDRESS_TEXT = 64 };

/* Returns whether the values of a type are shown as addresses: address, code, code32 or object. */
bool type_is_address(enum type t);

/*
 * Returns an attribute of an event that is an address. Code is "function (file.c:41)", as far as
 * that is known, and a call site is as symbols_site() has it. An object has its name, such as
 * "queue_lock" or "lock 3". Anything else is like "0x7f00". The result is in the buffer, or the
 * trace keeps it.
 */
const char *address_text(const struct trace *t, char buffer[ADDRESS_TEXT], const struct event *e,
			 unsigned attribute);

/* Returns the address that an attribute that is code stands for: a wait's is its call site's. */
uint64_t address_code(const struct trace *t, const struct event *e, unsigned attribute);

/*
 * Return parts of that for an attribute that is code: the function, or the address where that is
 * not known; the line, "file.c:41", or NULL.
 */
const char *address_function(const struct trace *t, char buffer[ADDRESS_TEXT],
			     const struct event *e, unsigned attribute);
const char *address_line(const struct trace *t, const struct event *e, unsigned attribute);
/*
 * Returns whether it is in none of the files of its process, if these are known: compilers at run
 * time make such code. Samples of it are of one function, UNNAMED_CODE.
 */
bool address_is_unnamed(const struct trace *t, const struct event *e, unsigned attribute);
#define UNNAMED_CODE "[unnamed code]"
/* Returns whether it is in a loop that waits for another thread, as symbols_spins() says. */
bool address_spins(const struct trace *t, const struct event *e, unsigned attribute);
/* The program or library, "libfoo.so", or NULL. */
const char *address_module(const struct trace *t, const struct event *e, unsigned attribute);
/*
 * Returns whether it is in a library that comes with the language, such as those of C, C++ and
 * OpenMP, in the dynamic linker, in the kernel, or in one of Glimpse. The cost of this code depends
 * on the program's function that calls it.
 */
bool address_is_of_run_time(const struct trace *t, const struct event *e, unsigned attribute);
/* The same of a module, as address_module() returns it; NULL: not known, false. */
bool module_is_of_run_time(const char *module);
/* Returns whether a module is one that the recorder preloads into the program; NULL: false. */
bool module_is_of_recorder(const char *module);
/* The module of the kernel's functions. */
#define KERNEL_MODULE "[kernel]"

/*
 * Returns how many frames of a call stack an attribute that is code stands for: 0, or as many as
 * symbols_frames() has. The functions above and below say of an event at a level, from 1, the
 * outermost, to that number, what that frame is.
 */
uint32_t address_frames(const struct trace *t, const struct event *e, unsigned attribute);

/*
 * Returns a number for the text of an attribute that is code or an object: in one trace it is the
 * same for the same text, whatever the address. The trace keeps the text of a number.
 */
int64_t address_key(const struct trace *t, const struct event *e, unsigned attribute);
const char *address_key_text(const struct trace *t, int64_t key);
/* Returns the number of a text of any other kind. */
int64_t text_key(const struct trace *t, const char *text);

/* Returns the digits of an address. */
const char *address_digits(char buffer[ADDRESS_TEXT], uint64_t address);

#endif
