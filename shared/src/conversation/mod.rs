//! Answering one customer turn, start to stored.
