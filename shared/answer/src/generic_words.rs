//! Words that name no topic, besides numbers: quantity, time, place, pronouns, and verbs of any sentence.
//!
//! If the wiki lacks such a word, the question may still be about the wiki: "is there a minimum?" asks about the
//! previous topic, while "do you have parking?" asks about parking. Stop words are removed before and need not be
//! listed.

use std::collections::HashSet;

use domain::models::Language;
use text::{Analyzer, ByLanguage};

/// The terms of the generic words of a language.
pub(super) fn generic_terms(language: Language) -> &'static HashSet<String> {
    static TERMS: ByLanguage<HashSet<String>> = ByLanguage::new();
    TERMS.get(language, || Analyzer::new(language).terms(words(language)).into_iter().collect())
}

const fn words(language: Language) -> &'static str {
    match language {
        Language::Arabic => {
            "كم كثير قليل أكثر أقل أقصى أدنى حد الحد حدود كل بعد قبل أيضا مرة أخرى آخر غير شيء مدة وقت متى دائما هناك لدي \
             عندي يعمل تعمل يحدث يعني فقط كذلك بدلا"
        }
        Language::Danish => {
            "mange længe tit ofte maksimum maks minimum grænse flere færre mindst højst begge enten heller også igen ellers \
             stedet stadig først sidst ting virker virkede sker betyder mener helt rigtig sikker måske altid aldrig"
        }
        Language::Dutch => {
            "hoeveel lang vaak maximum maximaal minimum minimaal limiet meer minder meest minst beide evenmin ook weer anders \
             plaats nog eerst laatst ding dingen werkt werkte gebeurt betekent bedoel precies zeker echt misschien altijd nooit \
             mijne"
        }
        Language::English => {
            "about after again all also always any anybody anyone anything back because before besides cannot can't couldn't didn't \
             doesn't don't each either else even ever every everybody everyone everything exactly far few first going gone happen happened \
             happens hasn't haven't instead isn't last late least less limit little long lot many max maximum mean means min \
             mine minimum more most much neither never next nobody nothing often ok okay one ones other others otherwise \
             really somebody someone something soon still stuff sure thing things though together twice usually wasn't weren't whether \
             without won't work worked working works wouldn't yet yours"
        }
        Language::Finnish => {
            "paljon paljonko monta montako kauan usein enintään vähintään maksimi minimi raja enemmän vähemmän myös taas \
             uudelleen muuten sijaan vielä ensin viimeksi asia toimi toimii tapahtuu tarkoittaa ihan varma ehkä aina koskaan"
        }
        Language::French => {
            "combien longtemps souvent maximum minimum limite plus moins aussi encore sinon autre autres autrement plutôt \
             toujours jamais premier dernier chose choses marche fonctionne passe arrive signifie vraiment sûr exactement \
             mien mienne quelqu'un rien tout tous"
        }
        Language::German => {
            "viele vielen wieviel lang lange oft maximum maximal minimum minimal mindestens höchstens grenze limit mehr weniger \
             beide auch nochmal wieder sonst stattdessen ansonsten zuerst zuletzt ding dinge geht ging funktioniert passiert \
             bedeutet meint genau sicher wirklich vielleicht immer nie jemand etwas irgendwas meins"
        }
        Language::Greek => {
            "πόσο πόσα πόσοι συχνά μέγιστο ελάχιστο όριο περισσότερο λιγότερο επίσης πάλι ξανά αλλιώς αντί ακόμα πρώτα \
             τελευταία πράγμα δουλεύει λειτουργεί συμβαίνει σημαίνει ακριβώς σίγουρα πάντα ποτέ άλλο άλλα όλα"
        }
        Language::Hungarian => {
            "mennyi hány sokáig gyakran maximum maximális minimum minimális határ korlát több kevesebb legalább legfeljebb szintén \
             megint újra egyébként helyett még először utoljára dolog működik történik jelent pontosan biztos mindig soha \
             enyém másik"
        }
        Language::Italian => {
            "quanto quanta quanti quante spesso massimo minimo limite meno anche ancora altrimenti invece altro altri \
             altra altre sempre mai primo ultimo cosa cose funziona succede significa davvero sicuro esattamente niente"
        }
        Language::Norwegian => {
            "mange lenge ofte maksimum maks minimum grense flere færre minst høyst begge enten heller også igjen ellers stedet \
             fortsatt først sist ting virker virket skjer betyr mener helt riktig sikker kanskje alltid aldri"
        }
        Language::Portuguese => {
            "quanto quanta quantos quantas frequência máximo mínimo limite menos também ainda senão outro outra outros outras \
             vez sempre nunca primeiro último coisa coisas funciona acontece significa mesmo certo exatamente nada tudo"
        }
        Language::Romanian => {
            "cât câtă câți câte des maxim maximum minim minim limită mult mulți multe mai puțin iar altfel schimb încă întâi \
             ultima lucru lucruri merge funcționează întâmplă înseamnă exact sigur mereu niciodată altul alta"
        }
        Language::Russian => {
            "сколько долго часто максимум максимально минимум минимально предел лимит больше меньше тоже также снова опять иначе \
             вместо ещё сначала последний вещь работает происходит значит точно уверен всегда никогда мой другой другие"
        }
        Language::Spanish => {
            "cuánto cuánta cuántos cuántas frecuencia máximo mínimo límite menos también todavía aún sino otra vez siempre \
             nunca primero último cosa cosas funciona pasa sucede significa realmente seguro exactamente mío nada"
        }
        Language::Swedish => {
            "många länge ofta maximum max minimum gräns mer fler färre minst högst båda antingen heller också igen annars \
             stället fortfarande först sist sak saker fungerar händer betyder menar helt säker kanske alltid aldrig"
        }
        Language::Tamil => {
            "எவ்வளவு எத்தனை அதிகபட்சம் குறைந்தபட்சம் வரம்பு அதிகம் குறைவு மீண்டும் வேறு மற்றவை இன்னும் எப்போதும் முதலில் \
             கடைசியாக விஷயம் அர்த்தம்"
        }
        Language::Turkish => {
            "kaç uzun süre sık maksimum azami minimum asgari sınır limit fazla az tekrar yine yoksa yerine hala önce son \
             çalışıyor oluyor demek tam emin gerçekten her zaman asla benimki başka diğer"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_generic_words_of_its_own() {
        for language in Language::ALL {
            assert!(generic_terms(*language).len() >= 12, "{language}");
        }
        let english = generic_terms(Language::English);
        let terms = |text: &str| Analyzer::new(Language::English).terms(text);
        for text in ["how much?", "is there a minimum", "and if it still won't work?", "and mine isn't?"] {
            assert!(terms(text).iter().all(|term| english.contains(term)), "{text}: {:?}", terms(text));
        }
        for text in ["do you have parking?", "where does the zebra sleep?", "do you sell kubernetes operators?"] {
            assert!(!terms(text).iter().any(|term| english.contains(term)), "{text}: {:?}", terms(text));
        }
    }
}
