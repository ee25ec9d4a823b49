/* The C part of a program in two languages; MAIN__ is what gfortran makes of a program unit. */
#include "messages_glimpse.h"

void exchange_c(int src, int count);

void exchange_c(int src, int count)
{
	for (int i = 0; i < count; i++)
		Recvmsg_Stamp(src, i);
}
