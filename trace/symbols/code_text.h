/*
 * Makes the texts of code addresses from what the file of a program knows, for symbols.c, which
 * keeps them.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_CODE_TEXT_H
#define GLIMPSE_TRACE_SYMBOLS_CODE_TEXT_H

#include "trace/symbols/code_frames.h"
#include "trace/symbols/image.h"
#include "trace/symbols/modules.h"

/* The parts of the text of a code address. */
enum code_part { CODE_WHOLE, CODE_FUNCTION, CODE_LINE, CODE_MODULE, CODE_PARTS };

/* All addresses are the file's. image: NULL if the file is not there. */

/* Returns a part of the text of an address, to be freed; NULL: not known. */
char *code_text(struct image *image, const struct module *m, uint64_t address, enum code_part part);

/*
 * Returns the variable that an address is in, with its members, to be freed; NULL: not known.
 */
char *code_variable(struct image *image, uint64_t address);

/*
 * Returns the functions at an address, as symbols_frames() says; none unless a call is inlined
 * there.
 */
struct code_frames code_frames_make(struct image *image, const struct module *m, uint64_t address);

/* Returns the one frame that a call site stands for, as symbols_site() says, or none. */
struct code_frames code_site_make(struct image *image, const struct module *m, uint64_t address);

/* Returns whether a call site is in a library, as symbols_is_library() says. */
bool code_is_library(struct image *image, const struct module *m, uint64_t address);
/* Returns whether a call site is in a wrapper, as symbols_is_wrapper() says. */
bool code_is_wrapper(struct image *image, const struct module *m, uint64_t address);

#endif
