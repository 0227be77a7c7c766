//! Due items, attended to so that one that ends the process is found and set aside.

use std::sync::Arc;
use std::time::Duration;

use app::Ctx;
use domain::Error;
use sweeper::Attend;

use super::{DEATHS, InFlight};

/// How long a suspect waits for its turn; less than a sweep gives an item.
const PATIENCE: Duration = Duration::from_secs(10);

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
            let Some(_alone) = in_flight.alone_within(PATIENCE).await else {
                return Err(Error::unavailable("another suspect is handled: this one has its turn later"));
            };
            if in_flight.deaths(&name) >= DEATHS {
                sweeper::set_aside(&ctx, &item).await?;
            } else {
                let _handling = in_flight.begin(vec![name.clone()]);
                attend(item).await?;
            }
            in_flight.clear(&name);
            Ok(())
        })
    })
}
