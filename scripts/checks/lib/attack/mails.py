"""A mail server for the codes and notices of a server."""

import contextlib
import itertools
import re
import socketserver
import threading

from harness import wait_until


class MailHandler(socketserver.StreamRequestHandler):
    """A connection of a mail server that accepts everything."""

    def reply(self, line):
        self.wfile.write(line + b"\r\n")

    def handle(self):
        # A server can end while it sends a mail.
        with contextlib.suppress(ConnectionError):
            self.converse()

    def converse(self):
        self.reply(b"220 mails.example")
        recipient = ""
        for line in self.rfile:
            command = line[:4].upper()
            if command == b"RCPT":
                recipient = re.search(rb"<(.*)>", line).group(1).decode()
            if command == b"DATA":
                self.reply(b"354 Go on")
                text = b"".join(itertools.takewhile(lambda part: part != b".\r\n", self.rfile))
                self.server.mails.append((recipient, text.decode()))
            self.reply(b"221 Bye" if command == b"QUIT" else b"250 OK")


class MailServer(socketserver.ThreadingTCPServer):
    """Runs by `serve_forever`, and keeps what it gets: pairs of a recipient and a text."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), MailHandler)
        self.mails = []
        url = f"smtp://127.0.0.1:{self.server_address[1]}"
        self.options = ("--mail-url", url, "--mail-from", "no-reply@shop.example")


class Mails:
    """The mails that a server has sent."""

    def __init__(self):
        server = MailServer()
        self.mails = server.mails
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.options = (*server.options, "--requests", "off")

    def texts(self, recipient):
        """The mails to an address."""
        return [text for address, text in list(self.mails) if address == recipient]

    def count(self, recipient):
        """How many mails an address has got."""
        return len(self.texts(recipient))

    def codes(self, recipient, count):
        """The codes in the mails to an address, after a wait for so many."""

        def codes():
            return [code for text in self.texts(recipient) for code in re.findall(r"^Subject: (\d{8}) ", text, re.M)]

        wait_until(lambda: len(codes()) >= count, 20)
        return codes()
