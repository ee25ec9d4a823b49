/*
 * Fits what a subcommand prints for people to the terminal: how wide lines may be, wrapped lines
 * and colours. What is piped has neither: it is the same whatever the terminal.
 */
#ifndef GLIMPSE_CLI_COMMON_SCREEN_H
#define GLIMPSE_CLI_COMMON_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Terminals count as no narrower and no wider. */
enum { SCREEN_LEAST = 80, SCREEN_MOST = 200 };

/* The option --color, of subcommands that print text. */
#define COLOR_OPTION \
	{ \
		0, "color", "WHEN", "colour text: auto (on a terminal), always or never", \
		    screen_take_color \
	}
void screen_take_color(const char *value);

/*
 * Returns the stream for a text that goes to standard output; wraps: on a terminal, one that wraps
 * lines. screen_close() ends it.
 */
FILE *screen_open(bool wraps);
void screen_close(void);

/* Returns how wide a line of such a stream may be; SIZE_MAX: as wide as it is. */
size_t screen_width(FILE *out);

enum tone {
	TONE_HEAD, /* of tables */
	TONE_BAD,  /* what slows the program, or is lost */
	TONE_DIM,  /* what few need */
	TONE_PLAIN /* ends the others */
};
/* Changes the tone of what follows; does nothing for other streams, and without colours. */
void screen_tone(FILE *out, enum tone tone);

#endif
