/*
 * The memory probe: stands before malloc() and its relatives, calls those that are next in line,
 * and logs what they return.
 *
 * A block is logged once the program has it, and its end before the program gives it back: another
 * thread that gets the same address in between logs that later. C++'s new and delete call malloc()
 * and free(), with libstdc++ and libc++.
 */
#include "memory_glimpse.h"
#include "probes/auto_off.h"
#include "probes/memory/boot_alloc.h"
#include "probes/unwind/stacks.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

void *pvalloc(size_t size); /* musl has none, and no declaration */

/* ---- The next functions in line -------------------------------------------------------------- */

#define FUNCTIONS(F) \
	F(malloc) \
	F(calloc) \
	F(realloc) \
	F(free) F(aligned_alloc) F(memalign) F(posix_memalign) F(valloc) F(pvalloc) \
	    F(malloc_usable_size) F(dlclose)

#define POINTER(name) __typeof__(name) *name;
static struct {
	FUNCTIONS(POINTER)
} next;

/*
 * Whether malloc_usable_size() understands the blocks of a function: an allocator may lack one of
 * them, and what is next in line is then libc's.
 */
#define BIT(name) bool name : 1;
static struct {
	FUNCTIONS(BIT)
} usable;

/* Whether the program's realloc() is not ours: its allocator comes before this library. */
static bool preceded;

enum { UNKNOWN, LOOKING, KNOWN };
static int state;

static bool same_module(const void *a, const void *b)
{
	Dl_info of_a, of_b;

	return a && b && dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
}

#define FIND(name) next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name);
#define COMPARE(name) usable.name = same_module((void *)next.name, (void *)next.malloc_usable_size);

/*
 * Also at the load, if that is known earlier: before there is an environment, LeakSanitizer begins,
 * which meanwhile has no size of a block.
 */
static void usable_find(void)
{
	FUNCTIONS(COMPARE)
	preceded = !same_module(dlsym(RTLD_DEFAULT, "realloc"), &next);
}

static void next_find(void)
{
	FUNCTIONS(FIND)
	if (environ)
		usable_find();
}

/* Returns false while the functions are being looked for: dlsym() may ask for memory. */
static bool next_known_now(void)
{
	int is = UNKNOWN;

	if (!__atomic_compare_exchange_n(&state, &is, LOOKING, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return is == KNOWN;
	next_find();
	__atomic_store_n(&state, KNOWN, __ATOMIC_RELEASE);
	return true;
}

static inline bool next_known(void)
{
	return LIKELY(__atomic_load_n(&state, __ATOMIC_ACQUIRE) == KNOWN) || next_known_now();
}

__attribute__((constructor(101))) static void memory_load(void)
{
	static struct glimpse_hook at_fork = {.call = stacks_forget};

	next_known();
	usable_find();
	auto_off_read();
	auto_off_shorter = 0; /* no call of ours lasts as long as what it is about */
	glimpse_at_fork(&at_fork);
}

/*
 * Calls under way of functions that are next in line: an allocator may call its own functions by
 * their names, which are ours, and the program knows nothing of those calls.
 */
static __thread unsigned int calls __attribute__((tls_model("initial-exec")));

#define NEXT(call) \
	(__extension__({ \
		__typeof__(call) result_; \
		calls++; \
		result_ = call; \
		calls--; \
		result_; \
	}))

/* ---- Logging --------------------------------------------------------------------------------- */

enum { FRAME_EVENT, ALLOC_EVENT }; /* as memory.spec has them */

/*
 * The clock is read after all that the thread has read by now. Processors read it ahead of loads
 * that wait for another processor: of the allocator's lock, or of the block's address where another
 * thread left it. The end of a block would be tens of nanoseconds before its begin.
 */
static inline void clock_fence(void)
{
#if defined(__x86_64__)
	__builtin_ia32_lfence();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

static void frame_log(uint64_t time, uint32_t number, uint32_t parent, uintptr_t pc)
{
	Frame_StampAt(time, number, parent, (const void *)pc);
}

/* Returns whether allocations of this stack are off: too many were logged. */
static bool stack_dropped(uint64_t time, uint32_t stack)
{
	struct auto_off_site *site = stack ? auto_off_find((uintptr_t)stack + 1) : NULL;

	if (!site || site_is_auto_off(site))
		return site != NULL;
	if (auto_off_count(site, 0))
		StackOff_StampAt(time, stack, site->calls);
	return false;
}

/* Logs a block that the program has just got, or that it did not get. */
static void alloc_log(void *block, size_t size, bool usable_known, struct stack_context caller)
{
	uint64_t time;
	uint32_t stack;

	if (calls || glimpse_inside() || glimpse_paused() ||
	    glimpse_off(&memory_glimpse, ALLOC_EVENT))
		return;
	clock_fence();
	time = glimpse_now();
	stack = stack_number(caller, time, frame_log);
	if (auto_off_wanted() && stack_dropped(time, stack))
		return;
	if (block)
		Alloc_StampAt(time, block, size,
			      usable_known ? NEXT(next.malloc_usable_size(block)) : size, stack);
	else
		AllocFailed_StampAt(time, size, stack);
}

/* The program is about to give a block back, or NULL. */
/*
 * The C library gives back NULL in threads whose log has ended: that is nothing to begin another
 * log for.
 */
static inline bool is_log_worthy(const void *block)
{
	return block || glimpse_self->magic;
}

static inline void free_log(void *block)
{
	if (calls || glimpse_inside() || !is_log_worthy(block))
		return;
	if (block)
		clock_fence();
	Free_Stamp(block);
}

/* What the program gave back at `time`, as we know now. */
static void free_log_at(uint64_t time, void *block)
{
	if (block && !calls && !glimpse_inside())
		Free_StampAt(time, block);
}

/* ---- What the program calls ------------------------------------------------------------------ */

PUBLIC void *malloc(size_t size)
{
	void *block;

	if (!next_known())
		return boot_alloc(1, size);
	block = NEXT(next.malloc(size));
	alloc_log(block, size, usable.malloc, STACK_CALLER);
	return block;
}

PUBLIC void *calloc(size_t count, size_t size)
{
	size_t bytes;
	void *block;

	if (__builtin_mul_overflow(count, size, &bytes))
		bytes = SIZE_MAX;
	if (!next_known())
		return boot_alloc(1, bytes);
	block = NEXT(next.calloc(count, size));
	alloc_log(block, bytes, usable.calloc, STACK_CALLER);
	return block;
}

/* Moves a block from before the real functions were known. */
static void *boot_block_move(void *from, size_t size)
{
	void *to = next_known() ? NEXT(next.malloc(size)) : boot_alloc(1, size);
	size_t had = boot_alloc_size(from);

	if (to)
		memcpy(to, from, had < size ? had : size);
	return to;
}

/* With a size of 0 glibc frees the block and returns NULL. */
static void *block_resize(void *block, size_t size, struct stack_context caller)
{
	uint64_t time;
	void *to;

	if (boot_alloc_has(block)) {
		to = boot_block_move(block, size);
		if (!boot_alloc_has(to))
			alloc_log(to, size, usable.malloc, caller);
		return to;
	}
	if (!next_known())
		return boot_alloc(1, size);
	clock_fence();
	time = glimpse_now();
	to = NEXT(next.realloc(block, size));
	if (to || (block && !size))
		free_log_at(time, block);
	if (to || size || !block)
		alloc_log(to, size, usable.realloc, caller);
	return to;
}

PUBLIC void *realloc(void *block, size_t size)
{
	return block_resize(block, size, STACK_CALLER);
}

/*
 * libc's calls realloc(): it would be logged with a caller in libc. Few allocators have one of
 * their own, so the block may be that of an allocator which comes before this library.
 */
PUBLIC void *reallocarray(void *block, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		alloc_log(NULL, SIZE_MAX, false, STACK_CALLER);
		errno = ENOMEM;
		return NULL;
	}
	if (next_known() && preceded)
		return realloc(block, bytes);
	return block_resize(block, bytes, STACK_CALLER);
}

PUBLIC void free(void *block)
{
	if (boot_alloc_has(block) || !next_known())
		return;
	free_log(block);
	calls++;
	next.free(block);
	calls--;
}

PUBLIC void *aligned_alloc(size_t align, size_t size)
{
	void *block;

	if (!next_known())
		return boot_alloc(align, size);
	block = NEXT(next.aligned_alloc(align, size));
	alloc_log(block, size, usable.aligned_alloc, STACK_CALLER);
	return block;
}

PUBLIC void *memalign(size_t align, size_t size)
{
	void *block;

	if (!next_known())
		return boot_alloc(align, size);
	block = NEXT(next.memalign(align, size));
	alloc_log(block, size, usable.memalign, STACK_CALLER);
	return block;
}

PUBLIC int posix_memalign(void **block, size_t align, size_t size)
{
	int error;

	if (!next_known())
		return (*block = boot_alloc(align, size)) ? 0 : ENOMEM;
	error = NEXT(next.posix_memalign(block, align, size));
	if (!error)
		alloc_log(*block, size, usable.posix_memalign, STACK_CALLER);
	else if (error == ENOMEM)
		alloc_log(NULL, size, usable.posix_memalign, STACK_CALLER);
	return error;
}

PUBLIC void *valloc(size_t size)
{
	void *block;

	if (!next_known())
		return NULL;
	block = NEXT(next.valloc(size));
	alloc_log(block, size, usable.valloc, STACK_CALLER);
	return block;
}

PUBLIC void *pvalloc(size_t size)
{
	void *block;

	if (!next_known() || !next.pvalloc) /* musl has none */
		return NULL;
	block = NEXT(next.pvalloc(size));
	alloc_log(block, size, usable.pvalloc, STACK_CALLER);
	return block;
}

PUBLIC size_t malloc_usable_size(void *block)
{
	if (boot_alloc_has(block))
		return boot_alloc_size(block);
	return next_known() && next.malloc_usable_size ? NEXT(next.malloc_usable_size(block)) : 0;
}

PUBLIC int dlclose(void *handle)
{
	uint64_t before;
	int error;

	if (!next_known())
		return -1;
	before = stacks_unloading();
	error = next.dlclose(handle);
	stacks_unloaded(before);
	return error;
}
