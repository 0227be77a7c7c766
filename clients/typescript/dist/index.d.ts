export type { Answer, Call, CallOptions, List } from "./call.js";
export type { Visitor } from "./chat-token.js";
export { SupportAssistant, VERSION, type ClientOptions } from "./client.js";
export * from "./errors.js";
export type * from "./generated.js";
export { Webhooks } from "./webhooks.js";
