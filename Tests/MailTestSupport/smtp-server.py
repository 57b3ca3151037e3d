"""An SMTP server for tests, which ends with its standard input. The recipient's local part selects how it responds.

The sender's local part `refused` is rejected at once, and `foreign` when the recipient is named.

usage: smtp-server.py OPTIONS

OPTIONS is a JSON object: host, tls ("none", "startTLS" or "immediate"), certificate, key, user and password. The server prints its port,
and then a line of JSON for each mail that it has received, as Python's package `email` reads it, and for each other use of interest.
"""

import asyncio
import email
import email.policy
import email.utils
import json
import logging
import ssl
import sys
import warnings
from email.header import decode_header, make_header

from aiosmtpd.smtp import SMTP, AuthResult

options = json.loads(sys.argv[1])

def report(**what):
    print(json.dumps(what), flush=True)

async def forever():
    await asyncio.Event().wait()

def text(part):
    return part.get_content().replace("\r\n", "\n") if part else None

def display_name(content):
    """Returns the sender's name. The newer parser keeps the spaces between encoded words, against RFC 2047 section 6.2."""
    field = email.message_from_bytes(content)["From"].replace("\r\n", "")
    return str(make_header(decode_header(email.utils.parseaddr(field)[0])))


class Handler:
    def __init__(self):
        self.ignores_quit = False

    async def handle_MAIL(self, server, session, envelope, address, parameters):
        report(command="MAIL")
        if address.startswith("refused@"):
            return f"553 5.7.1 <{address}>: sender is not owned by the user"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, parameters):
        replies = {
            "unknown": f"550 5.1.1 <{address}>: no such user",
            "busy": f"451 4.7.1 <{address}>: try again later",
            "unencrypted": "530 5.7.0 Must issue a STARTTLS command first",
            "terse": "550 no",
            "several": "550-5.2.1 The mailbox is disabled\r\n550 5.2.1 Ask its owner",
        }
        local = address.partition("@")[0]
        if envelope.mail_from.startswith("foreign@"):
            return f"550 5.1.8 <{envelope.mail_from}>: domain not found"
        if local in replies:
            return replies[local]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        report(
            command="DATA",
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            client=session.host_name,
            user=session.auth_data,
            isEncrypted=server.transport.get_extra_info("ssl_object") is not None,
            head={name: str(value) for name, value in message.items()},
            type=message.get_content_type(),
            defects=[str(defect) for part in message.walk() for defect in part.defects],
            text=text(message.get_body(("plain",))),
            html=text(message.get_body(("html",))),
            displayName=display_name(envelope.content),
            date=message["Date"].datetime.timestamp(),
            longestLine=max(map(len, envelope.content.split(b"\r\n"))),
        )
        match envelope.rcpt_tos[0].partition("@")[0]:
            case "cut":
                server.transport.abort()
                await forever()
            case "silent":
                await forever()
            case "spam":
                return "554 5.7.1 This is spam"
            case "full":
                return "452 4.3.1 The disk is full"
        self.ignores_quit = envelope.rcpt_tos[0].startswith("stays@")
        return "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        if self.ignores_quit:
            await forever()
        return "221 Bye"

def authenticate(server, session, envelope, mechanism, data):
    right = data.login.decode() == options["user"] and data.password.decode() == options["password"]
    report(command="AUTH")
    return AuthResult(success=right, handled=False, auth_data=data.login.decode() if right else None)

async def main():
    loop = asyncio.get_running_loop()
    context = None
    if options.get("certificate"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options["certificate"], options["key"])
    start_tls = options["tls"] == "startTLS"

    def connection():
        return SMTP(
            Handler(),
            hostname="test.example",
            tls_context=context if start_tls else None,
            require_starttls=start_tls,
            authenticator=authenticate if options.get("user") else None,
            auth_required=bool(options.get("user")),
            auth_require_tls=False,
            loop=loop,
        )

    immediate = context if options["tls"] == "immediate" else None
    server = await loop.create_server(connection, options["host"], 0, ssl=immediate)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


# It warns of users without TLS, and reports clients that do not trust it.
warnings.simplefilter("ignore")
logging.disable()
loop = asyncio.new_event_loop()
loop.run_until_complete(main())
