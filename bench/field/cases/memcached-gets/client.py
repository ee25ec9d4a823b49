"""Usage: client.py SOCKET GETS. Stores a value, and gets it one time after the other."""
import socket
import sys


def get(connection, answer):
    connection.sendall(b'get key\r\n')
    got = b''
    while len(got) < len(answer):
        got += connection.recv(4096)
    if got != answer:
        sys.exit('wrong answer')


def main():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    value = b'x' * 1000
    connection.sendall(b'set key 0 0 1000\r\n' + value + b'\r\n')
    connection.recv(100)
    answer = b'VALUE key 0 1000\r\n' + value + b'\r\nEND\r\n'
    for _ in range(int(sys.argv[2])):
        get(connection, answer)


main()
