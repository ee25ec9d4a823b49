#!/bin/sh
# figures.sh ONE TWO: the counterparts of the thesis' Figures 7 to 16, from a run of each experiment, in the working directory;
# first, what its text says of them is checked.
set -eu
one=$1 two=$2
here=$(dirname "$0")

glimpse check -s "$here/one.spec" "$one"
glimpse check -s "$here/two.spec" "$two"

# picture NUMBER RUN EVENTS INTERVALS [THREADS]
picture() {
	gorge "$2" --events "$3" --intervals "$4" --threads "${5:-*}" --title "Figure $1" -o "figure$1.png"
}

car=StartMotor,ArriveIntersection
stops=$car,Stop,Go
timers=$stops,SmallTimer,LargeTimer
all=$timers,NoWait,LightChanged

# Figures 7 and 12: the cars drive to the intersection.
picture 7 "$one" $car StartMotorArrInt "Car*"
picture 12 "$two" $car StartMotorArrInt "Car*"
# Figures 8 and 13: some have to stop.
picture 8 "$one" $stops StartMotorArrInt,StopAndGo "Car*"
picture 13 "$two" $stops StartMotorArrInt,StopAndGo "Car*"
# Figures 9 and 14: timers begin.
picture 9 "$one" $timers StartMotorArrInt,StopAndGo
picture 14 "$two" $timers StartMotorArrInt,StopAndGo
# Figures 10 and 15: cars that do not stop make new small timers.
picture 10 "$one" $timers,NoWait StartMotorArrInt,StopAndGo,NoWaitSmallTimer
picture 15 "$two" $timers,NoWait StartMotorArrInt,StopAndGo,NoWaitSmallTimer
# Figures 11 and 16: timers that expire switch the light and let cars go.
picture 11 "$one" $all StartMotorArrInt,StopAndGo,NoWaitSmallTimer,STimerLtChanged,LTimerLtChanged,LtChangedAndGo
picture 16 "$two" $all StartMotorArrInt,StopAndGo,NoWaitSmallTimer,STimerLtChanged,LTimerLtChanged,LtChangedAndGo
