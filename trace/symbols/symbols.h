/*
 * Names the addresses of a trace. The names are made at the first request, and kept with the trace;
 * each address is looked up once. Any thread may ask.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_SYMBOLS_H
#define GLIMPSE_TRACE_SYMBOLS_SYMBOLS_H

#include "trace/address.h"

/*
 * Returns the text of a code address in a process (index in the trace's processes) at a time. It is
 * "function (file.c:41)", or "function+0x12" if the line is not known. A function that has no
 * symbol but begins at 0x1200 is "libfoo.so:fn_1200+0x34". If only the file is known, it is
 * "libfoo.so+0x1234", and NULL if not even that. Code that the program made itself has the name
 * that it gave by glimpse_name(). low: the address has the low 32 bits alone. The trace keeps the
 * text.
 */
const char *symbols_code(const struct trace *t, size_t process, uint64_t address, bool low,
			 int64_t time);
/*
 * Return a part of that: the function alone, "function", "libfoo.so:fn_1200" or,
 * of all code in a file that is in no function, "[libfoo.so]"; the line, "file.c:41".
 */
const char *symbols_function(const struct trace *t, size_t process, uint64_t address, bool low,
			     int64_t time);
const char *symbols_line(const struct trace *t, size_t process, uint64_t address, bool low,
			 int64_t time);
/*
 * Returns the program or library that it is in: the last part of its path; NULL: it is not known.
 */
const char *symbols_module(const struct trace *t, size_t process, uint64_t address, bool low,
			   int64_t time);
/* A function at a code address. */
struct code_frame {
	const char *function;
	const char *line; /* where in it, "file.c:41"; NULL: unknown */
	const char *text; /* both: "function (file.c:41)" */
	bool of_system;   /* its line is in a header of the system, or in the C++ library */
};
/*
 * Gives the functions that a call stack has at a code address, the outermost first. That is the
 * function whose code it is, then those that the compiler inlined there. Each has the line of the
 * next one's call, and the innermost has the line of the address. Returns how many there are; 0:
 * none is inlined there. The address is of an instruction that runs, or lies within a call. The
 * trace keeps the frames.
 */
size_t symbols_frames(const struct trace *t, size_t process, uint64_t address, bool low,
		      int64_t time, const struct code_frame **frames);
/*
 * Returns the call site that a code address stands for: of the functions that are there, with the
 * inlined ones, the innermost whose source is not a header of the system, else the outermost. The
 * address is where a call returns to. Its text calls a lambda expression "main, lambda". NULL: the
 * address is where a function begins, or its line is not known. The trace keeps the frame.
 */
const struct code_frame *symbols_site(const struct trace *t, size_t process, uint64_t address,
				      bool low, int64_t time);
/*
 * Returns whether a call site is in a library of the language, such as in std::thread::join(), or
 * in a package of cargo, with all calls that are inlined there. The address is where a call returns
 * to.
 */
bool symbols_is_library(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time);
/* Returns whether it is in a function named after a semaphore or a futex for which that waits. */
bool symbols_is_wrapper(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time);
/*
 * Returns whether a code address is in a loop in which a thread waits for another one and keeps its
 * processor (spin_code.h); false, too, if the file that ran is not there.
 */
bool symbols_spins(const struct trace *t, size_t process, uint64_t address, bool low, int64_t time);
/* An address in a file of a program. */
struct file_place {
	const struct module *module; /* its image is the file */
	uint64_t address;            /* in the file */
	bool variable;               /* no code */
};
/*
 * Find the file that has a code address, or a variable there; false: none has, or the one that ran
 * is not there.
 */
bool symbols_code_place(const struct trace *t, size_t process, uint64_t address, bool low,
			int64_t time, struct file_place *p);
bool symbols_object_place(const struct trace *t, size_t process, uint64_t address, int64_t time,
			  struct file_place *p);

/* Returns the modules of a process, which the trace keeps; NULL: there is no such process. */
struct modules;
const struct modules *symbols_modules(const struct trace *t, size_t process);
/*
 * Returns the object at an address in a process, as an event has it. That is the name that the
 * program gave it, or the variable that it is in, "queue_lock" or "pool+16". Otherwise it is "lock
 * 3": the third object that was first seen in an attribute of that name. kind: in place of the
 * attribute's name; NULL: that. NULL: no object. The text is in the buffer, or the trace keeps it.
 */
const char *symbols_object(const struct trace *t, char buffer[ADDRESS_TEXT], size_t process,
			   uint64_t address, const struct event *e, const char *kind);

/* Returns whether a name is that of an object of an attribute that has no other: "lock 3". */
bool symbols_is_numbered(const char *name, const char *attribute);

/* Finds the object at an address, as objects_find() does. */
struct object;
bool symbols_life(const struct trace *t, size_t process, uint64_t address, const struct event *e,
		  struct object *found);

/* Returns a number for a text, the same for the same text; and the text of a number. */
int64_t symbols_number(const struct trace *t, const char *text);
const char *symbols_numbered(const struct trace *t, int64_t number);

#endif
