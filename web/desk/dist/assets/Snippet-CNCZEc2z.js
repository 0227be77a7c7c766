import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{F as t,N as n,P as r,en as i}from"./desk-RSkF98Ot.js";import{d as a,n as o,v as s,y as c}from"./parts-BjCQmeiy.js";var l=e(i(),1),u={html:`<script type="module" src="https://WIDGET-ADDRESS/widget/0.1.0-e17d19ce/support-chat.js" integrity="sha384-WkPFlgvURhkbcdv8EbAgf6VP2gv4hTPtuT0E6f9hIejAdLushHMnm92CByYLeE3f" crossorigin="anonymous"><\/script>
<support-chat api="https://API-ADDRESS/api/v1" token-url="/support-chat/token"></support-chat>`,node:`import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { SUPPORT_API_URL, SUPPORT_API_KEY, PORT, PROXY_HOPS = "1" } = process.env;
// Requests of each known visitor, and of the strangers and the known visitors of each address, in this minute.
const counts = new Map();
setInterval(() => counts.clear(), 60_000);
const isOver = (name, limit) => counts.set(name, (counts.get(name) ?? 0) + 1).get(name) > limit;
const sign = (visitor) => createHmac("sha256", SUPPORT_API_KEY).update(visitor).digest("hex");

createServer(async (request, response) => {
  const { origin, host, cookie = "", "x-forwarded-for": forwarded = "" } = request.headers;
  if (request.method !== "POST") return response.writeHead(405).end();
  // Browsers name the origin of every POST.
  if (![\`https://\${host}\`, \`http://\${host}\`].includes(origin)) return response.writeHead(403).end();
  // A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
  const found = /(?:^|; )chat_visitor=([0-9a-f-]{36})(?:\\.([0-9a-f]{64}))?(?:;|$)/.exec(cookie);
  const visitor = found?.[1] ?? randomUUID();
  const signature = sign(visitor);
  const isKnown = found?.[2] && timingSafeEqual(Buffer.from(found[2]), Buffer.from(signature));
  // Each proxy adds an address on the right. What stands before those is the visitor's claim.
  const addresses = [...forwarded.split(",").filter(Boolean), request.socket.remoteAddress];
  const claimed = addresses[Math.max(0, addresses.length - 1 - PROXY_HOPS)]?.trim();
  // IPv6 counts by network, and no port does.
  const address = /^\\[?(?:::ffff:)?((?:\\d{1,3}\\.){3}\\d{1,3}|[\\da-f]{1,4}(?::[\\da-f]{1,4}){0,3})/i.exec(claimed)?.[1];
  const isTooOften = isKnown ? isOver(visitor, 20) || isOver(\`visitors of \${address}\`, 200) : isOver(address, 20);
  if (isTooOften) return response.writeHead(429, { "retry-after": "60" }).end();
  try {
    const answer = await fetch(\`\${SUPPORT_API_URL}/auth/widget-token\`, {
      method: "POST",
      headers: { authorization: \`Bearer \${SUPPORT_API_KEY}\`, "content-type": "application/json" },
      body: JSON.stringify({ externalUserId: \`web_\${visitor}\` }),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status >= 500) throw new Error(\`the API answered \${answer.status}\`);
    const body = await answer.text();
    const retryAfter = answer.headers.get("retry-after");
    response.writeHead(answer.status, {
      "content-type": "application/json",
      "cache-control": "no-store",
      "set-cookie": \`chat_visitor=\${visitor}.\${signature}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000\`,
      ...(retryAfter && { "retry-after": retryAfter }),
    });
    response.end(body);
  } catch (error) {
    console.error("no chat token:", error);
    response.writeHead(502).end();
  }
}).listen(Number(PORT), "127.0.0.1");`,python:`import hashlib, hmac, http.client, json, os, re, time, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class AnyStatus(urllib.request.HTTPErrorProcessor):
    http_response = https_response = lambda self, request, response: response

api = urllib.request.build_opener(AnyStatus)
key, hops = os.environ["SUPPORT_API_KEY"], int(os.environ.get("PROXY_HOPS", "1"))
# IPv6 counts by network, and no port does.
NETWORK = re.compile(r"\\[?(?:::ffff:)?((?:\\d{1,3}\\.){3}\\d{1,3}|[\\da-f]{1,4}(?::[\\da-f]{1,4}){0,3})", re.I)
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
        found = re.search(r"(?:^|; )chat_visitor=([0-9a-f-]{36})(?:\\.([0-9a-f]{64}))?(?:;|$)", cookie)
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

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Token).serve_forever()`,php:`<?php
function refuse(int $status): never {
    http_response_code($status);
    if ($status === 429) header('Retry-After: 60');
    exit;
}
function sign(string $text): string {
    return hash_hmac('sha256', $text, getenv('SUPPORT_API_KEY'));
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') refuse(405);
// Browsers name the origin of every POST.
$host = $_SERVER['HTTP_HOST'] ?? '';
if (!in_array($_SERVER['HTTP_ORIGIN'] ?? '', ["https://$host", "http://$host"], true)) refuse(403);
// A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
$cookie = $_COOKIE['chat_visitor'] ?? '';
preg_match('/^([0-9a-f]{32})(?:\\.([0-9a-f]{64}))?$/D', is_string($cookie) ? $cookie : '', $found);
$visitor = $found[1] ?? bin2hex(random_bytes(16));
$signature = sign($visitor);
$isKnown = hash_equals($signature, $found[2] ?? '');
// Each proxy adds an address on the right. What stands before those is the visitor's claim.
$addresses = array_filter(explode(',', $_SERVER['HTTP_X_FORWARDED_FOR'] ?? ''));
$addresses = array_map('trim', [...$addresses, $_SERVER['REMOTE_ADDR']]);
$address = $addresses[max(0, count($addresses) - 1 - (int) getenv('PROXY_HOPS'))];
// IPv6 counts by network, and no port does.
preg_match('/^\\[?(?:::ffff:)?((?:\\d{1,3}\\.){3}\\d{1,3}|[\\da-f]{1,4}(?::[\\da-f]{1,4}){0,3})/i', $address, $network);
$address = $network[1] ?? 'unknown';
// Requests of each known visitor, and of the strangers and the known visitors of each address, in this minute: a byte for
// each of a million hashes.
$file = fopen(sys_get_temp_dir() . '/chat-token-' . sign('counts'), 'c+');
flock($file, LOCK_EX);
$minute = pack('J', intdiv(time(), 60));
if (fread($file, 8) !== $minute) {
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, $minute);
}
$isOver = function (string $name, int $limit) use ($file): bool {
    $at = 8 + crc32($name) % 0x100000;
    fseek($file, $at);
    $count = min(255, ord(fread($file, 1) . "\\0") + 1);
    fseek($file, $at);
    fwrite($file, chr($count));
    return $count > $limit;
};
$isTooOften = $isKnown ? $isOver($visitor, 20) || $isOver("visitors of $address", 200) : $isOver($address, 20);
fclose($file);
if ($isTooOften) refuse(429);
$api = @fopen(getenv('SUPPORT_API_URL') . '/auth/widget-token', 'r', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Authorization: Bearer ' . getenv('SUPPORT_API_KEY'), 'Content-Type: application/json'],
    'content' => json_encode(['externalUserId' => "web_$visitor"]),
    'ignore_errors' => true,
    'follow_location' => 0,
    'timeout' => 30,
]]));
$answer = $api ? stream_get_contents($api) : false;
$lines = $api ? stream_get_meta_data($api)['wrapper_data'] : [];
$status = (int) substr($lines[0] ?? '', 9, 3);
if ($answer === false || $status < 200 || $status >= 500) refuse(502);
foreach (preg_grep('/^Retry-After:/i', $lines) as $line) header($line);
setcookie('chat_visitor', "$visitor.$signature",
    ['httponly' => true, 'secure' => true, 'samesite' => 'Lax', 'path' => '/', 'expires' => time() + 31536000]);
header('Content-Type: application/json');
header('Cache-Control: no-store');
http_response_code($status);
echo $answer;`},d=[`node`,`python`,`php`],f=e=>e.replaceAll(`https://WIDGET-ADDRESS`,location.origin).replaceAll(`https://API-ADDRESS`,location.origin);function p(){let[e,i]=(0,l.useState)(`node`),p=`SUPPORT_API_URL=${location.origin}/api/v1\nSUPPORT_API_KEY=pk_live_…`;return t(n.Fragment,{children:[r(o,{label:s(`snippet.page`),text:f(u.html)}),r(`p`,{className:`hint`,children:s(`snippet.integrity`)}),r(a,{kind:`short`,label:s(`snippet.server`),value:e,options:d.map(e=>[e,c(`snippetLanguage`,e)]),change:e=>i(e)}),r(`p`,{className:`hint`,children:s(`snippet.serverHint`)}),r(o,{label:s(`snippet.env`),text:p}),r(o,{label:c(`snippetLanguage`,e),text:u[e]})]})}var m=()=>/src="([^"]+)"/.exec(f(u.html))?.[1]??``;export{m as chatAddress,p as default};