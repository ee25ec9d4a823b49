/* Two specifications in one program. */
#include "first_glimpse.h"
#include "second_glimpse.h"

int main(void)
{
	Start_Stamp(1);
	SecondOnly_Stamp(0.25);
	FirstOnly_Stamp("both");
	Stop_Stamp(2);
	return 0;
}
