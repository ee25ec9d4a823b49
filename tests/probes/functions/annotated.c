/* Logs events of its own: what does that is none of the program's functions. */
#include "annotated_glimpse.h"

__attribute__((noinline)) void step(int number)
{
	Step_Stamp(number);
}

int main(void)
{
	for (int i = 0; i < 1000; i++)
		step(i);
	return 0;
}
