/*
 * object_words DIRECTORY: prints what the objects of waits are called in a trace, and in the text
 * of its specification.
 */
#include "trace/trace.h"
#include <stdio.h>

static void words_print(const char *of, const struct spec *s)
{
	printf("%s:", of);
	for (unsigned i = 0; i < s->nobject_words; i++)
		printf(" %s", s->object_words[i]->name);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "object_words"};
	const char *directory = argv[argc - 1];
	struct trace *t = trace_open(&directory, 1, NULL, &diag);
	struct spec *again = t ? spec_parse("text", t->spec->text, &diag) : NULL;

	if (again) {
		words_print("trace", t->spec);
		words_print("text", again);
	}
	spec_free(again);
	trace_close(t);
	return 0;
}
