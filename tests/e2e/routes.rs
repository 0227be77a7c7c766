//! The route list is exactly what the functions serve.

use std::collections::BTreeSet;

use edge::route_list::ROUTES;

use crate::support::TestService;

#[tokio::test]
async fn the_route_list_equals_the_routers() {
    let service = TestService::start().await;
    let all = local::routes(service.resources()).await.unwrap();
    let served: BTreeSet<_> = all
        .iter()
        .flat_map(|routes| routes.listed.iter().map(|(method, path)| (routes.function, *method, *path)))
        .collect();
    let listed: BTreeSet<_> = ROUTES.iter().map(|route| (route.function, route.method, route.path)).collect();
    assert_eq!(served, listed);
}
