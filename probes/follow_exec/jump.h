/*
 * Wrappers that are not the caller of what they call: libc, or the probe that is next in line,
 * looks at where it is called from. Between JUMPS_BEGIN and JUMPS_END, `JUMP f(x);` calls f by a
 * jump, at any level of optimisation.
 */
#ifndef GLIMPSE_PROBES_FOLLOW_EXEC_JUMP_H
#define GLIMPSE_PROBES_FOLLOW_EXEC_JUMP_H

#ifdef __clang__
#define JUMPS_BEGIN
#define JUMPS_END
#define JUMP __attribute__((musttail)) return
#else
#define JUMPS_BEGIN \
	_Pragma("GCC push_options") _Pragma("GCC optimize(\"O2\", \"no-stack-protector\")")
#define JUMPS_END _Pragma("GCC pop_options")
#define JUMP return
#endif

#endif
