/* Logs the number in each line of its input and says it again, as Scenes answer does in Java. */
#include "scenes_glimpse.h"
#include <stdio.h>

int main(void)
{
	int number;

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (scanf("%d", &number) == 1) {
		Mark_Stamp(number);
		printf("%d\n", number);
	}
	return 0;
}
