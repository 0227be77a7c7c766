export { SupportAssistant, VERSION } from "./client.js";
export * from "./errors.js";
export { Webhooks } from "./webhooks.js";
