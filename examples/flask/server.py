import hashlib, os, re, uuid
import httpx2
from flask import Flask, Response, abort, request
from itsdangerous import Signer
from limits import parse, storage, strategies
from werkzeug.middleware.proxy_fix import ProxyFix

key = os.environ["SUPPORT_API_KEY"]
api = httpx2.Client(base_url=os.environ["SUPPORT_API_URL"], headers={"Authorization": "Bearer " + key}, timeout=30)
signer = Signer(key, digest_method=hashlib.sha256)
takes = strategies.FixedWindowRateLimiter(storage.MemoryStorage()).hit
few, many = parse("20/minute"), parse("200/minute")
# IPv6 counts by network, and no port does.
NETWORK = re.compile(r"\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::[\da-f]{1,4}){0,3})", re.I)
app = Flask(__name__)
app.wsgi_app = ProxyFix(app.wsgi_app, x_for=int(os.environ.get("PROXY_HOPS", "1")))

@app.post("/support-chat/token")
def chat_token():
    host, network = request.headers.get("Host"), NETWORK.match(request.remote_addr)
    address = network[1] if network else "unknown"
    # Browsers name the origin of every POST.
    if request.headers.get("Origin") not in (f"https://{host}", f"http://{host}"):
        abort(403)
    # A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
    cookie = request.cookies.get("chat_visitor", "")
    found = re.fullmatch(r"([0-9a-f-]{36})(\..*)?", cookie)
    visitor, is_known = found[1] if found else str(uuid.uuid4()), signer.validate(cookie)
    if not takes(few, visitor if is_known else address) or is_known and not takes(many, address):
        return Response(status=429, headers={"Retry-After": "60"})
    try:
        answer = api.post("/auth/widget-token", json={"externalUserId": "web_" + visitor})
        if answer.is_server_error:
            answer.raise_for_status()
    except httpx2.HTTPError as error:
        app.logger.error("no chat token: %s", error)
        abort(502)
    response = Response(answer.content, answer.status_code, {"Cache-Control": "no-store"}, "application/json")
    if "Retry-After" in answer.headers:
        response.headers["Retry-After"] = answer.headers["Retry-After"]
    signed = signer.sign(visitor).decode()
    response.set_cookie("chat_visitor", signed, max_age=31536000, httponly=True, secure=True, samesite="Lax")
    return response

if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]))
