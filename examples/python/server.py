import hashlib, hmac, http.client, json, os, re, time, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class AnyStatus(urllib.request.HTTPErrorProcessor):
    http_response = https_response = lambda self, request, response: response

api = urllib.request.build_opener(AnyStatus)
key, hops = os.environ["SUPPORT_API_KEY"], int(os.environ.get("PROXY_HOPS", "1"))
# IPv6 counts by network, and no port does.
NETWORK = re.compile(r"\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::[\da-f]{1,4}){0,3})", re.I)
# Requests of each known visitor, and of the strangers and the known visitors of each address, in this minute.
counts, counted = {}, 0

def is_over(name, limit):
    global counts, counted
    minute = time.monotonic() // 60
    if minute != counted:
        counts, counted = {}, minute
    count = counts[name] = counts.get(name, 0) + 1
    return count > limit

class Token(BaseHTTPRequestHandler):
    def do_POST(self):
        host = self.headers.get("Host")
        # Browsers name the origin of every POST.
        if self.headers.get("Origin") not in (f"https://{host}", f"http://{host}"):
            return self.reply(403)
        # A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
        cookie = "; ".join(self.headers.get_all("Cookie", []))
        found = re.search(r"(?:^|; )chat_visitor=([0-9a-f-]{36})(?:\.([0-9a-f]{64}))?(?:;|$)", cookie)
        visitor = found[1] if found else str(uuid.uuid4())
        signature = hmac.new(key.encode(), visitor.encode(), hashlib.sha256).hexdigest()
        is_known = found and hmac.compare_digest(found[2] or "", signature)
        # Each proxy adds an address on the right. What stands before those is the visitor's claim.
        forwarded = ",".join(self.headers.get_all("X-Forwarded-For", [])).split(",")
        addresses = [address.strip() for address in [*forwarded, self.client_address[0]] if address]
        network = NETWORK.match(addresses[max(0, len(addresses) - 1 - hops)])
        address = network[1] if network else "unknown"
        if is_over(visitor, 20) or is_over("visitors of " + address, 200) if is_known else is_over(address, 20):
            return self.reply(429, {"Retry-After": "60"})
        request = urllib.request.Request(
            os.environ["SUPPORT_API_URL"] + "/auth/widget-token",
            json.dumps({"externalUserId": "web_" + visitor}).encode(),
            {"Authorization": "Bearer " + key, "Content-Type": "application/json"},
        )
        try:
            with api.open(request, timeout=30) as answer:
                status, retry_after, body = answer.status, answer.headers.get("Retry-After"), answer.read()
        except (OSError, http.client.HTTPException) as error:
            status, retry_after, body = 502, None, b""
            self.log_error("no chat token: %s", error)
        if status >= 500:
            return self.reply(502)
        headers = {
            "Content-Type": "application/json",
            "Cache-Control": "no-store",
            "Set-Cookie": f"chat_visitor={visitor}.{signature}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000",
        }
        self.reply(status, headers | ({"Retry-After": retry_after} if retry_after else {}), body)

    def reply(self, status, headers={}, body=b""):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Token).serve_forever()
