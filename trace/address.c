#include "trace/address.h"

bool type_is_address(enum type t)
{
	return t == TYPE_ADDRESS || type_is_symbolic(t);
}

const char *address_digits(char buffer[ADDRESS_TEXT], uint64_t address)
{
	char *at = buffer + ADDRESS_TEXT;

	*--at = '\0';
	do
		*--at = "0123456789abcdef"[address & 15];
	while (address >>= 4);
	*--at = 'x';
	*--at = '0';
	return at;
}
