//! Time and randomness, as arguments that tests can control.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::models::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Now, in milliseconds since 1970 UTC.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the time")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The machine's clock moved by an offset that tests change while the service runs.
#[derive(Debug, Default)]
pub struct ShiftedClock {
    offset_ms: AtomicI64,
}

impl ShiftedClock {
    /// A clock that starts at `start` and runs from there.
    #[must_use]
    pub fn starting_at(start: Timestamp) -> Self {
        Self { offset_ms: AtomicI64::new(start.millis_since(SystemClock.now())) }
    }

    /// How far it is ahead of the machine's clock, in milliseconds; negative when behind.
    #[must_use]
    pub fn offset_ms(&self) -> i64 {
        self.offset_ms.load(Ordering::SeqCst)
    }

    /// Moves the clock by `delta_ms`, forward when positive.
    pub fn advance(&self, delta_ms: i64) {
        self.offset_ms.fetch_add(delta_ms, Ordering::SeqCst);
    }
}

impl Clock for ShiftedClock {
    fn now(&self) -> Timestamp {
        SystemClock.now().plus_millis(self.offset_ms())
    }
}

/// A source of unpredictable bytes.
pub trait Rng: Send + Sync + std::fmt::Debug {
    /// Fills `bytes`; aborts the request (an internal error) when the system has none to give.
    fn fill(&self, bytes: &mut [u8]) -> crate::Result<()>;
}

/// The operating system's generator.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemRng;

impl Rng for SystemRng {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads randomness")]
    fn fill(&self, bytes: &mut [u8]) -> crate::Result<()> {
        getrandom::fill(bytes).map_err(|e| crate::Error::internal(format!("no entropy: {e}")))
    }
}

/// A repeatable generator (SplitMix64) for tests.
#[derive(Debug, Default)]
pub struct SeededRng(AtomicU64);

impl SeededRng {
    /// Starts the sequence at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Rng for SeededRng {
    fn fill(&self, bytes: &mut [u8]) -> crate::Result<()> {
        for chunk in bytes.chunks_mut(8) {
            let mut z = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::SeqCst);
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
            for (byte, value) in chunk.iter_mut().zip(z.to_le_bytes()) {
                *byte = value;
            }
        }
        Ok(())
    }
}

/// The clock and the entropy of one process, handed to whatever needs either.
#[derive(Debug, Clone)]
pub struct Runtime {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids, keys and delimiters.
    pub entropy: Arc<dyn Rng>,
}

impl Runtime {
    /// The real clock and the real generator.
    #[must_use]
    pub fn system() -> Self {
        Self { clock: Arc::new(SystemClock), entropy: Arc::new(SystemRng) }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// `N` unpredictable bytes.
    pub fn bytes<const N: usize>(&self) -> crate::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// 128 unpredictable bits.
    pub fn random(&self) -> crate::Result<u128> {
        Ok(u128::from_be_bytes(self.bytes()?))
    }

    /// A name that nobody else has: 128 unpredictable bits as 32 lower-case hex digits.
    pub fn token(&self) -> crate::Result<String> {
        Ok(format!("{:032x}", self.random()?))
    }
}
