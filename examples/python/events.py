import os
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

def read_event(body: bytes, headers):
    """The event of a request; None if it does not come from the service, which is then answered with 400."""
    try:
        return webhook.verify(body, headers)
    except (WebhookVerificationError, ValueError):  # The library raises ValueError for some malformed headers.
        return None
