/*
 * Record layouts, schema identities and what else of a specification others rely on, pinned by
 * values.
 */
#include "base/nearest.h"
#include "codegen/reserved.h"
#include "grammar/diag.h"
#include "spec/expr_check.h"
#include "spec/layout.h"
#include "spec/spec.h"
#include "tests/tap.h"
#include <stdlib.h>

/* Computed from doc/log-format.md by another program. */
#define SCHEMA_A UINT64_C(0xfb034e19a1287f81)
#define SCHEMA_SENDMSG UINT64_C(0x8f188cc4dbd3a7fd)

static struct diag silent = {.out = NULL};

static struct spec *parse(const char *items)
{
	char text[2048];
	snprintf(text, sizeof text, "glimpse test\n%s\nend\n", items);
	return spec_parse("test", text, &silent);
}

static void layout_test(void)
{
	struct spec *s =
	    parse("event E(a, string s, long b, double c, string t, uint d, address e, ulong f);");
	static const unsigned offsets[] = {4, 44, 8, 16, 44, 24, 28, 36};
	const struct event_type *e = s->events[0];
	bool good = e->nattributes == 8;
	for (unsigned i = 0; good && i < e->nattributes; i++)
		good = e->attributes[i].offset == offsets[i];
	ok(good, "fixed attributes stand in order, without gaps; strings behind them");
	ok(e->fixed_size == 44 && e->nstrings == 2, "fixed size and number of strings");
	ok(e->attributes[1].string_index == 0 && e->attributes[4].string_index == 1,
	   "string indices");
	ok(event_attribute(e, "d") == 5 && event_attribute(e, "D") == -1,
	   "attributes are found by name");
	spec_free(s);
	s = parse("event Empty;");
	ok(s->events[0]->fixed_size == 4 && s->events[0]->nattributes == 0,
	   "an event without attributes");
	spec_free(s);
}

static void record_size_test(void)
{
	struct spec *s = parse("event E(string s, int a, string t);");
	const struct event_type *e = s->events[0];
	unsigned char record[32] = {0};
	uint32_t five = 5 | 0x80000000u, zero = 0, huge = 0x7fffffff;
	memcpy(record + 8, &five, 4);
	memcpy(record + 12, "hello", 5);
	memcpy(record + 20, &zero, 4);
	ok(record_size(e, record, sizeof record) == 24, "the size of a record with strings");
	ok(record_size(e, record, 24) == 24 && record_size(e, record, 23) == 0,
	   "a torn record has none");
	ok(record_size(e, record, 11) == 0 && record_size(e, record, 0) == 0,
	   "nor has one torn in a length");
	struct value v = record_value(e, 0, record);
	ok(v.kind == VALUE_STRING && v.string.length == 5 && !memcmp(v.string.bytes, "hello", 5),
	   "a string that was cut has the bytes it has");
	ok(record_value(e, 2, record).string.length == 0, "an empty string behind it");
	memcpy(record + 8, &huge, 4);
	ok(record_size(e, record, sizeof record) == 0, "a length that lies is no record");
	spec_free(s);
}

static void schema_test(const char *items, uint64_t wanted, const char *name)
{
	struct spec *s = parse(items);
	if (!ok(s && s->schema == wanted, name))
		printf("# got %#018llx\n", s ? (unsigned long long)s->schema : 0);
	spec_free(s);
}

static void schemas_test(void)
{
	schema_test("", 0xcbf29ce484222325, "schema of no events: the FNV offset basis");
	schema_test("event A;", SCHEMA_A, "schema of an event");
	schema_test("event A; interval I [ A -> A ]; assert count(I) == 0;", SCHEMA_A,
		    "intervals and assertions do not count");
	schema_test("event A = box (colour \"red\");", SCHEMA_A, "looks do not count");
	schema_test("event Sendmsg(src, long seq);", SCHEMA_SENDMSG, "names and types count");
	schema_test("event Sendmsg(int src, long seq);", SCHEMA_SENDMSG,
		    "int is what no type means");
	schema_test("event Acquire(code site, object lock, code);", 0x05683bae88651710,
		    "code and object are types, and names");
}

static void ends_test(void)
{
	struct spec *s = parse("event A(x); event B(x); event C(y);\n"
			       "interval T [ a:A -> b:B ] Match;\n"
			       "interval R [ b:B <- a:A ] Match;\n"
			       "interval U [ t:T.end -> c:C ] where t.x == c.y;\n"
			       "interval V [ r:R.end -> u:U.start ];");
	ok(s && end_event(&s->intervals[2]->anchor) == s->events[1],
	   "forwards: an end is the partner");
	ok(s && end_event(&s->intervals[3]->anchor) == s->events[1],
	   "backwards: an end is the anchor");
	ok(s && end_event(&s->intervals[3]->partner) == s->events[1], "through several intervals");
	const struct expr *e = s ? s->intervals[0]->condition : NULL;
	ok(e && e->op == EXPR_EQ && e->left->op == EXPR_ATTRIBUTE && e->left->side == SIDE_ANCHOR &&
	       e->right->op == EXPR_ATTRIBUTE && e->right->side == SIDE_PARTNER,
	   "Match is an equality");
	e = s ? s->intervals[3]->condition : NULL;
	ok(e && e->op == EXPR_EQ && e->left->op == EXPR_THREAD && e->right->op == EXPR_THREAD,
	   "no condition is one on the thread");
	spec_free(s);
}

static void nearest_test(void)
{
	static const char *const names[] = {"Sendmsg", "Recvmsg", "src", "x"};
	is(nearest_name("Sendmgs", names, 4), "Sendmsg", "two letters swapped");
	is(nearest_name("sendmsg", names, 4), "Sendmsg", "another case");
	is(nearest_name("Recvmesg", names, 4), "Recvmsg", "a letter too many");
	ok(!nearest_name("y", names, 4), "short names are not guessed");
	ok(!nearest_name("Transit", names, 4), "nothing near");
}

static void names_test(void)
{
	ok(name_reserved(LANGUAGE_C, "while") && name_reserved(LANGUAGE_C, "_Atomic") &&
	   name_reserved(LANGUAGE_C, "__x") && !name_reserved(LANGUAGE_C, "class"), "C's names");
	ok(name_reserved(LANGUAGE_CPP, "class") && name_reserved(LANGUAGE_CPP, "xor_eq") &&
	   !name_reserved(LANGUAGE_CPP, "restrict"), "C++'s names");
	ok(name_reserved(LANGUAGE_JAVA, "abstract") && name_reserved(LANGUAGE_JAVA, "_") &&
	   name_reserved(LANGUAGE_JAVA, "while") && !name_reserved(LANGUAGE_JAVA, "struct"),
	   "Java's names");
	ok(name_reserved(LANGUAGE_FORTRAN, "_x") && !name_reserved(LANGUAGE_FORTRAN, "if"),
	   "Fortran reserves none, but has its form");
}

int main(void)
{
	layout_test();
	record_size_test();
	schemas_test();
	ends_test();
	nearest_test();
	names_test();
	return tap_end();
}
