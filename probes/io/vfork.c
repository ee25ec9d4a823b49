/*
 * vfork() itself: what it returns to in the parent is overwritten by the child, so it cannot be
 * called by a function of ours. As the C library's, it keeps the return address in a register.
 */
#include "probes/io/vfork.h"

__thread int vfork_child;

/* A negated error number is returned as -1; `value` is in the register of results. */
__attribute__((used, visibility("hidden"))) long vfork_failed(long value);

#include <errno.h>
long vfork_failed(long value)
{
	errno = (int)-value;
	return -1;
}

#if defined(__x86_64__)
__asm__(".text\n"
	".globl vfork\n"
	".type vfork, @function\n"
	"vfork:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	movq vfork_child@gottpoff(%rip), %rsi\n"
	"	incl %fs:(%rsi)\n"
	"	popq %rdi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_register %rip, %rdi\n"
	"	movl $58, %eax\n"
	"	syscall\n"
	"	pushq %rdi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_offset %rip, -8\n"
	"	testq %rax, %rax\n"
	"	je 1f\n"
	"	decl %fs:(%rsi)\n"
	"	cmpq $-4095, %rax\n"
	"	jae 2f\n"
	"1:	ret\n"
	"2:	movq %rax, %rdi\n"
	"	jmp vfork_failed\n"
	"	.cfi_endproc\n"
	".size vfork, . - vfork\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl vfork\n"
	".type vfork, %function\n"
	"vfork:\n"
	"	.cfi_startproc\n"
	"	hint #34\n"
	"	mrs x9, tpidr_el0\n"
	"	adrp x10, :gottprel:vfork_child\n"
	"	ldr x10, [x10, #:gottprel_lo12:vfork_child]\n"
	"	add x9, x9, x10\n"
	"	ldr w10, [x9]\n"
	"	add w10, w10, #1\n"
	"	str w10, [x9]\n"
	"	mov x0, #0x4111\n" /* CLONE_VM | CLONE_VFORK | SIGCHLD */
	"	mov x1, #0\n"
	"	mov x8, #220\n" /* clone */
	"	svc #0\n"
	"	cbz x0, 1f\n"
	"	ldr w10, [x9]\n"
	"	sub w10, w10, #1\n"
	"	str w10, [x9]\n"
	"	cmn x0, #4095\n"
	"	b.cs 2f\n"
	"1:	ret\n"
	"2:	b vfork_failed\n"
	"	.cfi_endproc\n"
	".size vfork, . - vfork\n");
#endif
