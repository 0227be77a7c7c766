//! `recount` and `reindex`: what is derived from the table is compared and made anew.

use domain::models::{Day, Mode, Scope};
use serde_json::json;
use support::analytics::recount::{add_missing, cells, compare};
use support::edge::ClientProvider;
use support::tenants;
use support::wiki::indexing as reindex;
use support::wiki::indexing::{REQUESTS_END_AFTER, rebuild};

use crate::output::{Failure, Progress, Report, table};

pub(crate) async fn recount(
    clients: &impl ClientProvider,
    tenant: &str,
    mode: Mode,
    days: u32,
    fix: bool,
) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    let scope = Scope { tenant: tenants::find(&store, tenant).await?.tenant_id, mode };
    let last = Day::of(runtime.now());
    let first = last.plus(1 - i64::from(days));
    let differences = compare(&store, &scope, first, last).await?;
    let (mut rows, mut items) = (Vec::new(), Vec::new());
    for (day, (counted, recounted)) in &differences {
        for counter in cells(counted, recounted).into_iter().filter(|cell| counted.of(*cell) != recounted.of(*cell)) {
            let (has, should) = (counted.of(counter), recounted.of(counter));
            rows.push(vec![day.to_string(), counter.to_string(), has.to_string(), should.to_string()]);
            items.push(json!({"day": day.to_string(), "counter": counter, "counted": has, "recounted": should}));
        }
    }
    let raised = match fix {
        true => add_missing(&store, &scope, &runtime.token()?, &differences).await?,
        false => 0,
    };
    let left = rows.len() - raised;
    let mut text = if rows.is_empty() {
        format!("the counters of {days} days equal the recount")
    } else {
        table(&["day", "counter", "counted", "recounted"], &rows)
    };
    if fix {
        text.push_str(&format!("\n{raised} counters were raised; {left} are higher than the recount and stay"));
    }
    // After a correction, what is left is what was erased: nothing to repair.
    let found = !fix && !rows.is_empty();
    Ok(Report::new(text, json!({"differences": items, "raised": raised})).found(found))
}

pub(crate) async fn reindex(clients: &impl ClientProvider, tenant: &str, mode: Mode) -> Result<Report, Failure> {
    let (store, runtime) = (clients.store(), clients.runtime());
    let tenant = tenants::find(&store, tenant).await?;
    let scope = Scope { tenant: tenant.tenant_id.clone(), mode };
    reindex::order(&store, &runtime, &scope, &runtime.token()?).await?;
    let text = format!("the service indexes the {mode} wiki of {} anew, in the background", tenant.name);
    Ok(Report::new(text, json!({"tenantId": tenant.tenant_id, "mode": mode, "ordered": true})))
}

pub(crate) async fn rebuild_index(clients: &impl ClientProvider) -> Result<Report, Failure> {
    let progress = Progress::new("entries indexed");
    let rebuilt = rebuild(clients, REQUESTS_END_AFTER, &|count| progress.set(count)).await?;
    let text = match rebuilt {
        Some(records) => format!("rebuilt the index with {records} entries and deletions, and deleted the old one"),
        None => "the embedded index needs no rebuild: the service makes it at each start".to_owned(),
    };
    Ok(Report::new(text, json!({"records": rebuilt})))
}
