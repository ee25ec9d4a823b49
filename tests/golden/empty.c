#include "empty_glimpse.h"

int main(void)
{
	Tick_Stamp();
	Tock_Stamp();
	Tick_Stamp();
	return 0;
}
