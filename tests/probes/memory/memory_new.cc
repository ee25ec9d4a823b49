// Every kind of new and delete, each with a size of its own; and one that throws.
#include <cstdio>
#include <new>

struct alignas(128) Wide {
	char bytes[1280];
};

struct Own {
	char bytes[1400];
	static void *operator new(std::size_t size) { return ::operator new(size + 1); }
	static void operator delete(void *block) { ::operator delete(block); }
};

int main()
{
	::operator delete(::operator new(1102));
	::operator delete[](::operator new[](1103));
	::operator delete(::operator new(1104, std::nothrow), std::nothrow);
	::operator delete[](::operator new[](1105, std::nothrow), std::nothrow);
	::operator delete(::operator new(1152, std::align_val_t(64)), std::align_val_t(64));
	::operator delete[](::operator new[](1216, std::align_val_t(64)), std::align_val_t(64));
	::operator delete(::operator new(1344, std::align_val_t(64), std::nothrow), std::align_val_t(64));
	::operator delete(::operator new(1109), std::size_t(1109));
	delete new Wide;
	delete new Own;
	try {
		volatile std::size_t huge = ~std::size_t(0) / 4;
		::operator delete(::operator new(huge));
	} catch (std::bad_alloc &) {
		std::puts("bad_alloc");
	}
}
