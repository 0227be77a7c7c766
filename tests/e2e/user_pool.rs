//! The users of the sign-in provider: of a Cognito user pool, over an independent implementation of Cognito's protocol, and
//! how often they are mailed, and when they leave.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use aws::user_directory::{CognitoUserPool, Invited, UserDirectory};
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{Mode, Plan, Role};
use serde_json::{Value, json};

use crate::services;
use crate::support::{Actor, Reply, TestService, http_client, sdk_config};

/// A call of Cognito by somebody who may do everything.
async fn cognito(url: &str, operation: &str, body: Value) -> Value {
    let signature = "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/cognito-idp/aws4_request, \
                     SignedHeaders=host;x-amz-date, Signature=0";
    let call = http_client().post(url).header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"));
    let call = call.header("content-type", "application/x-amz-json-1.1").header("authorization", signature);
    let answer = call.body(body.to_string()).send().await.unwrap();
    assert!(answer.status().is_success(), "{operation}: {}", answer.text().await.unwrap());
    answer.json().await.unwrap()
}

#[tokio::test]
async fn who_is_invited_has_a_user_with_a_verified_address_in_the_pool() {
    let Some(url) = services::ministack() else { return };
    let pool = json!({"PoolName": "desk", "UsernameAttributes": ["email"], "AdminCreateUserConfig": {"AllowAdminCreateUserOnly": true}});
    let pool = cognito(url, "CreateUserPool", pool).await["UserPool"]["Id"].as_str().unwrap().to_owned();
    let users = CognitoUserPool::new(&pool, &sdk_config(url), Runtime::system()).unwrap();
    for _ in 0..2 {
        assert_eq!(users.invite("ann@company.example").await.unwrap(), Invited::Created);
    }
    users.invite("bob@company.example").await.unwrap();
    let listed = cognito(url, "ListUsers", json!({"UserPoolId": pool})).await;
    let mut found = BTreeMap::new();
    for user in listed["Users"].as_array().unwrap() {
        let attributes = user["Attributes"].as_array().unwrap().iter();
        let value =
            |name: &str| attributes.clone().find(|a| a["Name"] == name).map(|a| a["Value"].clone()).unwrap_or_default();
        found
            .insert(value("email").as_str().unwrap().to_owned(), (value("email_verified"), user["UserStatus"].clone()));
    }
    let new = (json!("true"), json!("FORCE_CHANGE_PASSWORD"));
    let expected = ["ann@company.example", "bob@company.example"].map(|email| (email.to_owned(), new.clone()));
    assert_eq!(found, BTreeMap::from(expected));

    for _ in 0..2 {
        users.remove("ann@company.example").await.unwrap();
    }
    let left = cognito(url, "ListUsers", json!({"UserPoolId": pool})).await;
    assert_eq!(left["Users"].as_array().unwrap().len(), 1, "{left}");

    let missing = CognitoUserPool::new("eu-central-1_none", &sdk_config(url), Runtime::system()).unwrap();
    let error = missing.invite("ann@company.example").await.unwrap_err();
    assert_eq!(error.code(), Code::ServiceUnavailable);
    assert!(error.causes().join(" ").contains("ResourceNotFoundException"), "{error:?}");
}

/// A directory whose users never sign in, and the mails that it sent.
#[derive(Debug, Default)]
struct Directory {
    users: Mutex<BTreeSet<String>>,
    mails: Mutex<Vec<String>>,
}

#[async_trait]
impl UserDirectory for Directory {
    async fn invite(&self, email: &str) -> domain::Result<Invited> {
        self.mails.lock().unwrap().push(email.to_owned());
        self.users.lock().unwrap().insert(email.to_owned());
        Ok(Invited::Created)
    }

    async fn remove(&self, email: &str) -> domain::Result<()> {
        self.users.lock().unwrap().remove(email);
        Ok(())
    }
}

impl Directory {
    fn mails_to(&self, email: &str) -> usize {
        self.mails.lock().unwrap().iter().filter(|to| *to == email).count()
    }

    fn has(&self, email: &str) -> bool {
        self.users.lock().unwrap().contains(email)
    }
}

async fn with_directory() -> (TestService, Arc<Directory>) {
    let directory = Arc::new(Directory::default());
    let users = Arc::clone(&directory);
    let service = TestService::with(|options| {
        options.change_resources = Some(Box::new(move |mut resources| {
            resources.users = Some(users);
            resources
        }));
    })
    .await;
    (service, directory)
}

async fn added(admin: &Actor, email: &str) -> Reply {
    admin.post("/members", json!({"email": email, "name": "Ada", "roles": ["agent"]})).await
}

/// Adds a member, whose path this is.
async fn member(admin: &Actor, email: &str) -> String {
    let added = added(admin, email).await;
    added.expect(201);
    assert_eq!(added.text_at("providerUser"), "created");
    format!("/members/{}", added.text_at("memberId"))
}

#[tokio::test]
async fn an_address_is_mailed_three_times_a_day_whoever_asks_and_nothing_is_added_after_that() {
    let (service, directory) = with_directory().await;
    let (admin, other) = (service.admin(), service.other_admin());
    let first = member(&admin, "ada@company.example").await;
    admin.post_empty(&format!("{first}/invite")).await.expect(200);
    admin.delete(&first).await.expect(204);
    let second = member(&other, "ADA@company.example").await;
    for refused in [
        added(&admin, "ada@company.example").await,
        added(&other, "ada@company.example").await,
        other.post_empty(&format!("{second}/invite")).await,
    ] {
        if refused.status == 409 {
            // It is another member's already, which costs no mail.
            continue;
        }
        refused.expect_error(429, "RATE_LIMITED");
        assert!(refused.header("retry-after").parse::<u32>().unwrap() > 3_600);
    }
    assert_eq!(directory.mails_to("ada@company.example"), 3);
    assert!(admin.get("/members").await.items().is_empty(), "nobody was added");
    member(&admin, "bob@company.example").await;
    service.clock.advance(86_400_000);
    member(&admin, "ada@company.example").await;
    assert_eq!(directory.mails_to("ada@company.example"), 4);
}

#[tokio::test]
async fn a_tenant_has_twenty_mails_sent_a_day_and_one_that_is_not_sent_is_none_of_them() {
    let (service, directory) = with_directory().await;
    let admin = service.admin();
    for number in 0..20 {
        member(&admin, &format!("m{number}@company.example")).await;
        if number == 10 {
            added(&admin, "m3@company.example").await.expect_error(409, "CONFLICT");
        }
    }
    added(&admin, "more@company.example").await.expect_error(429, "RATE_LIMITED");
    member(&service.other_admin(), "more@company.example").await;
    assert_eq!(directory.mails.lock().unwrap().len(), 21);
}

#[tokio::test]
async fn who_is_no_tenants_member_any_more_leaves_the_directory() {
    let (service, directory) = with_directory().await;
    let third = service.new_tenant(Plan::Pro).await;
    let admins = [service.admin(), service.other_admin(), service.bearer(third.key(Mode::Live, Role::Admin))];
    let mut places = Vec::new();
    for admin in &admins {
        places.push((admin, member(admin, "ada@company.example").await));
    }
    member(&admins[0], "bob@company.example").await;
    for (admin, path) in places {
        assert!(directory.has("ada@company.example"));
        admin.delete(&path).await.expect(204);
    }
    assert!(!directory.has("ada@company.example") && directory.has("bob@company.example"));
}
