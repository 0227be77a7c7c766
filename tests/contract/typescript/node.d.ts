// The part of Node's types that client.ts uses.
declare module "node:http" {
  interface Request {
    on(event: "data" | "end", listener: (chunk: string) => void): void;
  }
  interface Response {
    writeHead(status: number): { end(): void };
  }
  interface Server {
    listen(port: number, host: string, listening: () => void): void;
    address(): { port: number };
    close(): void;
  }
  export function createServer(listener: (request: Request, response: Response) => void): Server;
}
