/* A library that loads.c loads. */
#include <stdio.h>
#include <stdlib.h>

int plugin(void);
int plugin(void)
{
	void *block = malloc(777);

	free(block);
	return puts("plugin");
}
