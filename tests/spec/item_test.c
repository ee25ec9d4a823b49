/*
 * Comments that describe events and intervals, looks, and the limits of what a specification may
 * have.
 */
#include "spec/spec.h"
#include "tests/tap.h"
#include <stdlib.h>

static struct diag silent = {.out = NULL};

static void comment_test(const char *before, const char *wanted, const char *name)
{
	char text[1024];
	snprintf(text, sizeof text, "glimpse test\nevent First;%sevent E;\nend\n", before);
	struct spec *s = spec_parse("test", text, &silent);
	const char *got = s && s->events[1]->comment ? s->events[1]->comment : "(none)";
	is(got, wanted, name);
	spec_free(s);
}

static void comments_test(void)
{
	comment_test("\n/* One. */\n", "One.", "a comment on the line before");
	comment_test("\n/* One. */ ", "One.", "a comment on the same line");
	comment_test("\n// One,\n// two.\n", "One,\ntwo.", "lines are joined");
	comment_test("\n# One,\n/* two,\n   three. */\n", "One,\ntwo,\nthree.", "kinds are joined");
	comment_test("\n/*\n * One,\n *\n * two.\n */\n", "One,\n\ntwo.", "stars are marks");
	comment_test("\n/** One. **/\n", "One.", "however many");
	comment_test("\n\t  //   One.   \n", "  One.", "indentation behind the mark is kept");
	comment_test("\n/* One. */\n\n", "(none)", "an empty line parts it");
	comment_test("\n/* One. */\n\n/* Two. */\n", "Two.", "only what is next");
	comment_test(" // of First\n", "(none)", "what follows an item is of that item");
	comment_test(" // of First\n// One.\n", "One.", "and no part of the next comment");
	comment_test("\n/**/\n", "(none)", "an empty comment is none");
	comment_test("\n// \xff\x01.\n", "? .", "bytes that are no text");
	comment_test("\n// Größe → \n", "Größe →", "UTF-8");
}

static void looks_test(void)
{
	struct spec *s = spec_parse(
	    "test", "glimpse t event A(x, y) = symbol(Diamond y) (label \"l\"),\n end", &silent);
	ok(!s, "a comma behind the look is an error");
	spec_free(s);
	s = spec_parse("test",
		       "glimpse t event A(x, y) = symbol(Diamond y) (label \"l\"); event B(z) = z;"
		       "interval I [ A -> B ] = Connection(Rectangle) colour \"red\"; end",
		       &silent);
	const struct event_type *a = s ? s->events[0] : NULL, *b = s ? s->events[1] : NULL;
	ok(a && a->symbol == SYMBOL_DIAMOND && a->offset_attribute == 1, "symbol and offset");
	is(a ? a->style.label : "", "l", "label");
	ok(a && !a->style.colour, "no colour");
	ok(b && b->symbol == SYMBOL_NONE && b->offset_attribute == 0, "an offset alone");
	is(symbol_name(SYMBOL_DIAMOND), "diamond", "a symbol's name");
	const struct interval *i = s ? s->intervals[0] : NULL;
	ok(i && i->connection == CONNECTION_RECTANGLE, "connection");
	is(i ? i->style.colour : "", "red", "an interval's colour");
	spec_free(s);
}

static void objects_test(void)
{
	struct spec *s =
	    spec_parse("test",
		       "glimpse t object \"Mutex\" in \"a::*\", \"b\" = (kind \"hold\");"
		       "object \"Lock\" in \"c\" = by \"site\" label \"l\" \"ock\";"
		       "object in \"core::*\";"
		       "object \"GIL\" in \"d\" = (of \"condition\", by \"name\"); end",
		       &silent);
	bool four = s && s->nobject_words == 4;
	const struct object_words *mutex = four ? s->object_words[0] : NULL;
	const struct object_words *lock = four ? s->object_words[1] : NULL;
	const struct object_words *core = four ? s->object_words[2] : NULL;
	const struct object_words *gil = four ? s->object_words[3] : NULL;
	ok(four, "words for objects");
	is(mutex ? mutex->name : "", "Mutex", "an object's name");
	ok(mutex && mutex->nfunctions == 2, "two patterns");
	is(mutex && mutex->nfunctions == 2 ? mutex->functions[1] : "", "b", "the second pattern");
	ok(mutex && mutex->hold && !mutex->by_site && !mutex->label, "a lock");
	ok(lock && !lock->hold && lock->by_site, "an object of its call site");
	is(lock ? lock->label : "", "lock", "the label of its waits");
	ok(core && !core->name && core->nfunctions == 1, "functions that pass a wait through");
	ok(lock && !lock->of && !lock->by_name, "a futex");
	is(gil && gil->of ? gil->of : "", "condition", "an object of an attribute");
	ok(gil && gil->by_name && !gil->by_site, "one object for each process");
	spec_free(s);
}

/* A specification with n parts that a function writes. */
static bool accepts(const char *before, unsigned n, void (*write)(FILE *out, unsigned part),
		    const char *after)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	fprintf(out, "glimpse test event A; %s", before);
	for (unsigned i = 0; i < n; i++)
		write(out, i);
	fprintf(out, "%s end", after);
	fclose(out);
	struct spec *s = spec_parse("test", text, &silent);
	bool accepted = s != NULL;
	spec_free(s);
	free(text);
	return accepted;
}

static void write_event(FILE *out, unsigned i)
{
	fprintf(out, "event E%u;\n", i);
}

static void write_attribute(FILE *out, unsigned i)
{
	fprintf(out, "long a%u ", i);
}

static void write_backward_chain(FILE *out, unsigned i)
{
	fprintf(out, "interval I%u [ a:I%u.end -> b:A ];\n", i + 1, i);
}

static void write_forward_chain(FILE *out, unsigned i)
{
	fprintf(out, "interval I%u [ a:I%u.end -> b:A ];\n", 100000 - i, 99999 - i);
}

static void write_alternative(FILE *out, unsigned i)
{
	fprintf(out, " || a.thread == %u", i);
}

static void write_parenthesis(FILE *out, unsigned i)
{
	fputs(i % 2 ? "(" : "(1 + ", out);
}

static void limits_test(void)
{
	ok(accepts("", 4079, write_event, ""), "4080 events");
	ok(!accepts("", 4080, write_event, ""), "but not 4081");
	ok(accepts("event B(", 4095, write_attribute, ");"), "a record of 32 KiB");
	ok(!accepts("event B(", 4096, write_attribute, ");"), "but no larger one");
	ok(accepts("interval I0 [ A -> A ];", 999, write_backward_chain, ""),
	   "intervals over intervals");
	ok(accepts("", 999, write_forward_chain, "interval I99001 [ A -> A ];"), "1000 of them");
	ok(!accepts("", 1000, write_forward_chain, "interval I99000 [ A -> A ];"), "but not more");
	ok(accepts("interval I [ a:A -> b:A ] where a.time == 0", 1900, write_alternative, ";"),
	   "1900 alternatives");
	ok(!accepts("interval I [ a:A -> b:A ] where a.time == 0", 2000, write_alternative, ";"),
	   "but not more than 2000 levels");
	ok(!accepts("assert ", 100000, write_parenthesis, ";"),
	   "nor a hundred thousand parentheses");
}

int main(void)
{
	comments_test();
	looks_test();
	objects_test();
	limits_test();
	return tap_end();
}
