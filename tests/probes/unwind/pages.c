/*
 * The pages that are known of a stack are pages in a row that can be read, however they were found; where the kernel
 * refuses to say what a page is, it is not read.
 */
#include "probes/unwind/pages.h"
#include "probes/unwind/stacks.h"
#include "runtime/system.h"
#include "tests/tap.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 300, STEPS = 20000 };

static int refuses; /* the error of each system call; 0: the kernel answers */
static unsigned int calls;

long gl_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	calls++;
	if (!refuses)
		return syscall(number, a, b, c, d, e, f);
	errno = refuses;
	return -1;
}

static bool can_read[PAGES];

/* Returns whether all pages that are known can be read. */
static bool all_read(const struct pages *p, uintptr_t memory)
{
	for (uintptr_t at = p->low; at < p->high; at += PAGE)
		if (at - memory >= PAGES * PAGE || !can_read[(at - memory) / PAGE])
			return false;
	return true;
}

static bool at_random(uintptr_t memory)
{
	struct pages p = {0, 0};
	bool good = true;

	for (int i = 0; i < PAGES; i++) {
		can_read[i] = random() % 20 != 0;
		mprotect((void *)(memory + (uintptr_t)i * PAGE), PAGE,
			 can_read[i] ? PROT_READ : PROT_NONE);
	}
	for (int i = 0; i < STEPS && good; i++) {
		uintptr_t at = memory + (uintptr_t)random() % (PAGES * PAGE);

		if (random() % 2) {
			pages_begin(&p, at);
			good = can_read[(at - memory) / PAGE] || !pages_have(&p, at);
		} else {
			good = pages_grow(&p, at) == pages_have(&p, at);
		}
		good = good && all_read(&p, memory);
	}
	return good;
}

static bool nowhere(void)
{
	struct pages p = {0, 0};

	return !page_readable(0) && !page_readable(~(PAGE - 1)) && !pages_grow(&p, 8) &&
	       !pages_grow(&p, UINTPTR_MAX - 7) && p.low == p.high;
}

static bool errno_stays(uintptr_t memory)
{
	errno = 77;
	page_readable(memory);
	page_readable(0);
	return errno == 77;
}

/* A call while the kernel refuses every system call; returns the depth. */
__attribute__((noinline)) static unsigned int depth_of_stack(void)
{
	uintptr_t pcs[64];
	unsigned int depth = stack_unwind(STACK_CALLER, pcs, 64);

	__asm__ volatile("" ::: "memory");
	return depth;
}

static bool refused(void)
{
	static const int errors[] = {EFAULT, EPERM, ENOMEM, EINTR, ENOSYS};
	bool good = depth_of_stack() > 1;

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		refuses = errors[i];
		good =
		    good && !page_readable((uintptr_t)&good & ~(PAGE - 1)) && depth_of_stack() == 1;
	}
	refuses = 0;
	return good;
}

static void announce(uint64_t time, uint32_t number, uint32_t parent, uintptr_t pc)
{
	(void)time;
	(void)number;
	(void)parent;
	(void)pc;
}

__attribute__((noinline)) static uint32_t number_of_stack(void)
{
	uint32_t number = stack_number(STACK_CALLER, 0, announce);

	__asm__ volatile("" ::: "memory");
	return number;
}

__attribute__((noinline)) static bool deeper(int depth)
{
	volatile bool good = depth ? deeper(depth - 1) : number_of_stack() != 0;

	return good;
}

/* Other stacks in the same pages need no more calls. */
static bool remembered(void)
{
	bool good = deeper(20) && deeper(0);

	calls = 0;
	for (int i = 0; i < 20; i++)
		good = deeper(i) && good;
	return good && !calls;
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned int seed =
	    given ? (unsigned int)strtoul(given, NULL, 10) : (unsigned int)time(NULL);
	void *memory = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || sysconf(_SC_PAGESIZE) != PAGE) {
		puts("1..0 # SKIP pages have another size");
		return 0;
	}
	printf("# SEED=%u\n", seed);
	srandom(seed);
	ok(at_random((uintptr_t)memory), "pages that are known can be read");
	ok(nowhere(), "pages that are not there cannot");
	ok(errno_stays((uintptr_t)memory), "errno stays");
	ok(refused(), "if the kernel refuses to answer, nothing is read");
	ok(remembered(), "other stacks in known pages need no system call");
	return tap_end();
}
