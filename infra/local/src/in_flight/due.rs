//! Due items, attended to so that one that ends the process is found and set aside.

use std::sync::Arc;

use serde_json::json;
use shared::store::DueItem;
use shared::{Ctx, Result};
use sweeper::Attend;

use super::{DEATHS, InFlight, file_name};

/// What `attend` does about a due item, but not to one again that ended [`DEATHS`] processes.
pub(crate) fn guard_due(in_flight: Arc<InFlight>, ctx: Ctx, attend: Attend) -> Attend {
    Arc::new(move |item| {
        let (in_flight, ctx, attend) = (Arc::clone(&in_flight), ctx.clone(), Arc::clone(&attend));
        Box::pin(async move {
            let name = format!("due/{}", item.name());
            if !in_flight.is_suspect(&name) {
                let _handling = in_flight.begin(vec![name]);
                return attend(item).await;
            }
            let _alone = in_flight.alone().await;
            if in_flight.deaths(&name) >= DEATHS {
                set_aside(&ctx, &item, &name).await?;
            } else {
                let _handling = in_flight.begin(vec![name.clone()]);
                attend(item).await?;
            }
            in_flight.clear(&name);
            Ok(())
        })
    })
}

/// Keeps what is known of an item and takes it out of the due index; whoever writes the item anew puts it there again.
async fn set_aside(ctx: &Ctx, item: &DueItem, name: &str) -> Result<()> {
    let file = format!("due/{}.json", file_name(name));
    let why = format!("its handling ended the process {DEATHS} times");
    let content = json!({"setAsideAt": ctx.ambient.now(), "why": why, "item": item.name(), "dueSince": item.at});
    ctx.set_aside.keep(&file, content.to_string().into_bytes()).await?;
    ctx.store.due().take_off(&item.scope, item).await?;
    tracing::error!(
        due.item = item.name(),
        due.since = %item.at,
        file,
        "handling a due item ended the process {DEATHS} times: it is set aside and not due any more; mend the cause, then change the item, which makes it due again"
    );
    Ok(())
}
