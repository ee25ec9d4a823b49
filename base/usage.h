/* Reads a command line, and prints --help, from one table of options. */
#ifndef GLIMPSE_BASE_USAGE_H
#define GLIMPSE_BASE_USAGE_H

#include <stddef.h>
#include <stdint.h>

enum { USAGE_MOST = 32 }; /* choices in a table */

struct choice {
	char letter;                     /* 0: it has no short form */
	const char *name;                /* NULL: it has only the letter */
	const char *value;               /* its argument in --help; "[=X]": optional; NULL: none */
	const char *help;                /* one line, or several parted by newlines */
	void (*take)(const char *value); /* NULL ends the table */
};

/*
 * Calls take() for each option on the command line; returns the index of the first operand in argv,
 * which is permuted. Ends the program with a message and status 2 if the table lacks an option.
 * program is the name in messages; program and the table are kept.
 */
int usage_read(const char *program, const struct choice *choices, int argc, char **argv);

/*
 * Reads as usage_read() does, but stops at the first operand, behind which options are another
 * program's. argv is left as it is.
 */
int usage_read_leading(const char *program, const struct choice *choices, int argc, char **argv);

/* Sets what stands before later messages, as "FILE:3: ", and the status after them. */
void usage_place(const char *where);
void usage_failure(int status);

/* Prints the lines of --help on the options. */
void usage_print(const struct choice *choices);

/*
 * Prints "PROGRAM: error: ...; see PROGRAM --help" and ends the program with status 2, or that of
 * usage_failure(). Call usage_read() first.
 */
__attribute__((format(printf, 1, 2), noreturn)) void usage_fail(const char *format, ...);

/*
 * Returns the index of value among the n names that an option takes. Otherwise ends the program
 * with usage_fail(): "OPTION: unknown WHAT 'x' (expected a, b or c)". usage_choice_part() compares
 * the first length bytes of value, which may be an item of a list.
 */
unsigned usage_choice(const char *option, const char *what, const char *const *names, unsigned n,
		      const char *value);
unsigned usage_choice_part(const char *option, const char *what, const char *const *names,
			   unsigned n, const char *value, size_t length);

/* Returns the same message, which the caller frees. */
char *usage_unknown_text(const char *option, const char *what, const char *const *names, unsigned n,
			 const char *value, size_t length);
/* Ends the program with the same message, for callers that compare the value themselves. */
__attribute__((noreturn)) void usage_unknown(const char *option, const char *what,
					     const char *const *names, unsigned n,
					     const char *value, size_t length);

/*
 * Returns the nanoseconds of an option's value, 0 or a number with its unit. Otherwise ends the
 * program with usage_fail(). A signed time may begin with a minus.
 */
int64_t usage_time(const char *option, const char *value);
int64_t usage_signed_time(const char *option, const char *value);

/* Flushes standard output and ends the program, as --help and --version do. */
__attribute__((noreturn)) void usage_end(void);

#endif
