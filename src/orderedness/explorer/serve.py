"""Serving the page to this machine's browser, and to nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any, NoReturn

HOST = "127.0.0.1"
PORT = 2730
MISSING = "marimo is not installed, and the explorer needs it: pip install 'orderedness[explore]'"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class OnlyThisPage:
    """Turns away requests that another web page, open in the same browser, makes of this server.

    Browsers let any page send requests, and open web sockets, to 127.0.0.1. They say where a
    request comes from (Origin) and which name it was sent to (Host): both must be ours. The second
    also stops a foreign name that was made to point here.
    """

    def __init__(self, application: Application, port: int) -> None:
        self._application = application
        self._hosts = {f"{name}:{port}".encode() for name in (HOST, "localhost")}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is ours."""
        if scope["type"] == "lifespan" or self._is_ours(scope["headers"]):
            await self._application(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403})
        else:
            await send({"type": "http.response.start", "status": 403, "headers": []})
            await send({"type": "http.response.body", "body": b"not from here"})

    def _is_ours(self, headers: list[tuple[bytes, bytes]]) -> bool:
        hosts = [value for name, value in headers if name == b"host"]
        origins = [value for name, value in headers if name == b"origin"]
        return (
            len(hosts) == 1
            and hosts[0] in self._hosts
            and all(origin in self._origins for origin in origins)
        )


def listen(port: int | None) -> socket.socket:
    """A socket on loopback: on the port asked for, else on the usual one or any that is free."""
    for wanted in (PORT, 0) if port is None else (port,):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, wanted))
        except OSError as error:
            listening.close()
            if port is not None:
                raise OSError(
                    f"port is {port}, which cannot be had: {str(error.strerror).lower()}; without "
                    "--port a free one is chosen"
                ) from None
            continue
        listening.listen()
        return listening
    raise OSError(f"no port is free on {HOST}")


def serve(port: int | None = None, *, browser: bool = True) -> NoReturn:
    """Serve until interrupted; then the process ends."""
    try:
        import uvicorn
        from marimo import create_asgi_app
    except ImportError:
        raise OSError(MISSING) from None
    with listen(port) as listening:
        chosen = listening.getsockname()[1]
        address = f"http://{HOST}:{chosen}"
        app = Path(__file__).with_name("app.py")
        pages = create_asgi_app(quiet=True).with_app(path="", root=str(app)).build()
        config = uvicorn.Config(
            OnlyThisPage(pages, chosen),
            log_level="error",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        print(f"The explorer: {address}  (Ctrl-C stops it)", flush=True)
        if browser:
            threading.Timer(0.5, webbrowser.open, [address]).start()
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            server.run(sockets=[listening])
    # Threads that hold a page's state, or train just now, never end by themselves, and Python
    # would wait for them, or fall over them. There is nothing left to be saved.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
