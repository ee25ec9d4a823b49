/* The small parts of gorge that everything stands on: numbers, texts, ticks, colours, suffixes. */
#include "base/array.h"
#include "base/visible.h"
#include "tests/tap.h"
#include "viewers/gorge/style/function_colour.h"
#include "viewers/gorge/style/function_name.h"
#include "viewers/gorge/style/text_width.h"
#include "viewers/gorge/style/theme.h"
#include "viewers/gorge/style/ticks.h"
#include "viewers/suffix.h"
#include <stdlib.h>

static void durations(void)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
	    {0, "0 ns"},	 {17, "17 ns"},	     {999.4, "999 ns"},	 {999.6, "1.00 us"},
	    {1234, "1.23 us"},	 {12345, "12.3 us"}, {99949, "99.9 us"}, {99999, "100 us"},
	    {999700, "1.00 ms"}, {1.5e9, "1.50 s"},  {36e11, "3600 s"},
	};
	char text[UNITS_TEXT];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		is(units_short_time(text, cases[i].ns), cases[i].text,
		   "a duration has three digits");
	is(units_exact_time(text, 1234567890), "1.23456789 s", "a time has all digits");
	is(units_exact_time(text, -1500), "-1.5 us", "a time before the trace");
	is(units_exact_time(text, 0), "0 ns", "no time");
	is(units_count(text, 0), "0", "no count");
	is(units_count(text, 1234567), "1,234,567", "a count in groups of three");
	is(units_count(text, UINT64_MAX), "18,446,744,073,709,551,615", "the largest count");
}

static bool reads_as(const char *text, int64_t wanted)
{
	int64_t ns;

	return units_parse_signed_time(text, &ns) && ns == wanted;
}

static void times(void)
{
	static const char *const bad[] = {"", "250", "-5", "ms", "1 h", "1 ms 2", "nan", "inf", "1e30 s", "abc"};
	int64_t ns;

	ok(reads_as("0", 0) && reads_as("-0", 0), "only 0 needs no unit");
	ok(reads_as("1.5ms", 1500000) && reads_as("1.5 ms", 1500000),
	   "a unit, with and without a blank");
	ok(reads_as("0.1us", 100) && reads_as("-2s", -2000000000), "fractions and negative times");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!ok(!units_parse_signed_time(bad[i], &ns), "what is no time is refused"))
			printf("# '%s'\n", bad[i]);
}

/* Checks what is shown of a function's name in so many pixels. */
static void fits(const char *name, double width, const char *wanted)
{
	char *t = name_fit(name, 10, width);

	is(t, wanted, wanted);
	free(t);
}

static void function_names(void)
{
	const char *name = "int Queue<int>::get<long>(long&) const (queue.cc:7)";

	fits(name, 400, name);
	fits(name, 200, "int Queue<int>::get<long>(long&) const");
	fits(name, 70, "Queue::get");
	fits(name, 30, "get");
	fits("Parser::statement(int)", 40, "state\xe2\x80\xa6");
	ok(function_hue("int get<int>(int&) (a.cc:3)") == function_hue("get(char)+0x12"),
	   "overloads and instances of a template share a colour");
	ok(function_hue("0x7f0012345678") == FUNCTION_UNNAMED, "an address has no colour of its own");
}

static void texts(void)
{
	char *t = visible_text("a\tb\xff\xc3\xa9\xed\xa0\x80" "c");

	is(t, "a\\tb\\xff\xc3\xa9\\xed\\xa0\\x80" "c", "bytes that are no UTF-8 are made visible");
	free(t);
	t = text_fit("short", 10, false, 100);
	is(t, "short", "a text that fits is left alone");
	free(t);
	t = text_fit("a-very-long-name-of-a-thread-17", 10, false, 100);
	ok(text_width(t, 10, false) <= 100 && !strncmp(t, "a-very-long-", 12) &&
	       !strcmp(t + strlen(t) - 3, "\xe2\x80\xa6"),
	   "a long text is cut at its end");
	free(t);
	t = text_fit("\xe7\xba\xbf\xe7\xa8\x8b\xe7\xba\xbf\xe7\xa8\x8b\xe7\xba\xbf\xe7\xa8\x8b", 10,
		     false, 35);
	char *clean = visible_text(t);
	is(t, clean, "a long text is cut between characters");
	ok(text_width(t, 10, false) <= 35, "and fits then");
	free(clean);
	free(t);
	t = text_fit("name", 10, false, 3);
	is(t, "", "where there is no room there is no text");
	free(t);
	function_names();
}

/* Ticks lie in the window, as many as may be, and no two have the same label. */
static bool good_ticks(int64_t from, int64_t to, unsigned limit)
{
	struct ticks t = ticks_choose(from, to, limit);
	char a[UNITS_TEXT], b[UNITS_TEXT];

	for (unsigned i = 0; i < t.count; i++) {
		if (tick_time(&t, i) < from || tick_time(&t, i) > to)
			return false;
		if (i && !strcmp(tick_label(&t, i, a), tick_label(&t, i - 1, b)))
			return false;
		if (strlen(tick_label(&t, i, a)) > 12)
			return false;
	}
	return t.count <= limit && (t.count >= limit / 5 || to - from < 10);
}

static void ticks(void)
{
	static const int64_t lengths[] = {
	    1, 2, 7, 999, 1000, 1234567, 1000000000, 86400000000000, INT64_MAX / 4};
	static const int64_t starts[] = {0, 1, 999999, 1000000000, 123456789012345, -5000};
	struct ticks t = ticks_choose(0, 1240000000, 11);
	char text[UNITS_TEXT], *title = ticks_title(&t);

	is(tick_label(&t, 1, text), "0.2", "a tick of a second's fraction");
	is(title, "time (s)", "the axis' unit");
	free(title);
	t = ticks_choose(12345000000, 12345001000, 11);
	title = ticks_title(&t);
	is(title, "time after 12.345 s (us)", "a window far from 0 has a base");
	is(tick_label(&t, 1, text), "+0.1", "and labels that count from it");
	free(title);
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++)
			if (!ok(good_ticks(starts[i], starts[i] + lengths[j], 11),
				"ticks fit into a window"))
				printf("# from %lld, %lld long\n", (long long)starts[i],
				       (long long)lengths[j]);
}

static void colours(void)
{
	rgba c;

	ok(colour_read("#0f8", &c) && c == 0x00ff88ff, "a short colour");
	ok(colour_read("#12aB9f", &c) && c == 0x12ab9fff, "a long colour");
	ok(colour_read("Red", &c), "a name");
	ok(!colour_read("#12345", &c) && !colour_read("#12345g", &c) && !colour_read("", &c) &&
	   !colour_read("reddish", &c), "what is no colour");
	ok(colour_mix(0xff0000ff, 0x0000ffff, 0.5) == 0x800080ff, "half of each");
}

static void suffixes(void)
{
	static const char *const known[] = {"svg", "png", NULL};
	struct diag diag = {.out = NULL};

	ok(suffix_find("a.b/x.svg", known, &diag) == 0 && suffix_find("x.PNG", known, &diag) == 1,
	   "known suffixes");
	ok(suffix_find("x.svg/y", known, &diag) == -1 && suffix_find("svg", known, &diag) == -1 &&
	       suffix_find("x.svgz", known, &diag) == -1 && diag.errors == 3,
	   "unknown suffixes are errors");
}

/* Whether the rule of a style sheet that begins at "rule" gives the variable this colour. */
static bool has_colour(const char *rule, const char *variable, rgba wanted)
{
	const char *end = strchr(rule, '}'), *at = strstr(rule, variable);
	char text[16] = "";
	rgba colour;

	if (!at || at > end || sscanf(at + strlen(variable), ": %15[#0-9a-f]", text) != 1 ||
	    !colour_read(text, &colour) || colour != wanted) {
		printf("# %s is %s\n", variable, text);
		return false;
	}
	return true;
}

static bool has_theme(const char *sheet, const char *selector, const struct theme *t)
{
	const char *rule = strstr(sheet, selector);

	return rule && has_colour(rule, "--page", t->page) && has_colour(rule, "--band", t->band) &&
	       has_colour(rule, "--line", t->grid) && has_colour(rule, "--ink", t->ink) &&
	       has_colour(rule, "--muted", t->muted) && has_colour(rule, "--alarm", t->alarm) &&
	       has_colour(rule, "--accent", t->hues[0]);
}

/* The page has the colours of the pictures in it. */
static void style_sheet(void)
{
	static char sheet[1 << 16];
	char *path = text_format("%s/viewers/gorge/page/page.css", getenv("SRC"));
	FILE *f = fopen(path, "r");

	if (ok(f && fread(sheet, 1, sizeof sheet - 1, f) > 0, "the page has a style sheet")) {
		ok(has_theme(sheet, ":root {", &theme_light), "with the colours of the light theme");
		ok(has_theme(sheet, ":root[data-theme=dark] {", &theme_dark), "and of the dark one");
	}
	if (f)
		fclose(f);
	free(path);
}

int main(void)
{
	durations();
	times();
	texts();
	ticks();
	colours();
	style_sheet();
	suffixes();
	return tap_end();
}
