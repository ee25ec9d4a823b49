#include "base/usage.h"
#include "base/array.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/visible.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* getopt's value of a long option is its index behind all letters. */
enum { LONG_BASE = 256 };

static const char *usage_program, *usage_where = "";
static int usage_status = 2;

void usage_place(const char *where)
{
	usage_where = where;
}

void usage_failure(int status)
{
	usage_status = status;
}

void usage_fail(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vformat(format, arguments);
	va_end(arguments);
	fprintf(stderr, "%s: error: ", usage_program);
	visible_puts(stderr, usage_where);
	visible_puts(stderr, text);
	free(text);
	fprintf(stderr, "; see %s --help\n", usage_program);
	exit(usage_status);
}

/* Returns "a, b or c", which the caller frees. */
static char *alternatives(const char *const *names, unsigned n)
{
	char *text = text_format("%s", names[0]);

	for (unsigned i = 1; i < n; i++) {
		char *longer = text_format("%s%s%s", text, i + 1 < n ? ", " : " or ", names[i]);

		free(text);
		text = longer;
	}
	return text;
}

char *usage_unknown_text(const char *option, const char *what, const char *const *names, unsigned n,
			 const char *value, size_t length)
{
	char *expected = alternatives(names, n),
	     *text = text_format("%s: unknown %s '%.*s' (expected %s)", option, what, (int)length,
				 value, expected);

	free(expected);
	return text;
}

void usage_unknown(const char *option, const char *what, const char *const *names, unsigned n,
		   const char *value, size_t length)
{
	usage_fail("%s", usage_unknown_text(option, what, names, n, value, length));
}

unsigned usage_choice_part(const char *option, const char *what, const char *const *names,
			   unsigned n, const char *value, size_t length)
{
	for (unsigned i = 0; i < n; i++)
		if (strlen(names[i]) == length && strncmp(names[i], value, length) == 0)
			return i;
	usage_unknown(option, what, names, n, value, length);
}

unsigned usage_choice(const char *option, const char *what, const char *const *names, unsigned n,
		      const char *value)
{
	return usage_choice_part(option, what, names, n, value, strlen(value));
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789.")];
}

/*
 * A number without a unit is likelier a slip than a number of nanoseconds. size: value, without its
 * sign where it may have one.
 */
__attribute__((noreturn)) static void time_refuse(const char *option, const char *value,
						  const char *size)
{
	if (is_number(size))
		usage_fail("%s: %s of what? Write %sns, %sus, %sms or %ss", option, value, value,
			   value, value, value);
	usage_fail("%s: '%s' is not a time; write 1.5ms, 20us or 3s", option, value);
}

int64_t usage_time(const char *option, const char *value)
{
	int64_t ns;

	if (!units_parse_time(value, &ns))
		time_refuse(option, value, value);
	return ns;
}

int64_t usage_signed_time(const char *option, const char *value)
{
	int64_t ns;

	if (!units_parse_signed_time(value, &ns))
		time_refuse(option, value, value + (*value == '-'));
	return ns;
}

void usage_end(void)
{
	exit(fflush(stdout) ? usage_status : 0);
}

static bool value_optional(const struct choice *c)
{
	return c->value && c->value[0] == '[';
}

static int value_kind(const struct choice *c)
{
	return !c->value ? no_argument : value_optional(c) ? optional_argument : required_argument;
}

static void choice_print(const struct choice *c)
{
	char head[64], letter[8] = "    ";
	const char *help = c->help;

	if (c->letter)
		snprintf(letter, sizeof letter, "-%c%s", c->letter, c->name ? ", " : "");
	snprintf(head, sizeof head, "%s%s%s%s%s", letter, c->name ? "--" : "",
		 c->name ? c->name : "", !c->value || value_optional(c) ? "" : " ",
		 c->value ? c->value : "");
	printf("  %-24s ", head);
	for (const char *end; (end = strchr(help, '\n')); help = end + 1)
		printf("%.*s\n%27s", (int)(end - help), help, "");
	puts(help);
}

void usage_print(const struct choice *choices)
{
	for (const struct choice *c = choices; c->take; c++)
		choice_print(c);
}

/* The table in getopt's two forms. leading: options stop at the first operand. */
static void forms_make(const struct choice *choices, bool leading, char *letters,
		       struct option *names)
{
	if (leading)
		*letters++ = '+';
	*letters++ = ':';
	for (int i = 0; choices[i].take; i++) {
		const struct choice *c = &choices[i];

		if (c->letter) {
			*letters++ = c->letter;
			for (int colons = value_kind(c); colons > 0; colons--)
				*letters++ = ':';
		}
		if (c->name)
			*names++ = (struct option){c->name, value_kind(c), NULL, LONG_BASE + i};
	}
	*letters = '\0';
	*names = (struct option){0};
}

static const struct choice *choice_of(const struct choice *choices, int code)
{
	if (code >= LONG_BASE)
		return &choices[code - LONG_BASE];
	while (choices->letter != code)
		choices++;
	return choices;
}

/* Returns the long option that "--widht" or "--widht=3" probably means; NULL if there is none. */
static const char *option_near(const struct choice *choices, const char *word)
{
	char *name = text_format("%.*s", (int)strcspn(word, "="), word);
	const char *names[USAGE_MOST], *near;
	size_t n = 0;

	for (const struct choice *c = choices; c->take; c++)
		if (c->name)
			names[n++] = c->name;
	near = nearest_name(name, names, n);
	free(name);
	return near;
}

/* What getopt does not understand: ':' a value is missing, '?' the rest. */
__attribute__((noreturn)) static void refuse(const struct choice *choices, int code, char **argv)
{
	const char *word = argv[optind - 1], *near;

	if (code == ':')
		usage_fail("%s needs a value", word);
	if (optopt >= LONG_BASE)
		usage_fail("--%s takes no value", choices[optopt - LONG_BASE].name);
	if (optopt)
		usage_fail("unrecognized option '-%c'", optopt);
	near = option_near(choices, word + strspn(word, "-"));
	if (near)
		usage_fail("unrecognized option '%s'; did you mean --%s?", word, near);
	usage_fail("unrecognized option '%s'", word);
}

static int options_read(const char *program, const struct choice *choices, bool leading, int argc,
			char **argv)
{
	char letters[3 * USAGE_MOST + 3];
	struct option names[USAGE_MOST + 1];
	int code;

	usage_program = program;
	forms_make(choices, leading, letters, names);
	opterr = 0;
	optind = 0; /* begins anew */
	while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct choice *c;

		if (code == ':' || code == '?')
			refuse(choices, code, argv);
		c = choice_of(choices, code);
		/* -u=only is -uonly */
		if (optarg && value_optional(c) && code < LONG_BASE && *optarg == '=')
			optarg++;
		c->take(optarg);
	}
	return optind;
}

int usage_read(const char *program, const struct choice *choices, int argc, char **argv)
{
	return options_read(program, choices, false, argc, argv);
}

int usage_read_leading(const char *program, const struct choice *choices, int argc, char **argv)
{
	return options_read(program, choices, true, argc, argv);
}
