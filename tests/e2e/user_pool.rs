//! The users of a Cognito user pool, over an independent implementation of Cognito's protocol.

use std::collections::BTreeMap;

use aws::user_directory::{CognitoUserPool, Invited, UserDirectory};
use domain::clock::Runtime;
use domain::error::Code;
use serde_json::{Value, json};

use crate::services;
use crate::support::sdk_config;

/// A call of Cognito by somebody who may do everything.
async fn cognito(url: &str, operation: &str, body: Value) -> Value {
    let signature = "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/cognito-idp/aws4_request, \
                     SignedHeaders=host;x-amz-date, Signature=0";
    let call = reqwest::Client::new()
        .post(url)
        .header("x-amz-target", format!("AWSCognitoIdentityProviderService.{operation}"));
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

    let missing = CognitoUserPool::new("eu-central-1_none", &sdk_config(url), Runtime::system()).unwrap();
    let error = missing.invite("ann@company.example").await.unwrap_err();
    assert_eq!(error.code(), Code::ServiceUnavailable);
    assert!(error.causes().join(" ").contains("ResourceNotFoundException"), "{error:?}");
}
