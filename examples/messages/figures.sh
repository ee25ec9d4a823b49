#!/bin/sh
# figures.sh RUN LATE: the counterparts of the thesis' Figures 2, 3 and 4, one command each, from a run of messages; and
# a fifth picture from a run in which one thread came late.
set -eu
run=$1 late=$2

# Figure 2: the threads and the messages between them.
gorge "$run" --intervals Transit --from 10ms --to 14ms -o figure2.png

# Figure 3: how many messages have been sent and received.
nibble "$run" 'count(Sendmsg)' 'count(Recvmsg)' -o figure3.png

# Figure 4: what thread 0 has sent to thread 1, what has arrived there, and the difference: what is under way.
nibble "$run" 'count(Sendmsg[thread=0])' 'count(Recvmsg[thread=1, where src == 0])' \
	'count(Sendmsg[thread=0]) - count(Recvmsg[thread=1, where src == 0])' -o figure4.png

# Strip 5 is 20 ms late in the middle of the run.
gorge "$late" --intervals Transit -o late.png
