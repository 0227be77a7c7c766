//! `/webhooks`: creates, lists, reads, changes and deletes receivers, and `POST /webhooks/:id/rotate` sets another
//! secret. Also the forms of their request bodies.

use axum::extract::State;
use domain::clock::Runtime;
use domain::error::DetailCode;
use domain::models::{
    AuditAction, DisabledReason, EncryptedSecret, EventKind, RetiredSecret, Scope, SubscribedKind, Subscription,
    Timestamp, Webhook, WebhookFormat, WebhookHealth, WebhookId, WebhookStatus,
};
use domain::webhooks::{secret_owner, signature};
use domain::wire::{WebhookOut, WebhookWarning};
use domain::{Error, Result, Secret};
use outbound::{OutboundPolicy, OutboundUrl, UrlError};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::edge::input::{
    AtLeastOne, Change, FieldPath, Format, RequiredUnless, Text, choice, clearable, line, list, optional, or, parsed,
    replaceable, required, within,
};
use crate::edge::table::{KeptAnswer, RequestKey};
use crate::edge::{
    self, ApiResult, App, Created, CursorPageOut, IfMatch, Json, JsonIn, NoContent, OnceIn, PathIn, QueryIn, Replayed,
    Tagged, WebhookEditor, WebhookManager, etag,
};
use crate::requester::Requester;
use crate::table::Store;
use crate::webhooks;
use crate::webhooks::deliveries::INLINE_SEND_BUDGET_MS;
use crate::webhooks::queue::run_replays;

edge::body! {
    /// A new receiver of events.
    #[derive(Debug)]
    pub(crate) struct WebhookIn as "NewWebhook" {
        /// Where it listens: https, on the public internet.
        url: OutboundUrl = "url" => required(parsed(parse_url)),
        /// The kinds of events that it receives.
        events: Subscription = "events" => required(Kinds),
        /// `whsec_` and padded base64 of 24-64 bytes, or a text that begins with neither `whsec_` nor `v1,`, used as its
        /// bytes. Events need one; a Slack channel is sent nothing that is signed.
        secret: Option<Secret> = "secret" => optional(SecretFormat),
        /// The format of its deliveries: events, or one line of text for a Slack channel, for `handover.…`,
        /// `rating.created` and `webhook.test` alone.
        format: WebhookFormat = "format" => or(choice::<WebhookFormat>(), WebhookFormat::Events),
        /// For people; empty means none.
        description: Option<String> = "description" => optional(DESCRIPTION),
    }
    rules: [RequiredUnless { field: "secret", unless: "format" }]
}

impl WebhookIn {
    /// The secret; for a Slack channel that names none one that signs nothing.
    fn secret_to_sign(&self, runtime: &Runtime) -> Result<Secret> {
        match (&self.secret, self.format) {
            (Some(secret), _) => Ok(secret.clone()),
            (None, WebhookFormat::Slack) => Ok(Secret::new(runtime.token()?)),
            (None, WebhookFormat::Events) => Err(Error::invalid("secret", DetailCode::Required, "is required")),
        }
    }
}

edge::endpoint! {
    /// Add a webhook.
    ///
    /// It hears of everything that happens from now on. A tenant and mode has at most 20; the same address again is
    /// 409.
    pub(crate) CreateWebhook = POST "/api/v1/webhooks" => create_webhook;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"url": "https://hooks.example.com/support", "events": ["handover.requested"], "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
}

/// Registers a receiver; it gets all later events.
async fn create_webhook(
    State(app): State<App>,
    caller: WebhookEditor,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<WebhookIn>>,
) -> ApiResult<Replayed<Created<WebhookOut>>> {
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let url = check_url(&body.url, &app.config.outbound)?;
    check_format(body.format, &body.events)?;
    let secret = body.secret_to_sign(&app.runtime)?;
    let warnings = secret_warnings(&secret);
    let work = async {
        let webhook_id = WebhookId::generate(&app.runtime)?;
        let webhook = new_webhook(&app, scope, webhook_id, &url, body, secret).await?;
        let answer = WebhookOut::from(webhook.clone()).with_warnings(warnings);
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: answer.clone() })?;
        let (id, now) = (webhook.webhook_id.as_str(), webhook.created_at);
        let store = Requester::Caller(&caller).audited(&app.store, &scope.tenant, AuditAction::WebhookCreated, id, now);
        store.webhooks().create(scope, &webhook, record).await?;
        Ok(answer)
    };
    let replay = async |before: KeptAnswer<WebhookOut>| {
        webhooks::find(&app.store, scope, before.answer.webhook_id()).await?;
        Ok(before.answer)
    };
    let (webhook, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Created(format!("/api/v1/webhooks/{}", webhook.webhook_id()), webhook)))
}

async fn new_webhook(
    app: &App,
    scope: &Scope,
    webhook_id: WebhookId,
    url: &OutboundUrl,
    body: WebhookIn,
    secret: Secret,
) -> Result<Webhook> {
    let now = app.runtime.now();
    Ok(Webhook {
        url: url.as_str().to_owned(),
        events: body.events,
        description: body.description.filter(|text| !text.is_empty()),
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: app.cipher()?.seal(&secret_owner(scope, &webhook_id), &secret).await?,
        secret_hint: body.secret.as_ref().and_then(secret_hint),
        retired_secrets: Vec::new(),
        format: body.format,
        created_at: now,
        updated_at: now,
        health: WebhookHealth::default(),
        version: 1,
        webhook_id,
    })
}

edge::query! {
    /// The filter of the receivers.
    #[derive(Debug)]
    pub(crate) struct ListWebhooksQuery {}
    cursor: after: WebhookId, list = ();
    limit: limit;
}

edge::endpoint! {
    /// List webhooks.
    ///
    /// Those of the caller's mode, oldest first.
    pub(crate) ListWebhooks = GET "/api/v1/webhooks" => list_webhooks;
    rate_class: List,
    example_query: {"limit": 10},
}

/// Lists the receivers of the caller's mode.
async fn list_webhooks(
    State(app): State<App>,
    caller: WebhookManager,
    QueryIn(query): QueryIn<ListWebhooksQuery>,
) -> ApiResult<Json<CursorPageOut<WebhookOut>>> {
    let page = app.store.webhooks().list(caller.scope(), query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, WebhookOut::from)?))
}

edge::endpoint! {
    /// Read a webhook.
    ///
    /// Its secret is in no answer. The `ETag` does not move by deliveries.
    pub(crate) GetWebhook = GET "/api/v1/webhooks/{id}" => get_webhook;
}

/// Reads one receiver.
async fn get_webhook(
    State(app): State<App>,
    caller: WebhookManager,
    PathIn(id): PathIn<WebhookId>,
) -> ApiResult<Tagged<Json<WebhookOut>>> {
    let webhook = webhooks::find(&app.store, caller.scope(), &id).await?;
    Ok(Tagged { etag: etag(webhook.version), answer: Json(webhook.into()) })
}

edge::body! {
    /// A change of a receiver: at least one field; each replaces the old value.
    #[derive(Debug)]
    pub(crate) struct WebhookPatch as "WebhookPatch" {
        /// Where it listens.
        url: Option<OutboundUrl> = "url" => replaceable(parsed(parse_url)),
        /// The kinds of events that it receives.
        events: Option<Subscription> = "events" => replaceable(Kinds),
        /// For people; empty or null means none.
        description: Change<String> = "description" => clearable(DESCRIPTION),
        /// Whether it is sent anything; enabling it sends what was held.
        status: Option<WebhookStatus> = "status" => replaceable(choice::<WebhookStatus>()),
    }
    rules: [AtLeastOne]
}

edge::endpoint! {
    /// Change, disable or enable a webhook.
    ///
    /// While a receiver is disabled its deliveries are held; enabling it sends them.
    pub(crate) UpdateWebhook = PATCH "/api/v1/webhooks/{id}" => update_webhook;
    errors: [Conflict],
    example: {"events": ["handover.requested", "entry.updated"], "description": "Help desk"},
}

impl WebhookPatch {
    /// The webhook after the change; none if that is the same.
    fn apply(&self, old: &Webhook, now: Timestamp) -> Option<Webhook> {
        let mut new = old.clone();
        if let Some(url) = &self.url {
            url.as_str().clone_into(&mut new.url);
        }
        if let Some(events) = &self.events {
            new.events.clone_from(events);
        }
        new.description = self.description.clone().of(new.description).filter(|text| !text.is_empty());
        new = match self.status {
            Some(WebhookStatus::Active) => new.enabled(now),
            Some(WebhookStatus::Disabled) => new.disabled(DisabledReason::Manual, now),
            None => new,
        };
        if new == *old {
            return None;
        }
        new.updated_at = now;
        Some(new)
    }
}

/// Changes a receiver; enabling one sends what was held while it was disabled.
async fn update_webhook(
    State(app): State<App>,
    caller: WebhookEditor,
    PathIn(id): PathIn<WebhookId>,
    if_match: IfMatch,
    JsonIn(mut patch): JsonIn<WebhookPatch>,
) -> ApiResult<Tagged<Json<WebhookOut>>> {
    if let Some(url) = &mut patch.url {
        *url = check_url(url, &app.config.outbound)?;
    }
    let (scope, now) = (caller.scope(), app.runtime.now());
    let by = Requester::Caller(&caller);
    let store = by.audited(&app.store, &scope.tenant, AuditAction::WebhookChanged, id.as_str(), now);
    let change = |old: &Webhook| {
        if_match.check(old.version)?;
        let new = patch.apply(old, now);
        new.iter().try_for_each(|new| check_format(new.format, &new.events))?;
        Ok(new)
    };
    let webhook = store.webhooks().update(scope, &id, change).await?;
    if patch.status == Some(WebhookStatus::Active) {
        run_replays(&app, scope, &id, now.plus_millis(INLINE_SEND_BUDGET_MS)).await?;
    }
    Ok(Tagged { etag: etag(webhook.version), answer: Json(webhook.into()) })
}

edge::endpoint! {
    /// Delete a webhook.
    ///
    /// Deliveries that are on their way to it are not sent any more.
    pub(crate) DeleteWebhook = DELETE "/api/v1/webhooks/{id}" => delete_webhook;
    errors: [Conflict],
}

/// Deletes a receiver; what was on its way to it is not sent any more.
async fn delete_webhook(
    State(app): State<App>,
    caller: WebhookEditor,
    PathIn(id): PathIn<WebhookId>,
    if_match: IfMatch,
) -> ApiResult<NoContent> {
    let (by, now) = (Requester::Caller(&caller), app.runtime.now());
    let store = by.audited(&app.store, caller.tenant(), AuditAction::WebhookDeleted, id.as_str(), now);
    store.webhooks().delete(caller.scope(), &id, |seen| if_match.check(seen.version)).await?;
    Ok(NoContent)
}

/// The most kinds that may be named.
const MAX_KINDS: usize = 50;
/// A secret (contract, section 8).
const SECRET: Text = line(8, 256);
/// A description (a limit of ours).
pub(crate) const DESCRIPTION: Text = within(domain::limits::WEBHOOK_DESCRIPTION);

/// Checks the syntax only; [`check_url`] applies the policy of this service.
const SYNTAX_ONLY_POLICY: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

/// Parses a URL, without the check whether this service may call it.
fn parse_url(text: &str) -> Result<OutboundUrl, &'static str> {
    OutboundUrl::parse(text, &SYNTAX_ONLY_POLICY).map_err(UrlError::message)
}

/// The address, if this service may call it.
fn check_url(url: &OutboundUrl, policy: &OutboundPolicy) -> domain::Result<OutboundUrl> {
    let invalid = |error: UrlError| Error::invalid("url", DetailCode::InvalidFormat, error.message());
    OutboundUrl::parse(url.as_str(), policy).map_err(invalid)
}

/// Refuses kinds that a receiver of `format` is not sent.
pub(crate) fn check_format(format: WebhookFormat, events: &Subscription) -> domain::Result<()> {
    if format.takes(events) {
        return Ok(());
    }
    let allowed = "a Slack channel is sent handover kinds, rating.created and webhook.test only";
    Err(Error::invalid("events", DetailCode::NotAllowed, allowed))
}

/// How much of a secret its hint shows, in characters.
const HINT_CHARS: usize = 4;
/// The shortest secret that has a hint, in characters.
const MIN_HINT_SECRET_CHARS: usize = 24;

/// The kinds of events: at least one name, each of them known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds;

impl Format for Kinds {
    type Value = Subscription;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Subscription> {
        let names = list(MAX_KINDS, line(1, 100)).read(value, at)?;
        if names.is_empty() {
            return at.refuse(DetailCode::TooFew, "must name at least one kind");
        }
        let known = || EventKind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
        let unknown =
            |position| at.item(position).problem(DetailCode::NotAllowed, format!("must be *, or one of {}", known()));
        Subscription::parse(&names).map_err(unknown).ok()
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<SubscribedKind>();
        json_schema!({"type": "array", "minItems": 1, "maxItems": MAX_KINDS, "items": item})
    }
}

/// A secret; nothing of it stands in a complaint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SecretFormat;

impl Format for SecretFormat {
    type Value = Secret;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Secret> {
        let secret = SECRET.read(value, at)?;
        match signature::check_secret(&secret) {
            Ok(()) => Some(Secret::new(secret)),
            Err(message) => at.refuse(DetailCode::InvalidSecret, message),
        }
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        SECRET.schema(generator)
    }
}

/// Warnings of a secret that is taken, for its maker.
fn secret_warnings(secret: &Secret) -> Vec<WebhookWarning> {
    signature::is_unprefixed_base64(secret.expose()).then(WebhookWarning::unprefixed_base64).into_iter().collect()
}

/// The last four characters of a secret, so that people can tell secrets apart; none for a secret of which four
/// characters would reveal too much.
pub(crate) fn secret_hint(secret: &Secret) -> Option<String> {
    let characters: Vec<char> = secret.expose().chars().collect();
    let hint = characters.get(characters.len().saturating_sub(HINT_CHARS)..)?;
    (characters.len() >= MIN_HINT_SECRET_CHARS).then(|| hint.iter().collect())
}

/// How long a replaced secret still signs, in hours.
const RETIRED_SECRET_HOURS: i64 = 24;
/// How many replaced secrets sign at once (our limit, so that a signature stays short).
const MAX_RETIRED: usize = 4;

edge::body! {
    /// A new secret.
    #[derive(Debug)]
    pub(crate) struct RotateIn as "RotateRequest" {
        /// `whsec_` and padded base64 of 24-64 bytes, or a text that begins with neither `whsec_` nor `v1,`, used as its
        /// bytes. The old one signs 24 hours more.
        secret: Secret = "secret" => required(SecretFormat),
    }
}

edge::endpoint! {
    /// Change the secret of a webhook.
    ///
    /// The old one signs 24 hours more. A receiver whose secret could not be read is enabled by it.
    pub(crate) RotateWebhookSecret = POST "/api/v1/webhooks/{id}/rotate" => rotate_webhook_secret;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
}

/// Replaces the secret; the same one again changes nothing.
///
/// The old one signs for another day if it can still be decrypted. A receiver that was disabled because of an
/// unreadable secret is enabled.
async fn rotate_webhook_secret(
    State(app): State<App>,
    caller: WebhookEditor,
    PathIn(id): PathIn<WebhookId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<RotateIn>>,
) -> ApiResult<Replayed<Json<WebhookOut>>> {
    let (scope, now) = (caller.scope(), app.runtime.now());
    let by = Requester::Caller(&caller);
    let store = by.audited(&app.store, &scope.tenant, AuditAction::WebhookRotated, id.as_str(), now);
    let work = rotate(&app, &store, scope, &id, &body.secret, request.as_ref());
    let replay =
        async |before: KeptAnswer<WebhookOut>| webhooks::find(&app.store, scope, &id).await.map(|_| before.answer);
    let (webhook, replayed) = app.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(webhook)))
}

async fn rotate(
    app: &App,
    store: &Store,
    scope: &Scope,
    id: &WebhookId,
    secret: &Secret,
    request: Option<&RequestKey>,
) -> Result<WebhookOut> {
    let (owner, webhooks) = (secret_owner(scope, id), store.webhooks());
    let seen = webhooks::find(&app.store, scope, id).await?;
    let current = app.cipher()?.open(&owner, &seen.secret).await?;
    let same = current.as_ref() == Some(secret);
    let unchanged = same && seen.disabled_reason != Some(DisabledReason::SecretUnreadable);
    let sealed = if same { None } else { Some(app.cipher()?.seal(&owner, secret).await?) };
    let (hint, now) = (secret_hint(secret), app.runtime.now());
    // An unreadable secret cannot sign, so it is not kept.
    let unreadable = current.is_none().then_some(&seen.secret);
    let rotate = |old: &Webhook| {
        if unchanged {
            return Ok(None);
        }
        let new = match &sealed {
            Some(sealed) => with_new_secret(old.clone(), sealed, unreadable, hint.as_deref(), now),
            None => old.clone(),
        };
        Ok(Some(with_readable_secret(new, now)))
    };
    let answer = |after: Webhook| WebhookOut::from(after).with_warnings(secret_warnings(secret));
    let record = |after: &Webhook| {
        let kept = KeptAnswer { answer: answer(after.clone()) };
        app.store.idempotency().completed(scope, request, kept)
    };
    let webhook = webhooks.update_once(scope, id, rotate, record).await?;
    if !seen.is_active() && webhook.is_active() {
        run_replays(app, scope, id, now.plus_millis(INLINE_SEND_BUDGET_MS)).await?;
    }
    Ok(answer(webhook))
}

/// Enables a receiver that was only waiting for a secret that can be read.
fn with_readable_secret(webhook: Webhook, now: Timestamp) -> Webhook {
    match webhook.disabled_reason {
        Some(DisabledReason::SecretUnreadable) => webhook.enabled(now),
        _ => webhook,
    }
}

fn with_new_secret(
    mut webhook: Webhook,
    sealed: &EncryptedSecret,
    unreadable: Option<&EncryptedSecret>,
    hint: Option<&str>,
    now: Timestamp,
) -> Webhook {
    let old = std::mem::replace(&mut webhook.secret, sealed.clone());
    if unreadable != Some(&old) {
        webhook.retired_secrets.insert(0, RetiredSecret { sealed: old, until: now.plus_hours(RETIRED_SECRET_HOURS) });
    }
    webhook.retired_secrets.retain(|retired| retired.until > now);
    webhook.retired_secrets.truncate(MAX_RETIRED);
    webhook.secret_hint = hint.map(str::to_owned);
    webhook.updated_at = now;
    webhook
}
