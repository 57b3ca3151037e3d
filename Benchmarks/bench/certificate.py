"""A certificate for localhost, to measure TLS."""

import subprocess

from client import Failure
from servers import RESULTS


def options():
    """The settings of a server that uses the certificate."""
    certificate, key = RESULTS / "certificate.pem", RESULTS / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost".split()
    made = subprocess.run(
        [*command, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        raise Failure(f"openssl could not make a certificate: {made.stderr}")
    return ["--tls-certificate", certificate, "--tls-key", key]
