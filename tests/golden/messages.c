#include "messages_glimpse.h"

int main(void)
{
	Preparemsg_Stamp();
	Sendmsg_Stamp(1, 2);
	Sendmsg_Stamp(-1, 2147483647);
	Recvmsg_Stamp(0, -2147483647 - 1);
	return 0;
}
