/*
 * C++'s new and delete by way of malloc() and free(), so that the memory probe sees them, where an
 * allocator has a new of its own that does not call malloc(): jemalloc, tcmalloc. What malloc()
 * refuses is left to that new, which knows the program's new handler and throws.
 */
#include "probes/wrap.h"
#include <stdlib.h>

#if __SIZEOF_SIZE_T__ == 8 /* the letter of size_t in the names is m */

#define NOTHROW "RKSt9nothrow_t"
#define ALIGN "St11align_val_t"

/* A function of the name that it has in C++; `name` is what we call it here. */
#define NAMED(type, name, symbol, parameters) \
	type name parameters __asm__(symbol); \
	WRAP_EXPORT type name parameters

#define NEXT(type, symbol, parameters, arguments) \
	(__extension__({ \
		static type(*next_) parameters; \
		type(*function_) parameters = WRAP_REAL(next_, symbol, NULL); \
		if (!function_) \
			abort(); \
		function_ arguments; \
	}))

static void *aligned(size_t size, size_t align)
{
	void *block;

	return posix_memalign(&block, align, size) == 0 ? block : NULL;
}

#define DEFINE_NEW(name, symbol) \
	NAMED(void *, name, symbol, (size_t size)) \
	{ \
		void *block = malloc(size); \
		return block ? block : NEXT(void *, symbol, (size_t), (size)); \
	} \
	NAMED(void *, name##_nothrow, symbol NOTHROW, (size_t size, const void *tag)) \
	{ \
		void *block = malloc(size); \
		return block ? block \
			     : NEXT(void *, symbol NOTHROW, (size_t, const void *), (size, tag)); \
	} \
	NAMED(void *, name##_aligned, symbol ALIGN, (size_t size, size_t align)) \
	{ \
		void *block = aligned(size, align); \
		return block ? block \
			     : NEXT(void *, symbol ALIGN, (size_t, size_t), (size, align)); \
	} \
	NAMED(void *, name##_aligned_nothrow, symbol ALIGN NOTHROW, \
	      (size_t size, size_t align, const void *tag)) \
	{ \
		void *block = aligned(size, align); \
		return block ? block \
			     : NEXT(void *, symbol ALIGN NOTHROW, (size_t, size_t, const void *), \
				    (size, align, tag)); \
	}

DEFINE_NEW(new_one, "_Znwm")
DEFINE_NEW(new_array, "_Znam")

/* What else delete is told, of size and alignment, free() need not know. */
#define DEFINE_DELETE(name, symbol) \
	NAMED(void, name, symbol, (void *block)) \
	{ \
		free(block); \
	}

DEFINE_DELETE(delete_one, "_ZdlPv")
DEFINE_DELETE(delete_one_nothrow, "_ZdlPv" NOTHROW)
DEFINE_DELETE(delete_one_sized, "_ZdlPvm")
DEFINE_DELETE(delete_one_aligned, "_ZdlPv" ALIGN)
DEFINE_DELETE(delete_one_aligned_nothrow, "_ZdlPv" ALIGN NOTHROW)
DEFINE_DELETE(delete_one_sized_aligned, "_ZdlPvm" ALIGN)
DEFINE_DELETE(delete_array, "_ZdaPv")
DEFINE_DELETE(delete_array_nothrow, "_ZdaPv" NOTHROW)
DEFINE_DELETE(delete_array_sized, "_ZdaPvm")
DEFINE_DELETE(delete_array_aligned, "_ZdaPv" ALIGN)
DEFINE_DELETE(delete_array_aligned_nothrow, "_ZdaPv" ALIGN NOTHROW)
DEFINE_DELETE(delete_array_sized_aligned, "_ZdaPvm" ALIGN)

#endif
