"""Passes bytes on between tables and a broker: ``python -m benchmarks.hallrelay PORT BROKER_PORT``.

Whoever stops this process (SIGSTOP) cuts the tables off as a network does: nobody is told, and nothing arrives.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()


async def relay(port: int, broker: int) -> None:
    """Pass on until the process ends."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", broker)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_copy(reader, back), _copy(there, writer))

    server = await asyncio.start_server(pass_on, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(relay(int(sys.argv[1]), int(sys.argv[2])))
