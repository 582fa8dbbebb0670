<?php
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$isGenuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
    $isGenuine = $isGenuine || hash_equals($expected, $given);
}
if (!$isGenuine || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
// The primary key of this table refuses an id that was handled before:
// CREATE TABLE handled_webhook (id VARCHAR(100) PRIMARY KEY)
$database = new PDO(getenv('DATABASE_DSN'));
$database->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$database->beginTransaction();
try {
    $database->prepare('INSERT INTO handled_webhook (id) VALUES (?)')->execute([$id]);
    $isNew = true;
} catch (PDOException $error) {
    // 23000, and 23505 on PostgreSQL: the id is there.
    if (substr((string) $error->getCode(), 0, 2) !== '23') {
        throw $error;
    }
    $isNew = false;
}
if ($isNew) {
    $message = json_decode($body, true);
    // Handle it here, in the same transaction. What throws is answered with 500, and comes again.
    error_log($message['type'] . ' ' . ($message['data']['run']['reference'] ?? ''));
    $database->commit();
} else {
    $database->rollBack();
}
http_response_code(204);
