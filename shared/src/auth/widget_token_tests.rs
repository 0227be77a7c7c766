//! What a token must be, and everything that must not pass for one (most of it with a valid signature).
