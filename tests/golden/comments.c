#include "comments_glimpse.h"

int main(void)
{
	Slash_Stamp(1);
	One_Stamp();
	Several_Stamp(1, 2, "three");
	Lines_Stamp();
	Bare_Stamp();
	return 0;
}
