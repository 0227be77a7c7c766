<?php
require __DIR__ . '/vendor/autoload.php';

http_response_code(400);
try {
    $webhook = new StandardWebhooks\Webhook(getenv('WEBHOOK_SECRET'));
    $event = $webhook->verify(file_get_contents('php://input'), array_change_key_case(getallheaders()));
} catch (Throwable) { // The library raises TypeError for some malformed headers.
    exit;
}
error_log("$event[type] " . json_encode($event['data']));
http_response_code(204);
