"""Who may talk to the page's server, and how it starts and stops."""

import asyncio
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from orderedness.explorer.serve import HOST, PORT, OnlyThisPage, listen

COMMAND = [str(Path(sys.executable).with_name("orderedness")), "explore", "--no-browser"]


def answer(scope):
    sent = []

    async def application(scope, receive, send):
        sent.append("passed on")

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message.get("status") or message.get("code") or message["type"])

    asyncio.run(OnlyThisPage(application, 2730)(scope, receive, send))
    return sent[0]


def scope(kind, host=b"127.0.0.1:2730", origin=None):
    headers = [(b"host", host)] if host else []
    return {"type": kind, "headers": headers + ([(b"origin", origin)] if origin else [])}


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_only_our_own_page_is_answered(kind):
    refused = 403 if kind == "http" else 4403
    assert answer(scope(kind)) == "passed on"
    assert answer(scope(kind, b"localhost:2730", b"http://localhost:2730")) == "passed on"
    for origin in (b"http://evil.example", b"null", b"http://127.0.0.1:8000",
                   b"https://127.0.0.1:2730", b"http://127.0.0.1:2730.evil.example"):  # fmt: skip
        assert answer(scope(kind, origin=origin)) == refused
    for host in (b"evil.example:2730", b"127.0.0.1", None):
        assert answer(scope(kind, host)) == refused


def test_a_port_is_chosen_or_refused():
    with listen(None) as first, listen(None) as second:
        ports = {one.getsockname() for one in (first, second)}
        assert len(ports) == 2
        assert {host for host, _ in ports} == {HOST}
        taken = first.getsockname()[1]
        with pytest.raises(OSError, match=f"port is {taken}, which cannot be had"):
            listen(taken)
    assert PORT > 1024


def run(*arguments):
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_taken_port_gets_one_sentence():
    with socket.socket() as holder:
        holder.bind((HOST, 0))
        holder.listen()
        done = run("--port", str(holder.getsockname()[1]))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "cannot be had" in done.stderr
    assert run("--port", "70000").stderr.startswith("orderedness: port is 70000")


def test_without_marimo_it_says_what_to_install():
    code = """
import sys
sys.modules["marimo"] = None
from orderedness.cli import main
sys.exit(main(["explore", "--no-browser"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == [
        "orderedness: marimo is not installed, and the explorer needs it: "
        "pip install 'orderedness[explore]'"
    ]


def test_it_answers_on_loopback_alone_and_stops_with_ctrl_c():
    with subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            address = server.stdout.readline().split()[2]
            assert address.startswith("http://127.0.0.1:")
            with urllib.request.urlopen(address, timeout=30) as page:
                assert page.status == 200
            asked = urllib.request.Request(address, headers={"Origin": "http://evil.example"})
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(asked, timeout=30)
            server.send_signal(signal.SIGINT)
            assert server.wait(30) == 0
            assert server.stderr.read() == ""
        finally:
            server.kill()
