//! Tests which addresses may be dialled, inside every network and at its limits.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;

use crate::OutboundPolicy;
use crate::address::is_allowed;

fn is_allowed_by_default(address: &str) -> bool {
    is_allowed(address.parse().unwrap(), OutboundPolicy::default())
}

/// First and last address of each network that is refused, and its neighbours if those are public.
const NETWORKS: [(&str, &str, &str, &str); 16] = [
    ("", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
    ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
    ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
    ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
    ("168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"),
    ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
    ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
    ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
    ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
    ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
    ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
    ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
    ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
    ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
    ("223.255.255.255", "224.0.0.0", "239.255.255.255", ""),
    ("", "240.0.0.0", "255.255.255.255", ""),
];

#[test]
fn every_private_network_has_exact_bounds() {
    for (before, first, last, after) in NETWORKS {
        for private in [first, last] {
            assert!(!is_allowed_by_default(private), "{private}");
            assert!(!is_allowed_by_default(&format!("::ffff:{private}")), "mapped {private}");
        }
        for public in [before, after].into_iter().filter(|address| !address.is_empty()) {
            assert!(is_allowed_by_default(public), "{public}");
            assert!(is_allowed_by_default(&format!("::ffff:{public}")), "mapped {public}");
        }
    }
}

#[test]
fn only_global_unicast_ipv6_is_allowed() {
    for public in ["2606:4700:4700::1111", "2001:200::", "2001:4860:4860::8888", "2000::1", "3ffe::1", "3fff:1000::1"] {
        assert!(is_allowed_by_default(public), "{public}");
    }
    for private in [
        "::",
        "::1",
        "::8.8.8.8",
        "::ffff:0:8.8.8.8",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "1fff::1",
        "2001::1",
        "2001:1::1",
        "2001:10::1",
        "2001:1ff:ffff::1",
        "2001:db8::1",
        "2001:db8:ffff::1",
        "2002::1",
        "2002:808:808::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "feff::1",
        "ff02::1",
        "2606:4700::5efe:7f00:1",
        "2606:4700::200:5efe:808:808",
        "2606:4700::100:5efe:808:808",
        "2606:4700::300:5efe:808:808",
    ] {
        assert!(!is_allowed_by_default(private), "{private}");
    }
}

#[test]
fn loopback_is_allowed_by_the_policy_alone() {
    let local = OutboundPolicy { allow_loopback: true, allow_http: false };
    for (address, allowed) in [
        ("127.0.0.1", true),
        ("127.255.255.254", true),
        ("::1", true),
        ("::ffff:127.0.0.1", true),
        ("0.0.0.0", false),
        ("::", false),
        ("10.0.0.1", false),
        ("169.254.169.254", false),
        ("::127.0.0.1", false),
    ] {
        assert_eq!(is_allowed(address.parse().unwrap(), local), allowed, "{address}");
    }
}

proptest! {
    /// Against what the standard library knows of private addresses: whatever it calls so is refused.
    #[test]
    fn addresses_that_the_standard_library_calls_private_are_refused(bits in any::<u32>()) {
        let v4 = Ipv4Addr::from_bits(bits);
        let private = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast()
            || v4.is_broadcast() || v4.is_documentation() || v4.is_unspecified();
        prop_assert!(!(private && is_allowed(IpAddr::V4(v4), OutboundPolicy::default())));
    }
}
