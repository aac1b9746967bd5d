"""Shell: a throw-away certificate, and TLS contexts that speak 1.3 only.

The certificate proves nothing by itself. It is made for one listener and names no person and no
machine; the handshake binds its fingerprint to an identity. So no authority is asked about it.
"""

from __future__ import annotations

import datetime
import hashlib
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509.oid import NameOID

from protocol.errors import Unavailable
from protocol.memory import is_out_of_memory

ALPN = "citadels/1"

_EPOCH = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
_END = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC)


def listening_context() -> tuple[ssl.SSLContext, bytes]:
    """A server context with a fresh certificate, and that certificate's SHA-256.

    Raises `Unavailable`: "no_tls", "no_memory".
    """
    try:
        try:
            return _context_with(ed25519.Ed25519PrivateKey.generate(), None)
        except (ssl.SSLError, ValueError):
            # Systems in FIPS mode may refuse Ed25519 certificates.
            return _context_with(ec.generate_private_key(ec.SECP256R1()), hashes.SHA256())
    except (ssl.SSLError, OSError) as problem:
        hint = "no_memory" if is_out_of_memory(problem) else "no_tls"
        raise Unavailable(hint, type(problem).__name__) from problem


def dialling_context() -> ssl.SSLContext:
    """A client context that takes any certificate: the handshake judges it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return _narrowed(context)


def _narrowed(context: ssl.SSLContext) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN])
    return context


def _context_with(
    key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey, digest: hashes.SHA256 | None
) -> tuple[ssl.SSLContext, bytes]:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "citadels")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_EPOCH)
        .not_valid_after(_END)
        .sign(key, digest)
    )
    context = _narrowed(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    context.num_tickets = 0  # no resumption: every connection proves its identity anew
    # The standard library loads keys from files only: this one is private and gone at once.
    with tempfile.TemporaryDirectory(prefix="citadels-") as directory:
        path = Path(directory) / "key.pem"
        path.touch(mode=0o600)
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context.load_cert_chain(path)
    return context, hashlib.sha256(
        certificate.public_bytes(serialization.Encoding.DER)
    ).digest()
