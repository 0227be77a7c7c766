//! Vectors of texts, and which of them may be compared.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::sha256_hex;

/// The fixed point of a stored component: 14 fractional bits.
const ONE: f64 = 16_384.0;

/// The vectors of one model under one configuration; only vectors of the same space are ever compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EmbeddingSpace(String);

impl EmbeddingSpace {
    /// Bytes of its text.
    pub const LENGTH: usize = 16;

    /// The space of a model's vectors with this many dimensions and this passage prefix. Another value of any of these
    /// is another space.
    #[must_use]
    pub fn of(model_id: &str, dimensions: usize, passage_prefix: &str) -> Self {
        let named = format!("{model_id}\n{dimensions}\n{passage_prefix}");
        Self(sha256_hex(named.as_bytes()).chars().take(Self::LENGTH).collect())
    }

    /// Reads [`EmbeddingSpace::as_str`] back.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sound = text.len() == Self::LENGTH && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        sound.then(|| Self(text.to_owned()))
    }

    /// Sixteen lower-case hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EmbeddingSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A vector of length 1, each component with 14 fractional bits: half the size of `f32`, cosines exact to 4 digits, and
/// the same in every index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedding(Box<[i16]>);

impl Embedding {
    /// The direction of `values`; none if they have none: empty, all zero, or not finite.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "components of a vector of length 1 are at most ONE")]
    pub fn of(values: &[f32]) -> Option<Self> {
        let norm = values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        if !norm.is_finite() || norm <= 0.0 {
            return None;
        }
        Some(Self(values.iter().map(|value| (f64::from(*value) / norm * ONE).round() as i16).collect()))
    }

    /// Parses components from their little-endian bytes; none if their number is not whole.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (components, rest) = bytes.as_chunks::<2>();
        if components.is_empty() || !rest.is_empty() {
            return None;
        }
        Some(Self(components.iter().map(|pair| i16::from_le_bytes(*pair)).collect()))
    }

    /// The components' little-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|component| component.to_le_bytes()).collect()
    }

    /// The components, in units of 2^-14.
    #[must_use]
    pub fn components(&self) -> &[i16] {
        &self.0
    }

    /// How many components there are.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.0.len()
    }

    /// The components as numbers from -1 to 1.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "14 bits fit")]
    pub fn to_floats(&self) -> Vec<f32> {
        self.0.iter().map(|component| (f64::from(*component) / ONE) as f32).collect()
    }

    /// The cosine of the angle to `other`, -1 to 1; none if the dimensions differ.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> Option<f64> {
        (self.dimensions() == other.dimensions()).then(|| cosine_of_product(dot_product(&self.0, &other.0)))
    }
}

/// The sum of the products of two vectors' components, which may not differ in number. It cannot overflow: both have
/// length 1, so no part of the sum is above 2^28.
#[must_use]
pub fn dot_product(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).fold(0, |sum, (a, b)| sum.wrapping_add(i32::from(*a) * i32::from(*b)))
}

/// The cosine of a [`dot_product`].
#[must_use]
pub fn cosine_of_product(product: i32) -> f64 {
    (f64::from(product) / (ONE * ONE)).clamp(-1.0, 1.0)
}

/// The vector of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryVector {
    /// The space in which it may be compared.
    pub space: EmbeddingSpace,
    /// The vector.
    pub embedding: Embedding,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_a_direction_is_none() {
        for values in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0], &[f32::INFINITY, 1.0]] {
            assert_eq!(Embedding::of(values), None, "{values:?}");
        }
        assert_eq!(Embedding::from_bytes(&[]), None);
        assert_eq!(Embedding::from_bytes(&[1]), None);
    }

    #[test]
    fn cosines_are_exact_to_four_digits_whatever_the_length() {
        let values = |seed: u32| -> Vec<f32> {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (f64::from(state) / f64::from(u32::MAX) - 0.5) as f32 * 40.0
            };
            (0..384).map(|_| next()).collect()
        };
        let (a, b) = (values(1), values(2));
        let norm = |v: &[f32]| v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let exact = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>() / (norm(&a) * norm(&b));
        let (a, b) = (Embedding::of(&a).unwrap(), Embedding::of(&b).unwrap());
        assert!((a.cosine(&b).unwrap() - exact).abs() < 1e-4);
        assert!((a.cosine(&a).unwrap() - 1.0).abs() < 1e-4);
        assert_eq!(Embedding::from_bytes(&a.to_bytes()), Some(a.clone()));
        let one = Embedding::of(&[1e30]).unwrap();
        assert_eq!((one.cosine(&one), one.cosine(&a)), (Some(1.0), None));
    }

    #[test]
    fn another_model_dimension_or_prefix_is_another_space() {
        let spaces = [
            EmbeddingSpace::of("m", 256, ""),
            EmbeddingSpace::of("n", 256, ""),
            EmbeddingSpace::of("m", 512, ""),
            EmbeddingSpace::of("m", 256, "passage: "),
        ];
        for (at, space) in spaces.iter().enumerate() {
            assert_eq!(spaces.iter().position(|other| other == space), Some(at));
            assert_eq!(space.as_str().len(), 16);
        }
    }
}
