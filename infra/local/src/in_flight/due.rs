//! Handles due items so that one that ends the process is found and becomes a dead letter.

use std::sync::Arc;
use std::time::Duration;

use domain::Error;
use sweeper::{Dispatcher, Sweeper};

use super::{InFlight, MAX_CRASHES};

/// How long a quarantined item waits for other quarantined work; less than the sweeper's timeout of an item.
const ISOLATION_WAIT: Duration = Duration::from_secs(10);

/// Wraps `dispatch`: an item that crashed [`MAX_CRASHES`] processes is not handled again.
pub(crate) fn guard_due(in_flight: Arc<InFlight>, sweeper: Sweeper, dispatch: Dispatcher) -> Dispatcher {
    Arc::new(move |item| {
        let (in_flight, sweeper, dispatch) = (Arc::clone(&in_flight), sweeper.clone(), Arc::clone(&dispatch));
        Box::pin(async move {
            let name = format!("due/{}", item.name());
            if !in_flight.is_quarantined(&name) {
                let _guard = in_flight.begin(vec![name]);
                return dispatch(item).await;
            }
            let Some(_isolated) = in_flight.isolate_within(ISOLATION_WAIT).await else {
                return Err(Error::unavailable("other quarantined work is handled; this item is handled later"));
            };
            if in_flight.crashes(&name) >= MAX_CRASHES {
                sweeper::write_dead_letter(&sweeper, &item).await?;
            } else {
                let _guard = in_flight.begin(vec![name.clone()]);
                dispatch(item).await?;
            }
            in_flight.release(&name);
            Ok(())
        })
    })
}
