// What a call takes and gives: `generated.ts` says it of each operation in these types.

export interface CallOptions {
  /** Ends the call, also while it waits for its next try. */
  signal?: AbortSignal;
  /** How long one try may take. */
  timeoutMs?: number;
  /** How long the call may take with all its tries. */
  deadlineMs?: number;
  /** Sent as `X-Request-Id`, to be found in the service's log. */
  requestId?: string;
}

type HeaderOption = "idempotencyKey" | "ifMatch" | "ifNoneMatch";

type Input<Args, Header extends HeaderOption> = {} extends Args
  ? [args?: Args, options?: CallOptions & { [option in Header]?: string }]
  : [args: Args, options?: CallOptions & { [option in Header]?: string }];

/** An answer with what stands beside its body. */
export interface Answer<Data> {
  /** The body; undefined for 204, and for 304: nothing is new since `ifNoneMatch`. */
  data: Data;
  status: number;
  /** For `ifMatch` and `ifNoneMatch` of a later call. */
  etag: string | null;
  requestId: string | null;
  headers: Headers;
}

export interface Call<Args, Data, Header extends HeaderOption> {
  (...input: Input<Args, Exclude<Header, "ifNoneMatch">>): Promise<Data>;
  /** The same call, with status, entity tag and headers. */
  answer(...input: Input<Args, Header>): Promise<Answer<"ifNoneMatch" extends Header ? Data | undefined : Data>>;
}

export interface List<Args, Data extends { items: unknown[] }, Header extends HeaderOption> extends Call<Args, Data, Header> {
  /** Every item, page after page; `limit` is the size of a page. */
  each(...input: Input<Args, never>): AsyncGenerator<Data["items"][number], void, undefined>;
}
