#include "probes/unwind/pages.h"
#include "probes/valgrind.h"
#include "runtime/system.h"
#include <errno.h>
#include <stddef.h>
#include <sys/uio.h>

/* Pages at once that a stack is found to have, beside those that are known: 256 kB. */
#define GROWTH (64 * PAGE)

/*
 * The kernel reads a new mask before it finds that it does not know what to do with it; any other
 * error says nothing of the page. Valgrind checks whether the mask was initialized, which a page
 * need not be, but not what a process reads of another one.
 */
bool page_readable(uintptr_t page)
{
	int error = errno;
	char byte;
	struct iovec from = {(void *)page, 1}, to = {&byte, 1};
	bool readable;

	if (valgrind_runs())
		readable =
		    SYSTEM_CALL(SYS_process_vm_readv, system_getpid(), &to, 1, &from, 1, 0) == 1;
	else
		readable =
		    SYSTEM_CALL(SYS_rt_sigprocmask, -1, page, NULL, KERNEL_SIGNALS_SIZE) == -1 &&
		    errno == EINVAL;
	errno = error;
	return readable;
}

bool pages_grow(struct pages *p, uintptr_t at)
{
	uintptr_t page = at & ~(PAGE - 1);

	if (!page || (page < p->low ? p->low - page : page - p->high) > GROWTH)
		return pages_have(p, at);
	while (page < p->low && page_readable(p->low - PAGE))
		p->low -= PAGE;
	while (page >= p->high && page_readable(p->high))
		p->high += PAGE;
	return pages_have(p, at);
}

void pages_begin(struct pages *p, uintptr_t sp)
{
	if (!pages_have(p, sp) && !pages_grow(p, sp))
		p->low = p->high = sp & ~(PAGE - 1);
}
