/* Files `modules`, `objects` and `made` that no program writes, and which module has an address when. */
#include "tests/tap.h"
#include "trace/symbols/made_code.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/object_names.h"

static int64_t time_of(const void *context, uint64_t ticks)
{
	(void)context;
	return ticks ? (int64_t)ticks : INT64_MIN;
}

static struct modules modules_of(const char *text)
{
	struct modules m = {0};

	modules_read(&m, text, strlen(text), time_of, NULL);
	return m;
}

/* Returns the path of the module that an address is in at a time; "": in none. */
static const char *at(const struct modules *m, uint64_t address, int64_t time)
{
	const struct module *found = modules_at(m, address, time);

	return found ? found->path : "";
}

static void test_places(void)
{
	struct modules m = modules_of("0 400000 401000 402000 0123abcd /bin/a program\n"
				      "0 7f0000 7f1000 7f2000 - [vdso]\n"
				      "0 800000 801000 802000 - /lib/a\\040b\\134c\\\n"
				      "5 900000 901000 902000 - /lib/cut off");

	ok(m.list.n == 3, "a last line without its end is none");
	ok(!strcmp(at(&m, 0x401000, 5), "/bin/a program"), "the first byte");
	ok(!strcmp(at(&m, 0x401fff, 5), "/bin/a program"), "the last byte");
	ok(!strcmp(at(&m, 0x400fff, 5), "") && !strcmp(at(&m, 0x402000, 5), ""), "beyond them");
	ok(!strcmp(at(&m, 0x801000, 5), "/lib/a b\\c\\"), "escapes");
	ok(m.list.at[0].id.n == 4 && m.list.at[0].id.bytes[3] == 0xcd, "a build id");
	ok(m.list.at[1].id.n == 0, "and none");
	ok(!strcmp(module_name(&m.list.at[0]), "a program"), "its name");
	modules_clear(&m);
}

static void test_times(void)
{
	struct modules m = modules_of("10 1000 2000 3000 - /a\n20 1000 - - - -\n"
				      "30 1000 2000 4000 - /b\n40 1000 - - - -\n"
				      "50 1000 2000 3000 - /a\n60 1000 2000 3500 - /c\n"
				      "60 9000 - - - -\n");

	ok(m.list.n == 3 && m.list.at[0].spans.n + m.list.at[1].spans.n + m.list.at[2].spans.n == 4,
	   "one that comes again is the same");
	ok(!strcmp(at(&m, 0x2000, 15), "/a") && !strcmp(at(&m, 0x2000, 35), "/b") &&
	       !strcmp(at(&m, 0x2000, 55), "/a"),
	   "by the time");
	ok(!strcmp(at(&m, 0x2000, 70), "/c"), "what comes to a place ends what was there");
	ok(!strcmp(at(&m, 0x2000, 1), "/a") && !strcmp(at(&m, 0x2000, 22), "/a") &&
	       !strcmp(at(&m, 0x2000, 29), "/b"),
	   "while none is there, the nearest");
	ok(!strcmp(at(&m, 0x3ff0, 15), "/b"), "only one was ever there");
	modules_clear(&m);
}

/* Returns the name of made code that an address is in at a time; "": none. */
static const char *made_at(const struct made_codes *m, uint64_t address, int64_t time)
{
	const struct made_code *found = made_codes_at(m, address, time);

	return found ? found->name : "";
}

static void test_made(void)
{
	static const char text[] = "0 1000 2000 first\n0 1800 1900 in \\134 it\n20 1000 1100 second\n"
				   "30 1000 1100 third\n30 1000 1080 of one time\n5 2000 2000 nothing\n"
				   "5 3000 3100 \n40 5000 6000 later\n5 4000 4100 cut off";
	struct made_codes m = {0};

	made_codes_read(&m, text, sizeof text - 1, time_of, NULL);
	ok(m.list.n == 6, "code without size or name is none");
	ok(!strcmp(made_at(&m, 0x1fff, 5), "first") && !strcmp(made_at(&m, 0x1800, 5), "in \\ it"),
	   "of one time the later line counts");
	ok(!strcmp(made_at(&m, 0x1000, 19), "first") && !strcmp(made_at(&m, 0x1000, 20), "second") &&
	       !strcmp(made_at(&m, 0x1090, 99), "third") && !strcmp(made_at(&m, 0x1000, 99), "of one time"),
	   "the latest name up to a time");
	ok(!strcmp(made_at(&m, 0x5000, 1), "later"), "before all of them, the first");
	ok(!strcmp(made_at(&m, 0xfff, 5), "") && !strcmp(made_at(&m, 0x2000, 5), ""), "no code");
	made_codes_clear(&m);
}

static void test_low(void)
{
	struct modules m = modules_of("0 0 1ffff0000 200000100 - /around\n"
				      "0 0 7f0000001000 7f0000002000 - /first\n"
				      "10 0 7e0000001800 7e0000003000 - /second\n"
				      "20 0 7f0000001000 7f0000002000 - /first\n");
	uint64_t whole = 0;

	ok(modules_at_low(&m, 0xffff0000, 5, &whole) && whole == 0x1ffff0000, "the low 32 bits");
	ok(modules_at_low(&m, 0xf, 5, &whole) && whole == 0x20000000f, "which begin anew");
	ok(modules_at_low(&m, 0x1900, 5, &whole) && whole == 0x7f0000001900,
	   "of two, the one that is there");
	ok(!modules_at_low(&m, 0x1900, 15, &whole), "of two that are there, none");
	ok(!modules_at_low(&m, 0x80000000, 15, &whole), "of none");
	modules_clear(&m);
}

static void test_lies(void)
{
	struct modules m = modules_of("0 1000 3000 2000 - /backwards\n0 1000 2000 3000 -\n"
				      "0 1000 2000 3000 0 /odd id\n0 1000 2000 3000 zz /no id\n"
				      "99999999999999999999 1 2 3 - /late\n0 10000000000000000 2 3 - /far\n"
				      "0 1000 2000  3000 - /blanks\n\n \n0\n0 1000 - - - - /more\n"
				      "0 0 0 ffffffffffffffff - /all\n0 5000 5000 6000 - /in it\n");

	ok(m.list.n == 2 && !strcmp(at(&m, 0x5800, 1), "/in it") && !strcmp(at(&m, 0x6800, 1), "/all"),
	   "lines that cannot be are none, and what is in a large module is found");
	modules_clear(&m);
}

static void test_memory(void)
{
	struct modules m = modules_of("0 1000 2000 3000 - /a\n0 9000 9100 9200 - /b\n");

	m.list.at[0].low = 0x1000;
	m.list.at[0].high = 0x5000;
	modules_order_memory(&m);
	ok(modules_with(&m, 0x4fff, 1) == &m.list.at[0] && !modules_with(&m, 0x5000, 1) &&
	       !modules_with(&m, 0x9100, 1),
	   "where variables are, as far as it is known");
	modules_clear(&m);
}

/* Returns the name at a time of an object that is there from 10 to 30. */
static const char *name(const struct object_names *names, int64_t time)
{
	const char *found = object_names_find(names, 0x100, time, 10, 30);

	return found ? found : "";
}

static void test_names(void)
{
	static const char text[] = "5 100 before\n15 100 first\n15 100 a\\011b\n20 100 third\n"
				   "25 100 \n31 100 after\n15 200 other\n15 x bad\n15 300\n";
	struct object_names names = {0};

	object_names_read(&names, text, strlen(text), time_of, NULL);
	ok(object_names_have(&names, 0x100) && object_names_have(&names, 0x200) &&
	       object_names_have(&names, 0x300) && !object_names_have(&names, 0x400),
	   "which addresses have names");
	ok(!strcmp(name(&names, 11), "first"), "before its first name an object has this");
	ok(!strcmp(name(&names, 15), "a\\tb"), "of two names at a time, the later; visible");
	ok(!strcmp(name(&names, 21), "third"), "then the next");
	ok(!strcmp(name(&names, 26), ""), "an empty one takes it back");
	ok(!object_names_find(&names, 0x100, 7, 5, 10), "another object's is not taken");
	object_names_clear(&names);
}

int main(void)
{
	test_places();
	test_times();
	test_made();
	test_low();
	test_lies();
	test_memory();
	test_names();
	return tap_end();
}
