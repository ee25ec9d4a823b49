/* An event's attributes as text: what is printed a hundred million times is formatted here, not by printf. */
#ifndef GLIMPSE_CLI_EVENT_TEXT_H
#define GLIMPSE_CLI_EVENT_TEXT_H

#include "trace/trace.h"
#include <stdio.h>

void print_int(FILE *out, int64_t number);
void print_uint(FILE *out, uint64_t number);
void print_text(FILE *out, const char *text);

/* "0x7f00", in the buffer or a part of it. */
#define HEXADECIMAL_TEXT 20
const char *hexadecimal_text(char buffer[HEXADECIMAL_TEXT], uint64_t number);

/* The shortest of 15 to 17 digits that reads back the same: "2.5", "1e+300", "nan", "-inf". */
void print_real(FILE *out, double real);

/* For people: src=1 text="a \"quoted\" one" at=0x7f00, strings with C's escapes, "..." behind one that was cut. */
void attributes_print(FILE *out, const struct event *e);

/*
 * One field of CSV: name=value;name=value. In a string a backslash stands before a backslash and a semicolon, and
 * control characters are \n, \t, \r or \xNN; the field as a whole is quoted as RFC 4180 says, where it has to be.
 */
void attributes_print_csv(FILE *out, const struct event *e);

/* The same kind of field, and quoting, for any text: names of threads, events, files. */
void csv_field(FILE *out, const char *text);

#endif
