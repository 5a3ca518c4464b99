"""A small HTTP client for measuring: connections that stay open, on asyncio, without anything of PyPI. And the memory
of the processes of a server."""

import asyncio
import json
import urllib.parse
from pathlib import Path


class Connection:
    """One connection to a server, opened when it is needed, and again after the server closed it."""

    def __init__(self, address, timeout=120):
        parts = urllib.parse.urlsplit(address)
        self.host, self.port, self.timeout = parts.hostname, parts.port, timeout
        self.reader = self.writer = None

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20)

    def close(self):
        if self.writer:
            self.writer.transport.abort()
        self.reader = self.writer = None

    async def request(self, method, path, body=b"", headers=None):
        """Returns the status, the headers with lower-case names, and the body of an answer.

        Raises OSError and EOFError where the connection breaks, and TimeoutError.
        """
        async with asyncio.timeout(self.timeout):
            if self.writer is None:
                await self.open()
            lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Content-Length: {len(body)}"]
            lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
            self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            try:
                await self.writer.drain()
            except ConnectionError:
                # The server may have answered, and closed, before it had read everything.
                pass
            return await self.answer()

    async def answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = b""
            while size := int((await self.reader.readuntil(b"\r\n")).split(b";")[0], 16):
                body += await self.reader.readexactly(size)
                await self.reader.readexactly(2)
            await self.reader.readuntil(b"\r\n")
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return status, headers, body


def processes(pid):
    """A process and all that it started."""
    found = [pid]
    for parent in found:
        try:
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        except OSError:
            continue
        found += [int(child) for child in children]
    return found


def memory(pid):
    """The proportional memory (PSS) of a process and all that it started, in MB; None where it is not known."""
    total = 0
    for process in processes(pid):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024 or None


def errors_in(body):
    """The error of an answer's body as text, shortened."""
    try:
        return json.loads(body)["error"]["message"][:120]
    except (ValueError, KeyError, TypeError):
        return repr(body[:80])
