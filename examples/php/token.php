<?php
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
preg_match('/^([0-9a-f]{32})(?:\.([0-9a-f]{64}))?$/D', is_string($cookie) ? $cookie : '', $found);
$visitor = $found[1] ?? bin2hex(random_bytes(16));
$signature = sign($visitor);
$isKnown = hash_equals($signature, $found[2] ?? '');
// Each proxy adds an address on the right. What stands before those is the visitor's claim.
$addresses = array_filter(explode(',', $_SERVER['HTTP_X_FORWARDED_FOR'] ?? ''));
$addresses = array_map('trim', [...$addresses, $_SERVER['REMOTE_ADDR']]);
$address = $addresses[max(0, count($addresses) - 1 - (int) getenv('PROXY_HOPS'))];
// IPv6 counts by network, and no port does.
preg_match('/^\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::[\da-f]{1,4}){0,3})/i', $address, $network);
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
    $count = min(255, ord(fread($file, 1) . "\0") + 1);
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
echo $answer;
