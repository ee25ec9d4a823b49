/*
 * The options of a command as one table: its command line is read from it, and its --help is
 * printed from it.
 */
#ifndef GLIMPSE_BASE_USAGE_H
#define GLIMPSE_BASE_USAGE_H

enum { USAGE_MOST = 32 };       /* choices in a table */

struct choice {
	char letter;            /* 0: it has no short form */
	const char *name;       /* NULL: it has only the letter */
	const char *value;      /* what --help calls its argument; "[=X]": it may be left out; NULL: it takes none */
	const char *help;       /* one line, or several parted by newlines */
	void (*take)(const char *value);        /* NULL ends the table */
};

/*
 * Calls take() for each option on the command line, and gives the index in argv, which is permuted,
 * of the first operand. Ends the program with a message and status 2 on what the table does not
 * have. program is its name in messages; it and the table are kept.
 */
int usage_read(const char *program, const struct choice *choices, int argc, char **argv);

/* The lines of --help on the options. */
void usage_print(const struct choice *choices);

/* "PROGRAM: error: ...; see PROGRAM --help", and ends with status 2. Not before usage_read(). */
__attribute__((format(printf, 1, 2), noreturn))
void usage_fail(const char *format, ...);

/* Flushes standard output and ends the program: what --help and --version end with. */
__attribute__((noreturn)) void usage_end(void);

#endif
