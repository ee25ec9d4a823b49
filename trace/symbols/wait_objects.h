/* Finds what the object of a wait is called, by the functions on the wait's call stack. */
#ifndef GLIMPSE_TRACE_SYMBOLS_WAIT_OBJECTS_H
#define GLIMPSE_TRACE_SYMBOLS_WAIT_OBJECTS_H

#include "spec/spec.h"

/*
 * Returns the first declaration that matches a function, or NULL. What an
 * instance of a template returns is no part of its name: "void std::f<int>(int)".
 */
const struct object_words *object_words_matching(const struct spec *spec, const char *function);

/*
 * Sets *function to the name of the function of a frame, or to NULL if it is not known. Returns
 * false if the stack has no such frame. Called for the frames 0, 1, 2 and so on, from the innermost
 * one outwards, each once; an inlined function is a frame of its own.
 */
typedef bool wait_frame(void *context, unsigned frame, const char **function);

struct wait_object {
	const struct object_words *words; /* the declaration that names it; NULL: none */
	unsigned site;                    /* the frame that is the call site */
};

/*
 * Reads a stack outwards, as long as its functions match declarations; frames without a name are
 * passed over. Before the first match, up to three functions may match none: those of the C
 * library. The outermost of the declarations with a name is the one. The site is the first frame
 * with a name that matches none. If the stack has none, it is the first frame without a name
 * outside of all that match, or else the number of frames: then it is not on the stack. Without
 * any match, it is frame 0.
 */
struct wait_object wait_object_find(const struct spec *spec, wait_frame *frame, void *context);

/*
 * Returns the declaration that names what a function waits for itself, of an attribute, or NULL:
 * object "threading.Lock" in "PyThread_acquire_lock*" = (of "semaphore").
 */
const struct object_words *wait_caller_words(const struct spec *spec, const char *of,
					     const char *function);

#endif
