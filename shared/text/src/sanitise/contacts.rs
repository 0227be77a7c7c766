//! Numbers and names in the addresses of links that call or write to somebody.

use percent_encoding::percent_decode_str;

/// Schemes whose addresses name a person by number, name or mail address.
const SCHEMES: [&str; 17] = [
    "callto",
    "facetime",
    "facetime-audio",
    "imessage",
    "mailto",
    "mms",
    "sip",
    "sips",
    "skype",
    "sms",
    "smsto",
    "tel",
    "telegram",
    "tg",
    "viber",
    "whatsapp",
    "xmpp",
];
/// Parameters that name somebody: `whatsapp://send?phone=…`.
const PARAMETERS: [&str; 3] = ["phone", "number", "domain"];
/// The most bytes of a number or name.
const MAX_BYTES: usize = 254;
/// Fewer digits are no number of somebody.
const MIN_DIGITS: usize = 3;
/// A number without its country code has at least so many digits.
const MIN_NATIONAL_DIGITS: usize = 5;

/// The number, name or mail address to which a link leads; none for other schemes, and if the link does not say it.
#[must_use]
pub fn contact(address: &str) -> Option<String> {
    let (scheme, rest) = address.trim().split_once(':')?;
    SCHEMES.into_iter().find(|known| scheme.eq_ignore_ascii_case(known))?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let parameter = || {
        let (_, value) =
            query.split('&').filter_map(|part| part.split_once('=')).find(|(name, _)| PARAMETERS.contains(name))?;
        readable(value)
    };
    // `//send` is what to do, and not with whom.
    let is_action = path.starts_with("//") && !query.is_empty() && !path.contains(|c: char| c.is_numeric() || c == '@');
    let path = path.split([';', '&']).next().unwrap_or_default().trim_matches('/');
    parameter().or_else(|| readable(path).filter(|_| !is_action))
}

/// Whether a text says the number or name already; a number also without its country code.
#[must_use]
pub fn says_contact(text: &str, contact: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (said, number) = (digits(text), digits(contact));
    if number.len() < MIN_DIGITS || contact.contains('@') {
        return text.to_lowercase().contains(&contact.to_lowercase());
    }
    let national = said.trim_start_matches('0');
    said.contains(&number) || (national.len() >= MIN_NATIONAL_DIGITS && number.ends_with(national))
}

/// A part of an address as a person writes it; none if it holds what could be markup.
fn readable(part: &str) -> Option<String> {
    let part = percent_decode_str(part.get(..part.len().min(MAX_BYTES * 3))?).decode_utf8().ok()?;
    let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_sound = part.chars().all(|c| c.is_alphanumeric() || "+-._@,#*'=~!$ ".contains(c));
    (is_sound && part.len() <= MAX_BYTES && part.contains(char::is_alphanumeric)).then_some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_or_name_of_a_link_is_found() {
        for (address, expected) in [
            ("sms:+49123456", Some("+49123456")),
            ("SMS:+49%20123%20456", Some("+49 123 456")),
            ("sms:+49123456?body=Hi", Some("+49123456")),
            ("sms:+49123456&body=Hi", Some("+49123456")),
            ("sms:+49123456;body=Hi", Some("+49123456")),
            ("sms://+49123456?body=Hi", Some("+49123456")),
            ("smsto:81000", Some("81000")),
            ("sms:+1,+2", Some("+1,+2")),
            ("callto:+49123456", Some("+49123456")),
            ("callto://bob", Some("bob")),
            ("whatsapp://send?phone=+49123456", Some("+49123456")),
            ("whatsapp://send/?text=Hi&phone=%2B49123456", Some("+49123456")),
            ("whatsapp:+49123456", Some("+49123456")),
            ("viber://chat?number=%2B49123456", Some("+49123456")),
            ("tg://resolve?domain=acme_support", Some("acme_support")),
            ("skype:echo123?call", Some("echo123")),
            ("facetime:help@ok.example", Some("help@ok.example")),
            ("facetime-audio://+49123456", Some("+49123456")),
            ("sip:+49123456@voip.example", Some("+49123456@voip.example")),
            ("tel:*21*030%23", Some("*21*030#")),
            ("tel:+49123456;ext=12", Some("+49123456")),
            ("mailto:help@ok.example?subject=Hi", Some("help@ok.example")),
            ("sms:?body=Hi", None),
            ("whatsapp://send?text=Hi", None),
            ("skype:[x](y)", None),
            ("sms:<b>", None),
            ("tel:", None),
            ("javascript:alert", None),
            ("data:text/html,1", None),
            ("+49123456", None),
        ] {
            assert_eq!(contact(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_number_is_the_same_in_whatever_form_a_text_says_it() {
        for (text, contact, expected) in [
            ("Call +49 (30) 123-456", "+4930123456", true),
            ("030 / 123 456", "+4930123456", true),
            ("Call 0049 30 123456", "+4930123456", true),
            ("Write to HELP@ok.example", "help@ok.example", true),
            ("Text us", "+4930123456", false),
            ("Text us 24/7", "+4930123247", false),
            ("030 123 457", "+4930123456", false),
            ("Text 81000", "81000", true),
            ("Talk to Bob", "bob", true),
        ] {
            assert_eq!(says_contact(text, contact), expected, "{text} {contact}");
        }
    }
}
