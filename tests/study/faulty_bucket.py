"""A bucket on loopback: moto's server, and before it a proxy that does wrong what it is told to."""

import collections
import contextlib
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import boto3
from moto.server import ThreadedMotoServer

KEY, SECRET = "some-key-for-tests", "some-secret-for-tests"


class Proxy:
    """What the proxy does with requests, and what it saw.

    `faults` is asked with the method and path of each request for one of: None; "refuse", answer
    503 and forward nothing; "deny", the same with 403; "cut", forward it and hang up without an
    answer; "twice", forward it two times.
    """

    def __init__(self):
        self.faults = lambda method, path: None
        self.injected = collections.Counter()
        self.written = collections.Counter()


@contextlib.contextmanager
def faulty_bucket(name):
    """The address of a proxy before a server that has one bucket, and what it does."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    proxy = Proxy()
    before = ThreadingHTTPServer(("127.0.0.1", 0), handler(proxy, server.get_host_and_port()))
    threading.Thread(target=before.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{before.server_address[1]}"
        client = boto3.client(
            "s3",
            endpoint_url=address,
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
            region_name="us-east-1",
        )
        client.create_bucket(Bucket=name)
        yield address, proxy, client
    finally:
        before.shutdown()
        server.stop()


def handler(proxy, behind):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def serve(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            fault = proxy.faults(self.command, self.path)
            if fault:
                proxy.injected[fault] += 1
            if fault in ("refuse", "deny"):
                code = "SlowDown" if fault == "refuse" else "AccessDenied"
                text = f"<Error><Code>{code}</Code><AWSAccessKeyId>{KEY}</AWSAccessKeyId></Error>"
                return self.answer(503 if fault == "refuse" else 403, [], text.encode())
            for _ in range(2 if fault == "twice" else 1):
                connection = http.client.HTTPConnection(*behind)
                connection.request(self.command, self.path, body, dict(self.headers))
                answer = connection.getresponse()
                told = answer.read()
                connection.close()
                if self.command == "PUT" and answer.status == 200:
                    proxy.written[self.path] += 1
            if fault == "cut":
                self.close_connection = True
                return self.connection.close()
            return self.answer(answer.status, answer.getheaders(), told)

        def answer(self, status, headers, body):
            self.send_response(status)
            for header, value in headers:
                if header.lower() not in ("content-length", "connection", "transfer-encoding"):
                    self.send_header(header, value)
            length = dict(headers).get("Content-Length", "0") if self.command == "HEAD" else None
            self.send_header("Content-Length", length or str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *told):
            pass

    for verb in ("GET", "PUT", "HEAD", "DELETE", "POST"):
        setattr(Handler, f"do_{verb}", Handler.serve)
    return Handler
