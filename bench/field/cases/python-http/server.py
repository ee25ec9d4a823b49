"""Usage: server.py ROUNDS. Serves HTTP at a socket of the file system; each answer takes ROUNDS of computing."""
import http.server
import signal
import socketserver
import sys

ROUNDS = int(sys.argv[1])


def digest(text):
    sum = 0
    for i in range(ROUNDS):
        sum = (sum * 31 + text[i % len(text)]) % 1000003
    return sum


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'%d\n' % digest(self.path.encode())
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return 'client'

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


signal.signal(signal.SIGTERM, lambda *_: sys.exit())
Server('http.sock', Handler).serve_forever()
