//! Images of a page that belong to its text, as Markdown with an absolute address.
//!
//! Left out are addresses that may not be shown ([`text::images::is_safe`]: `http:` is not taken for `https:`, because no
//! reader checked that the other one exists), addresses that expire, and decoration: what is small, what its page calls
//! an icon or describes as nothing, pictures of people next to their names, and emoji.

use text::images;
use url::Url;

use super::class_names::{any, words};
use super::content_filter::ContentFilter;
use super::tree::{Attr, Id, Tag};

/// Below this an image is an icon or a rule, in CSS pixels of its shorter side.
const MIN_PX: u32 = 33;
/// An image that its page says is decoration may be shown from this size on: editors describe none.
const PICTURE_PX: u32 = 100;
/// The longest address, in bytes.
const MAX_BYTES: usize = 1_000;
/// Names of decoration: of its class, the one around it, or its file.
const DECORATION: &[&str] = words![avatar avatars badge beacon blank bullet emoji emoticon favicon flag gravatar icon
    icons logo pixel smiley spacer sprite tracking transparent];
/// Parameters of addresses that are true for an hour.
const EXPIRING: &[&str] = &["X-Amz-Expires=", "X-Goog-Expires=", "x-amz-expires="];

/// The image of an `img`, if readers are shown it.
pub(super) fn markdown(kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) -> Option<String> {
    let tree = kept.tree;
    let attr = |name| tree.attr(id, name);
    let alt = attr(Attr::Alt);
    if tree.is_hidden(id) || matches!(attr(Attr::Role), Some("presentation" | "none")) {
        return None;
    }
    let (width, height) = (pixels(attr(Attr::Width)), pixels(attr(Attr::Height)));
    if [width, height].into_iter().flatten().any(|side| side < MIN_PX) {
        return None;
    }
    let in_figure = || tree.ancestors(id).any(|above| tree.tag(above) == Some(Tag::Figure));
    let is_large = [width, height].into_iter().all(|side| side.is_some_and(|side| side >= PICTURE_PX));
    let describes_nothing = alt.is_some_and(|alt| alt.trim().is_empty()) && !is_large && !in_figure();
    // A description of signs alone is an emoji.
    let is_emoji = alt.is_some_and(|alt| !alt.trim().is_empty() && !alt.contains(char::is_alphanumeric));
    let around = tree.parent(id);
    let classes = std::iter::once(id).chain(around).filter_map(|at| tree.attr(at, Attr::Class));
    if describes_nothing || is_emoji || classes.into_iter().any(|class| any(&words(class), DECORATION)) {
        return None;
    }
    let sources = around.filter(|above| tree.tag(*above) == Some(Tag::Picture));
    let sources = sources.into_iter().flat_map(|picture| tree.children(picture));
    let sources = sources.filter(|source| tree.tag(*source) == Some(Tag::Source));
    let own = [Attr::DataSrc, Attr::DataOriginal, Attr::DataLazySrc, Attr::Src].into_iter().filter_map(attr);
    let sets = [attr(Attr::DataSrcset), attr(Attr::Srcset)].into_iter().flatten();
    let sets = sets.chain(sources.flat_map(|source| {
        [tree.attr(source, Attr::DataSrcset), tree.attr(source, Attr::Srcset)].into_iter().flatten()
    }));
    let address = own.chain(sets.filter_map(last_of_set)).find_map(|src| absolute(base, src))?;
    let longest = attr(Attr::Src).unwrap_or_default().len();
    let image = images::write(alt.unwrap_or_default(), &address);
    kept.within_budget(image.len().saturating_sub(longest)).then_some(image)
}

/// The address, if it may be shown.
fn absolute(base: Option<&Url>, src: &str) -> Option<String> {
    let src = src.trim();
    if src.is_empty() || src.len() > 4 * MAX_BYTES {
        return None;
    }
    let mut url = Url::options().base_url(base).parse(src).ok()?;
    url.set_fragment(None);
    let file = url.path().rsplit('/').next().unwrap_or_default();
    let is_decoration = any(&words(file), DECORATION);
    let address = url.as_str().replace('\'', "%27").replace('`', "%60");
    let expires = EXPIRING.iter().any(|parameter| address.contains(parameter));
    (!is_decoration && !expires && address.len() <= MAX_BYTES && images::is_safe(&address)).then_some(address)
}

/// The last address of a set, which is the largest as sets are written; none if it has commas.
fn last_of_set(set: &str) -> Option<&str> {
    set.rsplit(", ").next()?.split_whitespace().next()
}

/// A side in CSS pixels; none if it is relative.
fn pixels(side: Option<&str>) -> Option<u32> {
    let side = side?.trim();
    side.strip_suffix("px").unwrap_or(side).trim().split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Page, ReadError, drafts};
    use super::*;

    fn read(text: &str, kind: Kind) -> Vec<(String, String)> {
        let url = Url::parse("https://help.example.com/articles/page").unwrap();
        let page = Page { text, kind: Some(kind), url: Some(&url), name: "Page" };
        drafts(&page).unwrap().into_iter().map(|draft| (draft.title, draft.content)).collect()
    }

    fn html(text: &str) -> String {
        read(&format!("<p>Press the red button twice.</p>{text}"), Kind::Html).pop().unwrap().1
    }

    #[test]
    fn an_image_of_the_text_is_kept_with_its_absolute_address_and_description() {
        for (text, expected) in [
            ("<p><img src=a.png alt='The button'></p>", "![The button](https://help.example.com/articles/a.png)"),
            ("<img src='//cdn.example/a.png'>", "![](https://cdn.example/a.png)"),
            (
                "<img src='https://x.example/a (1).svg?b=c#d' alt='A [b]'>",
                "![A \\[b\\]](https://x.example/a%20%281%29.svg?b=c)",
            ),
            ("<a href=/big.png><img src=/a.png alt=b></a>", "![b](https://help.example.com/a.png)"),
            ("<div><span><img src=/a.png alt=b></span></div>", "![b](https://help.example.com/a.png)"),
            ("<img src='data:image/gif;base64,R0' data-src=/a.png alt=b>", "![b](https://help.example.com/a.png)"),
            ("<img src=/placeholder.gif data-original=/a.png alt=b>", "![b](https://help.example.com/a.png)"),
            ("<img data-lazy-src=/a.png alt=b>", "![b](https://help.example.com/a.png)"),
            ("<img alt=b srcset='/a-320.png 320w, /a-640.png 640w'>", "![b](https://help.example.com/a-640.png)"),
            (
                "<picture><source srcset='/a.webp'><img alt=b src='data:image/gif;base64,R0'></picture>",
                "![b](https://help.example.com/a.webp)",
            ),
            (
                "<picture><source srcset='/a.webp'><img alt=b src=/a.png></picture>",
                "![b](https://help.example.com/a.png)",
            ),
            (
                "<figure><img src=/a.png alt=''><figcaption>The button.</figcaption></figure>",
                "![](https://help.example.com/a.png)\n\nThe button.",
            ),
            ("<img src=/a.png alt='' width=640 height=480>", "![](https://help.example.com/a.png)"),
        ] {
            assert_eq!(html(text), format!("Press the red button twice.\n\n{expected}"), "{text}");
        }
    }

    #[test]
    fn decoration_and_what_may_not_be_shown_is_left_out() {
        for text in [
            "<img src=http://x.example/a.png alt=b>",
            "<img src='data:image/png;base64,AAAA' alt=b>",
            "<img src='javascript:alert(1)' alt=b>",
            "<img src='blob:https://x.example/1' alt=b>",
            "<img src='https://me:secret@x.example/a.png' alt=b>",
            "<img src='https://x.example/a.png?X-Amz-Expires=3600' alt=b>",
            "<img src=/t.gif width=1 height=1>",
            "<img src=/t.gif width=1px height=1px alt=b>",
            "<img src=/line.gif width=640 height=2 alt=b>",
            "<img src=/i.png width=24 height=24 alt=Settings>",
            "<img src=/spacer.gif>",
            "<img src=/a.png alt=''>",
            "<img src=/a.png alt='🙂'>",
            "<img src=/a.png alt=smile class='emoji'>",
            "<img src=/a.png alt=Anna class=userAvatar>",
            "<span class='author-avatar'><img src=/a.png alt=Anna></span>",
            "<img src=/img/logo-small.png alt=Us>",
            "<img src=/a.png alt=b role=presentation>",
            "<img src=/a.png alt=b aria-hidden=true>",
            "<img src=/a.png alt=b hidden>",
            "<img src='' alt=b><img alt=b>",
            &format!("<img src='/{}.png' alt=b>", "a".repeat(2_000)),
        ] {
            assert_eq!(html(text), "Press the red button twice.", "{text}");
        }
    }

    #[test]
    fn an_image_stays_under_its_step_and_changes_no_word() {
        let steps = "<ol><li>Loosen the screw.<br><img src=/1.png alt=Screw></li><li><p>Take the lid off.</p><p><img \
                     src=/2.png alt=Lid></p></li><li>Wait <img src=/3.png alt=Clock> a minute.</li></ol>";
        assert_eq!(
            html(steps),
            "Press the red button twice.\n\n1. Loosen the screw.\n   ![Screw](https://help.example.com/1.png)\n2. Take \
             the lid off.\n   ![Lid](https://help.example.com/2.png)\n3. Wait a minute.\n   \
             ![Clock](https://help.example.com/3.png)"
        );
        assert_eq!(images::without(&html(steps)), html(&steps.replace("<img", "<wbr")));
        let text = "First.<br><img src=/1.png alt=A><br>Second.<br><img src=/2.png alt=B>";
        assert_eq!(
            html(text),
            "Press the red button twice.\n\nFirst.\n\n![A](https://help.example.com/1.png)\n\nSecond.\n\n\
             ![B](https://help.example.com/2.png)"
        );
    }

    #[test]
    fn images_make_no_section_and_no_page() {
        let page = "<h1>Lamp</h1><p>It shines.</p><h2>Pictures</h2><img src=/1.png alt=Lamp><h2>Care</h2><img src=/2.png \
                    alt=Cloth><p>Wipe it.</p>";
        let all = read(page, Kind::Html);
        let without = read(&page.replace("<img", "<wbr"), Kind::Html);
        let words = |all: &[(String, String)]| -> Vec<(String, String)> {
            all.iter().map(|(title, content)| (title.clone(), images::without(content).into_owned())).collect()
        };
        assert_eq!(words(&all), without);
        assert!(
            all.iter().any(|(_, content)| content == "![Cloth](https://help.example.com/2.png)\n\nWipe it."),
            "{all:?}"
        );
        let alone = "<img src=https://x.example/1.png alt='A lamp that stands on a table'>";
        assert_eq!(
            drafts(&Page { text: alone, kind: Some(Kind::Html), url: None, name: "Page" }),
            Err(ReadError::Empty)
        );
    }

    #[test]
    fn an_icon_in_a_table_is_still_what_it_says() {
        let table = "<table><tr><th>Plan<th>Chat<th>Phone<tr><td>Basic<td><img src=/tick.png alt=Yes><td>No</table>";
        assert_eq!(
            html(table),
            "Press the red button twice.\n\n| Plan | Chat | Phone |\n| --- | --- | --- |\n| Basic | Yes | No |"
        );
    }

    #[test]
    fn images_of_markdown_are_kept_in_the_same_way() {
        let text = "# Lamp\n\nPress it.\n\n![The button](../a.png \"Here\")\n\n1. Wait.\n   ![Clock](https://x.example/b.png)\n\
                    2. Go. ![c](http://x.example/c.png)\n\n<img src=\"/d.png\" alt=\"D\" width=\"400\"/>\n";
        assert_eq!(
            read(text, Kind::Markdown).pop().unwrap().1,
            "Press it.\n\n![The button](https://help.example.com/a.png)\n\n1. Wait.\n   \
             ![Clock](https://x.example/b.png)\n2. Go.\n\n![D](https://help.example.com/d.png)"
        );
    }
}
