import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

export async function POST(request) {
  let event;
  try {
    // The library reads the keys of a plain object, and finds none in `Headers`.
    event = webhook.verify(await request.text(), Object.fromEntries(request.headers));
  } catch {
    return new Response(null, { status: 400 });
  }
  console.log(event.type, event.data);
  return new Response(null, { status: 204 });
}
