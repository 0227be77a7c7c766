import type { Call, List } from "./call.js";
/** Every operation of the API, by its operationId. */
export interface Operations {
    /**
     * Read the figures
     *
     * Session figures belong to the UTC day the session was created, answer figures to the day of the answer. A share of nothing is 0.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    getAnalytics: Call<{
        /** How many UTC days, today the last of them. */
        days?: number;
    }, Analytics, never>;
    /**
     * Read how answers did, by their confidence
     *
     * In 20 bins, on the UTC days of the answers. Small talk is in none.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    getConfidence: Call<{
        /** How many UTC days, today the last of them. */
        days?: number;
    }, ConfidenceFigures, never>;
    /**
     * List the answers that customers disliked
     *
     * Those with `thumbs_down`, without small talk and previews, the newest answer first, while their session is kept. One whose reaction is taken back, or replaced by `thumbs_up`, is not listed. A page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listDislikedAnswers: List<{
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, DislikedAnswerList, never>;
    /**
     * List the questions that the wiki does not answer
     *
     * Questions that mean the same are one record.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listGaps: List<{
        /** How many times 24 hours to look back: gaps that were last asked then. */
        days?: number;
        /** Where the gaps stand. */
        status?: GapStatus;
        /** The order: the gaps that were asked most often first, or most recently. */
        sort?: "count" | "recent";
        /** Which page, counted from 1; `page` times `limit` is at most 10,000. */
        page?: number;
        /** How many items at most. */
        limit?: number;
    }, GapList, never>;
    /**
     * Read a gap, and how people answered it by hand
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    getGap: Call<{
        /** The id of a question that the wiki does not answer; the same question has the same one. */
        id: GapId;
    }, GapDetails, never>;
    /**
     * Dismiss an unanswered question, or open it again
     *
     * A dismissed gap counts on and is not listed as open; reviews leave it alone. `open` takes a dismissed gap back; any other gap closes and opens by what the wiki answers: 409 `INVALID_STATE`.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    updateGap: Call<{
        /** The id of a question that the wiki does not answer; the same question has the same one. */
        id: GapId;
        /** At most 1048576 bytes. */
        body: GapPatch;
    }, Gap, never>;
    /**
     * Make a draft of a gap
     *
     * It proposes a new internal entry beside the nearest one. It quotes what people wrote to the customers who asked, and their questions, all masked, and never notes. What it quotes of a session goes with the session.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    draftGap: Call<{
        /** The id of a question that the wiki does not answer; the same question has the same one. */
        id: GapId;
    }, Draft, "idempotencyKey">;
    /**
     * List API keys, oldest first
     *
     * A test key lists test keys; a live one both. One answer reads 1 MiB at the most, so a page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`.
     */
    listApiKeys: List<{
        /** Only those that this key or member made. */
        createdBy?: string;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, ApiKeyList, never>;
    /**
     * Make an API key
     *
     * The answer shows the raw key this once. The same request with the same `Idempotency-Key` is answered without it. A tenant has at most 100 keys in each mode.
     *
     * For API keys and members of the roles `admin`.
     */
    createApiKey: Call<{
        /** At most 1048576 bytes. */
        body: NewApiKeyRequest;
    }, NewApiKey, "idempotencyKey">;
    /**
     * Read an API key
     *
     * Without the key itself, which is stored nowhere.
     *
     * For API keys and members of the roles `admin`.
     */
    getApiKey: Call<{
        /** The id of an API key, which is no secret. */
        id: ApiKeyId;
    }, ApiKey, never>;
    /**
     * Delete an API key
     *
     * It is refused from the next request on. The last live admin key cannot be deleted.
     *
     * For API keys and members of the roles `admin`.
     */
    deleteApiKey: Call<{
        /** The id of an API key, which is no secret. */
        id: ApiKeyId;
    }, void, never>;
    /**
     * Read who changed what, newest first
     *
     * Keys, members, sign-ins, settings, webhooks, each page of an export, imports, deletions of sessions, and what became public: of the last year, in both modes.
     *
     * For API keys and members of the roles `admin`.
     */
    listAudit: List<{
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, AuditEntryList, never>;
    /**
     * Read where people sign in
     *
     * For the desk: it sends the person to `authorizationEndpoint` by the code flow with PKCE (S256), and the `code_challenge` as `nonce`, too. 404 where the operator has configured no provider.
     *
     * For everybody.
     */
    getDesk: Call<{}, DeskSignIn, never>;
    /**
     * Sign in to the desk
     *
     * Redeems the provider's code; no token of the provider leaves the service. Sets an `HttpOnly` cookie that renews the token for twelve hours. Ignores `Idempotency-Key`. From the desk's own pages alone. `NOT_A_MEMBER` for a person who is no active member, and for an invitation that is not good; `SIGN_IN_REQUIRED` for a code that is refused; 20 failures a minute and address.
     *
     * For everybody.
     */
    issueDeskToken: Call<{
        /** At most 1048576 bytes. */
        body: DeskTokenRequest;
    }, DeskToken, never>;
    /**
     * Get the next desk token
     *
     * By the cookie of the sign-in and from the desk's own pages alone, until `signInEndsAt`; also for another tenant of the person. Neither `signedInAt` nor the time of the sign-in at the provider changes. Ignores `Idempotency-Key`.
     *
     * For everybody.
     */
    renewDeskToken: Call<{
        /** At most 1048576 bytes. */
        body: DeskTokenRenewal;
    }, DeskToken, never>;
    /**
     * Sign out of the desk
     *
     * Ends the sign-in of the desk token, or without one that counts that of the cookie, and clears the cookie. From the desk's own pages alone. Ignores `Idempotency-Key`.
     *
     * For everybody.
     */
    signOut: Call<{}, void, never>;
    /**
     * Make a chat token for a visitor
     *
     * Stores nothing, and ignores `Idempotency-Key`. A token for a session of another channel than `widget` is 409. Half of a key's tokens in a minute are kept for visitors who opened a session in a widget before. A member asks for those of visitors `preview_…` alone, as an admin; they end with the member's sign-in.
     *
     * For every API key and member.
     */
    issueWidgetToken: Call<{
        /** At most 1048576 bytes. */
        body?: WidgetTokenRequest;
    }, WidgetToken, never>;
    /**
     * List drafts
     *
     * Newest first. Published and discarded ones are kept for 30 days. A page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listDrafts: List<{
        /** Their status. */
        status?: DraftStatus;
        /** Only those of this path. */
        path?: WikiPath;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, DraftList, never>;
    /**
     * Propose a change of the wiki
     *
     * A draft grounds no answer, and no search finds it. A tenant has at most 1,000 open ones in each mode. `create` for a path that has an entry is 409 `CONFLICT`, as is a `baseVersion` that is still to come; the others need an entry. 409 `INVALID_STATE` for a field that a draft of its action does not have.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    createDraft: Call<{
        /** At most 1048576 bytes. */
        body: NewDraft;
    }, Draft, "idempotencyKey">;
    /**
     * Read a draft
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    getDraft: Call<{
        /** The id of a proposed change of the wiki. */
        id: DraftId;
    }, Draft, never>;
    /**
     * Discard a draft
     *
     * It is kept for 30 days. An agent discards its own ones. Again, nothing changes; one that is published is 409 `INVALID_STATE`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    discardDraft: Call<{
        /** The id of a proposed change of the wiki. */
        id: DraftId;
    }, void, "ifMatch">;
    /**
     * Change a draft
     *
     * An agent changes its own ones. A change to the current values changes nothing. 409 `INVALID_STATE` for one that is not open, and for a field that a draft of its action does not have; 409 `CONFLICT` for a `baseVersion` that is still to come. One with a `gapId` needs `If-Match` with the version that was read, so that nobody writes back what was erased from it: 400 without it.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    updateDraft: Call<{
        /** The id of a proposed change of the wiki. */
        id: DraftId;
        /** At most 1048576 bytes. */
        body: DraftPatch;
    }, Draft, "ifMatch">;
    /**
     * Publish a draft
     *
     * The entry becomes what it proposes, in one step with the draft. 409 `CONFLICT` with the current version where the entry has another version than `baseVersion`, is gone, or is there already: then a PATCH of the draft names the version that was looked at. 409 `INVALID_STATE` for a draft that is not open or has no text.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    publishDraft: Call<{
        /** The id of a proposed change of the wiki. */
        id: DraftId;
        /** At most 1048576 bytes. */
        body: Publication;
    }, PublishedDraft, "idempotencyKey">;
    /**
     * Try changes of the wiki on customers' questions
     *
     * Each question is asked in its conversation as it stood, with and without the changes, by what answers customers; no language model is asked. Nothing is written, counted or told of; an `Idempotency-Key` is ignored. Those of sessions come newest first, as far as one call reads: a page may be short, or empty, with `hasMore: true`. All changes together fit into one body of 1 MiB. A run costs its questions × the KiB of the changed entries: at most 16,384 (413), and a token of the quota for each 64. A caller runs one at a time, and a tenant two (429).
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    tryChanges: Call<{
        /** At most 1048576 bytes. */
        body: DryRunRequest;
    }, DryRun, never>;
    /**
     * Check that the service works
     *
     * With an API key the whole report, without one the status; both as they were found at most five seconds ago.
     *
     * For everybody.
     */
    getHealth: Call<{}, Health, never>;
    /**
     * List the customers who ask for a person
     *
     * Pending ones in queue order, all others newest first. One answer reads 1 MiB at the most, so a page may be short, or empty, with `hasMore: true`. To ask whether anything is new, send the `ETag` as `If-None-Match`: a 304 is never older than 20 seconds.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    listEscalations: List<{
        /** Requests that stand so; by default `pending`, with `agentId` or `snoozed` `claimed`. */
        status?: EscalationStatus;
        /** Only what this agent claimed; a key that claimed without an `agentId` goes by its `keyId`. */
        agentId?: string;
        /** Only what its agent put off, or only what nobody put off. */
        snoozed?: "true" | "false";
        /** Only those whose session has this tag. */
        tag?: string;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, Inbox, "ifNoneMatch">;
    /**
     * List the colleagues who work in the inbox
     *
     * Active members with the role admin or agent: to them a conversation can be transferred. A test key reads nobody (403).
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    listAgents: Call<{}, AgentList, never>;
    /**
     * Keep all claims of an agent for 30 minutes more
     *
     * For a desk that is open and used. Claims that are answered or put off have no lease, and stay as they are. An `Idempotency-Key` is ignored: to repeat it is safe.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    renewClaims: Call<{
        /** At most 1048576 bytes. */
        body?: ActingAgent;
    }, RenewedClaims, never>;
    /**
     * Take the next customer who waits, or a certain one
     *
     * 404 with `QUEUE_EMPTY` where nobody waits. The claim ends after 30 minutes without a message of the agent.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    takeOverEscalation: Call<{
        /** At most 1048576 bytes. */
        body?: TakeoverRequest;
    }, Case, "idempotencyKey">;
    /**
     * Read a request for a person, with its conversation
     *
     * With the newest 50 turns. To ask whether anything is new, send the `ETag` as `If-None-Match`.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    getEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
    }, Case, "ifNoneMatch">;
    /**
     * Change the priority of a request, or snooze it
     *
     * The priority while it is pending or claimed; 409 `INVALID_STATE` afterwards. Within a priority the queue keeps the order of `createdAt`. A claim is put off by the agent who has it, or an admin: its lease waits until then, until the customer or an agent writes, or until it is given to somebody. Makes no event.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    updateEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body: EscalationPatch;
    }, Case, never>;
    /**
     * Hand the conversation back to the assistant
     *
     * The AI answers together what the customer wrote and nobody answered.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    handBackEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body?: HandbackRequest;
    }, Case, "idempotencyKey">;
    /**
     * Write to the customer, or write a note
     *
     * Only the agent who claimed the conversation, or an admin key. After a message to the customer the claim has no lease until the customer writes: then the agent has 15 minutes, and after that it lapses. A note renews a lease.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    sendAgentMessage: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body: AgentMessage;
    }, Turn, "idempotencyKey">;
    /**
     * Put the customer back into the queue
     *
     * The request keeps its place.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    releaseEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body?: ActingAgent;
    }, Case, "idempotencyKey">;
    /**
     * Keep the claim for 30 minutes more
     *
     * Only the agent who claimed the conversation, or an admin key. What was put off is so no longer. A claim that is answered has no lease, and gets none.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    renewClaim: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body?: ActingAgent;
    }, Case, "idempotencyKey">;
    /**
     * Reopen a resolved request
     *
     * The caller claims it, and the session is a person's once more. While the session is closed and can be resumed, or was resumed and nobody asked for a human since; 409 `INVALID_STATE` otherwise.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    reopenEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body?: ActingAgent;
    }, Case, "idempotencyKey">;
    /**
     * Resolve the request, and close the conversation
     *
     * The session is closed. Again, it is the stored result.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    resolveEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body?: ResolveRequest;
    }, Case, "idempotencyKey">;
    /**
     * Ask what the assistant would answer
     *
     * To what the customer wrote since the last answer, or else to what the customer wrote last; from what the session may be answered with, or from every entry. Nothing is stored, counted or told of, but the calls of a language model; an `Idempotency-Key` is ignored.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    suggestAnswer: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body?: SuggestionRequest;
    }, Suggestion, never>;
    /**
     * Hand a conversation to a colleague
     *
     * It stays claimed, by the colleague and for 30 minutes anew. Not to who has it, and not to oneself: 400.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    transferEscalation: Call<{
        /** The id of a request for a human. */
        id: EscalationId;
        /** At most 1048576 bytes. */
        body: TransferRequest;
    }, Case, "idempotencyKey">;
    /**
     * List ingest jobs
     *
     * Newest first. One answer reads 1 MiB at the most, so a page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    listIngestJobs: List<{
        /** Only jobs that stand so. */
        status?: IngestStatus;
        /** Only jobs of pages that are read again (`true`), or only the others (`false`). */
        scheduled?: "true" | "false";
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, IngestJobList, never>;
    /**
     * Make entries of a page or a text
     *
     * It becomes wiki entries, soon. Handed in twice, it changes nothing; an entry that a person edited is left as it is. A text replaces the texts that came under its `pathPrefix` before: their other sections are removed. Give each text a prefix of its own.
     *
     * With `every`, the page is read again each day or week, at the time of day of this call. What it no longer has is removed then; a page that cannot be read removes nothing.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    createIngestJob: Call<{
        /** At most 3145728 bytes. */
        body: NewIngest;
    }, IngestJob, "idempotencyKey">;
    /**
     * Read an ingest job
     *
     * A completed job tells what became of which path.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    getIngestJob: Call<{
        /** The id of an ingest job. */
        id: IngestId;
    }, IngestJob, never>;
    /**
     * End the schedule of a page
     *
     * The page is not read again; the job and its entries stay. A job without a schedule is left as it is.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    deleteIngestSchedule: Call<{
        /** The id of an ingest job. */
        id: IngestId;
    }, void, never>;
    /**
     * Try an ingest job again that failed
     *
     * It is queued as if it was new. 409 `INVALID_STATE` for a job that did not fail.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    retryIngestJob: Call<{
        /** The id of an ingest job. */
        id: IngestId;
    }, IngestJob, "idempotencyKey">;
    /**
     * List members, oldest first
     *
     * For API keys and members of the roles `admin`.
     */
    listMembers: List<{
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, MemberList, never>;
    /**
     * Add a member
     *
     * The answer has the invitation this once: send its address to the person. The same request with the same `Idempotency-Key` is answered without it. A member needs a sign-in of the last hour. 429 if the sign-in provider of this service would write to one address more than three times a day, or for one tenant more than twenty times.
     *
     * For API keys and members of the roles `admin`.
     */
    addMember: Call<{
        /** At most 1048576 bytes. */
        body: NewMemberRequest;
    }, InvitedMember, "idempotencyKey">;
    /**
     * Read a member
     *
     * A member who is no admin reads itself alone.
     *
     * For API keys and members of the roles `admin`.
     */
    getMember: Call<{
        /** The id of a person of a tenant. */
        id: MemberId;
    }, Member, never>;
    /**
     * Remove a member
     *
     * Its desk tokens are refused from the next request on, and what it claimed waits again. A member does not remove the last active admin. A member needs a sign-in of the last hour, also to remove itself. 409 `CONFLICT` if the last live admin key would go with the member.
     *
     * For API keys and members of the roles `admin`.
     */
    removeMember: Call<{
        /** The id of a person of a tenant. */
        id: MemberId;
        /** The API keys that the member made are deleted too (`GET /api-keys?createdBy=` lists them); without it they stay. */
        deleteKeys?: "true" | "false";
    }, void, "ifMatch">;
    /**
     * Change a member
     *
     * Other roles end the member's desk tokens, which the cookie of a sign-in renews with the new roles, and void the open invitation of a member who signed in before. Suspending ends the sign-ins and voids the open invitation. A claim of a member who loses the inbox waits again. A member does not suspend or demote the last active admin. Changing another member needs a sign-in of the last hour.
     *
     * For API keys and members of the roles `admin`.
     */
    updateMember: Call<{
        /** The id of a person of a tenant. */
        id: MemberId;
        /** At most 1048576 bytes. */
        body: MemberPatch;
    }, Member, "ifMatch">;
    /**
     * Invite a member again
     *
     * The new invitation voids the former one, and whatever ends the member's access voids it. A member who signed in before stays bound until it is used. A member needs a sign-in of the last hour, also to invite itself.
     *
     * For API keys and members of the roles `admin`.
     */
    inviteMember: Call<{
        /** The id of a person of a tenant. */
        id: MemberId;
    }, InvitedMember, "idempotencyKey">;
    /**
     * Sign a member out everywhere
     *
     * Ends the member's open invitation, too. Signing out another member needs a sign-in of the last hour.
     *
     * For API keys and members of the roles `admin`.
     */
    signOutMember: Call<{
        /** The id of a person of a tenant. */
        id: MemberId;
    }, void, "idempotencyKey">;
    /**
     * Read this document
     *
     * OpenAPI 3.1.
     *
     * For everybody.
     */
    getOpenApiDocument: Call<{}, OpenApiDocument, never>;
    /**
     * List pinned questions
     *
     * Oldest first. A page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listPins: List<{
        /** Only those of this entry. */
        path?: WikiPath;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, PinList, never>;
    /**
     * Pin a question to an entry
     *
     * `POST /dry-runs` tries changes on all pinned questions. They go with the revisions of a deleted entry. A tenant has at most 200 in each mode: 409 `CONFLICT`.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    createPin: Call<{
        /** At most 1048576 bytes. */
        body: NewPin;
    }, Pin, "idempotencyKey">;
    /**
     * Delete a pinned question
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    deletePin: Call<{
        /** The id of a question that every change of the wiki is tried on. */
        id: PinId;
    }, void, never>;
    /**
     * List saved replies
     *
     * The caller's own, oldest first, then those of the tenant, oldest first. A page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listSavedReplies: List<{
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, SavedReplyList, never>;
    /**
     * Save a reply
     *
     * Those of scope `team` are written by admins and trainers, at most 500 of a tenant and mode; those of scope `own` are seen by their key or member alone, at most 100 of each. A shortcut that is taken in its scope is 409.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    createSavedReply: Call<{
        /** At most 1048576 bytes. */
        body: NewSavedReply;
    }, SavedReply, "idempotencyKey">;
    /**
     * Read a saved reply
     *
     * Another's own one is answered like one that does not exist.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    getSavedReply: Call<{
        /** The id of a saved reply. */
        id: SavedReplyId;
    }, SavedReply, never>;
    /**
     * Delete a saved reply
     *
     * Again, it is 404.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    deleteSavedReply: Call<{
        /** The id of a saved reply. */
        id: SavedReplyId;
    }, void, "ifMatch">;
    /**
     * Change a saved reply
     *
     * Its scope stays. A change to the current values changes nothing.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    updateSavedReply: Call<{
        /** The id of a saved reply. */
        id: SavedReplyId;
        /** At most 1048576 bytes. */
        body: SavedReplyPatch;
    }, SavedReply, "ifMatch">;
    /**
     * List conversations, newest first
     *
     * A page may be short, or empty, with `hasMore: true`: one answer reads 1 MiB of sessions at the most.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listSessions: List<{
        /** Only sessions that this one answers. */
        ownership?: Ownership;
        /** Only sessions of this visitor. */
        externalUserId?: string;
        /** Only sessions whose user has this e-mail address, compared in lower case (ASCII). Write `+` as `%2B`. */
        email?: string;
        /** Only sessions with this tag. */
        tag?: string;
        /** Only sessions that were created on this UTC day or later; without previews, as in the figures. */
        from?: string;
        /** Only sessions that were created on this UTC day or earlier; without previews, as in the figures. */
        to?: string;
        /** Only sessions with a question for which a human was (`true`), or was never (`false`), asked: those of `escalationRate`, or of `containmentRate`. */
        escalated?: "true" | "false";
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, SessionList, never>;
    /**
     * Open a conversation
     *
     * The body may be left out. A widget's session belongs to its visitor.
     *
     * For every API key and member, and for widgets.
     */
    createSession: Call<{
        /** At most 1048576 bytes. */
        body?: NewSession;
    }, Session, "idempotencyKey">;
    /**
     * Find a customer's conversation again
     *
     * An open session does not change. A closed one goes on with the AI inside its window; 410 afterwards.
     *
     * For every API key and member, and for widgets.
     */
    resumeSession: Call<{
        /** At most 1048576 bytes. */
        body: ResumeRequest;
    }, Resumed, "idempotencyKey">;
    /**
     * Read what is known of a conversation
     *
     * One that awaits a human comes with its place in the queue. To ask whether anything is new, send the `ETag` as `If-None-Match`.
     *
     * For every API key and member, and for widgets.
     */
    getSession: Call<{
        /** The id of a conversation. */
        id: SessionId;
    }, Session, "ifNoneMatch">;
    /**
     * Erase a conversation
     *
     * It is unreadable at once; what was said is erased within 15 minutes, counts stay.
     *
     * For API keys and members of the roles `admin`.
     */
    deleteSession: Call<{
        /** The id of a conversation. */
        id: SessionId;
    }, void, never>;
    /**
     * Change what is known of a customer or a conversation
     *
     * `tags`, `metadata` and `user` are each replaced whole. What is absent stays, `null` clears. Makes no event. A widget changes the `user` of its own session alone, as long as that is not verified and its token names none.
     *
     * For every API key and member, and for widgets.
     */
    updateSession: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body: SessionPatch;
    }, Session, never>;
    /**
     * Take back the request for a person
     *
     * While the request is pending. The AI answers together what the customer wrote meanwhile.
     *
     * For every API key and member, and for widgets.
     */
    cancelEscalation: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body?: Nothing;
    }, Session, "idempotencyKey">;
    /**
     * Ask for a person
     *
     * Asked again, it is the same request. It is made at any hour: `nextOpenAt` says when people are there again. 409 `SESSION_CLOSED` for a session that is closed.
     *
     * For every API key and member, and for widgets.
     */
    escalateSession: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body: NewEscalation;
    }, Escalated, "idempotencyKey">;
    /**
     * Export a conversation
     *
     * The session with its turns, internal notes too, each with its reactions, and with its escalations, both oldest first. A page holds up to 4 MiB of turns and 50 escalations. The audit has an entry for each page.
     *
     * For API keys and members of the roles `admin`.
     */
    exportSession: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** How many turns, and how many escalations, a page holds at most; by default up to 4 MiB of turns. */
        limit?: number;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
    }, SessionExport, never>;
    /**
     * Read the messages, oldest first
     *
     * All turns come at once, up to 4 MiB; `limit` asks for pages. Internal notes are for admin, trainer and agent keys. The session comes with its turns, so that one request follows a conversation. To ask whether anything is new, send the `ETag` as `If-None-Match`.
     *
     * For every API key and member, and for widgets.
     */
    listMessages: List<{
        /** The id of a conversation. */
        id: SessionId;
        /** Only what is newer than this message. */
        after?: MessageId;
        /** `nextCursor` of the answer before; empty for the first page. */
        cursor?: MessageId;
        /** How many turns at most; by default all, up to 4 MiB. */
        limit?: number;
    }, TurnList, "ifNoneMatch">;
    /**
     * Ask a question
     *
     * The message is stored before anything is asked of a model. While a person answers, or is awaited, the AI is silent: `disposition` is `queued_for_human`. A message that is sent again, with its `clientMessageId` or `Idempotency-Key`, is stored and answered once. Where a visitor's messages caused too many requests for a human already, the answer is `no_answer` and says when one can be called again. Where nobody is there, the answer of a message that escalates says when somebody is.
     *
     * For every API key and member, and for widgets.
     */
    sendMessage: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body: NewMessage;
    }, Reply, "idempotencyKey">;
    /**
     * Write a note for colleagues
     *
     * The customer does not see it. 409 `SESSION_CLOSED` for a session that is closed.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    writeNote: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body: NewNote;
    }, Turn, "idempotencyKey">;
    /**
     * Rate the people who helped
     *
     * Of the newest part of the session that a person took, from the takeover until 14 days after its end; then, and where there was none, 409 `INVALID_STATE`. Sent again, it replaces the rating before.
     *
     * For API keys and members of the roles `admin`, `integration`, and for widgets.
     */
    rateSession: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body: NewRating;
    }, RatingOfSession, "idempotencyKey">;
    /**
     * React to an answer
     *
     * `thumbs_up` and `thumbs_down` replace each other, `flag` and `copy` add up; again, it changes nothing.
     *
     * For every API key and member, and for widgets.
     */
    addReaction: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body: NewReaction;
    }, ReactionsOfAnswer, "idempotencyKey">;
    /**
     * Take a reaction back
     *
     * One that is not there changes nothing. It makes no event, and the figures are those without it.
     *
     * For every API key and member, and for widgets.
     */
    deleteReaction: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** Which one; it must be named. */
        reaction?: Reaction;
        /** The answer; by default the newest AI turn. */
        messageId?: MessageId;
    }, void, never>;
    /**
     * Take over a conversation that the assistant has
     *
     * Takes over a session that the AI has, or that waits for a human. 409 `ALREADY_CLAIMED` where an agent has it, `SESSION_CLOSED` where it is closed.
     *
     * For API keys and members of the roles `admin`, `agent`.
     */
    stepIn: Call<{
        /** The id of a conversation. */
        id: SessionId;
        /** At most 1048576 bytes. */
        body?: StepInRequest;
    }, Case, "idempotencyKey">;
    /**
     * Read the settings
     *
     * There is one record for each mode.
     *
     * For API keys and members of the roles `admin`.
     */
    getSettings: Call<{}, Settings, never>;
    /**
     * Change settings
     *
     * An absent field stays. `null` clears a field that may be empty; a text that is `null` is the service's own again. A member needs a sign-in of the last hour for `widgetOrigins`, `answerVisibility`, `widgetAnswerVisibility`, `sourceUrlTemplate` and `retentionDays`.
     *
     * For API keys and members of the roles `admin`.
     */
    updateSettings: Call<{
        /** At most 1048576 bytes. */
        body: SettingsPatch;
    }, Settings, "ifMatch">;
    /**
     * Test opening hours
     *
     * Says what the chat would say to who asks for a person at a moment. Stores nothing, and ignores `Idempotency-Key`.
     *
     * For API keys and members of the roles `admin`.
     */
    previewHours: Call<{
        /** At most 1048576 bytes. */
        body: HoursPreviewRequest;
    }, HoursPreview, never>;
    /**
     * List webhooks
     *
     * Those of the caller's mode, oldest first.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    listWebhooks: List<{
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, WebhookList, never>;
    /**
     * Add a webhook
     *
     * It hears of everything that happens from now on. A tenant and mode has at most 20; the same address again is 409.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    createWebhook: Call<{
        /** At most 1048576 bytes. */
        body: NewWebhook;
    }, Webhook, "idempotencyKey">;
    /**
     * Read a webhook
     *
     * Its secret is in no answer. The `ETag` does not move by deliveries.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    getWebhook: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
    }, Webhook, never>;
    /**
     * Delete a webhook
     *
     * Deliveries that are on their way to it are not sent any more.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    deleteWebhook: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
    }, void, "ifMatch">;
    /**
     * Change, disable or enable a webhook
     *
     * While a receiver is disabled its deliveries are held; enabling it sends them.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    updateWebhook: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
        /** At most 1048576 bytes. */
        body: WebhookPatch;
    }, Webhook, "ifMatch">;
    /**
     * List the deliveries of the last 30 days
     *
     * And what is yet to be sent, newest event first. One answer reads 1 MiB at the most, so a page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    listDeliveries: List<{
        /** The id of a receiver of events. */
        id: WebhookId;
        /** Only deliveries that stand so. */
        status?: DeliveryStatus;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, DeliveryList, never>;
    /**
     * Read a delivery, with what was sent
     *
     * Once what it tells of is erased, its `payload` is null.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    getDelivery: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
        /** The id of an event on its way to one receiver. */
        delivery: DeliveryId;
    }, DeliveryWithPayload, never>;
    /**
     * Send a delivery again
     *
     * With all its attempts before it; one that is being sent right now is left to that.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    resendDelivery: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
        /** The id of an event on its way to one receiver. */
        delivery: DeliveryId;
    }, Delivery, "idempotencyKey">;
    /**
     * Send again everything that failed since a time
     *
     * Deliveries that cannot be sent at once are sent soon.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    replayWebhook: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
        /** At most 1048576 bytes. */
        body: ReplayRequest;
    }, Replay, "idempotencyKey">;
    /**
     * Change the secret of a webhook
     *
     * The old one signs 24 hours more. A receiver whose secret could not be read is enabled by it.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    rotateWebhookSecret: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
        /** At most 1048576 bytes. */
        body: RotateRequest;
    }, Webhook, "idempotencyKey">;
    /**
     * Send a test event
     *
     * To this receiver, whatever it subscribed to.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    testWebhook: Call<{
        /** The id of a receiver of events. */
        id: WebhookId;
    }, Delivery, "idempotencyKey">;
    /**
     * List or search entries of the wiki
     *
     * With `q` full text over title, content, path and tags. A widget sees public entries alone.
     *
     * For every API key and member, and for widgets.
     */
    listEntries: List<{
        /** Full text, best first; without it by last change, newest first. */
        q?: string;
        /** Only entries that these may read. */
        visibility?: Visibility;
        /** Only entries with this tag. */
        tag?: string;
        /** Only entries whose paths begin so, down to a part of a segment. */
        pathPrefix?: string;
        /** Which page, counted from 1; `page` times `limit` is at most 10,000. */
        page?: number;
        /** How many items at most. */
        limit?: number;
    }, EntryList, never>;
    /**
     * Create an entry
     *
     * It is searchable within two seconds. A path that was deleted may be created again and continues its version.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    createEntry: Call<{
        /** At most 1048576 bytes. */
        body: NewEntry;
    }, Entry, "idempotencyKey">;
    /**
     * List the answers that were made from an entry
     *
     * Newest first, while their session is kept, also of an entry that is gone by now. An answer is there within two seconds. A page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listAnswers: List<{
        /** The entry; required. */
        path?: WikiPath;
        /** Only answers made from this version of it. */
        version?: number;
        /** Only answers of sessions that are `open`, whoever answers them, or `closed`. */
        ownership?: "open" | "closed";
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, WikiAnswerList, never>;
    /**
     * Export the wiki
     *
     * Whole entries, by path, as they are now. An answer reads 1 MiB at the most: a page may be short, or empty, with `hasMore: true`. `POST /wiki-import` takes the items as they are.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    exportWiki: List<{
        /** Only entries whose paths begin so, down to a part of a segment. */
        pathPrefix?: string;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
    }, WikiExport, never>;
    /**
     * Import entries
     *
     * Each item is written by itself: one that fails stops no other. Sent again, what is there is `unchanged`, and an open draft that proposes the same is `drafted`. An import counts as its items. An `Idempotency-Key` is ignored.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    importWiki: Call<{
        /** At most 3145728 bytes. */
        body: WikiImport;
    }, WikiImportResult, never>;
    /**
     * List the versions of a path
     *
     * Newest first, from the one that the path holds now, deletions too. A version that was replaced is there within two seconds. Versions up to a deletion are kept for `retentionDays` after it. A page may be short, or empty, with `hasMore: true`.
     *
     * For API keys and members of the roles `admin`, `trainer`, `agent`.
     */
    listRevisions: List<{
        /** The path; required. */
        path?: WikiPath;
        /** `nextCursor` of the answer before, with the same filters; empty for the first page. */
        cursor?: string;
        /** How many items at most. */
        limit?: number;
    }, RevisionList, never>;
    /**
     * Restore an old version of an entry
     *
     * Its title, content and tags come back under a new version, also those of an entry that was deleted.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    restoreRevision: Call<{
        /** At most 1048576 bytes. */
        body: Restoration;
    }, Entry, "idempotencyKey">;
    /**
     * Read an entry
     *
     * A widget reads public entries alone, as clean Markdown: without HTML, images and links of other schemes. With `version` it is that version, also of an entry that was deleted, as long as it is kept: a version that was replaced is there within two seconds, and is for admins, trainers and agents.
     *
     * For every API key and member, and for widgets.
     */
    getEntry: Call<{
        /** The name of a wiki entry: 2-8 segments separated by slashes, case kept. Slashes stand plain or as `%2F`. */
        path: WikiPath;
        /** The version; without it the present one. */
        version?: number;
    }, EntryVersion, never>;
    /**
     * Make or replace an entry
     *
     * The same title, content, visibility and tags change nothing: no new version, and no event. A path that was deleted continues its version. An entry that is replaced counts as written by hand.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    putEntry: Call<{
        /** The name of a wiki entry: 2-8 segments separated by slashes, case kept. Slashes stand plain or as `%2F`. */
        path: WikiPath;
        /** At most 1048576 bytes. */
        body: EntryReplacement;
    }, Entry, "ifMatch" | "ifNoneMatch">;
    /**
     * Delete an entry
     *
     * Again, it is 404.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    deleteEntry: Call<{
        /** The name of a wiki entry: 2-8 segments separated by slashes, case kept. Slashes stand plain or as `%2F`. */
        path: WikiPath;
    }, void, "ifMatch">;
    /**
     * Change an entry
     *
     * A change to the current values changes nothing: no new version, and no event.
     *
     * For API keys and members of the roles `admin`, `trainer`.
     */
    updateEntry: Call<{
        /** The name of a wiki entry: 2-8 segments separated by slashes, case kept. Slashes stand plain or as `%2F`. */
        path: WikiPath;
        /** At most 1048576 bytes. */
        body: EntryPatch;
    }, Entry, "ifMatch">;
}
export declare const OPERATIONS: Record<keyof Operations, string>;
/** Who acts: for a key whom it names, without an id the key. A member acts as itself, and may only repeat that. */
export type ActingAgent = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
};
/**
 * The kind of a caller.
 *
 * - `key`: A server with an API key.
 * - `member`: A member.
 * - `operator`: The operator of the service, by the command line.
 */
export type ActorType = "key" | "member" | "operator";
/** A person of the tenant. */
export type Agent = {
    /** As the caller named them, or the key; for keys only. */
    id?: string;
    /** For people. */
    name?: string;
};
/** Work behind the scenes, and how its latest run went. */
export type AgentHealth = {
    /** Its latest run. */
    lastRun: AgentRun | null;
    /** Which one. */
    name: AgentName | (string & {});
    /** How its latest run went. */
    status: RunStatus | (string & {});
};
/** The members who work in the inbox. */
export type AgentList = {
    /** At most 500, oldest first. */
    items: Array<InboxAgent>;
};
/** A message of an agent. */
export type AgentMessage = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** The message. */
    content: string;
    /** A note that the customer does not see. By default `false`. */
    internal?: boolean | null;
};
/**
 * The agent.
 *
 * - `answer`: Answers customers.
 * - `ingest`: Makes wiki entries of pages and texts.
 * - `indexer`: Brings what follows from a change to where it belongs, the wiki index first.
 * - `webhooks`: Delivers events.
 * - `sweeper`: Handles due items.
 */
export type AgentName = "answer" | "ingest" | "indexer" | "webhooks" | "sweeper";
/** The latest run of an agent. */
export type AgentRun = {
    /** How long it took, in milliseconds. */
    durationMs: number;
    /** The error of the run. */
    error?: string;
    /** When it ended. */
    finishedAt: string;
    /** When it began. */
    startedAt: string;
};
/** A tenant's figures. */
export type Analytics = {
    /** On Pro: milliseconds from takeover to the end, on average. */
    avgHumanHandleTimeMs?: number;
    /** Milliseconds from receipt to answer, on average. */
    avgLatencyMs: number;
    /** Sessions with a question and no escalation, of those with a question. */
    containmentRate: number;
    /** The numerators and denominators. */
    counts: AnalyticsCounts;
    /** Every one of the days, oldest first. */
    daily: Array<AnalyticsDay>;
    /** How many days. */
    days: number;
    /** Sessions with a question and an escalation, of those with a question. */
    escalationRate: number;
    /** From a request for a human to the first answer of a person. */
    firstResponseMs: FirstResponse;
    /** On Pro: flagged answers, of all answers. */
    flaggedForReviewRate?: number;
    /** The first day, UTC. */
    from: string;
    /** Questions that the wiki answers, of all of them. */
    kbCoverageScore: number;
    /** Fields that the plan does not show. */
    lockedFields: Array<string>;
    /** The plan of the tenant. */
    plan: Plan | (string & {});
    /** On Pro: what customers thought of answers. */
    reactions?: ReactionFigures;
    /** The customers' ratings of the people who helped. */
    satisfaction: Satisfaction;
    /** The last day, UTC: today. */
    to: string;
    /** Questions that the AI dealt with. */
    totalQueries: number;
    /** Sessions created. */
    totalSessions: number;
};
/** The numerators and denominators behind the figures. */
export type AnalyticsCounts = {
    /** Answers of the AI. */
    answers: number;
    /** On Pro. */
    answersFlagged?: number;
    /** Those whose latency is known. */
    answersTimed: number;
    /** On Pro: resolved or handed back. */
    escalationsHandled?: number;
    /** From the request to that, in milliseconds. */
    firstResponseMsSum: number;
    /** Requests for a human that a person answered. */
    firstResponses: number;
    /** On Pro: from takeover to their ends, in milliseconds. */
    handleMsSum?: number;
    /** Their latencies together, in milliseconds. */
    latencyMsSum: number;
    /** Questions that the AI dealt with. */
    queries: number;
    /** Those that the wiki answers. */
    queriesCovered: number;
    /** Those that it does not. */
    queriesUnanswered: number;
    /** Their scores together. */
    ratingSum: number;
    /** Requests for a human that are rated. */
    ratings: number;
    /** Sessions created. */
    sessions: number;
    /** With a question and no escalation. */
    sessionsContained: number;
    /** With a question and an escalation. */
    sessionsEscalated: number;
    /** With a question. */
    sessionsWithMessage: number;
    /** On Pro. */
    thumbsDown?: number;
    /** On Pro. */
    thumbsUp?: number;
};
/** One day's figures. */
export type AnalyticsDay = {
    /** On Pro: milliseconds from takeover to the end, on average. */
    avgHumanHandleTimeMs?: number;
    /** Milliseconds from receipt to answer, on average. */
    avgLatencyMs: number;
    /** Sessions with a question and no escalation, of those with a question. */
    containmentRate: number;
    /** The numerators and denominators. */
    counts: AnalyticsCounts;
    /** The day, UTC. */
    date: string;
    /** Sessions with a question and an escalation, of those with a question. */
    escalationRate: number;
    /** From a request for a human to the first answer of a person. */
    firstResponseMs: FirstResponse;
    /** On Pro: flagged answers, of all answers. */
    flaggedForReviewRate?: number;
    /** Questions that the wiki answers, of all of them. */
    kbCoverageScore: number;
    /** On Pro: what customers thought of answers. */
    reactions?: ReactionFigures;
    /** The customers' ratings of the people who helped. */
    satisfaction: Satisfaction;
    /** Questions that the AI dealt with. */
    totalQueries: number;
    /** Sessions created. */
    totalSessions: number;
};
/** An event `answer.unanswered`. */
export type AnswerUnansweredEvent = {
    /** The resource after the change. */
    data: UnansweredTurn;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "answer.unanswered";
};
/**
 * The entries that may ground an answer.
 *
 * - `all`: Every entry.
 * - `public`: Public entries only.
 */
export type AnswerVisibility = "all" | "public";
/** An API key, without the key itself. */
export type ApiKey = {
    /** When it was made. */
    createdAt: string;
    /** The key or the member that made it, or `operator`; null of one that is older than this field. */
    createdBy: string | null;
    /** From this moment on it is refused. */
    expiresAt: string | null;
    /** Its id. */
    keyId: ApiKeyId;
    /** When it was last used, to the minute. */
    lastUsedAt: string | null;
    /** Which half of the tenant's data it opens. */
    mode: Mode | (string & {});
    /** For people. */
    name: string;
    /** The beginning of the raw key. */
    prefix: string;
    /** The role of the key. */
    role: Role | (string & {});
};
/** The id of an API key, which is no secret. */
export type ApiKeyId = string;
/** One page of a list, and where the next one begins. */
export type ApiKeyList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<ApiKey>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** The look of the chat; `null` where a part is the chat's own. */
export type Appearance = {
    /** The colour of launcher, header and buttons, as `#rrggbb`; the text on it is black or white, whichever contrasts more. */
    color: string | null;
    /** The `https` address of a picture, which stands beside the title. */
    logoUrl: string | null;
    /** The title of the chat. */
    name: string | null;
    /** The lower corner of the page in which the chat stands, in every language. */
    position: ChatPosition | (string & {}) | null;
};
/** The look of the chat, unless its page sets another: an absent part stays, `null` is the chat's own again. */
export type AppearancePatch = {
    /** The colour of launcher, header and buttons, as `#rrggbb`; the text on it is black or white, whichever contrasts more. */
    color?: string | null;
    /** The `https` address of a picture, which stands beside the title: a square of 32 pixels. */
    logoUrl?: string | null;
    /** The title of the chat. */
    name?: string | null;
    /** The lower corner of the page in which the chat stands, in every language. */
    position?: ChatPosition | null;
};
/** One attempt to deliver an event. */
export type Attempt = {
    /** When it began. */
    at: string;
    /** How long it took, in milliseconds. */
    durationMs: number;
    /** Why there was none. */
    error?: AttemptError | (string & {});
    /** Where the answer redirects to, which is not followed: `https://www.example.com`, without path and query. */
    redirectsTo?: string;
    /** The HTTP status of the answer. */
    status?: number;
};
/**
 * Why an attempt had no response. Closed, filtered and forbidden addresses look the same, so that nobody can scan ports.
 *
 * - `CONNECTION_FAILED`: No connection.
 * - `TIMEOUT`: No answer in time.
 * - `INVALID_RESPONSE`: The response is not HTTP, or ended early.
 * - `SECRET_UNREADABLE`: Nothing was sent: the receiver's secret cannot be decrypted.
 * - `INTERRUPTED`: Workers ended repeatedly without recording a result.
 */
export type AttemptError = "CONNECTION_FAILED" | "TIMEOUT" | "INVALID_RESPONSE" | "SECRET_UNREADABLE" | "INTERRUPTED";
/**
 * The kind of an act.
 *
 * - `key.created`: An API key was made.
 * - `key.deleted`: An API key was deleted.
 * - `member.added`: A member was added.
 * - `member.invited`: A member was invited again.
 * - `member.changed`: Name or public name of a member changed.
 * - `member.roles_changed`: A member got other roles.
 * - `member.suspended`: A member was suspended.
 * - `member.resumed`: A suspended member may sign in again.
 * - `member.removed`: A member was removed.
 * - `member.bound`: An invitation was used for the first time.
 * - `member.rebound`: Another invitation was used by a member who had signed in before.
 * - `member.signed_in`: A member signed in.
 * - `member.signed_out`: A member signed out.
 * - `member.signed_out_everywhere`: All sign-ins of a member ended.
 * - `settings.changed`: Settings changed.
 * - `webhook.created`: A receiver of events was made.
 * - `webhook.changed`: A receiver of events changed.
 * - `webhook.rotated`: A receiver of events got another secret.
 * - `webhook.deleted`: A receiver of events was deleted.
 * - `webhook.replayed`: A delivery, or all that a receiver of events missed, was sent again.
 * - `session.exported`: A page of a session's export was read.
 * - `session.deleted`: A session was deleted.
 * - `tenant.exported`: A tenant's data was exported.
 * - `tenant.imported`: A tenant's data was imported.
 * - `entry.published`: An entry became public, or a public one got other words.
 * - `entry.restored`: An old version of an entry was restored.
 * - `ingest.published`: A page or a text was handed in, or tried again, whose entries become public.
 */
export type AuditAction = "key.created" | "key.deleted" | "member.added" | "member.invited" | "member.changed" | "member.roles_changed" | "member.suspended" | "member.resumed" | "member.removed" | "member.bound" | "member.rebound" | "member.signed_in" | "member.signed_out" | "member.signed_out_everywhere" | "settings.changed" | "webhook.created" | "webhook.changed" | "webhook.rotated" | "webhook.deleted" | "webhook.replayed" | "session.exported" | "session.deleted" | "tenant.exported" | "tenant.imported" | "entry.published" | "entry.restored" | "ingest.published";
/** The author of an act. */
export type AuditActor = {
    /** The id of the key or member; `operator` for the operator of the service. */
    id: string;
    /** Its name at that time. */
    name: string;
    /** The kind of caller. */
    type: ActorType | (string & {});
};
/** A value that was changed. */
export type AuditChange = {
    /** Before. */
    from: unknown;
    /** Its name: `roles` of a member, or a setting. */
    name: string;
    /** After. */
    to: unknown;
};
/** Something that was done. */
export type AuditEntry = {
    /** What. */
    action: AuditAction | (string & {});
    /** By whom. */
    actor: AuditActor;
    /** When. */
    at: string;
    /** The roles that a member had and has, and the settings that decide who reads what and for how long it is kept; none for other acts. */
    changes: Array<AuditChange>;
    /** In which half of the tenant's data the actor was; null for the operator. */
    mode: Mode | (string & {}) | null;
    /** The id of what it was done to; `settings` for settings. */
    target: string;
};
/** One page of a list, and where the next one begins. */
export type AuditEntryList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<AuditEntry>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/**
 * Whether a member is there for customers.
 *
 * - `available`: There.
 * - `away`: Not at the moment; claims stay as they are.
 */
export type Availability = "available" | "away";
/** A request for a human, its session and the newest turns. */
export type Case = {
    /** When it was claimed. */
    claimedAt: string | null;
    /** By whom. */
    claimedBy: Claimant | null;
    /** When it ended otherwise. */
    closedAt: string | null;
    /** When it was asked for: its place in the queue. */
    createdAt: string;
    /** Whom it is about. */
    customer: Customer;
    /** Its id. */
    escalationId: EscalationId;
    /** When the agent first wrote. */
    firstResponseAt: string | null;
    /** The agent who had it before it went back to the queue, or had the part to which the customer came back; null if nobody did. */
    formerAgent: Claimant | null;
    /** When the customer last wrote. */
    lastCustomerMessageAt: string | null;
    /** Only in lists: what was said last. */
    lastWords?: LastWords;
    /** When the claim ends unless the agent works; null while it is put off, and from the agent's message until the customer writes. */
    leaseExpiresAt: string | null;
    /** The newest turns, at most 50. */
    messages: Array<Turn>;
    /** How it ended. */
    outcome: EscalationOutcome | (string & {}) | null;
    /** The priority in the queue. */
    priority: Priority | (string & {});
    /** The customer's rating. */
    rating: Rating | null;
    /** Why, in words. */
    reason: string;
    /** Why, as one of a few kinds. */
    reasonCategory: ReasonCategory | (string & {});
    /** Why it waits again; null unless an agent had it before. */
    releaseReason: ReleaseReason | (string & {}) | null;
    /** Who asked. */
    requestedBy: RequestedBy | (string & {});
    /** The agent's text at the end. */
    resolution: string | null;
    /** When it was resolved. */
    resolvedAt: string | null;
    /** Its session. */
    session: Session;
    /** The conversation. */
    sessionId: SessionId;
    /** Until when its agent put it off. */
    snoozedUntil: string | null;
    /** Where it stands. */
    status: EscalationStatus | (string & {});
    /** The conversation in short. */
    summary: string | null;
    /** The tags of the session. */
    tags: Array<string>;
    /** Counts every change. */
    version: number;
    /** Until when it was put off, where that ended before: by a message of the customer, an act of an agent or a transfer. Null once it is put off again, or if its time came. */
    wasSnoozedUntil: string | null;
};
/**
 * The kind of a change to an entry.
 *
 * - `update`: It replaces what it names; the rest stays.
 * - `create`: It makes an entry where there is none.
 * - `delete`: It takes the entry away.
 */
export type ChangeAction = "update" | "create" | "delete";
/**
 * Where the customer is.
 *
 * - `widget`: The embedded chat.
 * - `api`: A server.
 * - `email`: E-mail.
 * - `other`: Anything else.
 */
export type Channel = "widget" | "api" | "email" | "other";
/**
 * The lower corner of the page in which the chat stands, in every language.
 *
 * - `left`: The left one.
 * - `right`: The right one.
 */
export type ChatPosition = "left" | "right";
/** One check. */
export type Check = {
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** The result of the check. */
    status: CheckStatus | (string & {});
};
/**
 * The result of one check.
 *
 * - `ok`: It answered.
 * - `failed`: It answered with an error, or not at all.
 * - `timeout`: It took too long.
 * - `not_configured`: There is none to ask.
 * - `not_checked`: It is there, and asking it would cost: its failures show in the answers.
 */
export type CheckStatus = "ok" | "failed" | "timeout" | "not_configured" | "not_checked";
/** An entry that a disliked answer cites. */
export type CitedEntry = {
    /** The entry. */
    path: WikiPath;
    /** Its title, as it was then. */
    title: string;
    /** The answer was made from it. */
    used: boolean;
    /** The version that was read. */
    version: number;
};
/** The agent who claimed a request for a human. */
export type Claimant = {
    /** As the caller named them, or the key. */
    agentId: string;
    /** For people. */
    name: string | null;
};
/**
 * Why a session was closed.
 *
 * - `resolved`: An agent resolved it.
 * - `idle`: No activity for `resumeWindowHours`.
 * - `expired`: A human was awaited for 14 days.
 */
export type ClosedReason = "resolved" | "idle" | "expired";
/** The answers of a range of confidence. */
export type ConfidenceBin = {
    /** Answers whose questions the wiki answers. */
    answered: number;
    /** From this confidence on. */
    from: number;
    /** Of both, those with `thumbs_down`. */
    thumbsDown: number;
    /** Of both, those with `thumbs_up`. */
    thumbsUp: number;
    /** Below this one; the last bin has it. */
    to: number;
    /** Answers to questions, of which it does not answer one. */
    unanswered: number;
};
/** The answers of some days by their confidence. */
export type ConfidenceFigures = {
    /** The least confidence first. */
    bins: Array<ConfidenceBin>;
};
/** The customer of a request for a human. */
export type Customer = {
    /** The visitor, as the tenant names them. */
    externalUserId: string | null;
    /** The visitor's name. */
    name: string | null;
    /** Whether the tenant vouches for the name. Otherwise it is what the visitor wrote. */
    verified: boolean;
};
/** The rest of a deleted wiki entry. */
export type DeletedEntry = {
    /** When it was deleted. */
    deletedAt: string;
    /** Its name within the tenant and mode. */
    path: WikiPath;
    /** Counts every change of this path, the deletion too. */
    version: number;
};
/** The delivery of an event to one receiver. */
export type Delivery = {
    /** Attempts since it was made or last sent again. */
    attemptCount: number;
    /** The newest attempts, oldest first. */
    attempts: Array<Attempt>;
    /** When it was made. */
    createdAt: string;
    /** Its id. */
    deliveryId: DeliveryId;
    /** The event, the same for every receiver and attempt. */
    eventId: EventId;
    /** The beginning of the newest answer. */
    lastResponse?: string;
    /** When it is tried next. */
    nextAttemptAt: string | null;
    /** Where it stands. */
    status: DeliveryStatus | (string & {});
    /** The kind of the event. */
    type: EventKind | (string & {});
    /** The receiver. */
    webhookId: WebhookId;
};
/** The id of an event on its way to one receiver. */
export type DeliveryId = string;
/** One page of a list, and where the next one begins. */
export type DeliveryList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Delivery>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/**
 * The status of a delivery.
 *
 * - `pending`: It is tried, now or later.
 * - `held`: Its receiver is disabled.
 * - `succeeded`: The receiver took it.
 * - `failed`: It was tried as often as it is ever tried.
 * - `erased`: The thing that it is about was erased, and its text with it.
 */
export type DeliveryStatus = "pending" | "held" | "succeeded" | "failed" | "erased";
/** A delivery, and what it says. */
export type DeliveryWithPayload = {
    /** Attempts since it was made or last sent again. */
    attemptCount: number;
    /** The newest attempts, oldest first. */
    attempts: Array<Attempt>;
    /** When it was made. */
    createdAt: string;
    /** Its id. */
    deliveryId: DeliveryId;
    /** The event, the same for every receiver and attempt. */
    eventId: EventId;
    /** The beginning of the newest answer. */
    lastResponse?: string;
    /** When it is tried next. */
    nextAttemptAt: string | null;
    /** The body that is sent: an event, or the line for a Slack channel; null once what it tells of is erased. */
    payload: Event | {
        text: string;
    } | null;
    /** Where it stands. */
    status: DeliveryStatus | (string & {});
    /** The kind of the event. */
    type: EventKind | (string & {});
    /** The receiver. */
    webhookId: WebhookId;
};
/** How the desk asks the provider to sign somebody in. */
export type DeskSignIn = {
    /** Where the person is sent. */
    authorizationEndpoint: string;
    /** The id of the desk at the provider. */
    clientId: string;
    /** Where the person is sent to sign out at the provider, too; null where it has no such page. */
    endSessionUrl: string | null;
    /** Where the provider sends the person back to, with a code. */
    redirectUri: string;
    /** The scope to ask for. */
    scope: string;
};
/** The tenant that a desk token opens. */
export type DeskTenant = {
    /** Its name. */
    name: string;
    /** Its plan. */
    plan: Plan | (string & {});
    /** Whether customers are shown the images of entries; a preview follows. */
    showsImages: boolean;
    /** Its id. */
    tenantId: TenantId;
};
/** A desk token, and for whom it is. */
export type DeskToken = {
    /** When the token expires. */
    expiresAt: string;
    /** Seconds. */
    expiresIn: number;
    /** The member. */
    member: Member;
    /** Until when the token can be renewed. */
    signInEndsAt: string;
    /** When the provider's code was redeemed. */
    signedInAt: string;
    /** The tenant that the token opens. */
    tenant: DeskTenant;
    /** Every tenant where the person may go. */
    tenants: Array<OwnTenant>;
    /** A JWT. */
    token: string;
    /** How it is sent: `Bearer`. */
    tokenType: string;
};
/** Where to go on. */
export type DeskTokenRenewal = {
    /** The half of the tenant's data. By default `live`. */
    mode?: Mode | null;
    /** Another tenant of the person; by default the one signed in to last. */
    tenantId?: TenantId | null;
};
/** The result of a sign-in at the provider. */
export type DeskTokenRequest = {
    /** The provider's code. */
    code: string;
    /** The value that `code_challenge` and `nonce` are made of. */
    codeVerifier: string;
    /** The secret of an invitation, which binds the person to its member. */
    invitation?: string | null;
    /** The half of the tenant's data. By default `live`. */
    mode?: Mode | null;
    /** The tenant; by default the one signed in to last. */
    tenantId?: TenantId | null;
};
/**
 * Which problem a request has, and what to do.
 *
 * - `REQUIRED`: The field, query parameter or header must be there, and must not be null. Send it; in a PATCH, leave a field out to keep its value.
 * - `WRONG_TYPE`: The value has another JSON type, or is no whole number in plain digits. Send the type that the message names.
 * - `OUT_OF_RANGE`: The number, the time, or the length of the query parameter is outside its range. Keep to the range in the message.
 * - `TOO_SHORT`: The text has fewer characters than it must have. The message has the least.
 * - `TOO_LONG`: The text has more characters than it may have. Shorten it to the number in the message.
 * - `TOO_LARGE`: The value takes more bytes than it may take. Shorten it to the number in the message.
 * - `TOO_FEW`: The list has fewer items than it must have. Add some.
 * - `TOO_MANY`: The list or object has more items than it may have. Send fewer, or split the request.
 * - `BLANK`: The text has no visible character. Send one that shows something.
 * - `EMPTY`: The query parameter has no value. Give it one, or leave it out.
 * - `INVALID_CHARACTER`: The text has a character that it must not have: U+0000, in one line also control and direction characters, white space in an address. Remove or escape it.
 * - `INVALID_ENCODING`: The query parameter is not percent-encoded UTF-8. Encode it with the function of your language.
 * - `INVALID_FORMAT`: The text is not of the form that its field has (a time, an address, a cursor), or repeats the path of an earlier item. The message says the form; a cursor goes back unchanged, with the same filters.
 * - `INVALID_KEY`: A key of a flat object is empty, longer than 100 characters, or has control characters. Rename it.
 * - `INVALID_ORIGIN`: The text is no origin as browsers write it (`https://shop.example`, without a path), is there twice, or the operator does not allow it. Correct or remove it.
 * - `INVALID_PATH`: The path is no path of a wiki entry. The message says the form.
 * - `INVALID_SECRET`: The secret begins as one in base64, and is not `whsec_` with strict base64 of 24 to 64 bytes. Make a new one of that form.
 * - `INVALID_TIMEZONE`: The text is no name of a time zone of the IANA. Send one such as `Europe/Berlin`.
 * - `INVALID_URL`: The text is no `https` address, or no template of one with exactly one `{path}` after the host. The message says which part is wrong.
 * - `NOT_ALLOWED`: The value is none of those that are allowed here or to this caller. The message says which are.
 * - `NOT_FLAT`: A value of a flat object is null, a list or an object. Send a string, a number, true or false.
 * - `DUPLICATE`: The query parameter is given more than once. Give it once.
 * - `CONFLICT`: Two fields or query parameters exclude each other. Send one of them.
 * - `EXACTLY_ONE`: Exactly one of several fields must be given. The message names them.
 * - `NOTHING_TO_CHANGE`: The change names none of the fields that can be changed. The message names them.
 * - `INVALID_RANGE`: The range ends before it begins, or another one of the day lies across it. Split one across midnight at 24:00, and join those that overlap.
 * - `UNKNOWN_PARAMETER`: The operation does not take this query parameter. Check its name, or remove it.
 * - `UNKNOWN_FIELD`: The object has a closed list of names, and this is none of them. Check its name, or remove it.
 * - `UNKNOWN_VARIABLE`: The text names a variable that does not exist. The message names those that do.
 * - `IN_THE_PAST`: The time must be in the future. Send a later one, and check the clock and the zone.
 * - `IN_THE_FUTURE`: The time must not be in the future. Send an earlier one, and check the clock and the zone.
 * - `UNKNOWN_MESSAGE`: The id is of no turn of this session. Read the messages from the beginning.
 * - `OTHER_VISITOR`: The session belongs to another visitor. Leave `externalUserId` out, or name that visitor.
 * - `QUEUE_EMPTY`: Nobody waits in the inbox. Ask again later.
 * - `CURRENT_VERSION`: The entry moved on; the message is its present version and nothing else: of the entry, of its deletion, or 0 if the path never held anything. Read the entry, decide, and name that version.
 * - `NEWER_MESSAGE`: The customer wrote after `lastSeenMessageId`. Read that, and repeat with its id.
 * - `DUPLICATE_URL`: Another receiver has this address. Change or delete that one.
 * - `DUPLICATE_SHORTCUT`: Another saved reply of the same scope has this shortcut. Choose another, or change that reply.
 * - `TOO_MANY_DRAFTS`: There are as many open drafts as there may be. Publish or discard one.
 * - `TOO_MANY_API_KEYS`: There are as many API keys of the mode as there may be, expired ones included. Delete one.
 * - `TOO_MANY_PINS`: There are as many pinned questions as there may be. Delete one.
 * - `TOO_MANY_SCHEDULED_PAGES`: There are as many pages with a schedule as there may be. End the schedule of one.
 * - `TOO_MANY_REPLIES`: There are as many saved replies of the scope as there may be. Delete one.
 * - `TOO_MANY_WEBHOOKS`: The tenant has as many receivers as it may have. Delete one.
 * - `LAST_ADMIN_KEY`: The tenant must keep a live admin key, and one that does not expire. Make another first.
 * - `LAST_ADMIN_MEMBER`: The tenant must keep an active admin among its members. Make another member one first, or use an admin key, which may leave none.
 * - `MEMBER_EXISTS`: Another member of the tenant has the address, or is the person. Change that member.
 * - `SIGNED_IN_AS`: The message is the e-mail address of the account that the provider signed in, and nothing else. Sign in with the invited account.
 * - `TOO_MANY_MEMBERS`: The tenant has as many members as it may have. Remove one.
 * - `REQUIRED_ROLE`: The caller has none of the roles that the operation needs. Use a key or member of a role that the message names.
 * - `REQUIRED_MODE`: The operation needs a live key. Use one, of the role that the operation names.
 * - `TOKEN_SCOPE`: The widget token or the member's sign-in does not reach so far: another visitor, session or agent, or a field that only API keys set. The message says which.
 * - `TENANT_SUSPENDED`: The operator suspended the tenant. Only the operator can resume it.
 * - `ORIGIN_NOT_ALLOWED`: The tenant's `widgetOrigins` do not name the origin of the request, or only the desk may send it. Add the origin, or call from your server.
 * - `RATE_LIMIT`: The message names the limit that is used up. Wait for `Retry-After`.
 */
export type DetailCode = "REQUIRED" | "WRONG_TYPE" | "OUT_OF_RANGE" | "TOO_SHORT" | "TOO_LONG" | "TOO_LARGE" | "TOO_FEW" | "TOO_MANY" | "BLANK" | "EMPTY" | "INVALID_CHARACTER" | "INVALID_ENCODING" | "INVALID_FORMAT" | "INVALID_KEY" | "INVALID_ORIGIN" | "INVALID_PATH" | "INVALID_SECRET" | "INVALID_TIMEZONE" | "INVALID_URL" | "NOT_ALLOWED" | "NOT_FLAT" | "DUPLICATE" | "CONFLICT" | "EXACTLY_ONE" | "NOTHING_TO_CHANGE" | "INVALID_RANGE" | "UNKNOWN_PARAMETER" | "UNKNOWN_FIELD" | "UNKNOWN_VARIABLE" | "IN_THE_PAST" | "IN_THE_FUTURE" | "UNKNOWN_MESSAGE" | "OTHER_VISITOR" | "QUEUE_EMPTY" | "CURRENT_VERSION" | "NEWER_MESSAGE" | "DUPLICATE_URL" | "DUPLICATE_SHORTCUT" | "TOO_MANY_DRAFTS" | "TOO_MANY_API_KEYS" | "TOO_MANY_PINS" | "TOO_MANY_SCHEDULED_PAGES" | "TOO_MANY_REPLIES" | "TOO_MANY_WEBHOOKS" | "LAST_ADMIN_KEY" | "LAST_ADMIN_MEMBER" | "MEMBER_EXISTS" | "SIGNED_IN_AS" | "TOO_MANY_MEMBERS" | "REQUIRED_ROLE" | "REQUIRED_MODE" | "TOKEN_SCOPE" | "TENANT_SUSPENDED" | "ORIGIN_NOT_ALLOWED" | "RATE_LIMIT";
/**
 * Why a receiver is disabled.
 *
 * - `manual`: By request.
 * - `gone`: It answered 410.
 * - `failing`: Only failures for 120 hours.
 * - `secret_unreadable`: Its secret cannot be decrypted: the master key was replaced. Rotating the secret enables it.
 */
export type DisabledReason = "manual" | "gone" | "failing" | "secret_unreadable";
/** An answer that a customer disliked. */
export type DislikedAnswer = {
    /** The beginning of the answer, on one line, personal data masked, at most 500 characters of its Markdown. */
    answer: string;
    /** What the customer wrote with the rating of the people who then helped, personal data masked; null without one. */
    comment: string | null;
    /** How sure the answer was. */
    confidence: number;
    /** When it was answered. */
    createdAt: string;
    /** The message of the answer. */
    messageId: MessageId;
    /** The customer's question, on one line, personal data masked, at most 500 characters. */
    question: string;
    /** Its session. */
    sessionId: SessionId;
    /** The entries that it cites, the most likely first. */
    sources: Array<CitedEntry>;
};
/** One page of a list, and where the next one begins. */
export type DislikedAnswerList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<DislikedAnswer>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/**
 * The outcome of a customer's message.
 *
 * - `answered`: The AI answered from the wiki.
 * - `no_answer`: The wiki has no answer; the text says that and offers a human.
 * - `small_talk`: Greeting, thanks, goodbye and the like: answered with a short sentence, counted nowhere.
 * - `escalated`: It escalated.
 * - `queued_for_human`: A human is there or awaited; the AI is silent.
 * - `superseded`: The session changed hands while the answer was being made; the answer was dropped.
 */
export type Disposition = "answered" | "no_answer" | "small_talk" | "escalated" | "queued_for_human" | "superseded";
/** AWS's report on the search domain. */
export type DomainCheck = {
    /** The health of its cluster; null where AWS did not say. */
    cluster: string | null;
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** The operation on the domain that is in progress; null where AWS did not say. */
    state: string | null;
    /** The result of the check. */
    status: CheckStatus | (string & {});
};
/** A proposed change of the wiki. It grounds no answer, and no search finds it. */
export type Draft = {
    /** The proposed kind of change. */
    action: ChangeAction | (string & {});
    /** The version of the entry that it changes; null for a new entry. */
    baseVersion: number | null;
    /** The entry's text; null where the entry is to go. It lacks the words of sessions that were erased. */
    content: string | null;
    /** When it was made. */
    createdAt: string;
    /** The key or member that made it. */
    createdBy: string;
    /** Its id. */
    draftId: DraftId;
    /** The gap that it was made of; null where it was made of none. */
    gapId: GapId | null;
    /** The entry's path. */
    path: WikiPath;
    /** Its status. */
    status: DraftStatus | (string & {});
    /** The entry's tags. */
    tags: Array<string>;
    /** The entry's title; null where the entry is to go. Empty where its words went with a session that was erased. */
    title: string | null;
    /** When it last changed. */
    updatedAt: string;
    /** Counts every change. */
    version: number;
    /** Who may read the entry; null where the entry is to go. */
    visibility: Visibility | (string & {}) | null;
};
/** The id of a proposed change of the wiki. */
export type DraftId = string;
/** One page of a list, and where the next one begins. */
export type DraftList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Draft>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A change of a draft: at least one field; what is absent stays, and `null` clears the tags. */
export type DraftPatch = {
    /** The version of the entry that it changes now, after its author looked at what others changed. */
    baseVersion?: number;
    /** The entry's text, Markdown or plain. At most 307200 bytes of UTF-8. */
    content?: string;
    /** The path, of a new entry alone. */
    path?: WikiPath;
    /** Words to find the entry by, in the place of the old ones; each is kept once. */
    tags?: Array<string> | null;
    /** The entry's title. */
    title?: string;
    /** Who may read the entry. */
    visibility?: Visibility;
};
/**
 * The status of a draft.
 *
 * - `open`: It waits.
 * - `published`: The entry is as it proposed.
 * - `discarded`: It was given up.
 */
export type DraftStatus = "open" | "published" | "discarded";
/** The effect of changes on questions. */
export type DryRun = {
    /** How many of `items` there are of each kind. */
    counts: DryRunCounts;
    /** There are more questions. A page may be short, or empty, and have more. */
    hasMore: boolean;
    /** The questions, those of sessions newest first. */
    items: Array<DryRunQuestion>;
    /** Where the next questions begin. */
    nextCursor: string | null;
    /** A language model answers customers: `disposition` is what the ranking says. */
    reliesOnModel: boolean;
};
/** The outcome of a question. */
export type DryRunAnswer = {
    /** Markdown; empty where the wiki does not answer. */
    answer: string;
    /** How likely the answer is in the wiki. */
    confidence: number;
    /** Its outcome. */
    disposition: Disposition | (string & {});
    /** The nearest entries, those that the answer is made from first, at most 3. */
    sources: Array<Source>;
};
/**
 * The effect of changes on a question.
 *
 * - `same`: It is answered, or not, as before, and its first source is the same.
 * - `gained`: It gets an answer.
 * - `lost`: It loses its answer.
 * - `other`: Something else becomes of it, or it is answered from another entry.
 */
export type DryRunChange = "same" | "gained" | "lost" | "other";
/** How many questions there are of each kind. */
export type DryRunCounts = {
    /** With an answer that they did not have. */
    gained: number;
    /** Without the answer that they had. */
    lost: number;
    /** Of which something else becomes. */
    other: number;
    /** As before. */
    same: number;
};
/** A question with and without the changes. */
export type DryRunQuestion = {
    /** By the wiki with the changes. */
    after: DryRunAnswer;
    /** By the wiki as it is. */
    before: DryRunAnswer;
    /** The effect of the changes on it. */
    change: DryRunChange | (string & {});
    /** The customer's message. */
    messageId?: MessageId;
    /** On one line, personal data masked, at most 500 characters. */
    question: string;
    /** Where it was asked; absent of a text. */
    sessionId?: SessionId;
};
/** Which questions are asked: `gapId`, `texts`, `pins`, `days`, or `path` with `days`. */
export type DryRunQuestions = {
    /** Those of sessions that were opened in so many days, newest first. */
    days?: number | null;
    /** The questions of a knowledge gap. */
    gapId?: GapId | null;
    /** Those whose answer was made from this entry, newest answer first. */
    path?: WikiPath | null;
    /** The pinned ones, if true, oldest first. By default `false`. */
    pins?: boolean | null;
    /** These, each as the first message of a conversation. */
    texts?: Array<string> | null;
};
/** Changes, and the questions that they are tried on. */
export type DryRunRequest = {
    /** Each of another entry. */
    changes: Array<ProposedChange>;
    /** `nextCursor` of the answer before, of the same changes and questions; empty for the first page. */
    cursor?: string | null;
    /** How many questions at most; without it 100, or as many as so large changes are tried on at once. */
    limit?: number | null;
    /** The questions to ask. */
    questions: DryRunQuestions;
    /** Where questions without a session are asked. By default `other`. */
    viewer?: DryRunViewer | null;
};
/**
 * Where a question without a session is asked.
 *
 * - `widget`: In the chat: from what the tenant lets its widgets be answered with.
 * - `other`: Anywhere else.
 */
export type DryRunViewer = "widget" | "other";
/** Whether the embedding model answers. */
export type EmbeddingsCheck = {
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** Entries of all tenants whose passages are not embedded yet and are found by their words alone, without those that were given up; null where the index or the table did not say. */
    pending: number | null;
    /** The result of the check. */
    status: CheckStatus | (string & {});
};
/** A wiki entry. */
export type Entry = {
    /** Markdown or plain text; in lists the first 2,000 characters. */
    content: string;
    /** When this path was last created. */
    createdAt: string;
    /** The key that created it; for keys only. */
    createdBy?: string;
    /** Its name within the tenant and mode. */
    path: WikiPath;
    /** Where it comes from; for keys only. */
    source?: EntrySource;
    /** As given, each once. */
    tags: Array<string>;
    /** Its title. */
    title: string;
    /** When it last changed. */
    updatedAt: string;
    /** The key that last changed it; for keys only. */
    updatedBy?: string;
    /** Counts every change of this path, over deletions too. */
    version: number;
    /** Who may read it. */
    visibility: Visibility | (string & {});
};
/**
 * The action of a job on a path.
 *
 * - `created`: It made an entry.
 * - `updated`: It replaced the text of an earlier job by a newer one.
 * - `unchanged`: The text was there already.
 * - `removed`: The page no longer has that section.
 * - `conflict`: A person edited the entry since; it was left unchanged.
 */
export type EntryAction = "created" | "updated" | "unchanged" | "removed" | "conflict";
/** An event `entry.created`. */
export type EntryCreatedEvent = {
    /** The resource after the change. */
    data: Entry;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "entry.created";
};
/** An event `entry.deleted`. */
export type EntryDeletedEvent = {
    /** The resource after the change. */
    data: DeletedEntry;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "entry.deleted";
};
/** An entry in a list: the beginning of its content, and for a search where it matched. */
export type EntryItem = {
    /** Markdown or plain text; in lists the first 2,000 characters. */
    content: string;
    /** The content goes on. */
    contentTruncated: boolean;
    /** When this path was last created. */
    createdAt: string;
    /** The key that created it; for keys only. */
    createdBy?: string;
    /** Where it matches, only in a search. */
    highlights?: Array<Highlight>;
    /** Its name within the tenant and mode. */
    path: WikiPath;
    /** How well it matches, only in a search. */
    score?: number;
    /** Where it comes from; for keys only. */
    source?: EntrySource;
    /** As given, each once. */
    tags: Array<string>;
    /** Its title. */
    title: string;
    /** When it last changed. */
    updatedAt: string;
    /** The key that last changed it; for keys only. */
    updatedBy?: string;
    /** Counts every change of this path, over deletions too. */
    version: number;
    /** Who may read it. */
    visibility: Visibility | (string & {});
};
/** A page of entries, and the question it answers. */
export type EntryList = {
    /** There are pages after this one. */
    hasMore: boolean;
    /** The page. */
    items: Array<EntryItem>;
    /** How many items a page has at the most. */
    limit: number;
    /** Its number, from 1. */
    page: number;
    /** `q`, as it was asked; null without one. */
    query: string | null;
    /** Items on all pages, counted up to 10,000. */
    total: number;
    /** Counting stopped at its bound of 10,000, or the list looked at 10,001 items of which only `total` pass the filter: there may be more items than `total` says. */
    totalCapped: boolean;
    /** Pages in all. */
    totalPages: number;
};
/** A change of a wiki entry: at least one field; what is absent stays, and `null` clears the tags. */
export type EntryPatch = {
    /** Markdown or plain text. At most 307200 bytes of UTF-8. */
    content?: string;
    /** Words to find it by, in the place of the old ones; each is kept once. */
    tags?: Array<string> | null;
    /** Its title. */
    title?: string;
    /** Who may read it. */
    visibility?: Visibility;
};
/** What a wiki entry says, whole. */
export type EntryReplacement = {
    /** Markdown or plain text. At most 307200 bytes of UTF-8. */
    content: string;
    /** Words to find it by; each is kept once. Without them it has none. By default `[]`. */
    tags?: Array<string> | null;
    /** Its title. */
    title: string;
    /** Who may read it. */
    visibility: Visibility;
};
/** Where an entry comes from. */
export type EntrySource = {
    /** The job. */
    ingestId?: IngestId;
    /** A person or a job. */
    type: SourceType | (string & {});
    /** The page. */
    url?: string;
};
/** An event `entry.updated`. */
export type EntryUpdatedEvent = {
    /** The resource after the change. */
    data: Entry;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "entry.updated";
};
/** An entry, or an old version of one. */
export type EntryVersion = {
    /** Markdown or plain text; in lists the first 2,000 characters. */
    content: string;
    /** When this path was last created. */
    createdAt: string;
    /** The key that created it; for keys only. */
    createdBy?: string;
    /** Whether the path holds this version now; only where a version was asked for. */
    current?: boolean;
    /** Its name within the tenant and mode. */
    path: WikiPath;
    /** Where it comes from; for keys only. */
    source?: EntrySource;
    /** As given, each once. */
    tags: Array<string>;
    /** Its title. */
    title: string;
    /** When it last changed. */
    updatedAt: string;
    /** The key that last changed it; for keys only. */
    updatedBy?: string;
    /** Counts every change of this path, over deletions too. */
    version: number;
    /** Who may read it. */
    visibility: Visibility | (string & {});
};
/** The one shape of every error. */
export type ErrorBody = {
    /** All problems at once. */
    details: Array<ErrorDetail>;
    /** The code of the error. */
    error: ErrorCode | (string & {});
    /** For a person. */
    message: string;
    /** As in `X-Request-Id`, to be quoted to support. */
    requestId: string;
};
/**
 * What went wrong.
 *
 * - `VALIDATION_ERROR`: A field or query parameter is not valid; `details` lists all problems at once. Correct them: a retry fails again.
 * - `INVALID_JSON`: The body is not a JSON object. Send one, in UTF-8.
 * - `UNAUTHORIZED`: The credential is missing, malformed, unknown or deleted. Check the key and its mode.
 * - `SIGN_IN_REQUIRED`: The sign-in at the desk has ended. Sign in again.
 * - `API_KEY_EXPIRED`: The API key has expired. Make a new one.
 * - `TOKEN_EXPIRED`: The token has expired. Get a new one and repeat the request.
 * - `FORBIDDEN`: The role, the token's scope or the page's origin does not allow this; `details` says which. Use a key of another role, or add the origin to `widgetOrigins`.
 * - `NOT_A_MEMBER`: The person is no member of the tenant. An admin must invite them.
 * - `RECENT_SIGN_IN_REQUIRED`: The change needs a sign-in of the last hour. Sign in again and repeat it.
 * - `PLAN_REQUIRED`: The tenant's plan does not include this. Ask the operator.
 * - `NOT_FOUND`: There is nothing of this id or path that the caller may see; maybe it is of the other mode.
 * - `METHOD_NOT_ALLOWED`: The path does not have this method; `Allow` names those that it has.
 * - `CONFLICT`: Something else is there already, or changed meanwhile; `details` says what. Read it again and decide.
 * - `INVALID_STATE`: The present state does not allow this. Read the resource again.
 * - `SESSION_CLOSED`: The conversation is closed. Resume it, or begin another one.
 * - `ALREADY_CLAIMED`: Another agent was faster. Take the next request.
 * - `CLAIMED_BY_OTHER`: Another agent has the request. They can transfer or release it.
 * - `NO_AI_RESPONSE`: The conversation has no answer of the AI to react to.
 * - `IDEMPOTENCY_IN_PROGRESS`: The first request with this `Idempotency-Key` still runs. Repeat this one after `Retry-After`.
 * - `RESUME_WINDOW_EXPIRED`: The conversation was closed too long ago. Begin another one.
 * - `PRECONDITION_FAILED`: The resource has another version than `If-Match` names, or `If-None-Match` excludes it. Read it again and decide.
 * - `PAYLOAD_TOO_LARGE`: The body is larger than the operation takes. Split it.
 * - `UNSUPPORTED_MEDIA_TYPE`: The body is not JSON. Send `Content-Type: application/json`, not compressed.
 * - `IDEMPOTENCY_KEY_REUSED`: The `Idempotency-Key` came with another body before. Use a new key for a new request, and the same bytes for a retry.
 * - `RATE_LIMITED`: A limit is used up; `details` names it. Wait for `Retry-After`.
 * - `INTERNAL_ERROR`: The service failed. Repeat the request with the same `Idempotency-Key`; if it fails again, quote `requestId` to support.
 * - `SERVICE_UNAVAILABLE`: Something that the service needs does not answer. Repeat the request with the same `Idempotency-Key`, after `Retry-After`.
 */
export type ErrorCode = "VALIDATION_ERROR" | "INVALID_JSON" | "UNAUTHORIZED" | "SIGN_IN_REQUIRED" | "API_KEY_EXPIRED" | "TOKEN_EXPIRED" | "FORBIDDEN" | "NOT_A_MEMBER" | "RECENT_SIGN_IN_REQUIRED" | "PLAN_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_STATE" | "SESSION_CLOSED" | "ALREADY_CLAIMED" | "CLAIMED_BY_OTHER" | "NO_AI_RESPONSE" | "IDEMPOTENCY_IN_PROGRESS" | "RESUME_WINDOW_EXPIRED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
/** One problem of a request, for `details` of the error body. */
export type ErrorDetail = {
    /** Which problem. */
    code: DetailCode | (string & {});
    /** The field, query parameter or header it is about; absent if it is about the whole request. */
    field?: string;
    /** For a person. */
    message: string;
};
/** The request for a human. */
export type Escalated = {
    /** When it was asked for. */
    createdAt: string;
    /** The request for a human. */
    escalationId: EscalationId;
    /** When the hours begin next; null while they run, where the tenant has none, and where nothing begins within 30 days. */
    nextOpenAt: string | null;
    /** Who answers the customer now. */
    ownership: Ownership | (string & {});
    /** The tenant's hours say that people are there, and one of its members with the inbox, if it has any, is not away. */
    peopleAvailable: boolean;
    /** From 1, exact up to 1,000; null where it is not in the queue. */
    queuePosition: number | null;
    /** Why, in words. */
    reason: string;
    /** The conversation. */
    sessionId: SessionId;
    /** Where the request stands. */
    status: EscalationStatus | (string & {});
};
/** A request for a human. */
export type Escalation = {
    /** When it was claimed. */
    claimedAt: string | null;
    /** By whom. */
    claimedBy: Claimant | null;
    /** When it ended otherwise. */
    closedAt: string | null;
    /** When it was asked for: its place in the queue. */
    createdAt: string;
    /** Whom it is about. */
    customer: Customer;
    /** Its id. */
    escalationId: EscalationId;
    /** When the agent first wrote. */
    firstResponseAt: string | null;
    /** The agent who had it before it went back to the queue, or had the part to which the customer came back; null if nobody did. */
    formerAgent: Claimant | null;
    /** When the customer last wrote. */
    lastCustomerMessageAt: string | null;
    /** Only in lists: what was said last. */
    lastWords?: LastWords;
    /** When the claim ends unless the agent works; null while it is put off, and from the agent's message until the customer writes. */
    leaseExpiresAt: string | null;
    /** How it ended. */
    outcome: EscalationOutcome | (string & {}) | null;
    /** The priority in the queue. */
    priority: Priority | (string & {});
    /** The customer's rating. */
    rating: Rating | null;
    /** Why, in words. */
    reason: string;
    /** Why, as one of a few kinds. */
    reasonCategory: ReasonCategory | (string & {});
    /** Why it waits again; null unless an agent had it before. */
    releaseReason: ReleaseReason | (string & {}) | null;
    /** Who asked. */
    requestedBy: RequestedBy | (string & {});
    /** The agent's text at the end. */
    resolution: string | null;
    /** When it was resolved. */
    resolvedAt: string | null;
    /** The conversation. */
    sessionId: SessionId;
    /** Until when its agent put it off. */
    snoozedUntil: string | null;
    /** Where it stands. */
    status: EscalationStatus | (string & {});
    /** The conversation in short. */
    summary: string | null;
    /** The tags of the session. */
    tags: Array<string>;
    /** Counts every change. */
    version: number;
    /** Until when it was put off, where that ended before: by a message of the customer, an act of an agent or a transfer. Null once it is put off again, or if its time came. */
    wasSnoozedUntil: string | null;
};
/** The id of a request for a human. */
export type EscalationId = string;
/**
 * How a request for a human ended.
 *
 * - `resolved`: An agent resolved it.
 * - `handed_back`: An agent gave the session back to the AI.
 * - `cancelled`: The customer no longer wanted it.
 * - `expired`: No agent came for 14 days.
 */
export type EscalationOutcome = "resolved" | "handed_back" | "cancelled" | "expired";
/** A change of a request for a human. */
export type EscalationPatch = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** The priority in the queue. */
    priority?: Priority;
    /** Until when the agent puts it off, at most seven days; `null`: not any longer. */
    snoozedUntil?: string | null;
};
/**
 * The status of an escalation.
 *
 * - `pending`: No agent has taken it yet.
 * - `claimed`: An agent works on it.
 * - `resolved`: An agent resolved it.
 * - `closed`: It ended otherwise.
 */
export type EscalationStatus = "pending" | "claimed" | "resolved" | "closed";
/** What a receiver of events gets, signed by Standard Webhooks 1.0.0; `type` says which of them. */
export type Event = SessionCreatedEvent | SessionClosedEvent | SessionResumedEvent | MessageCreatedEvent | AnswerUnansweredEvent | ReactionCreatedEvent | HandoverRequestedEvent | HandoverClaimedEvent | HandoverTransferredEvent | HandoverReopenedEvent | HandoverReleasedEvent | HandoverReturnedEvent | HandoverResolvedEvent | HandoverCancelledEvent | HandoverWaitingEvent | RatingCreatedEvent | EntryCreatedEvent | EntryUpdatedEvent | EntryDeletedEvent | IngestCompletedEvent | IngestFailedEvent | WebhookDisabledEvent | WebhookTestEvent;
/** The id of something that happened; the same on every retry and for every receiver. */
export type EventId = string;
/**
 * The kind of an event.
 *
 * - `session.created`: A conversation began.
 * - `session.closed`: A conversation was closed.
 * - `session.resumed`: A closed conversation was resumed.
 * - `message.created`: A message was written.
 * - `answer.unanswered`: The wiki has a gap.
 * - `reaction.created`: A customer reacted to an answer.
 * - `handover.requested`: An escalation was created.
 * - `handover.claimed`: An agent took over.
 * - `handover.transferred`: An agent gave it to another.
 * - `handover.reopened`: An agent took it up again after it was resolved.
 * - `handover.released`: An agent gave it back to the queue.
 * - `handover.returned`: An agent gave it back to the AI.
 * - `handover.resolved`: An agent resolved it.
 * - `handover.cancelled`: The escalation was cancelled, or no agent came.
 * - `handover.waiting`: A customer has waited for an agent as long as the tenant wants to be told.
 * - `rating.created`: A customer rated the people who helped.
 * - `entry.created`: A wiki entry was made.
 * - `entry.updated`: A wiki entry was changed.
 * - `entry.deleted`: A wiki entry was deleted.
 * - `ingest.completed`: An ingest is done and searchable.
 * - `ingest.failed`: An ingest job failed.
 * - `webhook.disabled`: A receiver was disabled.
 * - `webhook.test`: A test of a receiver.
 */
export type EventKind = "session.created" | "session.closed" | "session.resumed" | "message.created" | "answer.unanswered" | "reaction.created" | "handover.requested" | "handover.claimed" | "handover.transferred" | "handover.reopened" | "handover.released" | "handover.returned" | "handover.resolved" | "handover.cancelled" | "handover.waiting" | "rating.created" | "entry.created" | "entry.updated" | "entry.deleted" | "ingest.completed" | "ingest.failed" | "webhook.disabled" | "webhook.test";
/** A turn, with its conversation. */
export type EventTurn = {
    /** Role `agent`: who it was. */
    agent?: Agent;
    /** Role `ai`: the content once more, Markdown as in `Reply.answer`. */
    answer?: string;
    /** Role `ai`: how likely the answer is in the wiki. */
    confidence?: number;
    /** The text of the turn. */
    content: string;
    /** When it was stored. */
    createdAt: string;
    /** The outcome of the message. */
    disposition?: Disposition | (string & {});
    /** Role `system`: what happened. */
    event?: SystemEvent | (string & {});
    /** A note, or what happened to a claim, that admin, trainer and agent keys alone see. */
    internal: boolean;
    /** Role `ai`: milliseconds from receipt to answer. */
    latencyMs?: number;
    /** Its id. */
    messageId: MessageId;
    /** With the first turn of role `ai` of a session: the sentence that an automatic assistant answers. It is not part of the content. */
    notice?: string;
    /** Role `ai`: it asks whether the customer wants a human. */
    offersHuman?: boolean;
    /** Role `ai`: what the customer thinks of it. */
    reactions: Array<Reaction | (string & {})>;
    /** Who speaks. */
    role: TurnRole | (string & {});
    /** The conversation. */
    sessionId: SessionId;
    /** Role `ai`: the entries nearest to the question, those that the answer was made from first. */
    sources: Array<Source>;
    /** 1, 2, … in commit order. */
    turn: number;
    /** Role `ai`: the wiki has a gap here. */
    unanswered?: boolean;
};
/** How soon people answer, on the days of their first answers. */
export type FirstResponse = {
    /** How many requests for a human were answered. */
    count: number;
    /** Milliseconds, on average; 0 without an answer. */
    mean: number;
};
/** A question that customers ask and the wiki does not answer. */
export type Gap = {
    /** How often it was asked. */
    count: number;
    /** How it was put, newest first, each text once. */
    examples: Array<string>;
    /** When it was first asked. */
    firstSeenAt: string;
    /** Its id. */
    gapId: GapId;
    /** When it was last asked. */
    lastSeenAt: string;
    /** The entry nearest to it when it was last asked. */
    nearestEntry?: NearestEntry;
    /** As it was first put, with personal data masked; empty once every session that asked it is erased. */
    query: string;
    /** In how many sessions. */
    sessions: number;
    /** Whether the wiki answers it by now, or need not. */
    status: GapStatus | (string & {});
};
/** A gap, and what is known about it. */
export type GapDetails = {
    /** How often it was asked. */
    count: number;
    /** How it was put, newest first, each text once. */
    examples: Array<string>;
    /** When it was first asked. */
    firstSeenAt: string;
    /** Its id. */
    gapId: GapId;
    /** When it was last asked. */
    lastSeenAt: string;
    /** The entry nearest to it when it was last asked. */
    nearestEntry?: NearestEntry;
    /** As it was first put, with personal data masked; empty once every session that asked it is erased. */
    query: string;
    /** How customers put it, newest first, each text once, with personal data masked. */
    questions: Array<string>;
    /** People's replies to those customers, of the 20 sessions that asked last; never notes. */
    resolutions: Array<GapResolution>;
    /** In how many sessions. */
    sessions: number;
    /** Whether the wiki answers it by now, or need not. */
    status: GapStatus | (string & {});
};
/** The id of a question that the wiki does not answer; the same question has the same one. */
export type GapId = string;
/** One page of a list, with how many pages there are. */
export type GapList = {
    /** There are pages after this one. */
    hasMore: boolean;
    /** The page. */
    items: Array<Gap>;
    /** How many items a page has at the most. */
    limit: number;
    /** Its number, from 1. */
    page: number;
    /** Items on all pages, counted up to 10,000. */
    total: number;
    /** Counting stopped at its bound of 10,000, or the list looked at 10,001 items of which only `total` pass the filter: there may be more items than `total` says. */
    totalCapped: boolean;
    /** Pages in all. */
    totalPages: number;
};
/** The decision about a gap. */
export type GapPatch = {
    /** `open` only for a gap that is dismissed. */
    status: "dismissed" | "open";
};
/** A person's reply to a customer who had asked. */
export type GapResolution = {
    /** Its text, with personal data masked. */
    content: string;
    /** The person's message. */
    messageId: MessageId;
    /** The session. */
    sessionId: SessionId;
};
/**
 * Whether the wiki answers it now, or need not.
 *
 * - `open`: It does not.
 * - `resolved`: A later entry does.
 * - `dismissed`: It need not: a trainer dismissed it.
 */
export type GapStatus = "open" | "resolved" | "dismissed";
/** How a conversation goes back to the AI. */
export type HandbackRequest = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** The newest message that the agent saw: 409 where the customer wrote after it. */
    lastSeenMessageId?: MessageId | null;
    /** For the AI, which reads that a person had a part. */
    note?: string | null;
};
/** An event `handover.cancelled`. */
export type HandoverCancelledEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.cancelled";
};
/** An event `handover.claimed`. */
export type HandoverClaimedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.claimed";
};
/** An event `handover.released`. */
export type HandoverReleasedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.released";
};
/** An event `handover.reopened`. */
export type HandoverReopenedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.reopened";
};
/** An event `handover.requested`. */
export type HandoverRequestedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.requested";
};
/** An event `handover.resolved`. */
export type HandoverResolvedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.resolved";
};
/** An event `handover.returned`. */
export type HandoverReturnedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.returned";
};
/** An event `handover.transferred`. */
export type HandoverTransferredEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.transferred";
};
/** An event `handover.waiting`. */
export type HandoverWaitingEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "handover.waiting";
};
/** The answer to whoever asks for the service's health. */
export type Health = HealthReport | HealthBrief;
/** The report to callers without a key. */
export type HealthBrief = {
    /** How the service as a whole is. */
    status: Status | (string & {});
    /** When it was found. */
    time: string;
};
/** Every check of the report. */
export type HealthChecks = {
    /** Whether the runs of the agents could be read; where not, the list of agents is empty. */
    agents: Check;
    /** Whether the table answers. */
    database: Check;
    /** Whether the table takes writes. */
    databaseWrites: Check;
    /** The embedding model. */
    embeddings: EmbeddingsCheck;
    /** The language model. */
    model: Check;
    /** The queues and what waits in them. */
    queues: QueueChecks;
    /** The index of wiki entries. */
    search: SearchCheck;
};
/** The report to callers with a key. */
export type HealthReport = {
    /** The work behind the scenes. */
    agents: Array<AgentHealth>;
    /** The checks of the parts that the service needs. */
    checks: HealthChecks;
    /** How the service as a whole is. */
    status: Status | (string & {});
    /** When it was found. */
    time: string;
    /** The release of the IANA's time zone data by which opening hours are read, such as `2026f`. */
    tzdata: string;
    /** The version that runs. */
    version: string;
};
/** Where an entry matches a question. */
export type Highlight = {
    /** The field: `title`, `content`, `path` or `tags`. */
    field: string;
    /** Its text in parts, as clean as an answer: they hold no tag, no image and no link of another scheme than `https:`, `http:`, `mailto:` and `tel:`. */
    segments: Array<Segment>;
};
/** When people are there, by the clock on the wall of a time zone. */
export type Hours = {
    /** The dates on which nobody is there all day, in the time zone. */
    closed: Array<string>;
    /** The time zone, as the IANA names it: `Europe/Berlin`. */
    timezone: string;
    /** The hours of each day of the week. */
    week: Week;
};
/** The chat's words at a moment. */
export type HoursPreview = {
    /** The moment. */
    at: string;
    /** When the hours begin next; null while they run, where the tenant has none, and where nothing begins within 30 days. */
    nextOpenAt: string | null;
    /** The tenant's hours say that people are there, and one of its members with the inbox, if it has any, is not away. */
    peopleAvailable: boolean;
    /** The answer to a customer who asks for a person at that moment, in the wiki's language. */
    text: string;
};
/** The hours to test, and when. */
export type HoursPreviewRequest = {
    /** Date and time by the clock of the hours' time zone. Of a time that daylight saving repeats it is the first, and one that it skips is as much later as the clock moves. */
    at: string;
    /** The hours, saved or not. */
    hours: HoursRequest;
};
/** When people are there. */
export type HoursRequest = {
    /** Dates of the time zone on which nobody is there all day, each kept once. By default `[]`. */
    closed?: Array<string> | null;
    /** The time zone, as the IANA names it. */
    timezone: string;
    /** The hours of each day of the week. */
    week: WeekRequest;
};
/** The part of people in a conversation: a request for a human that they resolved or handed back. */
export type HumanPart = {
    /** The request. */
    escalationId: EscalationId;
    /** The customer's rating. */
    rating: Rating | null;
    /** The agent's text at the end. */
    resolution: string | null;
    /** When it was resolved. */
    resolvedAt: string | null;
};
/**
 * What became of an item of an import.
 *
 * - `created`: The path held no entry.
 * - `updated`: The entry was replaced.
 * - `unchanged`: The entry was the same.
 * - `skipped`: The entry is another one, and stays.
 * - `drafted`: A draft proposes the change.
 * - `failed`: See `error`.
 */
export type ImportAction = "created" | "updated" | "unchanged" | "skipped" | "drafted" | "failed";
/** An entry as an export has it; its other fields are not read. */
export type ImportedEntry = {
    /** Markdown or plain text. At most 307200 bytes of UTF-8. */
    content: string;
    /** Its name. */
    path: WikiPath;
    /** Words to find it by; each is kept once. Without them it has none. By default `[]`. */
    tags?: Array<string> | null;
    /** Its title. */
    title: string;
    /** Who may read it. */
    visibility: Visibility;
};
/** Requests for a human, and how many there are. */
export type Inbox = {
    /** How many there are in all. */
    counts: InboxCounts;
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Escalation>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A member who works in the inbox. */
export type InboxAgent = {
    /** The `toAgentId` of a transfer. */
    agentId: MemberId;
    /** Whether the member is there for customers. */
    availability: Availability | (string & {});
    /** The name, for colleagues. */
    name: string;
};
/** How many requests for a human there are. */
export type InboxCounts = {
    /** There are more than are counted. */
    capped: boolean;
    /** An agent works on them, exact up to 1,000. */
    claimed: number;
    /** Nobody took them yet, exact up to 1,000. */
    pending: number;
};
/** An event `ingest.completed`. */
export type IngestCompletedEvent = {
    /** The resource after the change. */
    data: IngestJob;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "ingest.completed";
};
/** Why a job failed, in words for a person. */
export type IngestError = {
    /** Which of the reasons. */
    code: IngestErrorCode | (string & {});
    /** One sentence. */
    message: string;
};
/**
 * Why a job failed.
 *
 * - `FETCH_FAILED`: There was no answer.
 * - `HTTP_STATUS`: The HTTP status of the response is not a success.
 * - `BLOCKED_ADDRESS`: The address, or one that it led to, may not be called.
 * - `UNSUPPORTED_TYPE`: The response is neither HTML nor text nor Markdown.
 * - `TOO_LARGE`: There is more than is read.
 * - `EMPTY_CONTENT`: There is nothing to read.
 * - `TIMEOUT`: It took too long.
 * - `AI_FAILED`: The model failed where nothing else could be done.
 * - `INTERNAL_ERROR`: We failed, again and again.
 */
export type IngestErrorCode = "FETCH_FAILED" | "HTTP_STATUS" | "BLOCKED_ADDRESS" | "UNSUPPORTED_TYPE" | "TOO_LARGE" | "EMPTY_CONTENT" | "TIMEOUT" | "AI_FAILED" | "INTERNAL_ERROR";
/** An event `ingest.failed`. */
export type IngestFailedEvent = {
    /** The resource after the change. */
    data: IngestJob;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "ingest.failed";
};
/** The id of an ingest job. */
export type IngestId = string;
/**
 * How often the job of a page is done again.
 *
 * - `day`: Every 24 hours.
 * - `week`: Every seven days.
 */
export type IngestInterval = "day" | "week";
/** A page or a text on its way to wiki entries. */
export type IngestJob = {
    /** How often a worker took it, also before a retry. */
    attempts: number;
    /** When it was handed in. */
    createdAt: string;
    /** The key that handed it in. */
    createdBy: string;
    /** The actions on paths, once it is completed; absent in lists. */
    entries?: Array<IngestedEntry>;
    /** Why it failed. */
    error?: IngestError;
    /** How often it is done again; absent if it is done once. */
    every?: IngestInterval | (string & {});
    /** When it ended. */
    finishedAt: string | null;
    /** Its id. */
    ingestId: IngestId;
    /** When it is done again; absent while it waits or runs. */
    nextRunAt?: string;
    /** Where its entries go. */
    pathPrefix: PathPrefix;
    /** The current step, in words, until the job ended; absent in lists. */
    progress?: string;
    /** Where it stands. */
    status: IngestStatus | (string & {});
    /** The page; absent for a text. */
    url?: string;
    /** Who may read its entries. */
    visibility: Visibility | (string & {});
};
/** One page of a list, and where the next one begins. */
export type IngestJobList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<IngestJob>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/**
 * The status of a job.
 *
 * - `queued`: No worker has it yet.
 * - `running`: A worker does.
 * - `completed`: Its entries are there and searchable.
 * - `failed`: It failed; its error gives the reason.
 */
export type IngestStatus = "queued" | "running" | "completed" | "failed";
/** An entry that an ingest job wrote, or meant to. */
export type IngestedEntry = {
    /** The action on the path. */
    action: EntryAction | (string & {});
    /** Of a `conflict`: what the page says in the entry's place, as a draft. Absent where the entry says the same, the page has it no longer, or there are as many drafts as there may be. */
    draftId?: DraftId;
    /** The entry. */
    path: WikiPath;
};
/** A member who was invited. */
export type InvitedMember = {
    /** Whether the member is there for customers. */
    availability: Availability | (string & {});
    /** When the member was added. */
    createdAt: string;
    /** The address, in lower case. */
    email: string;
    /** Where the person accepts the invitation, once and within seven days: here and nowhere else. Absent where the request was sent before, and where the service has no desk. */
    invitationUrl?: string;
    /** When the member last signed in. */
    lastSignInAt: string | null;
    /** Its id. */
    memberId: MemberId;
    /** The name, for colleagues. */
    name: string;
    /** Whether the sign-in provider of this service has the person now. */
    providerUser: ProviderUser | (string & {});
    /** The name that customers and webhooks see. */
    publicName: string;
    /** One to three of admin, trainer and agent. */
    roles: Array<Role | (string & {})>;
    /** Whether the member may sign in. */
    status: MemberStatus | (string & {});
};
/**
 * The language a wiki is written in (ISO 639-1): those with a Snowball stemmer.
 *
 * - `ar`: Arabic.
 * - `da`: Danish.
 * - `nl`: Dutch.
 * - `en`: English.
 * - `fi`: Finnish.
 * - `fr`: French.
 * - `de`: German.
 * - `el`: Greek.
 * - `hu`: Hungarian.
 * - `it`: Italian.
 * - `no`: Norwegian.
 * - `pt`: Portuguese.
 * - `ro`: Romanian.
 * - `ru`: Russian.
 * - `es`: Spanish.
 * - `sv`: Swedish.
 * - `ta`: Tamil.
 * - `tr`: Turkish.
 */
export type Language = "ar" | "da" | "nl" | "en" | "fi" | "fr" | "de" | "el" | "hu" | "it" | "no" | "pt" | "ro" | "ru" | "es" | "sv" | "ta" | "tr";
/** The newest message of a conversation that is no internal note. */
export type LastWords = {
    /** Of the AI's: what became of that message. */
    disposition?: Disposition | (string & {});
    /** Of the AI's: the same of the customer's message before it. */
    question?: string;
    /** The writer's role. After `customer` the tenant owes an answer. */
    role: TurnRole | (string & {});
    /** Its first 160 characters, in one line. */
    text: string;
};
/** A member. */
export type Member = {
    /** Whether the member is there for customers. */
    availability: Availability | (string & {});
    /** When the member was added. */
    createdAt: string;
    /** The address, in lower case. */
    email: string;
    /** When the member last signed in. */
    lastSignInAt: string | null;
    /** Its id. */
    memberId: MemberId;
    /** The name, for colleagues. */
    name: string;
    /** The name that customers and webhooks see. */
    publicName: string;
    /** One to three of admin, trainer and agent. */
    roles: Array<Role | (string & {})>;
    /** Whether the member may sign in. */
    status: MemberStatus | (string & {});
};
/** The id of a person of a tenant. */
export type MemberId = string;
/** One page of a list, and where the next one begins. */
export type MemberList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Member>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A change of a member: at least one field. An admin changes name, public name, roles and status of everybody; a member its own name, public name and availability. */
export type MemberPatch = {
    /** Whether the member is there for customers. */
    availability?: Availability;
    /** The name, for colleagues. */
    name?: string;
    /** The name that customers and webhooks see. */
    publicName?: string;
    /** One to three roles. Other roles end the member's desk tokens. */
    roles?: Array<"admin" | "trainer" | "agent">;
    /** Suspending ends every sign-in. A member who was invited becomes active by signing in. */
    status?: "active" | "suspended";
};
/**
 * Whether a member may sign in.
 *
 * - `invited`: The invitation has not been used yet.
 * - `active`: The member may sign in.
 * - `suspended`: The member is refused.
 */
export type MemberStatus = "invited" | "active" | "suspended";
/** An event `message.created`. */
export type MessageCreatedEvent = {
    /** The resource after the change. */
    data: EventTurn;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "message.created";
};
/** The id of one turn of a conversation. */
export type MessageId = string;
/**
 * Which half of a tenant's data a key sees; neither ever sees the other's.
 *
 * - `live`: Production data.
 * - `test`: Data to try things on.
 */
export type Mode = "live" | "test";
/** The entry nearest to a question. */
export type NearestEntry = {
    /** How likely the answer is in this entry. */
    confidence: number;
    /** Its path. */
    path: WikiPath;
};
/** A new API key, with the raw key this once. */
export type NewApiKey = {
    /** When it was made. */
    createdAt: string;
    /** The key or the member that made it, or `operator`; null of one that is older than this field. */
    createdBy: string | null;
    /** From this moment on it is refused. */
    expiresAt: string | null;
    /** The raw key: here and nowhere else. Absent where the request was sent before, because it is stored nowhere. */
    key?: string;
    /** Its id. */
    keyId: ApiKeyId;
    /** When it was last used, to the minute. */
    lastUsedAt: string | null;
    /** Which half of the tenant's data it opens. */
    mode: Mode | (string & {});
    /** For people. */
    name: string;
    /** The beginning of the raw key. */
    prefix: string;
    /** The role of the key. */
    role: Role | (string & {});
};
/** A new API key. */
export type NewApiKeyRequest = {
    /** From this moment on it is refused; it must be in the future. */
    expiresAt?: string | null;
    /** Which half of the tenant's data it opens; by default the caller's. A test key makes test keys alone. */
    mode?: Mode | null;
    /** For people. */
    name: string;
    /** The role of the key; by default the creator's. */
    role?: Role | null;
};
/** A proposed change of the wiki. */
export type NewDraft = {
    /** The proposed kind of change. `create` needs a title and a content; what `update` leaves out is as in the entry. By default `update`. */
    action?: ChangeAction | null;
    /** The version of the entry that is changed: at most the present one, which it is without this. */
    baseVersion?: number | null;
    /** The entry's text, Markdown or plain. At most 307200 bytes of UTF-8. */
    content?: string | null;
    /** The gap that it closes. */
    gapId?: GapId | null;
    /** The entry's path. */
    path: WikiPath;
    /** Words to find the entry by; each is kept once. */
    tags?: Array<string> | null;
    /** The entry's title. */
    title?: string | null;
    /** Who may read the entry; `internal` for a new one. */
    visibility?: Visibility | null;
};
/** A new wiki entry. */
export type NewEntry = {
    /** Markdown or plain text. At most 307200 bytes of UTF-8. */
    content: string;
    /** Its name. */
    path: WikiPath;
    /** Words to find it by; each is kept once. By default `[]`. */
    tags?: Array<string> | null;
    /** Its title. */
    title: string;
    /** Who may read it. By default `internal`. */
    visibility?: Visibility | null;
};
/** Why a human is wanted, and how urgently. */
export type NewEscalation = {
    /** For API keys only; 403 for a widget. Asked again, the request keeps the priority that it has. */
    priority?: Priority | null;
    /** Why. */
    reason: string;
};
/** A page or a text, handed in: exactly one of `url` and `text`; a text needs a `pathPrefix`. */
export type NewIngest = NewIngestOfPage | NewIngestOfText;
/** With `url`. */
export type NewIngestOfPage = {
    /** How often the page is read again, from now on; `null` for once. */
    every?: IngestInterval | null;
    /** Where the entries go; for a page by default a name made of its address. */
    pathPrefix?: PathPrefix | null;
    /** Not beside `url`. */
    text?: null;
    /** A page. */
    url: string;
    /** Who may read the entries. By default `internal`. */
    visibility?: Visibility | null;
};
/** With `text`. */
export type NewIngestOfText = {
    /** Not beside `text`. */
    every?: null;
    /** Where the entries go; for a page by default a name made of its address. */
    pathPrefix: PathPrefix;
    /** HTML, Markdown or plain text, detected from its markup: a text with block-level tags is HTML. */
    text: string;
    /** Not beside `text`. */
    url?: null;
    /** Who may read the entries. By default `internal`. */
    visibility?: Visibility | null;
};
/** A new member. */
export type NewMemberRequest = {
    /** One address in ASCII, the domain in its ASCII form. It is compared without regard to case. */
    email: string;
    /** The name, for colleagues. */
    name: string;
    /** The name that customers and webhooks see; by default the first word of the name. */
    publicName?: string | null;
    /** One to three roles. */
    roles: Array<"admin" | "trainer" | "agent">;
};
/** A message of a customer. */
export type NewMessage = {
    /** The client's own name of it: the same message sent again is answered with the first result. */
    clientMessageId?: string | null;
    /** The message. */
    content: string;
};
/** A note about a session. */
export type NewNote = {
    /** For the tenant's people. The customer does not see it. */
    content: string;
};
/** A question to pin. */
export type NewPin = {
    /** The entry that is to answer it. */
    path: WikiPath;
    /** The question. It is kept on one line, with personal data masked. */
    question: string;
};
/** The customer's rating of the people who helped. */
export type NewRating = {
    /** In their words. */
    comment?: string | null;
    /** 1, bad, to 5, good. */
    score: number;
};
/** The customer's reaction to an answer. */
export type NewReaction = {
    /** The answer; by default the newest AI turn. */
    messageId?: MessageId | null;
    /** The kind of reaction. */
    reaction: Reaction;
};
/** A new saved reply. */
export type NewSavedReply = {
    /** The text. Whoever inserts it replaces `{{customer.name}}`, `{{customer.firstName}}` and `{{agent.name}}`, as text; `{{customer.name|there}}` says what stands there without a name. Another variable is refused. */
    content: string;
    /** Whose it is. */
    scope: SavedReplyScope;
    /** The text that is typed to find it; unique in its scope. */
    shortcut: string;
    /** Its subject. */
    title: string;
};
/** A new session. */
export type NewSession = {
    /** Where the customer is; `api` where nobody says. What a widget creates is of channel `widget`. */
    channel?: Channel | null;
    /** The visitor, as the tenant names them. A widget may only repeat its own. */
    externalUserId?: string | null;
    /** The language of fixed sentences, as a BCP 47 tag: `en`, `pt-BR`. */
    locale?: string | null;
    /** Anything that is to be found again. Flat: at most 50 keys, and 4096 bytes of JSON in all. */
    metadata?: Record<string, string | number | boolean> | null;
    /** Words to find it by. */
    tags?: Array<string> | null;
    /** The time zone of the customer's clock, as the IANA names it. Fixed sentences name the team's zone if its clock shows another time, as they do for a name that the service does not know. */
    timezone?: string | null;
    /** The person. What a widget's token names counts instead. */
    user?: NewVisitor | null;
};
/** The person behind a session. */
export type NewVisitor = {
    /** The e-mail address. */
    email?: string | null;
    /** The name. */
    name?: string | null;
    /** Whether you vouch for both, because the person signed in with you. Ignored in a widget's body. By default `false`. */
    verified?: boolean | null;
};
/** A new receiver of events. */
export type NewWebhook = {
    /** For people; empty means none. */
    description?: string | null;
    /** The kinds of events that it receives. */
    events: Array<SubscribedKind>;
    /** The format of its deliveries: events, or one line of text for a Slack channel, for `handover.…`, `rating.created` and `webhook.test` alone. By default `events`. */
    format?: WebhookFormat | null;
    /** `whsec_` and padded base64 of 24-64 bytes, or a text that begins with neither `whsec_` nor `v1,`, used as its bytes. Events need one; a Slack channel is sent nothing that is signed. */
    secret?: string | null;
    /** Where it listens: https, on the public internet. */
    url: string;
};
/** A body without fields; it is still validated. */
export type Nothing = Record<string, unknown>;
/**
 * What an import does if the path holds another entry.
 *
 * - `skip`: The entry stays.
 * - `overwrite`: The entry is replaced.
 * - `draft`: The entry stays, and a draft proposes the change.
 */
export type OnConflict = "skip" | "overwrite" | "draft";
/** An OpenAPI document. */
export type OpenApiDocument = Record<string, unknown>;
/** A part of a day in which people are there. */
export type OpenRange = {
    /** From this time on. */
    from: string;
    /** Until before this time, of the same day; `24:00` is its end. */
    to: string;
};
/** A part of a day in which people are there. */
export type OpenRangeRequest = {
    /** From this time on. */
    from: string;
    /** Until before this time, of the same day; `24:00` is its end, and `23:59` is kept as `24:00`. Hours across midnight are two ranges: until `24:00`, and from `00:00` of the next day. */
    to: string;
};
/** A tenant where the person is a member. */
export type OwnTenant = {
    /** Its name. */
    name: string;
    /** The person's roles there. */
    roles: Array<Role | (string & {})>;
    /** Its id. */
    tenantId: TenantId;
};
/**
 * The owner of a session: who answers the customer.
 *
 * - `ai`: The AI.
 * - `pending_handover`: Nobody yet: the customer waits for a human, and the AI is silent.
 * - `human`: A human.
 * - `closed`: Nobody: the session is closed.
 */
export type Ownership = "ai" | "pending_handover" | "human" | "closed";
/** The beginning of the paths of a job's entries: 1-7 segments, without a slash at its end. */
export type PathPrefix = string;
/** A question that an entry is to answer. */
export type Pin = {
    /** When. */
    createdAt: string;
    /** The key or member that made it. */
    createdBy: string;
    /** The entry. */
    path: WikiPath;
    /** Its id. */
    pinId: PinId;
    /** On one line, with personal data masked. */
    question: string;
};
/** The id of a question that every change of the wiki is tried on. */
export type PinId = string;
/** One page of a list, and where the next one begins. */
export type PinList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Pin>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/**
 * The plan of a tenant.
 *
 * - `free`: The basic figures.
 * - `pro`: All figures.
 */
export type Plan = "free" | "pro";
/**
 * The priority in the queue.
 *
 * - `normal`: In turn.
 * - `high`: Before the others.
 */
export type Priority = "normal" | "high";
/** A change of an entry, as it would be published. */
export type ProposedChange = {
    /** The kind of change. An `update` names at least one of the other fields, a `create` title and content. By default `update`. */
    action?: ChangeAction | null;
    /** The new text. At most 307200 bytes of UTF-8. */
    content?: string | null;
    /** The entry. */
    path: WikiPath;
    /** The new title. */
    title?: string | null;
    /** The new visibility; `internal` of a new entry without one. */
    visibility?: Visibility | null;
};
/**
 * Whether the sign-in provider of this service has the person now.
 *
 * - `created`: It was created there.
 * - `exists`: It was there already.
 * - `failed`: Creating it failed: invite again.
 * - `none`: The provider is not this service's own: it gets nothing.
 */
export type ProviderUser = "created" | "exists" | "failed" | "none";
/** Which draft is published: as its publisher read it. */
export type Publication = {
    /** The version of the draft; 412 where it is another one by now. */
    version: number;
    /** Who may read the entry. It must be named where that changes: 400 without it. */
    visibility?: Visibility | null;
};
/** A published draft, and its entry. */
export type PublishedDraft = {
    /** The draft. */
    draft: Draft;
    /** The entry as it is now; null after a deletion. */
    entry: Entry | null;
};
/** How much waits on a queue. */
export type QueueCheck = {
    /** Messages in the dead-letter queue. */
    dead: number | null;
    /** Messages that wait, are being worked on, or are delayed. */
    depth: number | null;
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** Always null: SQS reports the age of the oldest message only to CloudWatch, where an alarm watches it. */
    oldestAgeSeconds: number | null;
    /** The result of the check. */
    status: CheckStatus | (string & {});
};
/** Every queue. */
export type QueueChecks = {
    /** Entries to be embedded. */
    embeddings: QueueCheck;
    /** Ingest jobs. */
    ingest: QueueCheck;
    /** Deliveries of events. */
    webhooks: QueueCheck;
};
/** A customer's rating of the people who helped. */
export type Rating = {
    /** When it was given last. */
    at: string;
    /** In the customer's words. */
    comment: string | null;
    /** 1, bad, to 5, good. */
    score: number;
};
/** An event `rating.created`. */
export type RatingCreatedEvent = {
    /** The resource after the change. */
    data: Escalation;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "rating.created";
};
/** The rating as it is stored. */
export type RatingOfSession = {
    /** When it was given last. */
    at: string;
    /** In the customer's words. */
    comment: string | null;
    /** The request for a human that it is about. */
    escalationId: EscalationId;
    /** 1, bad, to 5, good. */
    score: number;
    /** The conversation. */
    sessionId: SessionId;
};
/**
 * A customer's reaction to an answer.
 *
 * - `thumbs_up`: It helped; replaces `thumbs_down`.
 * - `thumbs_down`: It did not help; replaces `thumbs_up`.
 * - `flag`: Marked for review.
 * - `copy`: It was copied.
 */
export type Reaction = "thumbs_up" | "thumbs_down" | "flag" | "copy";
/** An event `reaction.created`. */
export type ReactionCreatedEvent = {
    /** The resource after the change. */
    data: TurnWithReaction;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "reaction.created";
};
/** The customers' reactions to answers. */
export type ReactionFigures = {
    /** `thumbs_up`, of both thumbs. */
    helpfulRate: number;
};
/** All reactions of that answer. */
export type ReactionsOfAnswer = {
    /** The answer. */
    messageId: MessageId;
    /** The reaction that was sent. */
    reaction: Reaction | (string & {});
    /** All reactions of the answer. */
    reactions: Array<Reaction | (string & {})>;
    /** The conversation. */
    sessionId: SessionId;
};
/**
 * The reason of an escalation.
 *
 * - `manual`: The caller said so.
 * - `customer_request`: The customer's words asked for a human.
 * - `low_confidence`: The wiki had no answer twice in a row.
 * - `negative_feedback`: Two `thumbs_down` in a row.
 * - `max_turns`: `maxAiTurns` was reached.
 * - `ai_failure`: The model or the search failed.
 * - `step_in`: An agent took over unasked.
 * - `came_back`: The customer complained, or asked what the wiki does not answer, after an agent's part.
 */
export type ReasonCategory = "manual" | "customer_request" | "low_confidence" | "negative_feedback" | "max_turns" | "ai_failure" | "step_in" | "came_back";
/** A receiver of events, as events tell of it: without anything of its secret. */
export type Receiver = {
    /** Failures since the last success. */
    consecutiveFailures: number;
    /** When it was registered. */
    createdAt: string;
    /** For people. */
    description: string | null;
    /** Why it is disabled. */
    disabledReason?: DisabledReason | (string & {});
    /** The kinds of events that it gets; `*` is all of them. */
    events: Array<SubscribedKind | (string & {})>;
    /** The format of its deliveries. */
    format: WebhookFormat | (string & {});
    /** When it was last tried. */
    lastDeliveryAt: string | null;
    /** The HTTP status of the newest attempt; null where it had no answer, or there was none yet. */
    lastStatus: number | null;
    /** Whether it is sent anything. */
    status: WebhookStatus | (string & {});
    /** When it was last changed by somebody, or disabled. */
    updatedAt: string;
    /** Where it listens; of a Slack channel, whose address is a secret, the host, `…` and the last four characters. */
    url: string;
    /** Its id. */
    webhookId: WebhookId;
};
/**
 * Why an agent no longer has a request that waits again.
 *
 * - `released`: The agent, or an admin, gave it back.
 * - `lapsed`: The customer wrote, and the agent did not work for as long as a claim holds.
 * - `access_lost`: The member was removed or suspended, or lost the inbox.
 */
export type ReleaseReason = "released" | "lapsed" | "access_lost";
/** The leases that were renewed. */
export type RenewedClaims = {
    /** When they end now. */
    leaseExpiresAt: string;
    /** How many there were. */
    renewed: number;
};
/** The order to send again, as it was taken. */
export type Replay = {
    /** Since when. */
    since: string;
    /** The receiver. */
    webhookId: WebhookId;
};
/** Since when to send again. */
export type ReplayRequest = {
    /** Deliveries that failed or were held at this time or later are sent; not in the future. */
    since: string;
};
/** The reply to a customer's message. */
export type Reply = {
    /** Markdown (CommonMark) without raw HTML and without images; links lead to `https:`, `http:`, `mailto:` and `tel:` alone. A `<` that would open a tag, a comment or a declaration is written `&lt;`. Empty where the AI is silent. */
    answer: string;
    /** How likely the answer is in the wiki. */
    confidence: number;
    /** The outcome of the message. */
    disposition: Disposition | (string & {});
    /** The request for a human that was made with it. */
    escalationId?: EscalationId;
    /** Milliseconds from receipt to answer. */
    latencyMs: number;
    /** The AI's turn; the customer's own where the AI is silent. */
    messageId: MessageId;
    /** When the hours begin next; null while they run, where the tenant has none, and where nothing begins within 30 days. */
    nextOpenAt?: string | null;
    /** With the first answer of a session: the sentence that an automatic assistant answers. Show it before the answer. */
    notice?: string;
    /** The answer asks whether the customer wants a human: yes is a request for one. */
    offersHuman?: boolean;
    /** Who answers the customer now. */
    ownership: Ownership | (string & {});
    /** The tenant's hours say that people are there, and one of its members with the inbox, if it has any, is not away. */
    peopleAvailable?: boolean;
    /** The entries nearest to the question, those that the answer was made from first. */
    sources: Array<Source>;
    /** The number of the turn. */
    turn: number;
    /** The wiki has a gap here. */
    unanswered: boolean;
};
/**
 * Who asked for a human.
 *
 * - `customer`: The customer.
 * - `ai`: The AI.
 * - `api`: An integration.
 * - `agent`: An agent, who took over unasked.
 */
export type RequestedBy = "customer" | "ai" | "api" | "agent";
/** How it was settled. */
export type ResolveRequest = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** The newest message that the agent saw: 409 where the customer wrote after it. */
    lastSeenMessageId?: MessageId | null;
    /** A remark on what was done. */
    resolution?: string | null;
};
/** Which version comes back. */
export type Restoration = {
    /** The version that it replaces, of the entry or of its deletion; 409 `CONFLICT` where it is another one by now. */
    currentVersion: number;
    /** The path. */
    path: WikiPath;
    /** The version that comes back. */
    version: number;
    /** Who may read it. Without it that stays as it is today, and is `internal` after a deletion. */
    visibility?: Visibility | null;
};
/** Which session to come back to: exactly one of the two. A widget may send neither: its own latest session. */
export type ResumeRequest = ResumeSession | ResumeVisitor;
/** With `sessionId`. */
export type ResumeSession = {
    /** Not beside `sessionId`. */
    externalUserId?: null;
    /** The session. */
    sessionId: SessionId;
};
/** With `externalUserId`. */
export type ResumeVisitor = {
    /** The visitor, whose latest session it is. */
    externalUserId: string;
    /** Not beside `externalUserId`. */
    sessionId?: null;
};
/** A session that goes on, with its newest turns. */
export type Resumed = {
    /** An answer of the AI is still to come. */
    answerDue: boolean;
    /** Where the customer is. */
    channel: Channel | (string & {});
    /** When it was closed. */
    closedAt: string | null;
    /** Why it was closed. */
    closedReason: ClosedReason | (string & {}) | null;
    /** When it was opened. */
    createdAt: string;
    /** The open request for a human. */
    escalationId: EscalationId | null;
    /** The visitor, as the tenant names them. */
    externalUserId: string | null;
    /** When somebody last said something. */
    lastActivityAt: string;
    /** Only in the list of one customer's conversations: what people did in it last. */
    lastHumanPart?: HumanPart;
    /** The newest message that the caller may see. */
    lastMessageId: MessageId | null;
    /** Only in lists: what was said last. */
    lastWords?: LastWords;
    /** BCP 47, as given. */
    locale: string | null;
    /** The newest turns, at most 50. */
    messages: Array<Turn>;
    /** Flat, as given. For a widget: what it sent when it opened the session. */
    metadata: Record<string, unknown>;
    /** Which half of the tenant's data it belongs to. */
    mode: Mode | (string & {});
    /** Who answers the customer. */
    ownership: Ownership | (string & {});
    /** Only in the answers of `GET /sessions/{id}` and its messages, while `pending_handover`: from 1, exact up to 1,000. */
    queuePosition?: number;
    /** Until when it can be resumed. */
    resumableUntil: string | null;
    /** Whether it was closed and goes on. */
    resumed: boolean;
    /** Its id. */
    sessionId: SessionId;
    /** As given. For a widget: those that it sent when it opened the session. */
    tags: Array<string>;
    /** The time zone of the customer's clock, as given. */
    timezone: string | null;
    /** The number of the last turn that the caller may see. */
    turnCount: number;
    /** When anything of it that the caller may see last changed. */
    updatedAt: string;
    /** The person. */
    user: Visitor | null;
    /** Counts every change that the caller may see. */
    version: number;
};
/** A version of a path, without its text. */
export type Revision = {
    /** The action that made the version. */
    action: RevisionAction | (string & {});
    /** When. */
    at: string;
    /** The key, member or ingest job that made it; null where that is not known. */
    by: string | null;
    /** The bytes of its content; 0 for a deletion. */
    bytes: number;
    /** The entry's title then; null for a deletion. */
    title: string | null;
    /** The version. */
    version: number;
    /** Who could read it then; null for a deletion. */
    visibility: Visibility | (string & {}) | null;
};
/**
 * The action that made a version of a path.
 *
 * - `created`: The path held nothing, and an entry was created.
 * - `updated`: The entry was changed.
 * - `deleted`: The entry was deleted.
 * - `restored`: An older version was restored.
 */
export type RevisionAction = "created" | "updated" | "deleted" | "restored";
/** One page of a list, and where the next one begins. */
export type RevisionList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Revision>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/**
 * The role of a key.
 *
 * - `admin`: Everything.
 * - `trainer`: Knowledge: wiki, ingest, webhooks, analytics.
 * - `agent`: People in the inbox.
 * - `integration`: Servers that relay customers.
 */
export type Role = "admin" | "trainer" | "agent" | "integration";
/** A new secret. */
export type RotateRequest = {
    /** `whsec_` and padded base64 of 24-64 bytes, or a text that begins with neither `whsec_` nor `v1,`, used as its bytes. The old one signs 24 hours more. */
    secret: string;
};
/**
 * How an agent's latest run went.
 *
 * - `success`: It did its work.
 * - `failure`: It failed; `error` says why.
 * - `never`: It never ran.
 */
export type RunStatus = "success" | "failure" | "never";
/** The ratings, on the days of the ratings. */
export type Satisfaction = {
    /** How many requests for a human are rated. */
    count: number;
    /** The mean score, from 1 to 5; 0 without a rating. */
    mean: number;
};
/** A text that people insert into what they write. */
export type SavedReply = {
    /** The text. Whoever inserts it replaces `{{customer.name}}`, `{{customer.firstName}}` and `{{agent.name}}`, as text; `{{customer.name|there}}` says what stands there without a name. */
    content: string;
    /** Its id. */
    replyId: SavedReplyId;
    /** Whose it is. */
    scope: SavedReplyScope | (string & {});
    /** The text that is typed to find it. */
    shortcut: string;
    /** Its subject. */
    title: string;
    /** When it last changed. */
    updatedAt: string;
    /** Counts every change. */
    version: number;
};
/** The id of a saved reply. */
export type SavedReplyId = string;
/** One page of a list, and where the next one begins. */
export type SavedReplyList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<SavedReply>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A change of a saved reply: at least one field; each replaces the old value. */
export type SavedReplyPatch = {
    /** The text. */
    content?: string;
    /** The text that is typed to find it; unique in its scope. */
    shortcut?: string;
    /** Its subject. */
    title?: string;
};
/**
 * Whose a saved reply is.
 *
 * - `team`: The tenant's: its people see it.
 * - `own`: Its owner's alone: of one key, or of one member.
 */
export type SavedReplyScope = "team" | "own";
/** Whether the index of wiki entries answers. */
export type SearchCheck = {
    /** AWS's report on the search domain. */
    domain: DomainCheck;
    /** How long the answer took, in milliseconds. */
    latencyMs?: number;
    /** The result of the check. */
    status: CheckStatus | (string & {});
};
/** A part of a text that matches as a whole or not at all. */
export type Segment = {
    /** Whether its words are among the question's terms. */
    match: boolean;
    /** The part, as written; all parts together are the text. */
    text: string;
};
/** A conversation, as its caller may see it. */
export type Session = {
    /** An answer of the AI is still to come. */
    answerDue: boolean;
    /** Where the customer is. */
    channel: Channel | (string & {});
    /** When it was closed. */
    closedAt: string | null;
    /** Why it was closed. */
    closedReason: ClosedReason | (string & {}) | null;
    /** When it was opened. */
    createdAt: string;
    /** The open request for a human. */
    escalationId: EscalationId | null;
    /** The visitor, as the tenant names them. */
    externalUserId: string | null;
    /** When somebody last said something. */
    lastActivityAt: string;
    /** Only in the list of one customer's conversations: what people did in it last. */
    lastHumanPart?: HumanPart;
    /** The newest message that the caller may see. */
    lastMessageId: MessageId | null;
    /** Only in lists: what was said last. */
    lastWords?: LastWords;
    /** BCP 47, as given. */
    locale: string | null;
    /** Flat, as given. For a widget: what it sent when it opened the session. */
    metadata: Record<string, unknown>;
    /** Which half of the tenant's data it belongs to. */
    mode: Mode | (string & {});
    /** Who answers the customer. */
    ownership: Ownership | (string & {});
    /** Only in the answers of `GET /sessions/{id}` and its messages, while `pending_handover`: from 1, exact up to 1,000. */
    queuePosition?: number;
    /** Until when it can be resumed. */
    resumableUntil: string | null;
    /** Its id. */
    sessionId: SessionId;
    /** As given. For a widget: those that it sent when it opened the session. */
    tags: Array<string>;
    /** The time zone of the customer's clock, as given. */
    timezone: string | null;
    /** The number of the last turn that the caller may see. */
    turnCount: number;
    /** When anything of it that the caller may see last changed. */
    updatedAt: string;
    /** The person. */
    user: Visitor | null;
    /** Counts every change that the caller may see. */
    version: number;
};
/** An event `session.closed`. */
export type SessionClosedEvent = {
    /** The resource after the change. */
    data: Session;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "session.closed";
};
/** An event `session.created`. */
export type SessionCreatedEvent = {
    /** The resource after the change. */
    data: Session;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "session.created";
};
/** A session with what belongs to it. */
export type SessionExport = {
    /** An answer of the AI is still to come. */
    answerDue: boolean;
    /** Where the customer is. */
    channel: Channel | (string & {});
    /** When it was closed. */
    closedAt: string | null;
    /** Why it was closed. */
    closedReason: ClosedReason | (string & {}) | null;
    /** When it was opened. */
    createdAt: string;
    /** The open request for a human. */
    escalationId: EscalationId | null;
    /** Its escalations. */
    escalations: Array<Escalation>;
    /** The visitor, as the tenant names them. */
    externalUserId: string | null;
    /** There is a next page. */
    hasMore: boolean;
    /** When somebody last said something. */
    lastActivityAt: string;
    /** Only in the list of one customer's conversations: what people did in it last. */
    lastHumanPart?: HumanPart;
    /** The newest message that the caller may see. */
    lastMessageId: MessageId | null;
    /** Only in lists: what was said last. */
    lastWords?: LastWords;
    /** BCP 47, as given. */
    locale: string | null;
    /** Its turns, each with its reactions. */
    messages: Array<Turn>;
    /** Flat, as given. For a widget: what it sent when it opened the session. */
    metadata: Record<string, unknown>;
    /** Which half of the tenant's data it belongs to. */
    mode: Mode | (string & {});
    /** Where the next page begins. */
    nextCursor: string | null;
    /** Who answers the customer. */
    ownership: Ownership | (string & {});
    /** Only in the answers of `GET /sessions/{id}` and its messages, while `pending_handover`: from 1, exact up to 1,000. */
    queuePosition?: number;
    /** Until when it can be resumed. */
    resumableUntil: string | null;
    /** Its id. */
    sessionId: SessionId;
    /** As given. For a widget: those that it sent when it opened the session. */
    tags: Array<string>;
    /** The time zone of the customer's clock, as given. */
    timezone: string | null;
    /** The number of the last turn that the caller may see. */
    turnCount: number;
    /** When anything of it that the caller may see last changed. */
    updatedAt: string;
    /** The person. */
    user: Visitor | null;
    /** Counts every change that the caller may see. */
    version: number;
};
/** The id of a conversation. */
export type SessionId = string;
/** One page of a list, and where the next one begins. */
export type SessionList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Session>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A change of what is known of a session: each field replaces the old value whole, `null` clears it. */
export type SessionPatch = {
    /** Anything that is to be found again. Flat: at most 50 keys, and 4096 bytes of JSON in all. */
    metadata?: Record<string, string | number | boolean> | null;
    /** Words to find it by. */
    tags?: Array<string> | null;
    /** The person. */
    user?: NewVisitor | null;
};
/** An event `session.resumed`. */
export type SessionResumedEvent = {
    /** The resource after the change. */
    data: Session;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "session.resumed";
};
/** The settings as their tenant sees them. */
export type Settings = {
    /** The entries that may ground answers in sessions of other channels than `widget`. */
    answerVisibility: AnswerVisibility | (string & {});
    /** The AI goes on answering what the wiki knows while a customer waits for a person. */
    answersWhileWaiting: boolean;
    /** The look of the chat. */
    appearance: Appearance;
    /** When people are there; null: always. */
    hours: Hours | null;
    /** The wiki's language. */
    language: Language | (string & {});
    /** AI turns since the session last became `ai` after which it escalates. */
    maxAiTurns: number;
    /** How many calls of the language model may be made in a UTC day; null: any number. */
    modelCallsPerDay: number | null;
    /** How this half of the tenant is called. */
    name: string;
    /** The confidence below which there is no answer. */
    noMatchThreshold: number;
    /** Minutes after which `handover.waiting` tells that a customer still waits for a person; null: never. */
    noticeAfterMinutes: number | null;
    /** The plan of the tenant. */
    plan: Plan | (string & {});
    /** Hours after closing in which a session may be resumed, and of inactivity after which it closes. */
    resumeWindowHours: number;
    /** Days after the last activity after which a session is erased. */
    retentionDays: number;
    /** Customers are shown the images of entries, in articles and under what answers quote. The browser loads them from where they are. */
    showsImages: boolean;
    /** The address of an entry on the tenant's site, with `{path}` in place of the entry's path; the widget links sources by it. */
    sourceUrlTemplate: string | null;
    /** Questions that the chat offers before the first message, in this order. */
    suggestions: Array<string>;
    /** Groups of words and short phrases that mean the same in this wiki. */
    synonyms: Array<Array<string>>;
    /** The tenant's texts instead of the service's own sentences; null: its own, in the customer's language. */
    texts: Texts;
    /** The usage of the limits. */
    usage: SettingsUsage;
    /** The entries that may ground answers in sessions of channel `widget`. */
    widgetAnswerVisibility: AnswerVisibility | (string & {});
    /** The origins a widget may call from; none means any. */
    widgetOrigins: Array<string>;
    /** How many requests a minute all widgets may make together; the operator sets it. */
    widgetRequestsPerMinute: number;
};
/** A change of settings: at least one field; each replaces the old value. */
export type SettingsPatch = {
    /** The entries that may ground answers in sessions of other channels than `widget`. */
    answerVisibility?: AnswerVisibility;
    /** Whether the AI goes on answering what the wiki knows while a customer waits for a person. Once an agent had the request it is silent. */
    answersWhileWaiting?: boolean;
    /** The look of the chat, unless its page sets another; null: its own. */
    appearance?: AppearancePatch | null;
    /** When people are there, by the clock on the wall of a time zone; null: always. They replace the old ones whole. Outside them the fixed sentences say when people are back, and escalating works all the same. */
    hours?: HoursRequest | null;
    /** The wiki's language. */
    language?: Language;
    /** AI turns in a row after which a human is asked. */
    maxAiTurns?: number;
    /** How many calls of the language model may be made in a UTC day. When they are made, answers quote entries, as without a model; null: any number. */
    modelCallsPerDay?: number | null;
    /** How this half of the tenant is called. */
    name?: string;
    /** The confidence under which there is no answer. */
    noMatchThreshold?: number;
    /** Minutes after which `handover.waiting` tells that a customer still waits for a person; null: never. */
    noticeAfterMinutes?: number | null;
    /** Hours after closing in which a session may be resumed, and of silence after which it closes. */
    resumeWindowHours?: number;
    /** Days after the last activity after which a session is erased. */
    retentionDays?: number;
    /** Whether customers are shown the images of entries, in articles and under what answers quote. The browser loads them from where they are, which learns the customer's IP address. */
    showsImages?: boolean;
    /** The address of an entry on the tenant's site: `https`, with one `{path}` after the host; null: none. */
    sourceUrlTemplate?: string | null;
    /** Questions that the chat offers before the first message, in this order, each kept once; pressing one sends it. The list replaces the old one; null: none. */
    suggestions?: Array<string> | null;
    /** Groups of words and short phrases that mean the same in this wiki: a question that says one finds entries that say another. At most 10,000 characters in all. The list replaces the old one; null: none. */
    synonyms?: Array<Array<string>> | null;
    /** The tenant's texts instead of the service's own sentences; null: none. */
    texts?: TextsPatch | null;
    /** The entries that may ground answers in sessions of channel `widget`. */
    widgetAnswerVisibility?: AnswerVisibility;
    /** The origins a widget may call from, as browsers write them, each kept once; none, or null, means any. */
    widgetOrigins?: Array<string> | null;
};
/** The usage of the limits. */
export type SettingsUsage = {
    /** Calls of the language model in this UTC day, as far as `modelCallsPerDay` counts them. */
    modelCallsToday: number;
};
/** An entry near a question. */
export type Source = {
    /** How likely the answer is in this entry. */
    confidence: number;
    /** The entry. */
    path: WikiPath;
    /** The entry's title. */
    title: string;
    /** The answer was made from it. False of answers that were stored before this was recorded. */
    used: boolean;
    /** The entry's version that was read. */
    version: number;
};
/**
 * Where an entry comes from.
 *
 * - `manual`: A person or a server wrote it.
 * - `ingest`: An ingest job made it.
 */
export type SourceType = "manual" | "ingest";
/**
 * How the service as a whole is.
 *
 * - `ok`: Everything answers.
 * - `degraded`: Stored data can be read; writes, searches or deliveries that fail now are refused, handed to humans, or done later.
 * - `down`: Nothing can be read.
 */
export type Status = "ok" | "degraded" | "down";
/** Who steps in, and why. */
export type StepInRequest = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** Why, for colleagues. One that waits already keeps its own reason. */
    reason?: string | null;
};
/** A kind of events that a receiver gets; `*` is every kind, also those that are yet to come. */
export type SubscribedKind = "*" | "session.created" | "session.closed" | "session.resumed" | "message.created" | "answer.unanswered" | "reaction.created" | "handover.requested" | "handover.claimed" | "handover.transferred" | "handover.reopened" | "handover.released" | "handover.returned" | "handover.resolved" | "handover.cancelled" | "handover.waiting" | "rating.created" | "entry.created" | "entry.updated" | "entry.deleted" | "ingest.completed" | "ingest.failed" | "webhook.disabled" | "webhook.test";
/** The answer that the AI would give. */
export type Suggestion = {
    /** Markdown; empty where the customer wrote nothing. */
    answer: string;
    /** How likely the answer is in the wiki. */
    confidence: number;
    /** The outcome that it would have. */
    disposition: Disposition | (string & {});
    /** The nearest entries, those that it was made from first, at most 3. */
    sources: Array<SuggestionSource>;
};
/** The entries that a suggestion may be made from. */
export type SuggestionRequest = {
    /** From internal entries too, also where the customer would not be answered with them. By default `false`. */
    includeInternal?: boolean | null;
};
/** An entry near what the customer asks. */
export type SuggestionSource = {
    /** How likely the answer is in this entry. */
    confidence: number;
    /** The entry. */
    path: WikiPath;
    /** The entry's title. */
    title: string;
    /** The answer was made from it. False of answers that were stored before this was recorded. */
    used: boolean;
    /** The entry's version that was read. */
    version: number;
    /** Who may read it. */
    visibility: Visibility | (string & {}) | null;
};
/**
 * The event of a system turn.
 *
 * - `handover_requested`: An escalation was created.
 * - `agent_joined`: An agent took over.
 * - `agent_left`: The agent gave the session back to the queue.
 * - `claim_lapsed`: The claim of an agent who did not work ended. Only the tenant's people see it.
 * - `handover_ended`: The human part ended.
 * - `resumed`: The session was resumed.
 * - `closed`: The session was closed.
 */
export type SystemEvent = "handover_requested" | "agent_joined" | "agent_left" | "claim_lapsed" | "handover_ended" | "resumed" | "closed";
/** Which one to take over, and who does. */
export type TakeoverRequest = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** The request for a human; by default the first in queue order. */
    escalationId?: EscalationId | null;
};
/** The id of a tenant. */
export type TenantId = string;
/** The texts as their tenant sees them; `null` where the service's own sentence is said. */
export type Texts = {
    /** To "who are you?". */
    aboutMe: string | null;
    /** Where something behind the service failed. */
    failure: string | null;
    /** To a goodbye. */
    farewell: string | null;
    /** To a greeting. */
    greeting: string | null;
    /** Where a person takes over. */
    handover: string | null;
    /** Where the wiki has no answer. */
    noAnswer: string | null;
    /** To thanks. */
    thanks: string | null;
};
/** The tenant's texts instead of the service's own sentences: an absent one stays, `null` is the service's own again. */
export type TextsPatch = {
    /** To "who are you?". */
    aboutMe?: string | null;
    /** Where something behind the service failed. */
    failure?: string | null;
    /** To a goodbye. */
    farewell?: string | null;
    /** To a greeting. */
    greeting?: string | null;
    /** Where a person takes over. */
    handover?: string | null;
    /** Where the wiki has no answer. */
    noAnswer?: string | null;
    /** To thanks. */
    thanks?: string | null;
};
/** The person that a token names: verified in the sessions that its widget opens. */
export type TokenUser = {
    /** The e-mail address. */
    email?: string | null;
    /** The name. */
    name?: string | null;
};
/** A customer as the tenant knows them. */
export type ToldCustomer = {
    /** The visitor, as the tenant names them; null for one without a name. */
    externalUserId: string | null;
    /** The person's name; null where it is not known. */
    name: string | null;
};
/** Who gets a conversation. */
export type TransferRequest = {
    /** Who acts; without it the caller. */
    agentId?: string | null;
    /** Their name, for people. */
    agentName?: string | null;
    /** For the colleague. The customer does not see it. */
    note?: string | null;
    /** Who gets it. A `mem_` must be an active member who works in the inbox. */
    toAgentId: string;
    /** Their name, for people. A member has its own. */
    toAgentName?: string | null;
};
/** One turn of a conversation, as its caller may see it. */
export type Turn = {
    /** Role `agent`: who it was. */
    agent?: Agent;
    /** Role `ai`: the content once more, Markdown as in `Reply.answer`. */
    answer?: string;
    /** Role `ai`: how likely the answer is in the wiki. */
    confidence?: number;
    /** The text of the turn. */
    content: string;
    /** When it was stored. */
    createdAt: string;
    /** The outcome of the message. */
    disposition?: Disposition | (string & {});
    /** Role `system`: what happened. */
    event?: SystemEvent | (string & {});
    /** A note, or what happened to a claim, that admin, trainer and agent keys alone see. */
    internal: boolean;
    /** Role `ai`: milliseconds from receipt to answer. */
    latencyMs?: number;
    /** Its id. */
    messageId: MessageId;
    /** With the first turn of role `ai` of a session: the sentence that an automatic assistant answers. It is not part of the content. */
    notice?: string;
    /** Role `ai`: it asks whether the customer wants a human. */
    offersHuman?: boolean;
    /** Role `ai`: what the customer thinks of it. */
    reactions: Array<Reaction | (string & {})>;
    /** Who speaks. */
    role: TurnRole | (string & {});
    /** Role `ai`: the entries nearest to the question, those that the answer was made from first. */
    sources: Array<Source>;
    /** 1, 2, … in commit order. */
    turn: number;
    /** Role `ai`: the wiki has a gap here. */
    unanswered?: boolean;
};
/** Turns, oldest first. */
export type TurnList = {
    /** There are newer turns. */
    hasMore: boolean;
    /** The turns. */
    items: Array<Turn>;
    /** Where the next page begins. */
    nextCursor: MessageId | null;
    /** The session just before the turns were read, as `GET /sessions/{id}` answers it. */
    session: Session;
};
/**
 * The author.
 *
 * - `customer`: The customer.
 * - `ai`: The service.
 * - `agent`: A person of the tenant.
 * - `system`: A note of what happened.
 */
export type TurnRole = "customer" | "ai" | "agent" | "system";
/** An answer, with its conversation and the reaction that is new. */
export type TurnWithReaction = {
    /** Role `agent`: who it was. */
    agent?: Agent;
    /** Role `ai`: the content once more, Markdown as in `Reply.answer`. */
    answer?: string;
    /** Role `ai`: how likely the answer is in the wiki. */
    confidence?: number;
    /** The text of the turn. */
    content: string;
    /** When it was stored. */
    createdAt: string;
    /** The outcome of the message. */
    disposition?: Disposition | (string & {});
    /** Role `system`: what happened. */
    event?: SystemEvent | (string & {});
    /** A note, or what happened to a claim, that admin, trainer and agent keys alone see. */
    internal: boolean;
    /** Role `ai`: milliseconds from receipt to answer. */
    latencyMs?: number;
    /** Its id. */
    messageId: MessageId;
    /** With the first turn of role `ai` of a session: the sentence that an automatic assistant answers. It is not part of the content. */
    notice?: string;
    /** Role `ai`: it asks whether the customer wants a human. */
    offersHuman?: boolean;
    /** The reaction that is new. */
    reaction: Reaction | (string & {});
    /** Role `ai`: what the customer thinks of it. */
    reactions: Array<Reaction | (string & {})>;
    /** Who speaks. */
    role: TurnRole | (string & {});
    /** The conversation. */
    sessionId: SessionId;
    /** Role `ai`: the entries nearest to the question, those that the answer was made from first. */
    sources: Array<Source>;
    /** 1, 2, … in commit order. */
    turn: number;
    /** Role `ai`: the wiki has a gap here. */
    unanswered?: boolean;
};
/** An answer, with its conversation and the customer's question. */
export type UnansweredTurn = {
    /** Role `agent`: who it was. */
    agent?: Agent;
    /** Role `ai`: the content once more, Markdown as in `Reply.answer`. */
    answer?: string;
    /** Role `ai`: how likely the answer is in the wiki. */
    confidence?: number;
    /** The text of the turn. */
    content: string;
    /** When it was stored. */
    createdAt: string;
    /** The outcome of the message. */
    disposition?: Disposition | (string & {});
    /** Role `system`: what happened. */
    event?: SystemEvent | (string & {});
    /** A note, or what happened to a claim, that admin, trainer and agent keys alone see. */
    internal: boolean;
    /** Role `ai`: milliseconds from receipt to answer. */
    latencyMs?: number;
    /** Its id. */
    messageId: MessageId;
    /** With the first turn of role `ai` of a session: the sentence that an automatic assistant answers. It is not part of the content. */
    notice?: string;
    /** Role `ai`: it asks whether the customer wants a human. */
    offersHuman?: boolean;
    /** The customer's question; of several those that have no answer, joined by blank lines. Null where the session was deleted meanwhile. */
    question: string | null;
    /** Role `ai`: what the customer thinks of it. */
    reactions: Array<Reaction | (string & {})>;
    /** Who speaks. */
    role: TurnRole | (string & {});
    /** The conversation. */
    sessionId: SessionId;
    /** Role `ai`: the entries nearest to the question, those that the answer was made from first. */
    sources: Array<Source>;
    /** 1, 2, … in commit order. */
    turn: number;
    /** Role `ai`: the wiki has a gap here. */
    unanswered?: boolean;
};
/**
 * Who may read an entry.
 *
 * - `internal`: The tenant's people and servers.
 * - `public`: Customers too.
 */
export type Visibility = "internal" | "public";
/** The person behind a session. */
export type Visitor = {
    /** The e-mail address. */
    email?: string;
    /** The name. */
    name?: string;
    /** Whether the tenant vouches for name and address: a widget token carried them, or a key said so. Otherwise they are what somebody wrote about themselves. */
    verified: boolean;
};
/** A receiver of events. */
export type Webhook = {
    /** Failures since the last success. */
    consecutiveFailures: number;
    /** When it was registered. */
    createdAt: string;
    /** For people. */
    description: string | null;
    /** Why it is disabled. */
    disabledReason?: DisabledReason | (string & {});
    /** The kinds of events that it gets; `*` is all of them. */
    events: Array<SubscribedKind | (string & {})>;
    /** The format of its deliveries. */
    format: WebhookFormat | (string & {});
    /** When it was last tried. */
    lastDeliveryAt: string | null;
    /** The HTTP status of the newest attempt; null where it had no answer, or there was none yet. */
    lastStatus: number | null;
    /** The last four characters of a secret of at least 24. */
    secretHint: string | null;
    /** Whether it is sent anything. */
    status: WebhookStatus | (string & {});
    /** When it was last changed by somebody, or disabled. */
    updatedAt: string;
    /** Where it listens; of a Slack channel, whose address is a secret, the host, `…` and the last four characters. */
    url: string;
    /** What may go wrong with the secret, only in the answer that took it; absent if nothing may. */
    warnings?: Array<WebhookWarning>;
    /** Its id. */
    webhookId: WebhookId;
};
/** An event `webhook.disabled`. */
export type WebhookDisabledEvent = {
    /** The resource after the change. */
    data: Receiver;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "webhook.disabled";
};
/**
 * The format of deliveries.
 *
 * - `events`: Events, signed.
 * - `slack`: One line of text for a Slack channel, unsigned. The address is a secret.
 */
export type WebhookFormat = "events" | "slack";
/** The id of a receiver of events. */
export type WebhookId = string;
/** One page of a list, and where the next one begins. */
export type WebhookList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Webhook>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A change of a receiver: at least one field; each replaces the old value. */
export type WebhookPatch = {
    /** For people; empty or null means none. */
    description?: string | null;
    /** The kinds of events that it receives. */
    events?: Array<SubscribedKind>;
    /** Whether it is sent anything; enabling it sends what was held. */
    status?: WebhookStatus;
    /** Where it listens. */
    url?: string;
};
/**
 * Whether a receiver is sent anything.
 *
 * - `active`: It is.
 * - `disabled`: Its deliveries are held.
 */
export type WebhookStatus = "active" | "disabled";
/** An event `webhook.test`. */
export type WebhookTestEvent = {
    /** The resource after the change. */
    data: Receiver;
    /** The event, the same on every attempt. */
    id: EventId;
    /** Which half of the tenant's data it is about. */
    mode: Mode | (string & {});
    /** The fields of `data` that changed, as they were; null for those that were not there. */
    previous?: Record<string, unknown>;
    /** Whose it is. */
    tenantId: TenantId;
    /** When it happened. */
    timestamp: string;
    /** True where longer texts and lists were cut. */
    truncated?: boolean;
    /** What happened. */
    type: "webhook.test";
};
/** What may go wrong with a field that was taken. */
export type WebhookWarning = {
    /** What it is. */
    code: WebhookWarningCode | (string & {});
    /** The field. */
    field: string;
    /** For a person. */
    message: string;
};
/**
 * What may go wrong with what was taken.
 *
 * - `UNPREFIXED_BASE64`: The secret is base64 without `whsec_`: it signs by its text, and libraries decode it.
 */
export type WebhookWarningCode = "UNPREFIXED_BASE64";
/** The hours of each day of the week, at most 5 ranges a day. */
export type Week = {
    /** Friday. */
    fri: Array<OpenRange>;
    /** Monday. */
    mon: Array<OpenRange>;
    /** Saturday. */
    sat: Array<OpenRange>;
    /** Sunday. */
    sun: Array<OpenRange>;
    /** Thursday. */
    thu: Array<OpenRange>;
    /** Tuesday. */
    tue: Array<OpenRange>;
    /** Wednesday. */
    wed: Array<OpenRange>;
};
/** The ranges of each day of the week, which must not overlap; on a day without any nobody is there. */
export type WeekRequest = {
    /** Friday. */
    fri?: Array<OpenRangeRequest> | null;
    /** Monday. */
    mon?: Array<OpenRangeRequest> | null;
    /** Saturday. */
    sat?: Array<OpenRangeRequest> | null;
    /** Sunday. */
    sun?: Array<OpenRangeRequest> | null;
    /** Thursday. */
    thu?: Array<OpenRangeRequest> | null;
    /** Tuesday. */
    tue?: Array<OpenRangeRequest> | null;
    /** Wednesday. */
    wed?: Array<OpenRangeRequest> | null;
};
/** The fixed sentences of the service, for a chat. */
export type WidgetTexts = {
    /** To "who are you?". */
    aboutMe: string | null;
    /** Where something behind the service failed. */
    failure: string | null;
    /** To a goodbye. */
    farewell: string | null;
    /** To a greeting. */
    greeting: string | null;
    /** Where a person takes over. */
    handover: string | null;
    /** Where the wiki has no answer. */
    noAnswer: string | null;
    /** The sentence that an automatic assistant answers: show it before the first message. In the language of the session to go on with, else in the wiki's. */
    notice: string;
    /** To thanks. */
    thanks: string | null;
};
/** A widget token, and for whom it is. */
export type WidgetToken = {
    /** The look of the chat; null: its own. */
    appearance: Appearance | null;
    /** When it expires. */
    expiresAt: string;
    /** Seconds. */
    expiresIn: number;
    /** The visitor; made where none was named. */
    externalUserId: string;
    /** The session that `POST /sessions/resume` with this token takes up; null where there is none to go on with. */
    latestSessionId: SessionId | null;
    /** When the hours begin next; null while they run, where the tenant has none, and where nothing begins within 30 days. */
    nextOpenAt: string | null;
    /** The tenant's hours say that people are there, and one of its members with the inbox, if it has any, is not away. */
    peopleAvailable: boolean;
    /** Whether the chat shows the images of entries. */
    showsImages: boolean;
    /** The address of an entry on the tenant's site, with `{path}` in place of the entry's path. */
    sourceUrlTemplate: string | null;
    /** Questions to offer before the first message. */
    suggestions: Array<string>;
    /** The fixed sentences of the service. */
    texts: WidgetTexts;
    /** A JWT. */
    token: string;
    /** How it is sent: `Bearer`. */
    tokenType: string;
};
/** For whom the token is. */
export type WidgetTokenRequest = {
    /** The visitor; one is made where nobody is named. */
    externalUserId?: string | null;
    /** The token belongs to this session alone. */
    sessionId?: SessionId | null;
    /** How long it is good, in seconds. By default `900`. */
    ttlSeconds?: number | null;
    /** The person, for the sessions that the widget opens. */
    user?: TokenUser | null;
};
/** An answer that was made from an entry. */
export type WikiAnswer = {
    /** The answer to the customer; Markdown. */
    answer: string;
    /** How sure the answer was. */
    confidence: number;
    /** When. */
    createdAt: string;
    /** The customer. */
    customer: ToldCustomer;
    /** The message of the answer. */
    messageId: MessageId;
    /** Who answers the customer now. */
    ownership: Ownership | (string & {});
    /** The customer's question, on one line, personal data masked, at most 500 characters. */
    question: string;
    /** Its session. */
    sessionId: SessionId;
    /** The version of the entry that the answer was made from. */
    version: number;
};
/** One page of a list, and where the next one begins. */
export type WikiAnswerList = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<WikiAnswer>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** A page of whole entries. */
export type WikiExport = {
    /** There is a next page. */
    hasMore: boolean;
    /** The page. */
    items: Array<Entry>;
    /** Where the next page begins. */
    nextCursor: string | null;
};
/** Entries to write. */
export type WikiImport = {
    /** Nothing is written; each `action` says what would be done. By default `false`. */
    dryRun?: boolean | null;
    /** Each of another path. */
    items: Array<ImportedEntry>;
    /** What is done with an item whose path holds another entry. */
    onConflict: OnConflict;
};
/** An error of one item. */
export type WikiImportError = {
    /** All problems at once. */
    details: Array<ErrorDetail>;
    /** The code of the error. */
    error: ErrorCode | (string & {});
    /** For a person. */
    message: string;
};
/** What became of an item. */
export type WikiImportItem = {
    /** What became of it. */
    action: ImportAction | (string & {});
    /** The draft of one that is `drafted`; absent in a dry run. */
    draftId?: DraftId;
    /** Why it failed. */
    error?: WikiImportError;
    /** As the item gives it, at most 512 characters; absent if it gives none. */
    path?: string;
};
/** What became of the items of an import. */
export type WikiImportResult = {
    /** In the order of the request. */
    items: Array<WikiImportItem>;
};
/** The name of a wiki entry: 2-8 segments separated by slashes, case kept. */
export type WikiPath = string;
