/*
 * Names of functions, shortened; and texts by lot, of pieces that names are made of, which no name
 * gets longer by. SEED repeats a run.
 */
#include "tests/random.h"
#include "tests/tap.h"
#include "trace/plain_name.h"
#include <stdlib.h>
#include <time.h>

static void names(void)
{
	static const char *const known[][3] = {
	    {"main", "main", "main"},
	    {"main+0x12 (a.c:3)", "main", "main"},
	    {"Queue<int>::get(int&)", "Queue::get", "get"},
	    {"int Queue<int>::get<long>(long) const", "Queue::get", "get"},
	    {"operator new(unsigned long)", "operator new", "operator new"},
	    {"A& std::operator<< <char>(A&, char)", "std::operator<<", "operator<<"},
	    {"Foo::operator->() const", "Foo::operator->", "operator->"},
	    {"A::operator unsigned long() const", "A::operator unsigned long",
	     "operator unsigned long"},
	    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()",
	     "{lambda#1}::operator()"},
	    {"F<void (), main::{lambda()#1}>::run(A const&)", "F::run", "run"},
	    {"void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f", "f"},
	    {"<alloc::vec::Vec<T> as core::Foo>::bar", "bar", "bar"},
	    {"int java.lang.String.hashCode()", "java.lang.String.hashCode", "hashCode"},
	    {"java.lang.Thread.<init>", "java.lang.Thread.<init>", "<init>"},
	    {"libc.so.6:fn_1b30", "libc.so.6:fn_1b30", "fn_1b30"},
	    {"f(int) [clone .cold]", "f", "f"},
	    {"decltype(x) foo<int>(int)", "foo", "foo"},
	    {"foo<...", "foo", "foo"},
	    {"LockWait pot", "LockWait pot", "LockWait pot"},
	    {"<unknown>", "<unknown>", "<unknown>"},
	    {"", "", ""},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char *function = plain_name_function(known[i][0]);

		is(function, known[i][1], known[i][0]);
		is(plain_name_unqualified(function), known[i][2], "and unqualified");
		free(function);
	}
}

static void shortened(void)
{
	static const char *const known[][2] = {
	    {"main (a.c:3)", "main (a.c:3)"},
	    {"int Queue<int>::get<long>(long) const", "int Queue<int>::get<long>(long) const"},
	    {"F<std::pair<int, long> >::run(A<B<C> > const&)",
	     "F<std::pair<...> >::run(A<B<C> > const&)"},
	    {"F<std::pair<int, std::vector<long> >, int>::run() (f.h:7)",
	     "F<std::pair<...>, int>::run() (f.h:7)"},
	    {"A& operator<< <std::pair<int, char> >(A&)", "A& operator<<<std::pair<...> >(A&)"},
	    {"<alloc::boxed::Box<dyn Fn<(), Output = ()> + Send> as Fn<()>>::call",
	     "<alloc::boxed::Box<...> as Fn<()>>::call"},
	    {"java.lang.Thread.<init>", "java.lang.Thread.<init>"},
	    {"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhhi (a.c:3)",
	     "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee...ffffffgggggggggghhhhhhhhhhi (a.c:3)"},
	    {"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeee\u00fcffffffffffgggggggggghhhhhhhhhhiii",
	     "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeee...ffffgggggggggghhhhhhhhhhiii"},
	    {"F<A<", "F<A<"},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char *name = plain_name_short(known[i][0]);

		is(name, known[i][1], known[i][0]);
		free(name);
	}
}

/* Returns whether a text consists of letters of another one in the same order. */
static bool is_part(const char *part, const char *text)
{
	for (; *part && *text; text++)
		part += *part == *text;
	return !*part;
}

static void by_lot(struct random *r)
{
	static const char *const pieces[] = {"a",  "::",       "<",        ">",
					     "(",  ")",        "[abi:x]",  " ",
					     "{",  "}",        ".",        "-",
					     "->", "operator", "+0x1",     " const",
					     "0x", " (a.c:3)", "decltype", "(anonymous namespace)"};
	enum { ROUNDS = 20000, MOST = 12 };
	bool good = true;

	for (unsigned i = 0; i < ROUNDS && good; i++) {
		char text[400] = "", *function;
		unsigned n = random_below(r, MOST);

		while (n--)
			strcat(text, pieces[random_below(r, sizeof pieces / sizeof *pieces)]);
		function = plain_name_function(text);
		good =
		    is_part(function, text) && is_part(plain_name_unqualified(function), function);
		if (!good)
			printf("# '%s' -> '%s'\n", text, function);
		free(function);
	}
	ok(good, "a name by lot becomes a part of itself");
}

int main(void)
{
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	names();
	shortened();
	by_lot(&r);
	return tap_end();
}
