//! End-to-end tests over HTTP, and tests of the template and of the repository's structure: one file for each subject.
//! Tests over HTTP use the harness in `support`, those with real servers `services`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails says where"
)]

mod access;
mod analytics;
mod answers;
mod at_scale;
mod auth_keys;
mod binaries;
mod bounded_lists;
mod browser;
mod cases;
mod changes;
mod clients;
mod cors;
mod costs;
mod cursors;
mod deliveries;
mod delivery_faults;
mod edge;
mod embeddings;
mod erased_dead_letters;
mod erasure;
mod errors;
mod faults;
mod follow_ups;
mod following;
mod functions_elsewhere;
mod gap_triage;
mod gaps;
mod grounding;
mod handover;
mod health;
mod hidden_entries;
mod hostile_model;
mod hosts;
mod human_requests;
mod idempotency;
mod idempotency_bodies;
mod idempotency_rights;
mod impossible_ids;
mod inbox;
mod inbox_priority;
mod inbox_races;
mod ingest;
mod ingest_failures;
mod ingest_model;
mod limits;
mod logs;
mod messages;
mod model_budget;
mod model_of_contract;
mod null_in_patches;
mod openapi;
mod outbound;
mod perfect_reader;
mod permissions;
mod query_parameters;
mod queues;
mod rate_limits;
mod real_servers;
mod recount;
mod refused_bodies;
mod routes;
mod search_adapters;
mod services;
mod session_details;
mod session_export;
mod sessions;
mod settings;
mod shown;
mod small_talk;
mod start;
mod structure;
mod support;
mod sweeper;
mod sweeper_backlog;
mod sweeper_crashes;
mod synonyms;
mod template;
mod visitor_quotas;
mod webhook_secrets;
mod webhook_verifiers;
mod webhooks;
mod widget;
mod widget_key_rotation;
mod widget_tokens;
mod widget_view;
mod wiki;
mod wiki_faults;
mod wiki_lists;
mod wiki_races;
