# Debug information whose function is an instance of itself, deep within calls, with an entry that leads back.
	.text
	.globl _start
_start:	.fill 64, 1, 0x90
end:
	.section .debug_abbrev
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x11, 1, 0x12, 6, 0, 0
	.uleb128 2, 0x2e
	.byte 1
	.uleb128 0x11, 1, 0x12, 6, 0, 0
	.uleb128 3, 0xb
	.byte 1
	.uleb128 0, 0
	.uleb128 4, 0x1d
	.byte 1
	.uleb128 0x31, 0x13, 0x11, 1, 0x12, 6, 0, 0
	.uleb128 5, 0x2e
	.byte 0
	.uleb128 0x31, 0x13, 0, 0
	.uleb128 6, 0x2e
	.byte 1
	.uleb128 1, 0x13, 0, 0
	.byte 0
	.section .debug_info
info:	.long after - begin
begin:	.short 4
	.long 0
	.byte 8
	.uleb128 1
	.quad _start
	.long 64
loop:	.uleb128 5
	.long loop - info
	.uleb128 2
	.quad _start
	.long 64
	.rept 20
	.uleb128 4
	.long loop - info
	.quad _start
	.long 64
	.endr
	.fill 100, 1, 3
	.fill 100, 1, 0
	.fill 20, 1, 0
	/* an instance without code */
	.uleb128 6
	.long loop - info
	.byte 0
	.byte 0
	.byte 0
after:
