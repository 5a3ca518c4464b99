"""Requests that a service must refuse: each gives a name, the bytes that are sent, and the statuses that are right."""

import base64
import json
import random
import struct
import zlib


def http(path, body=b"", method="POST", **headers):
    """The bytes of a request. Header names have underscores for hyphens."""
    headers = {"Host": "localhost", "Content-Length": str(len(body)), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return f"{method} {path} HTTP/1.1\r\n".encode() + "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def huge_png():
    """A PNG that says to have 60,000 × 60,000 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(100_000)))
            + chunk(b"IEND", b""))


def multipart(parts, boundary="soak"):
    body = b""
    for disposition, data in parts:
        body += f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n".encode() + data + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


REFUSED = {400, 413, 415, 422}


def requests(photo, numbers):
    """Hostile requests around a good photograph: pairs of a name and (bytes, right statuses). `numbers` is a Random."""
    cut = photo[:numbers.randrange(4, len(photo) // 2)]
    damaged = bytearray(photo[: len(photo) // 3])
    for _ in range(40):
        damaged[numbers.randrange(2, len(damaged))] = numbers.randrange(256)
    image = {"Content_Type": "image/jpeg"}
    as_json = {"Content_Type": "application/json"}
    form = {"Content_Type": "multipart/form-data; boundary=soak"}
    encoded = base64.b64encode(photo[:2000]).decode()
    return {
        # Damaged photographs may still show something: a decoder may fill up what is missing.
        "truncated": (http("/v1/classify", cut, **image), REFUSED | {200}),
        "damaged": (http("/v1/faces", bytes(damaged), **image), REFUSED | {200}),
        "noise": (http("/v1/classify", numbers.randbytes(5000), **image), REFUSED),
        "empty": (http("/v1/classify", b"", **image), REFUSED),
        "bomb": (http("/v1/classify", huge_png(), Content_Type="image/png"), REFUSED),
        "not JSON": (http("/v1/analyze", b'{"image": "', **as_json), REFUSED),
        "deep JSON": (http("/v1/analyze", b"[" * 50_000, **as_json), REFUSED),
        "no Base64": (http("/v1/analyze", json.dumps({"image": "§", "requests": ["faces"]}).encode(), **as_json),
                      REFUSED),
        "a path": (http("/v1/analyze", json.dumps({"path": "/etc/passwd", "requests": ["faces"]}).encode(), **as_json),
                   REFUSED),
        "a URL": (http("/v1/analyze", json.dumps({"image": "http://127.0.0.1/", "requests": ["faces"]}).encode(),
                       **as_json), REFUSED),
        "unknown request": (http("/v1/analyze", json.dumps({"image": encoded, "requests": ["weather"]}).encode(),
                                 **as_json), REFUSED),
        "many requests": (http("/v1/analyze", json.dumps({"image": encoded, "requests": ["faces"] * 5000}).encode(),
                               **as_json), REFUSED),
        "unknown parameter": (http("/v1/classify?bottom=3", photo, **image), REFUSED),
        "wrong value": (http("/v1/classify?top=-1", photo, **image), REFUSED),
        "open multipart": (http("/v1/analyze", multipart([('name="image"', photo)])[:-20], **form), REFUSED),
        "multipart without image": (http("/v1/analyze", multipart([('name="requests"', b'["faces"]')]), **form),
                                    REFUSED),
        "multipart without boundary": (http("/v1/analyze", photo, Content_Type="multipart/form-data"), REFUSED),
        "unknown path": (http("/v1/../../etc/passwd", photo, **image), {400, 404}),
        "file of the page": (http("/page/..%2f..%2fetc%2fpasswd", method="GET"), {400, 404}),
        "wrong method": (http("/v1/classify", method="DELETE"), {404, 405}),
        "long header": (http("/healthz", method="GET", X_Long="a" * 100_000), {400, 413, 431}),
        "not HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + numbers.randbytes(500), {400}),
        "negative length": (b"POST /v1/classify HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n", {400}),
        "two lengths": (b"POST /v1/classify HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
                        REFUSED),
        "too large": (b"POST /v1/classify HTTP/1.1\r\nHost: a\r\nContent-Type: image/jpeg\r\n"
                      b"Content-Length: 99999999999\r\n\r\n", {413}),
    }
