/*
 * Unwinding gives what libgcc's unwinder gives, and stacks are numbered as the calls that they are:
 * each node once, also by many threads at once, and by signal handlers.
 */
#include "probes/unwind/stacks.h"
#include "tests/tap.h"
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#define MOST 256
#define THREADS 4

/* ---- Beside libgcc --------------------------------------------------------------------------- */

struct trace {
	uintptr_t pcs[MOST];
	unsigned int depth;
};

static _Unwind_Reason_Code trace_add(struct _Unwind_Context *context, void *data)
{
	struct trace *t = data;

	if (t->depth < MOST)
		t->pcs[t->depth++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

static bool same;
static unsigned int deepest;

/* The first frame of libgcc's is this function. */
__attribute__((noinline)) static void compare(void)
{
	struct trace t = { .depth = 0 };
	uintptr_t pcs[MOST];
	unsigned int depth = stack_unwind(STACK_CALLER, pcs, MOST);

	_Unwind_Backtrace(trace_add, &t);
	/* At the end of the stack libgcc may add a 0. */
	same &= depth + 1 == t.depth || (depth + 2 == t.depth && !t.pcs[t.depth - 1]);
	for (unsigned int i = 0; i < depth; i++)
		same &= pcs[i] == t.pcs[i + 1];
	deepest = depth > deepest ? depth : deepest;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static int recurse(int depth)
{
	volatile char room[16 * depth + 1];     /* a frame pointer is needed */

	room[0] = 1;
	if (depth)
		return recurse(depth - 1) + room[0];
	compare();
	return room[0];
}

__attribute__((noinline)) static int aligned(int n)
{
	_Alignas(64) volatile int values[16];

	values[n] = n;
	compare();
	return values[n];
}

__attribute__((noinline)) static int large(int n)
{
	volatile char values[100000];

	values[n] = (char)n;
	compare();
	return values[n];
}

static int through_qsort(const void *a, const void *b)
{
	static bool once;

	if (!once)
		compare();
	once = true;
	return *(const int *)a - *(const int *)b;
}

static void *in_thread(void *unused)
{
	recurse(5);
	return unused;
}

static bool unwinds(void)
{
	int values[] = { 2, 1, 3 };
	pthread_t thread;

	same = true;
	recurse(0);
	recurse(40);
	aligned(3);
	large(3);
	qsort(values, 3, sizeof *values, through_qsort);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	return same && deepest > 40;
}

/* ---- Interrupted by signals ------------------------------------------------------------------ */

static volatile sig_atomic_t interrupts, shorter, differ;

static _Unwind_Reason_Code trace_add_exact(struct _Unwind_Context *context, void *data)
{
	struct trace *t = data;
	int before;

	if (t->depth < MOST)
		t->pcs[t->depth] = _Unwind_GetIPInfo(context, &before);
	/* an instruction that a signal interrupted is as if a call was before it */
	if (t->depth < MOST)
		t->pcs[t->depth++] += (uintptr_t)before;
	return _URC_NO_REASON;
}

static long arguments(long a, long b, long c, long d, long e, long f, long g);

/*
 * Behind the last pop of a function whose frame is aligned, gcc's tables find registers by rbp, which is the caller's
 * by then: libgcc then leaves out the caller's caller.
 */
static bool misleads_libgcc(uintptr_t pc)
{
	static const unsigned char lea_ret[] = { 0x49, 0x8d, 0x62, 0xf8, 0xc3 }; /* lea -8(%r10), %rsp; ret */
	const unsigned char *code = (const unsigned char *)pc;

	return pc - (uintptr_t)arguments < 4096 && (*code == 0xc3 || memcmp(code, lea_ret, sizeof lea_ret) == 0);
}

/* A frame whose end is in another register cannot be left; nothing else may be missing, and nothing invented. */
__attribute__((noinline)) static void compare_interrupted(void)
{
	struct trace t = { .depth = 0 };
	uintptr_t pcs[MOST];
	unsigned int depth = stack_unwind(STACK_CALLER, pcs, MOST);

	_Unwind_Backtrace(trace_add_exact, &t);
	while (t.depth && !t.pcs[t.depth - 1])
		t.depth--;
	interrupts++;
	/* the handler, what calls it, and the instruction, as if a call was before it */
	if (depth > 2 && misleads_libgcc(pcs[2] - 1))
		return;
	shorter += depth + 1 < t.depth;
	differ += depth + 1 > t.depth;
	for (unsigned int i = 0; i < depth && i + 1 < t.depth; i++)
		differ += pcs[i] != t.pcs[i + 1];
	__asm__ volatile("" ::: "memory");
}

static void compare_handler(int signal)
{
	(void)signal;
	compare_interrupted();
	__asm__ volatile("" ::: "memory");
}

/* Arguments on the stack of a function whose frame is aligned: its end is stored in the frame. */
__attribute__((noinline)) static long arguments(long a, long b, long c, long d, long e, long f, long g)
{
	_Alignas(64) volatile long values[8] = { a, b, c, d, e, f, g };
	volatile char room[a % 64 + 1];

	room[0] = 0;

	for (volatile int i = 0; i < 20; i++)
		values[i & 7] += values[(i + 1) & 7];
	return values[0] + room[0];
}

__attribute__((noinline)) static long short_calls(long n)
{
	volatile char room[n % 64 + 1];

	room[0] = 1;
	return n ? short_calls(n - 1) + room[0] : (toupper)((int)n);
}

static volatile long kept;

/* At the most random of instructions: in prologues, epilogues, and the procedure linkage table. */
static bool through_signals(bool own_stack)
{
	static char room[1 << 16];
	stack_t other = { .ss_sp = room, .ss_size = sizeof room };
	struct sigaction action = { .sa_handler = compare_handler, .sa_flags = own_stack ? SA_ONSTACK : 0 };

	sigaltstack(&other, NULL);
	sigaction(SIGALRM, &action, NULL);
	interrupts = shorter = differ = 0;
	ualarm(173, 173);
	for (long round = 0; interrupts < 500 && round < 100000000; round++)
		kept += arguments(round, 2, 3, 4, 5, 6, 7) + short_calls(round % 8);
	ualarm(0, 0);
	printf("# %d interrupts, %d shorter, %d differ\n", (int)interrupts, (int)shorter, (int)differ);
	return interrupts >= 500 && !differ && shorter <= interrupts / 10;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

struct node {
	uint32_t parent;
	uintptr_t pc;
};

static struct node nodes[2000000];
static uint32_t announced, twice;

static void announce(uint64_t time, uint32_t number, uint32_t parent, uintptr_t pc)
{
	(void)time;
	__atomic_add_fetch(&announced, 1, __ATOMIC_RELAXED);
	if (__atomic_exchange_n(&nodes[number].pc, pc, __ATOMIC_RELAXED))
		__atomic_add_fetch(&twice, 1, __ATOMIC_RELAXED);
	nodes[number].parent = parent;
}

__attribute__((noinline)) static uint32_t number_here(uintptr_t *pcs, unsigned int *depth)
{
	struct stack_context at = STACK_CALLER;

	*depth = stack_unwind(at, pcs, STACK_MOST);
	return stack_number(at, 0, announce);
}

static bool checking;    /* not while other threads may still announce nodes */

/* Whether the nodes of a number are this stack. */
static bool number_right(void)
{
	uintptr_t pcs[STACK_MOST];
	unsigned int depth, i;
	uint32_t number = number_here(pcs, &depth);

	for (i = 0; checking && i < depth && number; i++) {
		if (nodes[number].pc != pcs[i])
			return false;
		number = nodes[number].parent;
	}
	return !checking || (!number && i == depth);
}

static bool walk(unsigned int depth, uint32_t path);

/* Two functions that the compiler does not take for one. */
__attribute__((noinline)) static bool walk_left(unsigned int depth, uint32_t path)
{
	bool right = walk(depth, path);

	__asm__ volatile("nop" ::: "memory");
	return right;
}

__attribute__((noinline)) static bool walk_right(unsigned int depth, uint32_t path)
{
	bool right = walk(depth, path);

	__asm__ volatile("nop; nop" ::: "memory");
	return right;
}

/* Stacks of many shapes: the bits of `path` say which function is called. */
static bool walk(unsigned int depth, uint32_t path)
{
	if (!depth)
		return number_right();
	return path & 1 ? walk_left(depth - 1, path >> 1) : walk_right(depth - 1, path >> 1);
}

static pthread_barrier_t start;

static void *walk_all(void *unused)
{
	if (!checking)
		pthread_barrier_wait(&start);
	for (uint32_t path = 0; path < 64; path++)
		if (!walk(6, path))
			return NULL;
	return unused;
}

/* All threads meet the same nodes. Afterwards there are no others. */
static bool numbers_by_threads(void)
{
	pthread_t threads[THREADS];
	uint32_t before;
	void *right;

	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, walk_all, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	before = announced;
	checking = true;
	pthread_create(&threads[0], NULL, walk_all, &start);
	pthread_join(threads[0], &right);
	return right && announced == before && before >= 126 && !twice && walk_all(&start);
}

__attribute__((noinline)) static uint32_t number_of_calls(volatile int *calls)
{
	uintptr_t pcs[STACK_MOST];
	uint32_t all = 0;
	unsigned int depth;

	while ((*calls)--)
		all |= number_here(pcs, &depth);
	return all;
}

static bool same_number(void)
{
	uint32_t numbers[3];

	for (volatile int i = 0; i < 3; i++)
		numbers[i] = number_of_calls(&(int){ 1 + i });
	return numbers[0] && numbers[0] == numbers[1] && numbers[1] == numbers[2];
}

/* ---- Handlers -------------------------------------------------------------------------------- */

static volatile sig_atomic_t handled, wrong;

static void handler(int signal)
{
	(void)signal;
	handled++;
	if (!walk(3, (uint32_t)handled))
		wrong = 1;
}

static bool numbers_in_handlers(void)
{
	struct sigaction action = { .sa_handler = handler };
	bool right = true;

	sigaction(SIGALRM, &action, NULL);
	for (uint32_t path = 0; path < 100000 && handled < 200; path++) {
		if (path % 100 == 0)
			ualarm(50, 0);
		right &= walk(6, path & 63);
	}
	ualarm(0, 0);
	return right && handled && !wrong;
}

/* ---- Cuts ------------------------------------------------------------------------------------ */

__attribute__((noinline)) static uint32_t number_deep(int depth)
{
	uint32_t number = depth ? number_deep(depth - 1) : stack_number(STACK_CALLER, 0, announce);

	__asm__ volatile("" ::: "memory");
	return number;
}

/* How many frames a stack has, and whether all numbers are from the first one on. */
static unsigned int frames_of(uint32_t number, uint32_t first, bool *cut)
{
	unsigned int frames = 0;

	*cut = false;
	for (; number >= first && !*cut; number = nodes[number].parent, frames++)
		*cut = !nodes[number].pc;
	return number && !*cut ? 0 : frames;
}

static bool cuts(void)
{
	bool cut_deep, cut_flat;
	unsigned int deep, flat;

	stacks_first(1000000);
	stacks_mark_cuts();
	stacks_forget();
	deep = frames_of(number_deep(40), 1000000, &cut_deep);
	flat = frames_of(number_deep(0), 1000000, &cut_flat);
	return deep == STACK_MOST + 1 && cut_deep && flat > 1 && flat < STACK_MOST && !cut_flat;
}

/* ---- Interrupted ----------------------------------------------------------------------------- */

#if defined(__x86_64__) || defined(__aarch64__)

static struct stack_context context_of(const ucontext_t *c)
{
#if defined(__x86_64__)
	return (struct stack_context){ (uintptr_t)c->uc_mcontext.gregs[REG_RIP],
				       (uintptr_t)c->uc_mcontext.gregs[REG_RSP],
				       (uintptr_t)c->uc_mcontext.gregs[REG_RBP] };
#else
	return (struct stack_context){ c->uc_mcontext.pc, c->uc_mcontext.sp, c->uc_mcontext.regs[29] };
#endif
}

static volatile sig_atomic_t interrupted, compared, differed;

/* libgcc's stack has the handler's frames before the instruction that was interrupted. */
static void interrupt(int signal, siginfo_t *info, void *context)
{
	struct stack_context at = context_of(context);
	struct trace t = { .depth = 0 };
	unsigned int depth, first = 0, error = errno;
	uintptr_t pcs[MOST];
	bool whole;

	(void)signal;
	(void)info;
	errno = 77;
	depth = stack_unwind_interrupted(at, pcs, MOST, &whole);
	differed |= errno != 77;
	errno = (int)error;
	_Unwind_Backtrace(trace_add, &t);
	while (first < t.depth && t.pcs[first] != at.pc)
		first++;
	interrupted++;
	if (!whole || first == t.depth)
		return;
	compared++;
	differed |= pcs[0] != at.pc + 1;
	for (unsigned int i = 1; i < depth; i++)
		differed |= first + i >= t.depth || pcs[i] != t.pcs[first + i];
}

static bool interrupted_anywhere(void)
{
	struct sigaction action = { .sa_sigaction = interrupt, .sa_flags = SA_SIGINFO };
	struct trace first = { .depth = 0 };

	_Unwind_Backtrace(trace_add, &first); /* loads what it needs */
	sigaction(SIGALRM, &action, NULL);
	for (uint32_t path = 0; path < 1000000 && interrupted < 300; path++) {
		if (path % 100 == 0)
			ualarm(50, 0);
		walk(6, path & 63);
	}
	ualarm(0, 0);
	printf("# %d of %d stacks compared\n", (int)compared, (int)interrupted);
	return compared && compared >= interrupted / 2 && !differed;
}

/* Contexts of nonsense: any code, with pointers that are near the truth, or anywhere. */
static bool survives_nonsense(unsigned int seed)
{
	const uintptr_t code = (uintptr_t)&walk, stack = (uintptr_t)__builtin_frame_address(0);
	uintptr_t pcs[MOST];
	bool whole;

	printf("# seed %u\n", seed);
	srandom(seed);
	for (int i = 0; i < 20000; i++) {
		struct stack_context at = { code + (uintptr_t)random() % 4096,
					    stack + (uintptr_t)random() % 65536 - 32768,
					    stack + (uintptr_t)random() % 65536 - 32768 };

		if (random() % 4 == 0)
			at.sp = (uintptr_t)random() << random() % 33;
		if (random() % 4 == 0)
			at.fp = (uintptr_t)random() << random() % 33;
		if (random() % 8 == 0)
			at.pc = (uintptr_t)random() << random() % 33;
		if (stack_unwind_interrupted(at, pcs, MOST, &whole) > MOST)
			return false;
	}
	return true;
}

/* A stack whose outer part is not known hangs below a node of address 0. */
static bool cut_stacks(void)
{
	const uintptr_t pcs[] = { 4096, 8192 };
	uint32_t cut = stack_number_of(pcs, 2, false, 0, announce);
	uint32_t whole = stack_number_of(pcs, 2, true, 0, announce);
	uint32_t outer = nodes[nodes[cut].parent].parent;

	return cut && whole && cut != whole && outer && !nodes[outer].pc && !nodes[outer].parent &&
	       cut == stack_number_of(pcs, 2, false, 0, announce) && !nodes[nodes[whole].parent].parent;
}

#endif

int main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
#if defined(__x86_64__) || defined(__aarch64__)
	ok(unwinds(), "stacks are those of libgcc's unwinder");
#if defined(__x86_64__)
	ok(through_signals(false), "also what a signal interrupted");
	ok(through_signals(true), "and from a stack of the handler");
#endif
	ok(numbers_by_threads(), "threads number the same stacks, each node once");
	ok(same_number(), "a call has the same number each time");
	ok(numbers_in_handlers(), "handlers number theirs in between");
	stacks_forget();
	memset(nodes, 0, sizeof nodes);
	ok(walk(6, 77), "forgotten nodes are announced again");
	ok(cuts(), "numbers begin where they are to, and a stack that is too deep ends with 0");
	ok(cut_stacks(), "a stack that is not whole says so");
	ok(interrupted_anywhere(), "stacks of interrupted code are those of libgcc's unwinder");
	ok(survives_nonsense(argc > 1 ? (unsigned int)atoi(argv[1]) : (unsigned int)getpid()),
	   "contexts of nonsense read no memory that is not there");
#endif
	return tap_end();
}
