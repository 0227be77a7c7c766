//! Progress of a command that takes longer than two seconds, on standard error, for terminals only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a command may take before its progress is shown.
const SHOWN_AFTER: Duration = Duration::from_secs(2);

/// A count, or a wait of a known length.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Where it is drawn.
    target: fn() -> ProgressDrawTarget,
}

impl Progress {
    /// Counts up, with what is counted.
    pub(crate) fn new(what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{spinner} {pos} {msg}, {elapsed}").ok();
        Self::shown_later(ProgressBar::no_length(), style, what)
    }

    /// Counts up to `length`.
    pub(crate) fn up_to(length: u64, what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").ok();
        Self::shown_later(ProgressBar::new(length), style, what)
    }

    fn shown_later(bar: ProgressBar, style: Option<ProgressStyle>, what: &'static str) -> Self {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        if let Some(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, target: ProgressDrawTarget::stderr }
    }

    /// Sets the count, and what it counts up to.
    pub(crate) fn set_of(&self, count: u64, length: u64) {
        self.bar.set_length(length);
        self.set(count);
    }

    pub(crate) fn set(&self, count: u64) {
        if self.bar.is_hidden() && self.bar.elapsed() >= SHOWN_AFTER {
            self.bar.set_draw_target((self.target)());
        }
        self.bar.set_position(count);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use indicatif::TermLike;

    use super::*;

    /// The text that was written to the terminal.
    static WRITTEN: Mutex<String> = Mutex::new(String::new());

    #[derive(Debug)]
    struct Terminal;

    impl Terminal {
        fn write(text: &str) -> io::Result<()> {
            WRITTEN.lock().unwrap().push_str(text);
            Ok(())
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            Self::write(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            Self::write(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            WRITTEN.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_shows_the_count_after_two_seconds_and_nothing_at_the_end() {
        let mut progress = Progress::new("entries indexed");
        progress.target = || ProgressDrawTarget::term_like(Box::new(Terminal));
        let written = || WRITTEN.lock().unwrap().clone();
        progress.set(3);
        assert_eq!(written(), "");
        drop(progress.bar.clone().with_elapsed(SHOWN_AFTER));
        progress.set(41);
        assert!(written().contains("41 entries indexed"), "{:?}", written());
        drop(progress);
        assert_eq!(written(), "");
    }
}
