//! The tasks that are sent: versioned JSON of ids, so that a worker of another release recognises an unknown version.

use serde::{Deserialize, Serialize};

use domain::models::{EventId, IngestId, Mode, Scope, TenantId, WebhookId, WikiPath};
use domain::{Error, Result};

/// The version of the format below.
const VERSION: u32 = 1;

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// Deliver an event to a webhook.
    Deliver {
        /// The tenant and mode.
        scope: Scope,
        /// To whom.
        webhook_id: WebhookId,
        /// The event.
        event_id: EventId,
    },
    /// Make wiki entries of a page or a text.
    Ingest {
        /// The tenant and mode.
        scope: Scope,
        /// The job.
        ingest_id: IngestId,
    },
    /// Make vectors of an entry's passages.
    Embed {
        /// The tenant and mode.
        scope: Scope,
        /// The entry.
        path: WikiPath,
    },
}

/// The body of a message.
#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    v: u32,
    #[serde(flatten)]
    task: T,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum TaskBody {
    Deliver { tenant_id: String, mode: String, webhook_id: String, event_id: String },
    Ingest { tenant_id: String, mode: String, ingest_id: String },
    Embed { tenant_id: String, mode: String, path: String },
}

impl Task {
    /// The tenant and mode.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        match self {
            Self::Deliver { scope, .. } | Self::Ingest { scope, .. } | Self::Embed { scope, .. } => scope,
        }
    }

    /// The body of a message with this task.
    #[must_use]
    pub fn to_body(&self) -> String {
        let scope_parts = |scope: &Scope| (scope.tenant.to_string(), scope.mode.to_string());
        let task = match self {
            Self::Deliver { scope, webhook_id, event_id } => {
                let (tenant_id, mode) = scope_parts(scope);
                let (webhook_id, event_id) = (webhook_id.to_string(), event_id.to_string());
                TaskBody::Deliver { tenant_id, mode, webhook_id, event_id }
            }
            Self::Ingest { scope, ingest_id } => {
                let (tenant_id, mode) = scope_parts(scope);
                TaskBody::Ingest { tenant_id, mode, ingest_id: ingest_id.to_string() }
            }
            Self::Embed { scope, path } => {
                let (tenant_id, mode) = scope_parts(scope);
                TaskBody::Embed { tenant_id, mode, path: path.to_string() }
            }
        };
        // Texts and a number: there is nothing in it that JSON cannot hold.
        serde_json::to_string(&Envelope { v: VERSION, task }).unwrap_or_default()
    }

    /// Parses a body; unknown fields are ignored.
    ///
    /// # Errors
    /// It is not JSON of this format, of another version, or contains an invalid id. The error does not repeat
    /// it.
    pub fn parse(body: &str) -> Result<Self> {
        let version: Version = serde_json::from_str(body).map_err(|_| invalid_task("not our JSON"))?;
        if version.v != VERSION {
            return Err(invalid_task(&format!("of version {}", version.v)));
        }
        let envelope: Envelope<TaskBody> = serde_json::from_str(body).map_err(|_| invalid_task("no task of ours"))?;
        let task = match envelope.task {
            TaskBody::Deliver { tenant_id, mode, webhook_id, event_id } => parse_scope(&tenant_id, &mode)
                .zip(WebhookId::parse(&webhook_id))
                .zip(EventId::parse(&event_id))
                .map(|((scope, webhook_id), event_id)| Self::Deliver { scope, webhook_id, event_id }),
            TaskBody::Ingest { tenant_id, mode, ingest_id } => parse_scope(&tenant_id, &mode)
                .zip(IngestId::parse(&ingest_id))
                .map(|(scope, ingest_id)| Self::Ingest { scope, ingest_id }),
            TaskBody::Embed { tenant_id, mode, path } => parse_scope(&tenant_id, &mode)
                .zip(WikiPath::parse(&path).ok())
                .map(|(scope, path)| Self::Embed { scope, path }),
        };
        task.ok_or_else(|| invalid_task("with an id that is none"))
    }
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

fn parse_scope(tenant: &str, mode: &str) -> Option<Scope> {
    Some(Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? })
}

fn invalid_task(how: &str) -> Error {
    Error::internal(format!("a queued task is {how}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::models::Timestamp;

    fn scope() -> Scope {
        Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 2), mode: Mode::Test }
    }

    fn ingest() -> Task {
        Task::Ingest { scope: scope(), ingest_id: IngestId::from_parts(Timestamp::from_millis(3), 4) }
    }

    fn deliver() -> Task {
        let at = Timestamp::from_millis(5);
        Task::Deliver { scope: scope(), webhook_id: WebhookId::from_parts(at, 6), event_id: EventId::from_parts(at, 7) }
    }

    fn embed() -> Task {
        Task::Embed { scope: scope(), path: WikiPath::parse("faq/refunds").unwrap() }
    }

    #[test]
    fn a_task_is_read_as_it_was_sent_and_is_small() {
        for task in [ingest(), deliver(), embed()] {
            let body = task.to_body();
            assert_eq!(Task::parse(&body).unwrap(), task);
            assert!(body.len() < 300, "{body}");
        }
    }

    #[test]
    fn the_format_is_written_down() {
        let body = r#"{"v":1,"task":"deliver","tenantId":"ten_00000000010000000000000002","mode":"test","#.to_owned()
            + r#""webhookId":"whk_00000000050000000000000006","eventId":"evt_00000000050000000000000007"}"#;
        assert_eq!(deliver().to_body(), body);
    }

    #[test]
    fn a_field_of_a_later_release_is_ignored() {
        let body = ingest().to_body().replace("}", r#","more":[1]}"#);
        assert_eq!(Task::parse(&body).unwrap(), ingest());
    }

    #[test]
    fn a_body_that_is_not_ours_is_refused_and_not_repeated() {
        let other_version = ingest().to_body().replace("\"v\":1", "\"v\":2");
        let other_id = ingest().to_body().replace("ing_", "ses_");
        let other_mode = ingest().to_body().replace("test", "prod");
        for body in ["", "hunter2", "[]", "{}", r#"{"v":1,"task":"hunter2"}"#, &other_version, &other_id, &other_mode] {
            let refusal = Task::parse(body).unwrap_err().to_string();
            assert!(!refusal.contains("hunter2") && !refusal.contains("ses_"), "{refusal}");
        }
    }
}
