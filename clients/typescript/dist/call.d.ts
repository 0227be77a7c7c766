export interface CallOptions {
    /** Ends the call, also while it waits for its next try. */
    signal?: AbortSignal | undefined;
    /** How long one try may take: 35,000 by default. */
    timeoutMs?: number | undefined;
    /** How long the call may take with all its tries: 60,000 by default. */
    deadlineMs?: number | undefined;
    /** How many tries may follow the first: 2 by default. */
    retries?: number | undefined;
    /** Sent as `X-Request-Id`, to be found in the service's log. */
    requestId?: string | undefined;
}
export type HeaderOption = "idempotencyKey" | "ifMatch" | "ifNoneMatch";
type Input<Args, Header extends HeaderOption> = {} extends Args ? [args?: Args, options?: CallOptions & {
    [option in Header]?: string | undefined;
}] : [args: Args, options?: CallOptions & {
    [option in Header]?: string | undefined;
}];
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
export interface List<Args, Data extends {
    items: unknown[];
}, H extends HeaderOption> extends Call<Args, Data, H> {
    /** Every item, page after page; `limit` is the size of a page. */
    each(...input: Input<Args, never>): AsyncGenerator<Data["items"][number], void, undefined>;
}
export {};
