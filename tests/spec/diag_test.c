/* The printer of diagnostics: what is under which character, and what is counted. */
#include "grammar/diag.h"
#include "tests/tap.h"
#include <stdlib.h>

static char printed[4096];
static struct diag diag;

static void begin(void)
{
	diag = (struct diag){.out = fmemopen(printed, sizeof printed, "w"), .program = "glimpse"};
}

static void end(const char *wanted, const char *name)
{
	fclose(diag.out);
	is(printed, wanted, name);
}

/* One error about length bytes at start of a text. */
static void place_test(const char *text, size_t start, size_t length, const char *wanted,
		       const char *name)
{
	struct source *s = source_text("f.spec", text);
	begin();
	diag_error(&diag, (struct span){s, start, start + length}, "bad");
	end(wanted, name);
	source_free(s);
}

static void places_test(void)
{
	place_test("one\ntwo three\n", 8, 5,
		   "f.spec:2:5: error: bad\n    2 | two three\n      |     ^~~~~\n", "a word");
	place_test("x", 0, 1, "f.spec:1:1: error: bad\n    1 | x\n      | ^\n", "the first byte");
	place_test("ab", 2, 0, "f.spec:1:3: error: bad\n    1 | ab\n      |   ^\n",
		   "the end of the text");
	place_test("a\n", 2, 0, "f.spec:2:1: error: bad\n    2 | \n      | ^\n",
		   "behind the last line");
	place_test("\ta\tbc", 3, 2, "f.spec:1:4: error: bad\n    1 | \ta\tbc\n      | \t \t^~\n",
		   "tabs are kept");
	place_test("\"äö\" x", 7, 1, "f.spec:1:8: error: bad\n    1 | \"äö\" x\n      |      ^\n",
		   "a character of two bytes is one wide");
	place_test("x ä→", 2, 5, "f.spec:1:3: error: bad\n    1 | x ä→\n      |   ^~\n",
		   "also where it is marked");
	place_test("a (b\nc) d", 2, 5, "f.spec:1:3: error: bad\n    1 | a (b\n      |   ^~\n",
		   "of several lines the first is shown");
	place_test("a\033[1mb", 1, 1, "f.spec:1:2: error: bad\n    1 | a?[1mb\n      |  ^\n",
		   "control characters do not reach the terminal");
	place_test("a b\r\nc", 2, 1, "f.spec:1:3: error: bad\n    1 | a b\n      |   ^\n",
		   "a carriage return is not part of the line");
}

static void long_line_test(void)
{
	char text[1001], wanted[512];
	memset(text, 'a', 1000);
	text[1000] = '\0';
	text[500] = 'X';
	snprintf(wanted, sizeof wanted, "f.spec:1:501: error: bad\n    1 | %.*s\n      | %*s^\n",
		 200, text + 400, 100, "");
	place_test(text, 500, 1, wanted, "of a long line the part around the place");
}

static void kinds_test(void)
{
	static const char *const muted[] = {"quiet", NULL};
	begin();
	diag_error(&diag, DIAG_NOWHERE, "no file '%s'", "x");
	diag_note(&diag, DIAG_NOWHERE, "look there");
	diag_warning(&diag, "loud", DIAG_NOWHERE, "odd");
	diag.muted = muted;
	diag_warning(&diag, "quiet", DIAG_NOWHERE, "hidden");
	diag_note(&diag, DIAG_NOWHERE, "hidden, too");
	diag.warnings_are_errors = true;
	diag_warning(&diag, "loud", DIAG_NOWHERE, "odd");
	diag_note(&diag, DIAG_NOWHERE, "shown");
	end("glimpse: error: no file 'x'\nglimpse: note: look there\nglimpse: warning: odd "
	    "[-Wloud]\n"
	    "glimpse: error: odd [-Werror=loud]\nglimpse: note: shown\n",
	    "errors, warnings and notes without a place");
	ok(diag.errors == 2 && diag.warnings == 1, "are counted");
	diag = (struct diag){.out = NULL};
	diag_error(&diag, DIAG_NOWHERE, "silent");
	ok(diag.errors == 1, "also when nothing is printed");
}

int main(void)
{
	places_test();
	long_line_test();
	kinds_test();
	return tap_end();
}
