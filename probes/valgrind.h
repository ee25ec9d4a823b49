/* Finds out whether valgrind runs the program. */
#ifndef GLIMPSE_PROBES_VALGRIND_H
#define GLIMPSE_PROBES_VALGRIND_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The instructions have no effect on a processor. Valgrind takes them as a question (its header
 * valgrind.h: RUNNING_ON_VALGRIND). Costs some ns.
 */
static inline bool valgrind_runs(void)
{
	const uint64_t question[6] = {0x1001};

#if defined(__x86_64__)
	uint64_t answer = 0;

	__asm__ __volatile__("rolq $3, %%rdi; rolq $13, %%rdi\n\t"
			     "rolq $61, %%rdi; rolq $51, %%rdi\n\t"
			     "xchgq %%rbx, %%rbx"
			     : "+d"(answer)
			     : "a"(question)
			     : "cc", "memory");
	return answer;
#elif defined(__aarch64__)
	register uint64_t answer __asm__("x3") = 0;
	register const uint64_t *asked __asm__("x4") = question;

	__asm__ __volatile__("ror x12, x12, #3; ror x12, x12, #13\n\t"
			     "ror x12, x12, #51; ror x12, x12, #61\n\t"
			     "orr x10, x10, x10"
			     : "+r"(answer)
			     : "r"(asked)
			     : "cc", "memory");
	return answer;
#else
	(void)question;
	return false;
#endif
}

#endif
