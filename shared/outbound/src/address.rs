//! The IP addresses that may be dialled: public ones, and loopback if the policy allows it.
//!
//! IPv4 has a deny list, because most of it is public. IPv6 has an allow list, because only `2000::/3` is global
//! unicast: forms that contain an IPv4 address (compatible, translated, NAT64, 6to4, Teredo) are refused by
//! construction. A v4-mapped address is checked as the IPv4 address that the system would dial.

use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are not the public internet, each with its prefix length (IANA's special-purpose registry,
/// multicast, reserved, and the one metadata address outside of them).
const DENIED_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::new(168, 63, 129, 16), 32),
];

/// The addresses that the operator allows besides the public internet over https (`OUTBOUND_ALLOW_LOOPBACK`,
/// `OUTBOUND_ALLOW_HTTP`). By default nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutboundPolicy {
    /// This machine may be called, on any port; for local receivers and tests.
    pub allow_loopback: bool,
    /// `http://` is allowed as well as `https://`.
    pub allow_http: bool,
}

/// Whether `address` may be dialled under `policy`.
pub(super) fn is_allowed(address: IpAddr, policy: OutboundPolicy) -> bool {
    is_public(address) || (policy.allow_loopback && is_loopback(address))
}

/// Whether `address` is this machine's loopback, also as a v4-mapped one.
pub(super) fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => !DENIED_V4.iter().any(|(network, bits)| within(v4, *network, *bits)),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn within(address: Ipv4Addr, network: Ipv4Addr, bits: u32) -> bool {
    (address.to_bits() ^ network.to_bits()).leading_zeros() >= bits
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, _, _, e, f, _, _] = address.segments();
    let global_unicast = a & 0xe000 == 0x2000;
    let special = match a {
        // Teredo, ORCHID, benchmarking and the rest of 2001::/23; documentation.
        0x2001 => b < 0x0200 || b == 0x0db8,
        // 6to4.
        0x2002 => true,
        // Documentation.
        0x3fff => b < 0x1000,
        _ => false,
    };
    // ISATAP: an IPv4 address behind 00-00-5E-FE, whatever the universal and group bits say.
    let isatap = e & 0xfcff == 0 && f == 0x5efe;
    global_unicast && !special && !isatap
}
