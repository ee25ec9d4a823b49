#include "recorder/samples/unwind.h"
#include <asm/perf_regs.h>
#include <string.h>

#define WORD 8
#define LINE 64    /* bytes of a processor's cache */
#define AHEAD 1024 /* bytes that are asked for before they are read */

#if defined(__x86_64__)
enum {
	REGISTER_FP = PERF_REG_X86_BP,
	REGISTER_SP = PERF_REG_X86_SP,
	REGISTER_PC = PERF_REG_X86_IP
};
#else /* aarch64 */
enum {
	REGISTER_FP = PERF_REG_ARM64_X29,
	REGISTER_SP = PERF_REG_ARM64_SP,
	REGISTER_PC = PERF_REG_ARM64_PC
};
#endif

void stack_copy_ask(struct perf_event_attr *a, uint32_t bytes)
{
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user =
	    UINT64_C(1) << REGISTER_FP | UINT64_C(1) << REGISTER_SP | UINT64_C(1) << REGISTER_PC;
	a->sample_stack_user = bytes;
}

bool stack_copy_read(struct stack_copy *t, const unsigned char *at)
{
	struct {
		uint64_t abi, registers[3], size;
	} s;

	memcpy(&s, at, sizeof s);
	/* a thread of the kernel, or one that just ends, has no stack of its own */
	if (s.abi != PERF_SAMPLE_REGS_ABI_64 || !s.size)
		return false;
	*t = (struct stack_copy){s.registers[2], s.registers[1], s.registers[0], at + sizeof s,
				 s.size};
	memcpy(&t->size, at + sizeof s + s.size, sizeof t->size);
	if (t->size > s.size)
		t->size = s.size;
	return true;
}

struct stack_walk {
	const struct stack_copy *t;
	uint64_t pc, sp, fp;
	bool exact; /* pc is the instruction itself, not the one behind a call */
};

/* Reads a word of the stack; false: the copy has not got it. */
static bool word_read(const struct stack_walk *w, uint64_t at, uint64_t *word)
{
	uint64_t offset = at - w->t->sp;

	if (offset > w->t->size || w->t->size - offset < WORD)
		return false;
	memcpy(word, w->t->stack + offset, WORD);
	return true;
}

/*
 * Asks for the next part of the stack before it is read; returns up to where it was asked for.
 * Another processor wrote the copy, and the words that are read lie apart: each would be waited
 * for.
 */
static uint64_t stack_prefetch(const struct stack_walk *w, uint64_t asked)
{
	uint64_t to = w->sp - w->t->sp + AHEAD;

	for (to = to < w->t->size ? to : w->t->size; asked < to; asked += LINE)
		__builtin_prefetch(w->t->stack + asked);
	return asked;
}

/*
 * Goes to what a signal interrupted, which may have been on another stack; false: it cannot be
 * found.
 */
static bool signal_leave(struct stack_walk *w, struct cfi_rule rule)
{
	struct stack_walk next = {.t = w->t, .exact = true};

	if (!word_read(w, w->sp + (uint64_t)(rule.cfa * WORD), &next.sp) ||
	    !word_read(w, w->sp + (uint64_t)(rule.ra * WORD), &next.pc) ||
	    !word_read(w, w->sp + (uint64_t)(rule.fp * WORD), &next.fp))
		return false;
	*w = next;
	return true;
}

/* Goes to the caller's frame; false: it cannot be found. */
static bool frame_leave(struct stack_walk *w, struct cfi_rule rule)
{
	uint64_t base = rule.kind == CFI_SP || rule.kind == CFI_AT_SP ? w->sp : w->fp, end = base,
		 saved;
	struct stack_walk next = *w;

	if (rule.kind < CFI_SP)
		return false;
	if (rule.kind == CFI_SIGNAL)
		return signal_leave(w, rule);
	next.exact = false;
	end += (uint64_t)(rule.cfa * WORD);
	if (rule.kind >= CFI_AT_SP && !word_read(w, end, &end))
		return false;
	if (rule.kind >= CFI_AT_SP)
		end += rule.add * WORD;
	/* a stack goes upwards, and has an end */
	if (end <= w->sp || !word_read(w, end + (uint64_t)(rule.ra * WORD), &next.pc))
		return false;
	/*
	 * the end of a function pops the frame pointer before the frame is gone: then it is the
	 * caller's already
	 */
	saved = (rule.fp_at_fp ? w->fp : end) + (uint64_t)(rule.fp * WORD);
	if (rule.fp != CFI_FP_SAME && saved >= w->sp && !word_read(w, saved, &next.fp))
		return false;
	next.sp = end;
	*w = next;
	return true;
}

/* The same by the frame pointer, for code without a module: that of a compiler at run time. */
static bool frame_leave_by_pointer(struct stack_walk *w)
{
	struct stack_walk next = *w;

	if (w->fp < w->sp || w->fp % WORD || !word_read(w, w->fp, &next.fp) ||
	    !word_read(w, w->fp + WORD, &next.pc) || next.pc < 4096)
		return false;
	next.sp = w->fp + 2 * WORD;
	next.exact = false;
	*w = next;
	return true;
}

unsigned unwind(struct space *s, const struct stack_copy *t, uint64_t frames[UNWIND_MOST],
		bool *whole)
{
	struct stack_walk w = {t, t->pc, t->sp, t->fp, true};
	uint64_t asked = 0;
	unsigned n = 0;
	bool more = true;

	*whole = false;
	while (more && n < UNWIND_MOST) {
		/* a return address may be behind the function's end */
		uint64_t pc = w.pc - !w.exact;
		struct cfi_rule rule;
		enum space_code code;

		asked = stack_prefetch(&w, asked);
		code = space_rule(s, pc, &rule);
		/* what ran is code; what a frame pointer led to may be anything */
		if (code == SPACE_NO_CODE && n > 0)
			break;
		frames[n++] = pc;
		if (code == SPACE_MODULE) {
			*whole = rule.kind == CFI_OUTERMOST;
			more = frame_leave(&w, rule);
		} else {
			space_made_note(s, pc);
			more = space_made_rule(s, w.pc, &rule) ? frame_leave(&w, rule)
							       : frame_leave_by_pointer(&w);
		}
		if (more && !w.pc) {
			*whole = true;
			more = false;
		}
	}
	return n;
}
