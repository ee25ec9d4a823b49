#include "recorder/samples/code_exit.h"
#if defined(__x86_64__)
#include <string.h>

#define WORD 8

enum {
	POP = 0x58,
	POP_SP = 0x5c,
	POP_FP = 0x5d,
	POP_LAST = 0x5f,
	WIDE = 0x41, /* a prefix: registers 8 to 15 */
	LEAVE = 0xc9,
	RETURN = 0xc3,
	REPEAT = 0xf3 /* a prefix without a meaning here */
};

/* Where a walk over instructions is: in the code, and how many bytes of the stack were given up. */
struct exit_walk {
	const unsigned char *at, *end;
	int64_t given;
	int64_t fp; /* where the caller's frame pointer was in them; -1: nowhere */
	bool by_fp; /* the frame ends by the frame pointer */
};

static bool bytes_are(struct exit_walk *w, const void *bytes, size_t n)
{
	if ((size_t)(w->end - w->at) < n || memcmp(w->at, bytes, n) != 0)
		return false;
	w->at += n;
	return true;
}

/*
 * Adding to the stack pointer: add $NUMBER,%rsp with one byte or four. No code that leaves takes
 * more of the stack.
 */
static bool add_take(struct exit_walk *w)
{
	int32_t number = 0;

	if (bytes_are(w, "\x48\x83\xc4", 3) && w->at < w->end) {
		number = (int8_t)*w->at++;
	} else if (bytes_are(w, "\x48\x81\xc4", 3) && w->end - w->at >= (ptrdiff_t)sizeof number) {
		memcpy(&number, w->at, sizeof number);
		w->at += sizeof number;
	}
	w->given += number;
	return number > 0;
}

static bool pop_take(struct exit_walk *w)
{
	const unsigned char *at = w->at + (w->at < w->end && *w->at == WIDE);
	bool wide = at > w->at;

	if (at == w->end || *at < POP || *at > POP_LAST || (!wide && *at == POP_SP))
		return false;
	if (!wide && *at == POP_FP) {
		if (w->by_fp)
			return false;
		w->fp = w->given;
	}
	w->given += WORD;
	w->at = at + 1;
	return true;
}

/* The stack ends where the frame pointer says, whatever was given up before. */
static bool leave_take(struct exit_walk *w)
{
	if (w->at == w->end || *w->at != LEAVE || w->fp >= 0 || w->by_fp)
		return false;
	*w = (struct exit_walk){w->at + 1, w->end, WORD, 0, true};
	return true;
}

bool code_exit_rule(const unsigned char *code, size_t n, struct cfi_rule *rule)
{
	struct exit_walk w = {code, code + n, 0, -1, false};
	int64_t words;

	while (add_take(&w) || pop_take(&w) || leave_take(&w))
		;
	if (w.at < w.end && *w.at == REPEAT)
		w.at++;
	words = w.given / WORD + 1;
	if (w.at == w.end || *w.at != RETURN || w.given < 0 || w.given % WORD || w.fp % WORD > 0 ||
	    words > 1 << 20 || (w.fp >= 0 && words - w.fp / WORD > 1 << 13))
		return false;
	*rule = (struct cfi_rule){.kind = w.by_fp ? CFI_FP : CFI_SP,
				  .cfa = words,
				  .fp = w.fp < 0 ? CFI_FP_SAME : w.fp / WORD - words,
				  .ra = -1};
	return true;
}

#else /* compilers at run time keep the frame pointer there */

bool code_exit_rule(const unsigned char *code, size_t n, struct cfi_rule *rule)
{
	(void)code, (void)n, (void)rule;
	return false;
}

#endif
