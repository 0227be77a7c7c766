<<<<<<<< HEAD:web/desk/dist/assets/Snippet-4XMnxC8a.js
import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{dr as t,ur as n}from"./Checkbox-oOZpLUNN.js";import{b as r,n as i,r as a,y as o}from"./parts-DOWvvIYz.js";var s=e(t(),1),c={html:`<script type="module" src="https://WIDGET-ADDRESS/widget/0.1.0-dec855e6/support-chat.js" integrity="sha384-RwVhbfn1sFYXPxjdvGcipZbisvyts4en8NxGZ0fYFkxQbAeadkH6tnw35NuBOOvt" crossorigin="anonymous"><\/script>
========
import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{dr as t,ur as n}from"./Checkbox-zL3PvExg.js";import{b as r,n as i,r as a,y as o}from"./parts-Cx5irHdi.js";var s=e(t(),1),c={html:`<script type="module" src="https://WIDGET-ADDRESS/widget/0.1.0-6e857744/support-chat.js" integrity="sha384-1fdLYJZ8u5bDjqFOOex9BIBiiz7aNTKYbpF/H5FVk6ls94CBIjlVQkhaugc+AoQk" crossorigin="anonymous"><\/script>
>>>>>>>> identity:web/desk/dist/assets/Snippet-BikRm_pE.js
<support-chat api="https://API-ADDRESS/api/v1" token-url="/support-chat/token"></support-chat>`,node:`import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const { SUPPORT_API_URL, SUPPORT_API_KEY, PORT } = process.env;
// Requests of each address in this minute. A limit in your proxy can replace it.
const counts = new Map();
setInterval(() => counts.clear(), 60_000);

createServer(async (request, response) => {
  const { origin, host, cookie = "", "x-forwarded-for": forwarded = "" } = request.headers;
  if (request.method !== "POST") return response.writeHead(405).end();
  // Browsers name the origin of every POST.
  if (![\`https://\${host}\`, \`http://\${host}\`].includes(origin)) return response.writeHead(403).end();
  const address = forwarded.split(",").at(-1).trim() || request.socket.remoteAddress;
  counts.set(address, (counts.get(address) ?? 0) + 1);
  if (counts.get(address) > 20) return response.writeHead(429, { "retry-after": "60" }).end();
  // A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
  const visitor = /(?:^|; )chat_visitor=([0-9a-f-]{36})(?:;|$)/.exec(cookie)?.[1] ?? randomUUID();
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
      "set-cookie": \`chat_visitor=\${visitor}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000\`,
      ...(retryAfter && { "retry-after": retryAfter }),
    });
    response.end(body);
  } catch (error) {
    console.error("no chat token:", error);
    response.writeHead(502).end();
  }
}).listen(Number(PORT), "127.0.0.1");`,python:`import http.client, json, os, re, time, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class AnyStatus(urllib.request.HTTPErrorProcessor):
    http_response = https_response = lambda self, request, response: response

api = urllib.request.build_opener(AnyStatus)
# Requests of each address in this minute. A limit in your proxy can replace it.
counts, counted = {}, 0

def is_over_limit(address):
    global counts, counted
    minute = time.monotonic() // 60
    if minute != counted:
        counts, counted = {}, minute
    counts[address] = counts.get(address, 0) + 1
    return counts[address] > 20

class Token(BaseHTTPRequestHandler):
    def do_POST(self):
        host, forwarded = self.headers.get("Host"), self.headers.get("X-Forwarded-For", "")
        # Browsers name the origin of every POST.
        if self.headers.get("Origin") not in (f"https://{host}", f"http://{host}"):
            return self.reply(403)
        if is_over_limit(forwarded.split(",")[-1].strip() or self.client_address[0]):
            return self.reply(429, {"Retry-After": "60"})
        # A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
        cookie = re.search(r"(?:^|; )chat_visitor=([0-9a-f-]{36})(?:;|$)", self.headers.get("Cookie", ""))
        visitor = cookie[1] if cookie else str(uuid.uuid4())
        request = urllib.request.Request(
            os.environ["SUPPORT_API_URL"] + "/auth/widget-token",
            json.dumps({"externalUserId": "web_" + visitor}).encode(),
            {"Authorization": "Bearer " + os.environ["SUPPORT_API_KEY"], "Content-Type": "application/json"},
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
            "Set-Cookie": f"chat_visitor={visitor}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=31536000",
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
if ($_SERVER['REQUEST_METHOD'] !== 'POST') refuse(405);
// Browsers name the origin of every POST.
$host = $_SERVER['HTTP_HOST'];
if (!in_array($_SERVER['HTTP_ORIGIN'] ?? '', ["https://$host", "http://$host"], true)) refuse(403);
// Requests of each address in this minute. A limit in your web server can replace it.
$file = fopen(sys_get_temp_dir() . '/chat-token-counts.json', 'c+');
flock($file, LOCK_EX);
[$counted, $counts] = json_decode(stream_get_contents($file), true) ?? [0, []];
$minute = intdiv(time(), 60);
if ($counted !== $minute) $counts = [];
$count = $counts[$_SERVER['REMOTE_ADDR']] = ($counts[$_SERVER['REMOTE_ADDR']] ?? 0) + 1;
ftruncate($file, 0);
rewind($file);
fwrite($file, json_encode([$minute, $counts]));
fclose($file);
if ($count > 20) refuse(429);
// A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
$known = preg_match('/^[0-9a-f]{32}$/D', $_COOKIE['chat_visitor'] ?? '') === 1;
$visitor = $known ? $_COOKIE['chat_visitor'] : bin2hex(random_bytes(16));
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
setcookie('chat_visitor', $visitor,
    ['httponly' => true, 'secure' => true, 'samesite' => 'Lax', 'path' => '/', 'expires' => time() + 31536000]);
header('Content-Type: application/json');
header('Cache-Control: no-store');
http_response_code($status);
echo $answer;`},l=n(),u=[`node`,`python`,`php`],d=e=>e.replaceAll(`https://WIDGET-ADDRESS`,location.origin).replaceAll(`https://API-ADDRESS`,location.origin);function f(){let[e,t]=(0,s.useState)(`node`),n=`SUPPORT_API_URL=${location.origin}/api/v1\nSUPPORT_API_KEY=pk_live_…`;return(0,l.jsxs)(l.Fragment,{children:[(0,l.jsx)(a,{label:o(`snippet.page`),text:d(c.html)}),(0,l.jsx)(`p`,{className:`hint`,children:o(`snippet.integrity`)}),(0,l.jsx)(i,{kind:`short`,label:o(`snippet.server`),value:e,options:u.map(e=>[e,r(`snippetLanguage`,e)]),change:e=>t(e)}),(0,l.jsx)(`p`,{className:`hint`,children:o(`snippet.serverHint`)}),(0,l.jsx)(a,{label:o(`snippet.env`),text:n}),(0,l.jsx)(a,{label:r(`snippetLanguage`,e),text:c[e]})]})}var p=()=>/src="([^"]+)"/.exec(d(c.html))?.[1]??``;export{p as chatAddress,f as default};