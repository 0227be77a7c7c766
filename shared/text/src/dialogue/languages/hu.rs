//! Hungarian.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Hungarian,
    small_talk: SmallTalkPhrases {
        greeting: "szia|sziasztok|helló|hello|üdv|üdvözlöm|jó napot|jó napot kívánok|jó reggelt|jó reggelt kívánok|jó estét|\
                   jó estét kívánok|szép napot|halló|szevasz|szervusz|csá|hali|hogy vagy|hogy van|mi újság|hi|hey",
        opening: "van egy kérdésem|lenne egy kérdésem|egy kérdés|kérdezhetek|kérdezhetek valamit|segítségre van szükségem|\
                  segítség|segítsen|segíts|tudna segíteni|tudsz segíteni|tudnál segíteni|itt vagy|ott vagy",
        thanks: "köszönöm|köszi|köszönöm szépen|nagyon köszönöm|köszönjük|kösz|köszike|köszi szépen|hálásan köszönöm|ezer \
                 köszönet|köszönet|köszönöm a segítséget|köszi a segítséget|köszönöm a választ|előre is köszönöm|hálás \
                 vagyok|thx|thanks|ty",
        farewell: "viszlát|viszontlátásra|viszhall|szia szia|pá|sziasztok|hello|további szép napot|szép napot kívánok|jó \
                   éjszakát|jó éjt|jó hétvégét|szép hétvégét|szép estét|minden jót|üdvözlettel|tisztelettel|szép napot|bye",
        okay: "oké|rendben|jó|jól van|remek|szuper|nagyszerű|tökéletes|király|értem|értettem|megfelel|megértettem|\
               klassz|szép|nagyon jó|ok|okay|oke|oki",
        acknowledgement: "világos|így már értem|aha|működik|most már működik|megoldva|megoldódott|sikerült|ennyi volt|\
                          ez minden|csak ennyi|nincs több kérdésem|segített|ez segített|sokat segített|hasznos|nagyon \
                          hasznos|pont ezt kerestem|megtaláltam|megvan|fantasztikus|csodálatos|kiváló|ügyes|szép \
                          munka|jó válasz|jó kiszolgálás|te vagy a legjobb|ti vagytok a legjobbak|nem probléma|semmi \
                          gond|nem gond|mindegy|hagyjuk|felejtsd el|kipróbálom|megpróbálom|egy pillanat|várjon|várj|\
                          bocsánat|bocsi|elnézést|szívesen|érdekes|jó tudni|wow|lol|haha|hmm|omg",
        about_us: "ki vagy|ki vagy te|ki ez|kivel beszélek|kivel beszélgetek|mi vagy|mi vagy te|hogy hívnak|mi a neved|\
                   robot vagy|te robot vagy|bot vagy|te bot vagy|ember vagy|te ember vagy|gép vagy|mesterséges \
                   intelligencia vagy|valódi ember vagy|igazi ember vagy|ember vagy vagy robot|robot vagy vagy ember|ez egy \
                   robot|ez egy bot|robottal beszélek|géppel beszélek|emberrel beszélek|egy robottal beszélek|egy emberrel \
                   beszélek|mit tudsz|mit tudsz csinálni|miben tudsz segíteni|hogyan tudsz segíteni",
        anger: "a francba|francba|bassza meg|basszus|szar|ez szar|kurva|hülye|hülye bot|hülye vagy|idióta|haszontalan|\
                teljesen haszontalan|használhatatlan|ez használhatatlan|rossz|nagyon rossz|rossz szolgáltatás|\
                borzalmas|szörnyű|szégyen|ez szégyen|felháborító|ez felháborító|nevetséges|ez nevetséges|\
                elfogadhatatlan|katasztrófa|átverés|csalók|dühös vagyok|csalódott vagyok|csalódás|idegesítő|\
                időpazarlás|fogd be|utálom a botokat|soha többet|wtf",
        unhelped: "nem segített|ez nem segített|nem segít|ez nem segít|nem hasznos|nem működik|ez nem működik|nem \
                   működött|még mindig nem működik|rossz válasz|ez rossz válasz|ez nem igaz|nem ezt kérdeztem|nem \
                   erre gondoltam|nem ez volt a kérdésem|ez nem válasz a kérdésemre|nem válaszolt a kérdésemre|nem \
                   válaszoltál a kérdésemre|nem érted|nem érti|nem értem|ezt nem értem|ezt már próbáltam|már próbáltam",
        yes: "igen|ja|igen kérem|kérem|kérek|igen szeretném|szeretném|szívesen|persze|természetesen|hogyne|naná|\
              rendben igen|az jó lenne|jó lenne|nagyszerű lenne|miért ne|igen az jó lenne|pontosan|feltétlenül|\
              mindenképpen|legyen|csináld|ha lehet|légyszi|légy szíves",
        no: "nem|nem köszönöm|köszönöm nem|nem köszi|most nem|még nem|később|talán később|majd máskor|nem szükséges|\
             nincs rá szükség|nincs szükségem rá|nem kell|nem kérek|nem kérem|nem akarom|inkább nem|semmiképp|minden \
             rendben|jól vagyok|hagyjuk|mégse|mégsem|mégis nem",
        cancel: "",
        doubt: "mi|miért|tényleg|komolyan|biztos|biztos vagy benne|hogy érted|megismételnéd",
        filler: "nagyon|igazán|most|még|is|és|de|na|hát|ó|oh|ah|haha|hehe|szépen|már|akkor|csak|újra|szóval|kösz|tényleg|\
                 jó|szuper|lol|hmm|ok",
        addition: "a segítséget|a gyors segítséget|a választ|a gyors választ|az információt|az infót|az idejét|mindent|a \
                   türelmét|a magyarázatot|neked|önnek|nektek|önöknek|neked is|önnek is|viszont|mindenkinek|előre is|bot|\
                   uram|hölgyem",
        ambiguous: "szar|pá|hello|ja|jó|aha",
    },
    human: HumanRequestPhrases {
        who: "ember|emberrel|embert|embernek|emberi|munkatárs\\w*|ügyintéző\\w*|ügyfélszolgálat\\w*|operátor\\w*|\
              kezelő\\w*|tanácsadó\\w*|képviselő\\w*|élő ember|élő emberrel|vezetővel|főnökkel|kollégával",
        some: "valakivel|valakit|valaki|személlyel",
        mentions: "hívjon\\w*|hívjanak|hívj|visszahív\\w*|bottal|robottal|géppel|felhívni",
        a: "egy|egy valódi|valódi|igazi|élő|hús vér|az|a|másik",
        phrases: &[
            "<a>{0,4} (<who>|<some>) <other>{0,2} (beszélni|beszélnék|beszéljek|beszélhetek|beszélhetnék|chatelni|\
             csevegni|szeretnék|akarok)",
            "(beszélni|beszélnék|beszélhetek|beszélhetnék|chatelni) <other>{0,2} <a>{0,4} (<who>|<some>)",
            "(kapcsoljon|kapcsolj|kapcsolja|kapcsoljanak|adjon|adj|irányítson) (kérem|át|be|össze|nekem|engem){0,3} \
             <a>{0,4} <who>",
            "(kérek|szeretnék|akarok|kérnék|kell|kellene) <a>{0,4} <who> <end>",
            "van (ott|itt) (valaki|ember|élő ember|valódi ember) <end>",
            "van valaki (ott|itt|a vonalban|elérhető)",
            "(tud|tudna|segítene|segít) (nekem|kérem)? valaki (nekem|kérem)? (segíteni|hívni|válaszolni|felhívni)?",
            "valaki (tud|tudna|segítsen|segítene|hívjon) (nekem|kérem|vissza)? (segíteni|felhívni)?",
            "(hívjon|hívjanak|hívj) (kérem|engem)? (vissza|fel)",
            "(visszahívást|vissza tudnak hívni|vissza tudna hívni|fel tudna hívni|fel tudnak hívni)",
            "nem (akarok|szeretnék) (egy)? (bottal|robottal|géppel) (beszélni|beszélgetni)",
        ],
        alone: "kérek|kérem|most|szia|szeretnék|egy|azonnal|akarok|köszönöm|beszélni",
        whole: &[],
        leads_on: "kérem|most|azonnal|aki|mert|hogy|és|vagy|itt|ott|köszönöm|segítségét|szeretnék",
        not: "nem|ne|nincs|sem|anélkül hogy",
        whether: "kell e|szükséges e|muszáj",
        not_after: "nem|nélkül",
        links: "akarok|szeretnék|kell|kérek|szükségem|van|beszélni|egy|kívánok|hogy",
        others: "ügyfelek|felhasználók|ügyfeleim|vásárlók",
        not_followed: "jogok|források|fiók|szerep",
    },
    sentences: Sentences {
        greeting: "Üdvözlöm! Miben segíthetek?",
        thanks: "Szívesen!",
        farewell: "Viszontlátásra, szép napot kívánok!",
        acknowledgement: "Rendben. Írjon nekem, ha újabb kérdése van.",
        about_us: "Automatikus asszisztens vagyok. A súgócikkeink alapján válaszolok, és bármikor kérhet emberi munkatársat.",
        no_problem: "Semmi gond. Miben segíthetek?",
        praised: "Köszönöm, örömmel hallom. Írjon nekem, ha újabb kérdése van.",
        unclear: "Sajnálom, hogy ez nem volt világos. Pontosan mit szeretne tudni? Kérheti azt is, hogy egy emberrel \
                  beszélhessen.",
        apology: "Sajnálom. Szeretne egy munkatársunkkal beszélni?",
        no_answer: "Erre nem találtam választ a súgócikkeinkben. Szeretne egy munkatársunkkal beszélni?",
        handover: "Átadom a beszélgetést egy munkatársunknak. Elolvassa, amit írt, és itt válaszol Önnek.",
        failure: "Most nem tudok válaszolni. Továbbítom a kérdését egy munkatársunknak.",
        away: Away {
            back: "Csapatunk {day} {time} órától{zone} újra elérhető.",
            nobody: "Jelenleg senki sincs itt a csapatunkból.",
            later: "A csapat elolvassa, amit írt, és itt válaszol Önnek.",
            today: "ma",
            days: ["hétfőn", "kedden", "szerdán", "csütörtökön", "pénteken", "szombaton", "vasárnap"],
        },
        human_later: "Most még nem tudok újra munkatársat hívni. {minutes} perc múlva ismét kérheti.",
        notice: "Ön egy automatikus asszisztenssel beszélget.",
        too_many: "Egyszerre legfeljebb három kérdésre válaszolok. Kérem, tegye fel újra: {questions}",
    },
};
