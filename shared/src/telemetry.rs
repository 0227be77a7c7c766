//! Logs: JSON in Lambda, readable locally; never keys, tokens, secrets or what people wrote.
