#include "probes/unwind/stacks.h"
#include "probes/unwind/loaded.h"
#include "probes/unwind/pages.h"
#include "probes/valgrind.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/*
 * Tables grow by levels, each four times the one before. An entry is looked for at a few places of
 * the first level, then of the second one, up to the first empty place, where it would be put.
 * Entries never go, so all threads agree on that place; one compare-and-swap takes it.
 */
#define FIRST_LEVEL 10 /* bits */
#define PLACES 8
#define ADDRESS_LEVELS 5 /* 349 thousand return addresses */
#define NODE_LEVELS 6    /* 1.4 million nodes */
#define LEVEL_START(level) (((UINT32_C(1) << 2 * (level)) - 1) / 3 << FIRST_LEVEL)
#define NONE UINT32_MAX
#define NO_ADDRESS (NONE - 1) /* of the node that marks a cut */

/* A return address, and how to go on from there. */
struct address {
	uintptr_t pc;  /* 0: empty; GONE if its module is */
	uint64_t rule; /* struct cfi_rule; 0: not known */
};

#define GONE ((uintptr_t)1)

static struct address addresses[LEVEL_START(ADDRESS_LEVELS)] __attribute__((aligned(4096)));
/* The parent of a node, and the place of its address, plus 1. */
static uint64_t nodes[LEVEL_START(NODE_LEVELS)] __attribute__((aligned(4096)));
static uint32_t addresses_end; /* no place from here on was ever taken */
static unsigned int unloading; /* calls under way */
static uint32_t epoch = 1;     /* of what threads remember */
static uint32_t first_number = 1;
static bool mark_cuts;

/*
 * What was read to unwind a stack. Where the registers and all these words are the same again, so
 * is the stack: a word is looked at only if those before it, which say where it is, are the same.
 */
#define READS (2 * STACK_MOST + 16)
struct reads {
	struct stack_context at;
	struct {
		const uintptr_t *where;
		uintptr_t value;
	} words[READS];
	uint32_t n; /* more than READS: not all are there */
};

/* What a thread remembers: its last stack, with the nodes. */
struct last {
	struct reads reads;
	struct pages stack;
	uint32_t number; /* 0: not known */
	uintptr_t pcs[STACK_MOST + 1];
	uint32_t numbers[STACK_MOST + 1];
	uint32_t depth, epoch;
	bool busy; /* a handler has interrupted us */
};

static __thread struct last last __attribute__((tls_model("initial-exec")));

static uint64_t mix(uint64_t key)
{
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}

/* Returns the place where the search for a key of this hash looks next. */
static uint32_t place_next(uint64_t hash, unsigned int step)
{
	unsigned int level = step / PLACES, bits = FIRST_LEVEL + 2 * level;

	return LEVEL_START(level) +
	       (uint32_t)((hash + step % PLACES) & ((UINT32_C(1) << bits) - 1));
}

/* ---- Return addresses ------------------------------------------------------------------------ */

static void end_raise(uint32_t end)
{
	uint32_t is = __atomic_load_n(&addresses_end, __ATOMIC_RELAXED);

	while (is < end && !__atomic_compare_exchange_n(&addresses_end, &is, end, true,
							__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		continue;
}

/* Returns the place of an address, which is taken if need be, or NONE if there is no room. */
static uint32_t address_place(uintptr_t pc)
{
	uint64_t hash = mix(pc);

	for (unsigned int step = 0; step < ADDRESS_LEVELS * PLACES; step++) {
		uint32_t place = place_next(hash, step);
		uintptr_t is = __atomic_load_n(&addresses[place].pc, __ATOMIC_ACQUIRE);

		if (!is && __atomic_compare_exchange_n(&addresses[place].pc, &is, pc, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			end_raise(place + 1);
			return place;
		}
		if (is == pc)
			return place;
	}
	return NONE;
}

static struct cfi_rule address_rule(uintptr_t pc)
{
	uint32_t place = address_place(pc);
	bool keep = place != NONE && !__atomic_load_n(&unloading, __ATOMIC_ACQUIRE);
	struct cfi_rule rule = {.kind = CFI_UNKNOWN};
	uint64_t word = keep ? __atomic_load_n(&addresses[place].rule, __ATOMIC_RELAXED) : 0;

	memcpy(&rule, &word, sizeof word);
	if (rule.kind != CFI_UNKNOWN)
		return rule;
	rule = cfi_find(pc);
	memcpy(&word, &rule, sizeof word);
	if (keep)
		__atomic_store_n(&addresses[place].rule, word, __ATOMIC_RELAXED);
	return rule;
}

/* ---- Unwinding ------------------------------------------------------------------------------- */

#define WORD sizeof(uintptr_t)

#define RED_ZONE 128      /* bytes below the stack pointer that a function may use */
#define FRAMES_OF_OURS 64 /* at most, on one stack */

/* How words of the stack are read. */
struct stack_reader {
	struct reads *reads; /* where they are noted; NULL: nowhere */
	struct pages *stack; /* those of the stack that is unwound */
	uintptr_t least;     /* where the frames begin: nothing before is read */
	uintptr_t page;      /* the last other one that could be read; 0: none */
};

/* A signal's stack, or what a wrong table says is one. */
static bool word_elsewhere(struct stack_reader *r, uintptr_t at)
{
	uintptr_t page = at & ~(PAGE - 1);

	if (page != r->page && (!page || !page_readable(page)))
		return false;
	r->page = page;
	/* the page may be gone the next time: the stack is not the same unless it is read again */
	if (r->reads)
		r->reads->n = READS + 1;
	return true;
}

/* What is there may be a sanitizer's own memory, of which that knows nothing. */
__attribute__((no_sanitize("address"))) static inline bool word_read(struct stack_reader *r,
								     uintptr_t at, uintptr_t *word)
{
	if (at % WORD || at < r->least)
		return false;
	if (!pages_have(r->stack, at) && !pages_grow(r->stack, at) && !word_elsewhere(r, at))
		return false;
	*word = *(const uintptr_t *)at;
	if (r->reads && r->reads->n < READS) {
		r->reads->words[r->reads->n].where = (const uintptr_t *)at;
		r->reads->words[r->reads->n++].value = *word;
	} else if (r->reads) {
		r->reads->n = READS + 1;
	}
	return true;
}

static inline uintptr_t words_from(uintptr_t base, int64_t words)
{
	return base + (uintptr_t)(words * (int64_t)WORD);
}

#if defined(__x86_64__) || defined(__aarch64__)
/*
 * Goes to what a signal interrupted, which may have been on another stack. Readers take one off
 * each address, as behind a call.
 */
static bool context_leave_signal(struct stack_context *c, struct cfi_rule rule,
				 struct stack_reader *r)
{
	uintptr_t sp = c->sp;

	if (!word_read(r, words_from(sp, rule.ra), &c->pc) ||
	    !word_read(r, words_from(sp, rule.fp), &c->fp) ||
	    !word_read(r, words_from(sp, rule.cfa), &c->sp))
		return false;
	return c->pc++ > GONE;
}
#endif

/* Goes to the caller; returns false if there is none. */
static inline bool context_leave(struct stack_context *c, struct cfi_rule rule,
				 struct stack_reader *r)
{
#if defined(__x86_64__) || defined(__aarch64__)
	uintptr_t base = rule.kind == CFI_SP || rule.kind == CFI_AT_SP ? c->sp : c->fp;
	uintptr_t end = words_from(base, rule.cfa);

	if (rule.kind < CFI_SP)
		return false;
	r->least = c->sp > RED_ZONE ? c->sp - RED_ZONE : c->sp;
	if (rule.kind == CFI_SIGNAL)
		return context_leave_signal(c, rule, r);
	if (rule.kind >= CFI_AT_SP) {
		if (!word_read(r, end, &end))
			return false;
		end += rule.add * WORD;
	}
	/* A stack grows down: anything else is wrong information. */
	if (end <= c->sp || end % WORD)
		return false;
	if (!word_read(r, words_from(end, rule.ra), &c->pc))
		return false;
	if (rule.fp != CFI_FP_SAME &&
	    !word_read(r, words_from(rule.fp_at_fp ? c->fp : end, rule.fp), &c->fp))
		return false;
	c->sp = end;
	return c->pc > GONE;
#else
	(void)c;
	(void)rule;
	(void)r;
	return false;
#endif
}

/* The same by the frame pointer, for code without tables: a compiler's at run time. */
static bool context_leave_by_pointer(struct stack_context *c, struct stack_reader *r)
{
	uintptr_t frame = c->fp;

	r->least = c->sp;
	if (!word_read(r, frame, &c->fp) || !word_read(r, frame + WORD, &c->pc))
		return false;
	c->sp = frame + 2 * WORD;
	return c->pc >= PAGE;
}

/*
 * Libraries of other probes, through which the program called, are left out. `stack`: what is known
 * of its pages.
 */
static inline unsigned int unwind(struct stack_context at, uintptr_t *pcs, unsigned int room,
				  bool *whole, struct reads *reads, struct pages *stack)
{
	struct stack_reader reader = {.reads = reads, .stack = stack};
	unsigned int depth = 0, ours = 0;
	struct cfi_rule rule;

	if (reads) {
		reads->at = at;
		/* valgrind reports that a register is compared that was never set */
		reads->n = valgrind_runs() ? READS + 1 : 0;
	}
	pages_begin(stack, at.sp);
	do {
		rule = address_rule(at.pc);
		if (!rule.ours)
			pcs[depth++] = at.pc;
		else if (ours++ == FRAMES_OF_OURS)
			break;
	} while (depth < room && context_leave(&at, rule, &reader));
	*whole = rule.kind == CFI_OUTERMOST || !at.pc;
	return depth;
}

unsigned int stack_unwind(struct stack_context at, uintptr_t *pcs, unsigned int room)
{
	struct pages stack = {0, 0};
	bool whole;

	return unwind(at, pcs, room, &whole, NULL, &stack);
}

unsigned int stack_unwind_interrupted(struct stack_context at, uintptr_t *pcs, unsigned int room,
				      bool *whole)
{
	struct pages stack = {0, 0};
	struct stack_reader reader = {.stack = &stack};
	unsigned int depth = 0, ours = 0;
	struct cfi_rule rule;
	bool more = true;

	at.pc++;
	pages_begin(&stack, at.sp);
	do {
		rule = address_rule(at.pc);
		if (rule.ours && ours++ == FRAMES_OF_OURS)
			break;
		if (rule.ours == CFI_OURS_RUNTIME)
			depth = 0;
		else if (!rule.ours)
			pcs[depth++] = at.pc;
		more = rule.kind == CFI_BARE ? context_leave_by_pointer(&at, &reader)
					     : context_leave(&at, rule, &reader);
	} while (more && depth < room);
	*whole = !more && (rule.kind == CFI_OUTERMOST || (rule.kind >= CFI_SP && !at.pc));
	return depth;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* Returns the number of the node, and whether it is new; 0 if there is no room. */
static uint32_t node_number(uint32_t parent, uintptr_t pc, bool *new)
{
	uint32_t address = pc ? address_place(pc) : NO_ADDRESS;
	uint64_t key = (uint64_t)parent << 32 | (address + 1), hash = mix(key);

	*new = false;
	if (address == NONE)
		return 0;
	for (unsigned int step = 0; step < NODE_LEVELS * PLACES; step++) {
		uint32_t place = place_next(hash, step);
		uint64_t is = __atomic_load_n(&nodes[place], __ATOMIC_ACQUIRE);

		if (!is && __atomic_compare_exchange_n(&nodes[place], &is, key, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			*new = true;
			return first_number + place;
		}
		if (is == key)
			return first_number + place;
	}
	return 0;
}

uint32_t stack_number_of(const uintptr_t *pcs, unsigned int depth, bool whole, uint64_t time,
			 stack_announce *announce)
{
	uint32_t number = 0;
	unsigned int left = depth + !whole;

	while (left--) {
		uintptr_t pc = left < depth ? pcs[left] : 0;
		uint32_t parent = number;
		bool new;

		number = node_number(parent, pc, &new);
		if (!number)
			break;
		if (new)
			announce(time, number, parent, pc);
	}
	return number;
}

/* Returns how many of the outermost frames are those of the thread's last stack. */
static unsigned int frames_shared(const uintptr_t *pcs, unsigned int depth)
{
	unsigned int shared = 0;

	if (last.epoch != __atomic_load_n(&epoch, __ATOMIC_ACQUIRE))
		return 0;
	while (shared < depth && shared < last.depth &&
	       pcs[depth - 1 - shared] == last.pcs[last.depth - 1 - shared])
		shared++;
	return shared;
}

static void last_set(const uintptr_t *pcs, const uint32_t *numbers, unsigned int depth)
{
	memcpy(last.pcs, pcs, depth * sizeof *pcs);
	memcpy(last.numbers, numbers, depth * sizeof *numbers);
	last.depth = depth;
}

/* Returns the number of the thread's last stack if this is the same one; else 0. */
static uint32_t number_again(struct stack_context at)
{
	const struct reads *r = &last.reads;

	if (last.epoch != __atomic_load_n(&epoch, __ATOMIC_ACQUIRE) || r->n > READS ||
	    __atomic_load_n(&unloading, __ATOMIC_ACQUIRE) || at.pc != r->at.pc ||
	    at.sp != r->at.sp || at.fp != r->at.fp)
		return 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (*r->words[i].where != r->words[i].value)
			return 0;
	return last.number;
}

/* `own`: what the thread remembers is ours to use and to change. */
static uint32_t number_anew(struct stack_context at, uint64_t time, stack_announce *announce,
			    bool own)
{
	uint32_t numbers[STACK_MOST + 1], number = 0;
	uint32_t now = __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
	uintptr_t pcs[STACK_MOST + 1];
	bool new, whole;
	struct pages stack = {0, 0};
	unsigned int depth = unwind(at, pcs, STACK_MOST, &whole, own ? &last.reads : NULL,
				    own ? &last.stack : &stack);
	unsigned int shared = 0, i;

	if (!whole && mark_cuts)
		pcs[depth++] = 0;
	if (own)
		shared = frames_shared(pcs, depth);
	for (i = 0; i < shared; i++)
		number = numbers[depth - 1 - i] = last.numbers[last.depth - 1 - i];
	for (i = depth - shared; i-- > 0;) {
		uint32_t parent = number;

		number = numbers[i] = node_number(parent, pcs[i], &new);
		if (!number)
			break;
		if (new)
			announce(time, number, parent, pcs[i]);
	}
	if (own) {
		if (number && shared < depth)
			last_set(pcs, numbers, depth);
		last.epoch = number ? now : 0;
		last.number = number;
	}
	return number;
}

uint32_t stack_number(struct stack_context at, uint64_t time, stack_announce *announce)
{
	uint32_t number;

	if (last.busy)
		return number_anew(at, time, announce, false);
	last.busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	number = number_again(at);
	if (!number)
		number = number_anew(at, time, announce, true);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	last.busy = false;
	return number;
}

void stacks_first(uint32_t number)
{
	first_number = number;
}

void stacks_mark_cuts(void)
{
	mark_cuts = true;
}

/* ---- What goes ------------------------------------------------------------------------------- */

static int module_first(struct dl_phdr_info *info, size_t size, void *unloaded)
{
	(void)size;
	*(uint64_t *)unloaded = info->dlpi_subs;
	return 1;
}

/* Returns how many modules were ever unloaded. */
static uint64_t modules_unloaded(void)
{
	uint64_t unloaded = 0;

	dl_iterate_phdr(module_first, &unloaded);
	return unloaded;
}

uint64_t stacks_unloading(void)
{
	__atomic_add_fetch(&unloading, 1, __ATOMIC_ACQ_REL);
	return modules_unloaded();
}

void stacks_unloaded(uint64_t before)
{
	uint32_t end = __atomic_load_n(&addresses_end, __ATOMIC_ACQUIRE);

	if (modules_unloaded() == before)
		end = 0;
	for (uint32_t i = 0; i < end; i++) {
		uintptr_t pc = __atomic_load_n(&addresses[i].pc, __ATOMIC_ACQUIRE);
		Dl_info info;

		if (pc <= GONE)
			continue;
		__atomic_store_n(&addresses[i].rule, 0, __ATOMIC_RELEASE);
		if (!dladdr((void *)pc, &info))
			__atomic_store_n(&addresses[i].pc, GONE, __ATOMIC_RELEASE);
	}
	__atomic_add_fetch(&epoch, 1, __ATOMIC_ACQ_REL);
	__atomic_sub_fetch(&unloading, 1, __ATOMIC_ACQ_REL);
}

void stacks_forget(void)
{
	system_madvise(addresses, sizeof addresses, MADV_DONTNEED);
	system_madvise(nodes, sizeof nodes, MADV_DONTNEED);
	epoch++;
	addresses_end = 0;
	unloading = 0;
	last.busy = false;
}
