/* Prints the stack of each sample: its functions and lines, from the innermost one outwards. */
#include "analysis/samples/samples.h"
#include "trace/address.h"

static void stack_print(const struct samples *s, uint32_t stack)
{
	char buffer[ADDRESS_TEXT];
	const char *between = "";

	for (; stack > STACK_CUT; stack = s->stacks.at[stack].caller) {
		const struct event *frame = &s->stacks.at[stack].frame;
		unsigned code = 0;

		while (frame->type->attributes[code].type != TYPE_CODE)
			code++;
		printf("%s%s", between, address_text(s->trace, buffer, frame, code));
		between = " < ";
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *const directories[] = {argc > 1 ? argv[1] : "."};
	struct diag diag = {.out = stderr};
	struct trace *t = trace_open(directories, 1, NULL, &diag);
	struct samples *s = t ? samples_of(t, SAMPLE_FUNCTIONS) : NULL;

	for (unsigned i = 0; s && i < t->nthreads; i++)
		for (size_t k = 0; k < s->threads[i].list.n; k++)
			stack_print(s, s->threads[i].list.at[k].stack);
	samples_free(s);
	trace_close(t);
	return 0;
}
