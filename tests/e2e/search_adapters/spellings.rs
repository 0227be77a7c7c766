//! Terms that an index finds besides the words of a question: parts of compounds and codes, in their other spellings.

use answer::search::{EntryQuery, IndexedEntry, VisibilityFilter};
use domain::models::Language;
use text::Analyzer;

use super::corpus::entry;
use super::{Adapter, listed, listing, new_scope, paths};

pub(super) async fn parts_and_other_spellings_are_found_with_the_same_counts(on: &Adapter) {
    let german = Analyzer::new(Language::German);
    let entries = [
        ("de/frist", "Rückgabefrist", "Die Rückgabefrist beträgt 30 Tage."),
        ("de/versand", "Versandkostenpauschale", "Die Versandkostenpauschale beträgt 4,90 €."),
        ("de/kuendigung", "Fristlose Kündigung", "Eine fristlose Kündigung ist kostenlos."),
        ("de/telefon", "Telefon", "Sie erreichen uns unter 05145-8841815. Nennen Sie PPR9087."),
        ("ja/mizu", "飲用水", "飲用水を交換します。"),
    ]
    .map(|(path, title, content)| IndexedEntry::new(&german, &entry(path, title, content)));
    let (embedded, scope) = (Adapter::embedded(), new_scope());
    on.put_all(&scope, &entries).await;
    embedded.put_all(&scope, &entries).await;
    for (question, path) in [
        ("Welche Frist gilt für die Rückgabe?", "de/frist"),
        ("Versandkosten?", "de/versand"),
        ("051458841815", "de/telefon"),
        ("PPR 9087", "de/telefon"),
        ("9087", "de/telefon"),
        ("水", "ja/mizu"),
    ] {
        let terms = german.query(question);
        let asked = terms.distinct.len();
        let terms = terms.with_spellings(&german.spellings(question), asked);
        let found = on.retrieve(&scope, &terms, None, VisibilityFilter::All).await;
        let expected = embedded.retrieve(&scope, &terms, None, VisibilityFilter::All).await;
        assert_eq!(paths(&found), [path], "{question}");
        assert_eq!((found.stats, found.candidates), (expected.stats, expected.candidates), "{question}");
        let hits = on.list(&scope, &EntryQuery { terms, ..listing(question) }).await;
        assert_eq!(listed(&hits), [path], "{question}");
    }
}
