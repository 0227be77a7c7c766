//! Finnish.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Finnish,
    small_talk: SmallTalkPhrases {
        greeting: "hei|moi|moikka|terve|tervehdys|moro|heippa|päivää|hyvää päivää|hyvää huomenta|huomenta|hyvää iltaa|iltaa|\
                   hei vaan|mitä kuuluu|miten menee|hi|hey|hello",
        opening: "minulla on kysymys|kysymys|voinko kysyä|tarvitsen apua|apua|auta|auttakaa|voitko auttaa|voitko auttaa \
                  minua|voitteko auttaa|oletko siellä",
        thanks: "kiitos|kiitti|kiitoksia|kiitos paljon|paljon kiitoksia|suuri kiitos|suurkiitos|kiitos avusta|kiitos \
                 tiedosta|kiitos vastauksesta|kiitos nopeasta vastauksesta|tuhannet kiitokset|kiitos kovasti|kiitän|\
                 kiitokset|thx|thanks|ty",
        farewell: "näkemiin|hei hei|heihei|moi moi|moimoi|nähdään|hyvää päivänjatkoa|hyvää jatkoa|mukavaa päivää|hyvää \
                   päivää sinullekin|hyvää viikonloppua|hyvää yötä|hyvää illanjatkoa|terveisin|ystävällisin terveisin|bye",
        okay: "okei|selvä|hyvä|hyvä juttu|hienoa|mahtavaa|loistavaa|täydellistä|kiva|ookoo|sopii|joo okei|asia selvä|\
               oikein hyvä|super|ok|okay|oke|oki",
        acknowledgement: "ymmärrän|ymmärsin|aivan|ahaa|aha|se toimii|toimii|toimii nyt|se toimi|ratkesi|selvisi|asia \
                          selvisi|siinä kaikki|ei muuta|ei muuta kysyttävää|se auttoi|auttoi|tämä auttoi|hyödyllistä|\
                          juuri tätä tarvitsin|löysin sen|löytyi|erinomaista|upeaa|hyvin tehty|hyvä vastaus|hyvää \
                          palvelua|olet paras|olette parhaita|ei haittaa|ei se mitään|ei hätää|ei ongelmaa|unohda|\
                          antaa olla|kokeilen|hetki|odota|anteeksi|pahoittelut|ole hyvä|mielenkiintoista|wow|lol|haha|\
                          hmm|omg",
        about_us: "kuka olet|kuka sinä olet|kuka siellä|kenen kanssa puhun|kenen kanssa keskustelen|mikä olet|mikä sinä \
                   olet|mikä sinun nimesi on|oletko botti|oletko robotti|oletko ihminen|oletko sinä botti|oletko sinä \
                   robotti|oletko sinä ihminen|oletko tekoäly|oletko oikea ihminen|oletko kone|oletko botti vai ihminen|\
                   oletko ihminen vai botti|oletko ihminen vai robotti|onko tämä botti|onko tämä robotti|puhunko botille|\
                   puhunko ihmiselle|puhunko robotin kanssa|mitä osaat|mitä voit tehdä|miten voit auttaa",
        anger: "perkele|vittu|saatana|paska|paskaa|hitto|helvetti|surkea|surkeaa|surkea palvelu|huono|huono palvelu|\
                tosi huono|hyödytön|olet hyödytön|täysin hyödytön|tyhmä|olet tyhmä|tyhmä botti|idiootti|naurettavaa|\
                tämä on naurettavaa|ala-arvoista|häpeällistä|en hyväksy tätä|huijausta|huijareita|olen vihainen|olen \
                pettynyt|pettynyt|ärsyttävää|ajanhukkaa|turha|turhaa|pää kiinni|vihaan botteja|wtf",
        unhelped: "ei auttanut|se ei auttanut|tämä ei auttanut|ei auta|tämä ei auta|se ei auta|ei hyötyä|ei toimi|se \
                   ei toimi|ei toiminut|ei toimi vieläkään|väärä vastaus|väärin|tuo on väärin|en kysynyt tuota|en \
                   kysynyt sitä|se ei ollut kysymykseni|et vastannut kysymykseeni|tuo ei vastaa kysymykseeni|et \
                   ymmärrä|et ymmärtänyt|en ymmärrä|en ymmärtänyt|kokeilin jo|olen jo kokeillut",
        yes: "kyllä|joo|juu|jep|kyllä kiitos|joo kiitos|kiitos kyllä|mielellään|mielelläni|totta kai|tottakai|\
              tietenkin|toki|ilman muuta|ehdottomasti|haluan|kyllä haluan|haluaisin|olisi hyvä|se olisi hyvä|se olisi \
              mukavaa|miksi ei|miksipä ei|juuri niin|jos mahdollista|tee niin|yhdistä",
        no: "ei|ei kiitos|ei nyt|ei juuri nyt|ei vielä|myöhemmin|ehkä myöhemmin|joskus toiste|ei tarvitse|ei tarvetta|\
             en tarvitse|en halua|mieluummin en|ei ole tarpeen|ei missään nimessä|pärjään|kaikki hyvin|antaa olla|\
             unohda",
        cancel: "peruuta",
        doubt: "mitä|miksi|oikeasti|ihanko totta|oletko varma|mitä tarkoitat|voitko toistaa|voitko toistaa sen",
        filler: "tosi|erittäin|oikein|paljon|nyt|vielä|myös|ja|mutta|no|oho|oi|ah|haha|hehe|niin|vain|todella|jo|sitten|\
                 kiva|lol|hmm|ok",
        addition: "avusta|avustasi|kaikesta|kaikesta avusta|tiedosta|tiedoista|vastauksesta|nopeasta vastauksesta|ajastasi|\
                   selityksestä|sinulle|teille|sinullekin|teillekin|samoin|kaikille|etukäteen|botti|paljon",
        ambiguous: "super|paska|hitto|no|hei|ah",
    },
    human: HumanRequestPhrases {
        who: "ihminen|ihmisen|ihmiselle|ihmistä|asiakaspalvelija\\w*|asiakaspalvelu|asiakaspalvelun|asiakaspalveluun|\
              asiakaspalvelusta|oikea ihminen|oikean ihmisen|virkailija\\w*|työntekijä\\w*|edustaja\\w*|agentti|\
              agentin|esimies|esimiehen|neuvoja|neuvojan",
        some: "jonkun|joku|henkilön|tuen|tukeen",
        mentions: "soita|soittakaa|soittaa|joku|jotakin|bot\\w*|robot\\w*|ketään",
        a: "oikean|oikea|oikealle|elävän|elävä|toisen|teidän",
        phrases: &[
            "(puhua|jutella|keskustella|chatata|puhuisin|puhunko) (suoraan)? <a>{0,4} (<who>|<some>) (kanssa|kaa) ",
            "(puhua|jutella|keskustella|chatata) (suoraan)? <a>{0,4} <who>",
            "<a>{0,4} (<who>|<some>) (kanssa) (puhua|jutella|keskustella|haluan|haluaisin)",
            "(yhdistä|yhdistäkää|siirrä|siirtäkää|ohjaa|ohjatkaa) (minut|minua|meidät|keskustelu|tämä){0,2} <a>{0,4} \
             (<who>|<some>)",
            "(haluan|haluaisin|tarvitsen|vaadin|pyydän|saisinko|saanko) (puhua|jutella|nyt)? <a>{0,4} <who> <end>",
            "(onko) (siellä|täällä|paikalla) (ketään|joku|kukaan|oikeaa ihmistä|oikeita ihmisiä) <end>",
            "onko (ketään|joku|kukaan) (siellä|täällä|paikalla)",
            "(voiko|voisiko|voisko) joku (auttaa|soittaa|vastata|ottaa yhteyttä)",
            "(soita|soittakaa) (minulle|meille|takaisin)",
            "(voitteko|voisitteko|voitko|voisitko) soittaa",
            "en halua (puhua|jutella|keskustella) (botin|robotin|koneen) kanssa",
        ],
        alone: "kiitos|nyt|haluan|hei|moi|heti|puhua|kanssa|oikea|ole|hyvä",
        whole: &[],
        leads_on: "kiitos|nyt|heti|koska|asiasta|joka|jotta|ja|tai|tästä|kanssa|täällä|ole",
        not: "en|ei|älä|ilman|emme",
        whether: "pitääkö minun|täytyykö minun|tarvitseeko minun|puhunko",
        not_after: "",
        links: "halua|haluaisi|tarvitse|tahdo|puhua|jutella|keskustella|kanssa|enää|nyt",
        others: "asiakkaat|käyttäjät|asiakkaani|asiakkaamme",
        not_followed: "oikeudet|resurssit|rooli",
    },
    sentences: Sentences {
        greeting: "Hei! Miten voin auttaa?",
        thanks: "Ole hyvä!",
        farewell: "Näkemiin, ja hyvää päivänjatkoa!",
        acknowledgement: "Selvä. Kirjoita minulle, kun sinulla on uusi kysymys.",
        about_us: "Olen automaattinen avustaja. Vastaan ohjeartikkeliemme perusteella, ja voit milloin tahansa pyytää \
                   ihmistä.",
        no_problem: "Ei se mitään. Miten voin auttaa?",
        praised: "Kiitos, mukava kuulla. Kirjoita minulle, kun sinulla on uusi kysymys.",
        unclear: "Pahoittelen, että tämä jäi epäselväksi. Mitä tarkalleen haluaisit tietää? Voit myös pyytää ihmistä \
                  avuksi.",
        apology: "Olen pahoillani. Haluatko keskustella ihmisen kanssa?",
        no_answer: "En löytänyt vastausta ohjeartikkeleistamme. Haluatko keskustella ihmisen kanssa?",
        handover: "Siirrän sinut tiimimme henkilölle. Hän lukee kirjoittamasi ja vastaa sinulle täällä.",
        failure: "En voi vastata juuri nyt. Välitän kysymyksesi tiimimme henkilölle.",
        away: Away {
            back: "Tiimimme on taas paikalla {day} klo {time}{zone}.",
            nobody: "Tiimistämme ei ole juuri nyt ketään paikalla.",
            later: "Tiimi lukee kirjoittamasi ja vastaa sinulle täällä.",
            today: "tänään",
            days: [
                "maanantaina",
                "tiistaina",
                "keskiviikkona",
                "torstaina",
                "perjantaina",
                "lauantaina",
                "sunnuntaina",
            ],
        },
        human_later: "En voi vielä kutsua tiimimme henkilöä uudelleen. Voit pyytää häntä taas {minutes} minuutin \
                      kuluttua.",
        notice: "Keskustelet automaattisen avustajan kanssa.",
        too_many: "Vastaan enintään kolmeen kysymykseen kerralla. Kysy tämä uudelleen: {questions}",
    },
};
