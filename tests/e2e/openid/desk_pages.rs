//! The port of the desk: the page that shows shop and desk, the API beside it, and who may frame what.

use local::Issuer;

use super::{Browser, demo_service, desk_of, location};
use crate::support::{TestService, http_client};

fn policy(response: &reqwest::Response) -> String {
    response.headers()["content-security-policy"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn shop_and_desk_are_of_one_site_and_only_their_page_frames_them() {
    let service = demo_service().await;
    let (desk, _) = desk_of(&service);
    let shop = service.url().trim_end_matches("/api/v1").to_owned();
    assert_ne!(shop, desk);
    assert_eq!(shop.rsplit_once(':').unwrap().0, desk.rsplit_once(':').unwrap().0, "one host is one site");
    let mut browser = Browser::new();
    let page = browser.get(&format!("{desk}/")).await;
    let rules = policy(&page);
    for part in [&*format!("frame-src 'self' {shop}/;"), "frame-ancestors 'none'", "default-src 'none'"] {
        assert!(rules.contains(part), "{part}: {rules}");
    }
    let text = page.text().await.unwrap();
    assert!(text.contains(&format!("data-src=\"{shop}/\"")) && text.contains("data-src=\"/desk/\""), "{text}");
    let framed = policy(&browser.get(&format!("{shop}/")).await);
    assert!(framed.contains(&format!("frame-ancestors {desk};")), "{framed}");
    let page = browser.get(&format!("{desk}/desk/")).await;
    assert_eq!(page.status(), 200);
    assert!(policy(&page).contains("frame-ancestors 'self';"), "{}", policy(&page));
    assert_eq!(browser.get(&format!("{shop}/desk/")).await.status(), 404, "the desk has one origin");
    for file in ["side-by-side.js", "side-by-side.css"] {
        assert_eq!(browser.get(&format!("{desk}/demo/{file}")).await.status(), 200, "{file}");
        assert_eq!(browser.get(&format!("{shop}/demo/{file}")).await.status(), 404, "{file}");
    }
}

#[tokio::test]
async fn another_name_of_this_machine_leads_to_the_one_origin() {
    let service = demo_service().await;
    let (desk, _) = desk_of(&service);
    let other = desk.replace("127.0.0.1", "localhost");
    for path in ["/", "/openid/keys?a=b"] {
        let sent_on = Browser::new().get(&format!("{other}{path}")).await;
        assert_eq!((sent_on.status().as_u16(), location(&sent_on)), (307, format!("{desk}{path}")));
    }
}

#[tokio::test]
async fn the_desks_port_answers_the_api_too_and_to_this_machines_names_alone() {
    let service = demo_service().await;
    let (desk, _) = desk_of(&service);
    for path in ["/api/v1/health", "/openid/keys", "/"] {
        let url = format!("{desk}{path}");
        assert_eq!(reqwest::get(&url).await.unwrap().status(), 200, "{path}");
        let foreign = http_client().get(&url).header("host", "evil.example").send().await.unwrap();
        assert_eq!(foreign.status(), 403, "{path}");
    }
}

#[tokio::test]
async fn the_desk_lies_on_the_next_port() {
    let service = TestService::with(|options| {
        options.start.demo = true;
        options.start.port = free_pair();
    })
    .await;
    let port = |address: &str| address.rsplit(':').next().unwrap().parse::<u16>().unwrap();
    let (desk, _) = desk_of(&service);
    assert_eq!(port(&desk), port(service.url().trim_end_matches("/api/v1")) + 1);
    let banner = service.banner();
    assert!(banner.contains(service.desk_url().unwrap()), "{banner}");
}

/// A port that was free a moment ago, as was the next one.
fn free_pair() -> u16 {
    let listen = |port| std::net::TcpListener::bind(("127.0.0.1", port));
    loop {
        let first = listen(0).unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && listen(port + 1).is_ok() {
            return port;
        }
    }
}

#[tokio::test]
async fn with_the_operators_provider_there_is_no_other() {
    let issuer = Issuer { url: "https://login.example.com".into(), client_id: "support-desk".into() };
    let service = TestService::with(|options| {
        options.start.demo = true;
        options.start.issuer = Some(issuer);
    })
    .await;
    let desk = service.desk_url().unwrap();
    assert!(!desk.contains('#'), "{desk}");
    for path in ["openid/keys", "openid/authorize", "openid/.well-known/openid-configuration"] {
        assert_eq!(reqwest::get(format!("{desk}{path}")).await.unwrap().status(), 404, "{path}");
    }
    assert!(TestService::start().await.desk_url().is_none(), "nobody can sign in where there is no demo");
}
