/*
 * Functions that are left by a jump or an exception: longjmp() and its relatives, and the function
 * by which the C++ runtime handles each frame of an exception. gcc's code leaves the functions
 * itself when an exception passes; clang's does not. For who is still open the stack pointer tells.
 */
#include "probes/functions/calls.h"
#include "probes/wrap.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- Jumps ----------------------------------------------------------------------------------- */

struct jump; /* what jmp_buf and sigjmp_buf begin with; setjmp.h may redirect the names below */

typedef void jump_function(struct jump *, int);
__attribute__((noreturn)) void longjmp(struct jump *to, int value);
__attribute__((noreturn)) void _longjmp(struct jump *to, int value);
__attribute__((noreturn)) void siglongjmp(struct jump *to, int value);
__attribute__((noreturn)) void __longjmp_chk(struct jump *to, int value);

static struct {
	jump_function *longjmp, *_longjmp, *siglongjmp, *__longjmp_chk;
} real;

#define STACK_POINTER 6 /* of the words of a jmp_buf */

/*
 * Returns the stack pointer that a jump leads to, or 0 where that is not known: then the functions
 * that it leaves are left when one around them returns. glibc hides it by a word of the thread.
 */
static uintptr_t jump_stack(const struct jump *to)
{
#if defined(__x86_64__) && defined(__LP64__)
	uintptr_t stack = ((const uintptr_t *)to)[STACK_POINTER];
#ifdef __GLIBC__
	uintptr_t guard;

	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	stack = (stack >> 17 | stack << 47) ^ guard;
#endif
	return stack;
#else
	(void)to;
	return 0;
#endif
}

static void jump_leave(const struct jump *to)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), there = jump_stack(to);

	if (there > here)
		calls_unwind(here, there);
}

#define JUMP(name) \
	WRAP_EXPORT void name(struct jump *to, int value) \
	{ \
		jump_function *next = WRAP_REAL(real.name, #name, NULL); \
		jump_leave(to); \
		if (next) \
			next(to, value); \
		abort(); \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* ---- Exceptions ------------------------------------------------------------------------------ */

/* Of the C++ ABI. */
typedef int personality(int version, int actions, uint64_t kind, void *exception, void *context);
personality __gxx_personality_v0;

#define INSTALL_CONTEXT 7 /* a handler or a destructor of this frame runs next */

/* Returns the definition in the library of the frame, which need not be one that all can see. */
static personality *personality_of(const void *code)
{
	Dl_info info;
	void *library, *found = NULL;

	if (code && dladdr(code, &info) && info.dli_fname) {
		library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		found = library ? wrap_look(library, "__gxx_personality_v0") : NULL;
		if (library)
			dlclose(library);
	}
	return found == (void *)__gxx_personality_v0 ? NULL : (personality *)found;
}

/* Returns a word of the frame: _Unwind_GetIP or _Unwind_GetCFA, of whatever unwinder there is. */
static uintptr_t context_word(const char *name, void *context)
{
	uintptr_t (*get)(void *) = (uintptr_t(*)(void *))wrap_look(RTLD_DEFAULT, name);

	return get ? get(context) : 0;
}

/* Called for each frame of C++ that an exception passes, innermost first. */
WRAP_EXPORT int __gxx_personality_v0(int version, int actions, uint64_t kind, void *exception,
				     void *context)
{
	static personality *next;
	personality *p = WRAP_REAL(next, "__gxx_personality_v0", NULL);
	int result;

	if (!p)
		p = personality_of((const void *)context_word("_Unwind_GetIP", context));
	if (!p)
		abort();
	result = p(version, actions, kind, exception, context);
	if (result == INSTALL_CONTEXT)
		calls_unwind((uintptr_t)__builtin_frame_address(0),
			     context_word("_Unwind_GetCFA", context));
	return result;
}
