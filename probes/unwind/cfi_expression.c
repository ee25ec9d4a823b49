#include "probes/unwind/cfi_expression.h"

enum { STACK = 8 };

struct expression_machine {
	struct cfi_value stack[STACK];
	unsigned int depth;
	uintptr_t pc;
	bool wrong;
};

static void push(struct expression_machine *m, enum cfi_base base, int64_t add)
{
	if (m->depth < STACK)
		m->stack[m->depth++] = (struct cfi_value){base, 0, add};
	else
		m->wrong = true;
}

static struct cfi_value pop(struct expression_machine *m)
{
	if (m->depth)
		return m->stack[--m->depth];
	m->wrong = true;
	return (struct cfi_value){0};
}

static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void push_register(struct expression_machine *m, int number, int64_t offset)
{
	if (number == REGISTER_SP)
		push(m, CFI_BASE_SP, offset);
	else if (number == REGISTER_FP)
		push(m, CFI_BASE_FP, offset);
	else if (number == REGISTER_PC)
		push(m, CFI_BASE_NUMBER, sum((int64_t)m->pc, offset));
	else
		push(m, CFI_BASE_UNKNOWN, 0);
}

static void dereference(struct expression_machine *m)
{
	struct cfi_value value = pop(m);
	enum cfi_base base = value.base == CFI_BASE_SP   ? CFI_BASE_AT_SP
			     : value.base == CFI_BASE_FP ? CFI_BASE_AT_FP
							 : CFI_BASE_UNKNOWN;

	push(m, base, 0);
	m->stack[m->depth - 1].offset = value.add;
}

static void add(struct expression_machine *m)
{
	struct cfi_value b = pop(m), a = pop(m);

	if (a.base == CFI_BASE_NUMBER) {
		struct cfi_value swap = a;

		a = b;
		b = swap;
	}
	if (b.base != CFI_BASE_NUMBER)
		a.base = CFI_BASE_UNKNOWN;
	a.add = sum(a.add, b.add);
	push(m, a.base, a.add);
	m->stack[m->depth - 1].offset = a.offset;
}

/* Operations of two numbers; those of addresses are not known before the program runs. */
static void combine(struct expression_machine *m, uint8_t operation)
{
	struct cfi_value b = pop(m), a = pop(m);
	int64_t value;

	switch (operation) {
	case 0x1a: /* and */
		value = a.add & b.add;
		break;
	case 0x24: /* shl */
		value = (uint64_t)b.add < 64 ? (int64_t)((uint64_t)a.add << b.add) : 0;
		break;
	default: /* 0x2a: ge */
		value = a.add >= b.add;
	}
	push(m,
	     a.base == CFI_BASE_NUMBER && b.base == CFI_BASE_NUMBER ? CFI_BASE_NUMBER
								    : CFI_BASE_UNKNOWN,
	     value);
}

static void operation_run(struct expression_machine *m, struct bytes *e)
{
	uint8_t operation = (uint8_t)bytes_fixed(e, 1);

	if (operation >= 0x30 && operation <= 0x4f) /* lit0 to lit31 */
		push(m, CFI_BASE_NUMBER, operation - 0x30);
	else if (operation >= 0x70 && operation <= 0x8f) /* breg0 to breg31 */
		push_register(m, operation - 0x70, bytes_sleb(e));
	else if (operation == 0x08) /* const1u */
		push(m, CFI_BASE_NUMBER, (int64_t)bytes_fixed(e, 1));
	else if (operation == 0x09) /* const1s */
		push(m, CFI_BASE_NUMBER, (int8_t)bytes_fixed(e, 1));
	else if (operation == 0x06)
		dereference(m);
	else if (operation == 0x22) /* plus */
		add(m);
	else if (operation == 0x1a || operation == 0x24 || operation == 0x2a)
		combine(m, operation);
	else if (operation == 0x23 && m->depth) /* plus_uconst */
		m->stack[m->depth - 1].add =
		    sum(m->stack[m->depth - 1].add, (int64_t)bytes_uleb(e));
	else
		m->wrong = true;
}

struct cfi_value cfi_expression(struct bytes e, uintptr_t pc)
{
	struct expression_machine m = {.pc = pc};

	while (e.at < e.end && !m.wrong)
		operation_run(&m, &e);
	return m.wrong || !m.depth ? (struct cfi_value){0} : m.stack[m.depth - 1];
}
