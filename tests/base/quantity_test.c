/* Times, counts and sizes as people write and read them. */
#include "base/units.h"
#include <stdio.h>
#include <string.h>

static unsigned count, failures;

static void report(bool good, const char *name, const char *got)
{
	printf("%sok %u - %s%s%s\n", good ? "" : "not ", ++count, name, good ? "" : " # not ",
	       good ? "" : got);
	failures += !good;
}

static void parse_good(const char *text, int64_t wanted)
{
	char got[32];
	int64_t ns = -1;

	bool good = units_parse_time(text, &ns) && ns == wanted;

	snprintf(got, sizeof got, "%lld", (long long)ns);
	report(good, text, got);
}

static void parse_bad(const char *text)
{
	int64_t ns;

	report(!units_parse_time(text, &ns), *text ? text : "nothing", "refused");
}

static void text_is(const char *got, const char *wanted)
{
	report(strcmp(got, wanted) == 0, wanted, got);
}

int main(void)
{
	static const char *const bad[] = {
	    "",    "1500", "0.5",  "ms",      "10 parsecs",          "-5",
	    "1e3", ".",    "1..2", "10 ms x", "9223372036854775808", "10000000000 min"};
	char b[UNITS_TEXT];

	parse_good("1500ns", 1500);
	parse_good("0", 0);
	parse_good("0.0", 0);
	parse_good("10ms", 10000000);
	parse_good("10 ms", 10000000);
	parse_good("2.5s", 2500000000);
	parse_good("0.3s", 300000000);
	parse_good(".5us", 500);
	parse_good("1\302\265s", 1000);
	parse_good("2min", 120000000000);
	parse_good("0.0000000019s", 1);
	parse_good("9223372036854775807ns", INT64_MAX);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		parse_bad(bad[i]);
	text_is(units_time(b, 0), "0 ns");
	text_is(units_time(b, 999), "999 ns");
	text_is(units_time(b, 999.9), "1.00 us");
	text_is(units_time(b, 12345678), "12.3 ms");
	text_is(units_time(b, 90e9), "1.50 min");
	text_is(units_count(b, 0), "0");
	text_is(units_count(b, 1000), "1,000");
	text_is(units_count(b, UINT64_MAX), "18,446,744,073,709,551,615");
	text_is(units_counted(b, 0, "call", "calls"), "0 calls");
	text_is(units_counted(b, 1, "call has", "calls have"), "1 call has");
	text_is(units_counted(b, 1234, "call has", "calls have"), "1,234 calls have");
	text_is(units_bytes(b, 1), "1 byte");
	text_is(units_bytes(b, 1536), "1.50 KiB");
	text_is(units_frequency(b, 2.1e9), "2.10 GHz");
	printf("1..%u\n", count);
	return failures > 0;
}
