#!/bin/sh
# figures.sh LIFO FIFO: the pictures of two runs of matrix.
set -eu
for order in lifo fifo; do
	gorge "$1" --events none --intervals Split,Multiply,Add -o "$order.png"
	nibble "$1" 'value(Products.bytes)' -o "$order-memory.png"
	shift
done
