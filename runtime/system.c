#include "runtime/system.h"

/* Nothing but this function is here: tests put one in its place that fails. */
long gl_system_call(long number, long a, long b, long c, long d, long e, long f)
{
#if SYSTEM_DIRECT
	long result;

#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ __volatile__("syscall"
			     : "=a"(result)
			     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			     : "rcx", "r11", "memory");
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ __volatile__("svc #0"
			     : "+r"(x0)
			     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			     : "memory");
	result = x0;
#endif
	if (result >= -4095 && result < 0) {
		errno = (int)-result;
		return -1;
	}
	return result;
#else
	return syscall(number, a, b, c, d, e, f);
#endif
}
