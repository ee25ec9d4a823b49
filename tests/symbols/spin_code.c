/*
 * Looks at the machine code of functions: spin_code LIBRARY FUNCTION... prints for each function
 * whether some instruction of it is in a loop that waits, "NAME spins" or "NAME works". Without
 * arguments, it looks at code of AArch64 that it has itself; its exit status says whether all is
 * right.
 */
#include "trace/symbols/spin_code.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool spins_at(const unsigned char *code, size_t n, size_t at, unsigned machine)
{
	size_t from = at < SPIN_LOOP_MOST ? 0 : at - SPIN_LOOP_MOST;
	size_t to = n - at < SPIN_LOOP_MOST ? n : at + SPIN_LOOP_MOST;
	struct code_bytes c = {.n = to - from, .at = at - from, .machine = machine};

	memcpy(c.bytes, code + from, c.n);
	return spin_code_is(&c);
}

static bool spins(const void *code, size_t n, unsigned machine)
{
	for (size_t at = 0; at < n; at++)
		if (spins_at(code, n, at, machine))
			return true;
	return false;
}

static int arm(void)
{
	/* ldr w0, [x1]; yield; cbz w0, 0; ret */
	static const uint32_t waits[] = {0xb9400020, 0xd503203f, 0x34ffffc0, 0xd65f03c0};
	/* add x0, x0, 1; cmp x0, x1; b.ne 0; yield */
	static const uint32_t works[] = {0x91000400, 0xeb01001f, 0x54ffffc1, 0xd503203f};
	bool right = spins(waits, sizeof waits, EM_AARCH64) &&
		     !spins(works, sizeof works, EM_AARCH64) &&
		     !spins(waits, sizeof waits, EM_S390);

	return !right;
}

int main(int n, char **words)
{
	void *library = n > 1 ? dlopen(words[1], RTLD_NOW) : NULL;

	if (n == 1)
		return arm();
	for (int i = 2; library && i < n; i++) {
		const void *code = dlsym(library, words[i]);
		const ElfW(Sym) * symbol;
		Dl_info info;

		if (!code || !dladdr1(code, &info, (void **)&symbol, RTLD_DL_SYMENT))
			return 1;
		printf("%s %s\n", words[i],
		       spins(code, symbol->st_size,
#ifdef __x86_64__
			     EM_X86_64
#else
			     EM_AARCH64
#endif
			     )
			   ? "spins"
			   : "works");
	}
	return library ? 0 : 1;
}
