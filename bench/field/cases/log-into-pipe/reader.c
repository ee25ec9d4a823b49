/* Reads a page of standard input every 3 ms. */
#include <unistd.h>

int main(void)
{
	char page[4096];

	while (read(0, page, sizeof page) > 0)
		usleep(3000);
	return 0;
}
