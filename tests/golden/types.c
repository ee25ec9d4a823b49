#include "types_glimpse.h"

int main(void)
{
	char longest[4098];

	memset(longest, 'x', sizeof longest - 1);
	longest[4097] = '\0';
	Small_Stamp(-1, 4294967295u);
	Large_Stamp(1, INT64_MIN, UINT64_MAX, -0.5, (const void *)(uintptr_t)0x1234);
	Text_Stamp("");
	Text_Stamp("a");
	Text_Stamp("four");
	Text_Stamp("with \"quotes\", \t and \xc3\xa4");
	Text_Stamp(NULL);
	Text_Stamp(longest + 1);        /* cut by one byte */
	Mixed_Stamp("first", 2, "", 1e300, "third");
	Mixed_Stamp("", 0, "second", 0.0, NULL);
	return 0;
}
