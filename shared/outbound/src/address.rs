//! The guard: the addresses that may be called. A URL is checked as text, and every IP address behind its name again at
//! the moment it is dialled.
//!
//! [`OutboundUrl`] is a checked URL. It is checked twice: as text, because parsers disagree about unusual texts, and as
//! parsed, because that is what is dialled. A URL on which the two disagree is refused. A name is only checked by its form.
//!
//! The HTTP client asks [`FilteringResolver`] once for each connection and dials only what it returns. So no second
//! look-up can answer differently. One address that may not be dialled refuses the whole answer, because a public name
//! has no reason to have a private address. The client does not resolve IP literals: those are checked as part of the URL.
//!
//! IPv4 has a deny list, because most of it is public. IPv6 has an allow list, because only `2000::/3` is global
//! unicast: forms that contain an IPv4 address (compatible, translated, NAT64, 6to4, Teredo) are refused by
//! construction. A v4-mapped address is checked as the IPv4 address that the system would dial.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};
use url::{Host, Url};

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

/// Bytes of a URL.
const MAX_BYTES: usize = 2048;

/// Top-level names, or ends of names, that are never on the public internet.
const PRIVATE_NAMES: [&str; 12] = [
    "localhost",
    "local",
    "internal",
    "localdomain",
    "home.arpa",
    "lan",
    "intranet",
    "corp",
    "home",
    "onion",
    "svc",
    "arpa",
];

/// Why a URL may not be called; each says it in a sentence for the person who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the address {}", self.message())]
pub enum UrlError {
    /// More than 2,048 bytes.
    TooLong,
    /// A character outside ASCII.
    NotAscii,
    /// A space, a control character or a backslash.
    ForbiddenCharacter,
    /// Not an absolute URL at all.
    NotAUrl,
    /// Neither https nor, if allowed, http.
    Scheme,
    /// A user name, a password, or an escape in the host.
    Authority,
    /// A part behind `#`.
    Fragment,
    /// Another port than those of the scheme.
    Port,
    /// An IPv4 address that is not written as four plain decimal numbers.
    Ipv4Spelling,
    /// An address that is not on the public internet.
    Address,
    /// A name that cannot be one of the public internet.
    HostName,
}

impl UrlError {
    /// The sentence, without a subject.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::TooLong => "must have at most 2048 characters",
            Self::NotAscii => {
                "must be ASCII: write international names in punycode and everything else percent-encoded"
            }
            Self::ForbiddenCharacter => "must not contain spaces, control characters or backslashes",
            Self::NotAUrl => "must be a complete URL such as https://hooks.example.com/path",
            Self::Scheme => "must begin with https://",
            Self::Authority => "must have no user name, password or escape before its path",
            Self::Fragment => "must have no fragment (#…)",
            Self::Port => "must use one of the ports 443 and 8443 (with http also 80 and 8080)",
            Self::Ipv4Spelling => "must write an IPv4 address as four decimal numbers",
            Self::Address => "must be an address of the public internet",
            Self::HostName => "must name a host of the public internet",
        }
    }
}

/// A URL that may be called, in its one spelling: scheme and host in lower case, no dot behind the host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OutboundUrl(Url);

impl Serialize for OutboundUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl JsonSchema for OutboundUrl {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "OutboundUrl".into()
    }

    /// As much as a schema can say: that the host is on the public internet, it cannot.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "format": "uri", "maxLength": MAX_BYTES,
            "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\\/?#@%\u0000-\u0020\u007f-\uffff]+[^\\#\u0000-\u0020\u007f-\uffff]*$",
            "examples": ["https://hooks.example.com/support"],
        })
    }
}

impl OutboundUrl {
    /// Judges `text` by all rules that need no network, in the order of [`UrlError`].
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn parse(text: &str, policy: &OutboundPolicy) -> Result<Self, UrlError> {
        validate_characters(text)?;
        let mut url = Url::parse(text).map_err(|_| UrlError::NotAUrl)?;
        if url.scheme() != "https" && !(url.scheme() == "http" && policy.allow_http) {
            return Err(UrlError::Scheme);
        }
        let raw = RawAuthority::of(text, url.scheme()).ok_or(UrlError::NotAUrl)?;
        if !url.username().is_empty() || url.password().is_some() || raw.authority.contains(['@', '%']) {
            return Err(UrlError::Authority);
        }
        if url.fragment().is_some() {
            return Err(UrlError::Fragment);
        }
        let local = policy.allow_loopback && is_local(&url);
        check_port(&url, local)?;
        match url.host().ok_or(UrlError::NotAUrl)? {
            Host::Ipv4(ip) if raw.host != ip.to_string() => return Err(UrlError::Ipv4Spelling),
            Host::Ipv4(ip) => check_address(ip.into(), *policy)?,
            Host::Ipv6(ip) => check_address(ip.into(), *policy)?,
            Host::Domain(name) => {
                let plain = check_host_name(name, raw.host, local)?.to_owned();
                url.set_host(Some(&plain)).map_err(|_| UrlError::HostName)?;
            }
        }
        Ok(Self(url))
    }

    /// The target of a `Location` header at this address, unchecked, without its fragment.
    pub(crate) fn resolve_redirect(&self, location: &str) -> Option<String> {
        let mut next = self.0.join(location).ok()?;
        next.set_fragment(None);
        Some(next.into())
    }

    /// The origin of the target of a `Location` header at this address; none for one that has no host.
    pub(crate) fn redirect_origin(&self, location: &str) -> Option<String> {
        let next = self.0.join(location).ok()?;
        matches!(next.scheme(), "https" | "http").then(|| next.origin().ascii_serialization())
    }

    /// Whether what is sent to it cannot be read on the way: over https, or to this machine.
    #[must_use]
    pub fn is_confidential(&self) -> bool {
        self.is_https() || is_local(&self.0)
    }

    pub(crate) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The whole URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The host, an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The path, percent-encoded, with its first slash.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.path()
    }

    pub(crate) const fn url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for OutboundUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn validate_characters(text: &str) -> Result<(), UrlError> {
    if text.len() > MAX_BYTES {
        return Err(UrlError::TooLong);
    }
    if !text.is_ascii() {
        return Err(UrlError::NotAscii);
    }
    if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f || byte == b'\\') {
        return Err(UrlError::ForbiddenCharacter);
    }
    Ok(())
}

/// The text between `scheme://` and the path.
struct RawAuthority<'a> {
    authority: &'a str,
    host: &'a str,
}

impl<'a> RawAuthority<'a> {
    fn of(text: &'a str, scheme: &str) -> Option<Self> {
        let (begin, rest) = text.split_at_checked(scheme.len())?;
        let rest = rest.strip_prefix("://").filter(|_| begin.eq_ignore_ascii_case(scheme))?;
        let authority = rest.split(['/', '?', '#']).next().filter(|authority| !authority.is_empty())?;
        let host = if authority.starts_with('[') {
            authority.split_inclusive(']').next()
        } else {
            authority.split(':').next()
        };
        host.filter(|host| !host.is_empty()).map(|host| Self { authority, host })
    }
}

/// Whether the host is this machine by its look.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => is_loopback(ip.into()),
        Some(Host::Ipv6(ip)) => is_loopback(ip.into()),
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        None => false,
    }
}

fn check_port(url: &Url, local: bool) -> Result<(), UrlError> {
    let allowed = match url.port_or_known_default() {
        Some(443 | 8443) => true,
        Some(80 | 8080) => local || url.scheme() == "http",
        Some(port) => local && port != 0,
        None => false,
    };
    if allowed { Ok(()) } else { Err(UrlError::Port) }
}

fn check_address(address: IpAddr, policy: OutboundPolicy) -> Result<(), UrlError> {
    if is_allowed(address, policy) { Ok(()) } else { Err(UrlError::Address) }
}

/// The name without the dot at its end, when it looks like one of the public internet.
fn check_host_name<'a>(name: &'a str, raw: &str, local: bool) -> Result<&'a str, UrlError> {
    let plain = name.strip_suffix('.').unwrap_or(name);
    let same = raw.eq_ignore_ascii_case(name);
    let well_formed = plain.len() <= 253 && plain.split('.').all(is_label);
    let public = plain.contains('.') && !PRIVATE_NAMES.iter().any(|end| is_under(plain, end));
    if same && well_formed && (public || local) { Ok(plain) } else { Err(UrlError::HostName) }
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_under(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Finds the addresses of a name.
#[async_trait]
pub trait Resolver: Send + Sync + fmt::Debug {
    /// Every address of `host`, which is never an IP literal.
    ///
    /// # Errors
    /// The answer of the resolver, for the log.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect())
    }
}

/// An address behind a name may not be dialled.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("an address behind the name may not be dialled")]
pub(crate) struct BlockedAddress;

/// A resolver that answers with addresses that may be dialled, or not at all.
#[derive(Debug, Clone)]
pub(crate) struct FilteringResolver {
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) policy: OutboundPolicy,
}

impl Resolve for FilteringResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { resolver, policy } = self.clone();
        Box::pin(async move {
            let found = resolver.addresses(name.as_str()).await?;
            if found.is_empty() {
                return Err(io::Error::from(io::ErrorKind::NotFound).into());
            }
            if !found.iter().all(|address| is_allowed(*address, policy)) {
                return Err(BlockedAddress.into());
            }
            // Port 0: the client puts the URL's in its place.
            let addresses = found.into_iter().map(|address| SocketAddr::new(address.to_canonical(), 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

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

/// Whether `address` may be dialled under `policy`.
pub(crate) fn is_allowed(address: IpAddr, policy: OutboundPolicy) -> bool {
    is_public(address) || (policy.allow_loopback && is_loopback(address))
}

/// Whether `address` is this machine's loopback, also as a v4-mapped one.
fn is_loopback(address: IpAddr) -> bool {
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
