//! Every route of the service, as the endpoints declare it. `UPDATE_OPENAPI=1 cargo test -p e2e --test e2e -- committed`
//! writes this file.

use super::route::RouteSpec;
use domain::access::Permission;

const fn route(function: &'static str, method: &'static str, path: &'static str, permission: Permission) -> RouteSpec {
    RouteSpec { function, method, path, permission }
}

/// The list.
pub const ROUTES: &[RouteSpec] = &[
    route("sessions", "POST", "/api/v1/sessions", Permission::UseSession),
    route("sessions", "GET", "/api/v1/sessions", Permission::ListSessions),
    route("sessions", "POST", "/api/v1/sessions/resume", Permission::UseSession),
    route("sessions", "GET", "/api/v1/sessions/{id}", Permission::UseSession),
    route("sessions", "PATCH", "/api/v1/sessions/{id}", Permission::EditSession),
    route("sessions", "DELETE", "/api/v1/sessions/{id}", Permission::DeleteSession),
    route("sessions", "GET", "/api/v1/sessions/{id}/export", Permission::Administer),
    route("sessions", "POST", "/api/v1/sessions/{id}/messages", Permission::UseSession),
    route("sessions", "GET", "/api/v1/sessions/{id}/messages", Permission::UseSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/reaction", Permission::UseSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/escalate", Permission::UseSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/cancel-escalation", Permission::UseSession),
    route("wiki", "GET", "/api/v1/wiki", Permission::ReadWiki),
    route("wiki", "POST", "/api/v1/wiki", Permission::WriteWiki),
    route("wiki", "GET", "/api/v1/wiki/{*path}", Permission::ReadWiki),
    route("wiki", "PATCH", "/api/v1/wiki/{*path}", Permission::WriteWiki),
    route("wiki", "DELETE", "/api/v1/wiki/{*path}", Permission::WriteWiki),
    route("ingest", "POST", "/api/v1/ingest", Permission::Ingest),
    route("ingest", "GET", "/api/v1/ingest", Permission::Ingest),
    route("ingest", "GET", "/api/v1/ingest/{id}", Permission::Ingest),
    route("ingest", "POST", "/api/v1/ingest/{id}/retry", Permission::Ingest),
    route("inbox", "GET", "/api/v1/inbox", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/takeover", Permission::Inbox),
    route("inbox", "GET", "/api/v1/inbox/{id}", Permission::Inbox),
    route("inbox", "PATCH", "/api/v1/inbox/{id}", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/message", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/handback", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/resolve", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/release", Permission::Inbox),
    route("analytics", "GET", "/api/v1/analytics", Permission::ReadAnalytics),
    route("analytics", "GET", "/api/v1/analytics/kb-gaps", Permission::ReadAnalytics),
    route("analytics", "PATCH", "/api/v1/analytics/kb-gaps/{id}", Permission::EditGaps),
    route("webhooks", "POST", "/api/v1/webhooks", Permission::ManageWebhooks),
    route("webhooks", "GET", "/api/v1/webhooks", Permission::ManageWebhooks),
    route("webhooks", "GET", "/api/v1/webhooks/{id}", Permission::ManageWebhooks),
    route("webhooks", "PATCH", "/api/v1/webhooks/{id}", Permission::ManageWebhooks),
    route("webhooks", "DELETE", "/api/v1/webhooks/{id}", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/rotate", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/test", Permission::ManageWebhooks),
    route("webhooks", "GET", "/api/v1/webhooks/{id}/deliveries", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/deliveries/{delivery}/resend", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/replay", Permission::ManageWebhooks),
    route("auth", "POST", "/api/v1/auth/widget-token", Permission::IssueWidgetToken),
    route("auth", "GET", "/api/v1/api-keys", Permission::Administer),
    route("auth", "POST", "/api/v1/api-keys", Permission::Administer),
    route("auth", "GET", "/api/v1/api-keys/{id}", Permission::Administer),
    route("auth", "DELETE", "/api/v1/api-keys/{id}", Permission::Administer),
    route("auth", "GET", "/api/v1/settings", Permission::Administer),
    route("auth", "PATCH", "/api/v1/settings", Permission::Administer),
    route("health", "GET", "/api/v1/health", Permission::Public),
    route("health", "GET", "/api/v1/openapi.json", Permission::Public),
];
