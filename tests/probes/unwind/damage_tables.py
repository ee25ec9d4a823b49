#!/usr/bin/env python3
"""damage_tables.py SEED IN OUT: copies an ELF file and damages its unwinding tables: .eh_frame, .eh_frame_hdr, and the program
header that says where these are."""
import os
import random
import struct
import sys

NUMBERS = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x70000000]
# instructions that say where a frame ends or a register is, and prefixes of their operands
RULES = [
    b"\x0c\x06", b"\x0c\x07", b"\x0d\x06", b"\x0d\x07", b"\x0e", b"\x0f\x03\x76\x00\x06", b"\x0f\x03\x77\x00\x06",
    b"\x0f\x04\x77\x80\x40\x06", b"\x10\x10\x02\x76", b"\x10\x06\x02\x76", b"\x10\x06\x02\x77", b"\x90", b"\x86",
    b"\x11\x10", b"\x12\x06", b"\x05\x06", b"\x0a", b"\x0b", b"\x04", b"\x0f\xff\xff\x7f", b"\x07\x10",
]  # fmt: skip


def sections(data):
    """Returns (offset, size) by name."""
    start = struct.unpack_from("<Q", data, 40)[0]
    size, number, names = struct.unpack_from("<HHH", data, 58)
    table = struct.unpack_from("<Q", data, start + names * size + 24)[0]
    found = {}
    for i in range(number):
        at = start + i * size
        name = table + struct.unpack_from("<I", data, at)[0]
        found[bytes(data[name : data.index(b"\0", name)])] = struct.unpack_from("<QQ", data, at + 24)
    return found


def entries(data, section):
    """Returns (offset, size, whether it is shared by others) of each entry of .eh_frame."""
    at, size = section
    end = at + size
    found = []
    while at + 8 <= end:
        length, pointer = struct.unpack_from("<II", data, at)
        if not length:
            break
        found.append((at, length + 4, not pointer))
        at += 4 + length
    return found


def damage_bytes(data, at, size):
    for _ in range(random.choice([1, 3, 10, 40])):
        i = at + random.randrange(size)
        kind = random.randrange(3)
        if kind == 0:
            data[i] ^= 1 << random.randrange(8)
        elif kind == 1 and i + 4 <= at + size:
            struct.pack_into("<I", data, i, random.choice(NUMBERS))
        else:
            data[i] = random.randrange(256)


def damage_entries(data, section):
    found = entries(data, section)
    kind = random.randrange(6)
    number = random.randrange(1 << 32)
    for at, size, shared in random.sample(found, random.choice([1, 3, len(found)])):
        if kind == 0 and not shared:
            struct.pack_into("<I", data, at + 4, random.choice(NUMBERS + [number]))
        elif kind == 1:
            struct.pack_into("<I", data, at, random.choice(NUMBERS + [number]))
        elif kind == 2 and shared:
            data[at + 9 : at + 11] = bytes(random.choice(b"zRPLSB\0") for _ in range(2))
        elif kind == 3 and shared:
            data[at + 12 : at + 16] = bytes(random.choice([0, 1, 0x7F, 0x80, 0xFF]) for _ in range(4))
        else:
            rule = random.choice(RULES) + bytes(random.choice([0, 8, 16, 0x40, 0x7F, 0xFF]) for _ in range(3))
            i = at + (17 if not shared else 15) + random.randrange(3)
            data[i : min(i + len(rule), at + size)] = rule[: max(0, at + size - i)]


def damage_header(data):
    """Where the program header says that the tables are."""
    start = struct.unpack_from("<Q", data, 32)[0]
    for i in range(struct.unpack_from("<H", data, 56)[0]):
        at = start + 56 * i
        if struct.unpack_from("<I", data, at)[0] == 0x6474E550:
            struct.pack_into("<Q", data, at + 16, random.choice(NUMBERS + [random.randrange(1 << 16), 1 << 60]))


def main():
    random.seed(sys.argv[1])
    with open(sys.argv[2], "rb") as file:
        data = bytearray(file.read())
    size = len(data)
    found = sections(data)
    kind = random.randrange(12)
    if kind == 0:
        damage_header(data)
    elif kind < 4:
        damage_bytes(data, *found[b".eh_frame_hdr"])
    elif kind < 7:
        damage_bytes(data, *found[b".eh_frame"])
    else:
        damage_entries(data, found[b".eh_frame"])
    assert len(data) == size
    with open(sys.argv[3], "wb") as file:
        file.write(data)
    os.chmod(sys.argv[3], 0o755)


main()
