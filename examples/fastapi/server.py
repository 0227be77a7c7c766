import hashlib, logging, os, re, uuid
import httpx2, uvicorn
from fastapi import FastAPI, Request, Response
from itsdangerous import Signer
from limits import aio, parse

key, hops = os.environ["SUPPORT_API_KEY"], int(os.environ.get("PROXY_HOPS", "1"))
api = httpx2.AsyncClient(base_url=os.environ["SUPPORT_API_URL"], headers={"Authorization": "Bearer " + key}, timeout=30)
signer = Signer(key, digest_method=hashlib.sha256)
takes = aio.strategies.FixedWindowRateLimiter(aio.storage.MemoryStorage()).hit
few, many = parse("20/minute"), parse("200/minute")
# IPv6 counts by network, and no port does.
NETWORK = re.compile(r"\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::[\da-f]{1,4}){0,3})", re.I)
app = FastAPI()

@app.post("/support-chat/token")
async def chat_token(request: Request) -> Response:
    host = request.headers.get("Host")
    # Browsers name the origin of every POST.
    if request.headers.get("Origin") not in (f"https://{host}", f"http://{host}"):
        return Response(status_code=403)
    # A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
    cookie = request.cookies.get("chat_visitor", "")
    found = re.fullmatch(r"([0-9a-f-]{36})(\..*)?", cookie)
    visitor, is_known = found[1] if found else str(uuid.uuid4()), signer.validate(cookie)
    # Each proxy adds an address on the right. What stands before those is the visitor's claim.
    forwarded = ",".join(request.headers.getlist("X-Forwarded-For")).split(",")
    addresses = [address.strip() for address in [*forwarded, request.client.host] if address]
    network = NETWORK.match(addresses[max(0, len(addresses) - 1 - hops)])
    address = network[1] if network else "unknown"
    if not await takes(few, visitor if is_known else address) or is_known and not await takes(many, address):
        return Response(status_code=429, headers={"Retry-After": "60"})
    try:
        answer = await api.post("/auth/widget-token", json={"externalUserId": "web_" + visitor})
        if answer.is_server_error:
            answer.raise_for_status()
    except httpx2.HTTPError as error:
        logging.error("no chat token: %s", error)
        return Response(status_code=502)
    response = Response(answer.content, answer.status_code, {"Cache-Control": "no-store"}, "application/json")
    if "Retry-After" in answer.headers:
        response.headers["Retry-After"] = answer.headers["Retry-After"]
    signed = signer.sign(visitor).decode()
    response.set_cookie("chat_visitor", signed, max_age=31536000, httponly=True, secure=True, samesite="lax")
    return response

if __name__ == "__main__":
    # The route reads `X-Forwarded-For` itself.
    uvicorn.run(app, port=int(os.environ["PORT"]), proxy_headers=False)
