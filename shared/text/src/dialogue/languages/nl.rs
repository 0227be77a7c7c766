//! Dutch.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Dutch,
    small_talk: SmallTalkPhrases {
        greeting: "hoi|hallo|hey|hai|hé|goedemorgen|goedemiddag|goedenavond|goeiemorgen|goedendag|dag|beste|hoi allemaal|\
                   hallo daar|hoe gaat het|hoe gaat het met je|hoe gaat het met u|hoe is het|alles goed|alles goed met je|\
                   hi|hello",
        opening: "ik heb een vraag|ik heb een vraagje|vraagje|een vraag|een vraagje|mag ik iets vragen|kan ik iets vragen|\
                  ik heb hulp nodig|hulp nodig|hulp|help|help me|kun je me helpen|kunt u me helpen|kunt u mij helpen|kan \
                  je me helpen|ben je daar|bent u daar",
        thanks: "dank je|dankje|dankjewel|dank je wel|dank u|dank u wel|dankuwel|bedankt|hartelijk bedankt|hartelijk dank|\
                 heel erg bedankt|super bedankt|heel hartelijk dank|veel dank|dank|bedank|thx|thnx|merci|alvast bedankt|\
                 alvast dank|ik wilde alleen bedanken|thanks|ty",
        farewell: "doei|doeg|doei doei|dag hoor|tot ziens|tot later|tot straks|tot morgen|tot de volgende keer|tot snel|\
                   fijne dag|fijne dag nog|een fijne dag|prettige dag|fijne avond|fijne avond nog|prettige avond|fijn \
                   weekend|prettig weekend|goede nacht|welterusten|slaap lekker|groetjes|groeten|met vriendelijke groet|mvg|\
                   de mazzel|houdoe|bye",
        okay: "oké|okee|prima|goed|heel goed|mooi|top|perfect|super|fijn|geweldig|leuk|cool|tof|klopt|akkoord|in orde|\
               helemaal goed|is goed|komt goed|duidelijk|lekker|ok|okay|oke|oki",
        acknowledgement: "begrepen|ik begrijp het|ik snap het|snap ik|snap het|aha|oh zo|helder|het werkt|werkt|dat \
                          werkt|het werkt nu|gelukt|het is gelukt|opgelost|probleem opgelost|dat was alles|dat is \
                          alles|dat was het|verder niets|geen vragen meer|niets meer|dat helpt|dat heeft geholpen|\
                          heeft geholpen|heel handig|handig|nuttig|precies wat ik zocht|precies wat ik nodig had|\
                          gevonden|ik heb het gevonden|fantastisch|uitstekend|schitterend|goed gedaan|goed bezig|goed \
                          antwoord|goede service|goede bot|je bent geweldig|je bent de beste|jullie zijn geweldig|\
                          jullie zijn de beste|geen probleem|maakt niet uit|laat maar|laat maar zitten|geeft niet|\
                          niet erg|ik ga het proberen|ik probeer het|ik zal het proberen|even kijken|momentje|moment|\
                          wacht|wacht even|sorry|excuses|pardon|graag gedaan|interessant|goed om te weten|wow|lol|\
                          haha|hmm|omg|dat werkte|het is opgelost|dat heeft het opgelost|ik heb het zelf opgelost|\
                          mijn probleem is opgelost",
        about_us: "wie ben je|wie ben jij|wie bent u|wie is dit|met wie spreek ik|met wie praat ik|met wie chat ik|wat ben \
                   je|wat ben jij|hoe heet je|hoe heet jij|hoe heet u|wat is je naam|ben je een bot|ben je een robot|ben \
                   jij een bot|ben jij een robot|ben je een mens|ben jij een mens|ben je een ai|ben je een computer|ben je \
                   echt|ben je een echt mens|ben je een echt persoon|ben je een echte persoon|ben je een mens of een bot|\
                   ben je een bot of een mens|ben je een robot of een mens|bent u een bot|bent u een robot|bent u een mens|\
                   is dit een bot|is dit een robot|is dit een mens|praat ik met een bot|praat ik met een robot|praat ik met \
                   een mens|spreek ik met een mens|spreek ik met een robot|spreek ik met een bot|wat kun je|wat kan je|wat \
                   kun je doen|hoe kun je me helpen|waarmee kun je me helpen|wie heeft je gemaakt|spreek je nederlands",
        anger: "kut|klote|shit|verdomme|godverdomme|stom|stomme bot|domme bot|je bent dom|je bent stom|waardeloos|je \
                bent waardeloos|dit is waardeloos|nutteloos|dit is nutteloos|idioot|idioten|sukkel|slecht|heel slecht|\
                slechte service|wat een slechte service|verschrikkelijk|vreselijk|belachelijk|dit is belachelijk|\
                schandalig|schande|een schande|dit slaat nergens op|slaat nergens op|onzin|wat een onzin|oplichters|\
                oplichting|ik ben boos|ik ben teleurgesteld|teleurstellend|frustrerend|irritant|je bent irritant|\
                tijdverspilling|wat een tijdverspilling|rot op|hou je mond|ik haat bots|nooit meer|wat een \
                aanfluiting|wtf",
        unhelped: "dat helpt niet|helpt niet|dat helpt me niet|dit helpt niet|dit helpt me niet|dat hielp niet|heeft \
                   niet geholpen|dat heeft niet geholpen|niet nuttig|niet handig|het werkt niet|werkt niet|dat werkt \
                   niet|het werkte niet|werkt nog steeds niet|het werkt nog steeds niet|fout antwoord|verkeerd \
                   antwoord|dat klopt niet|klopt niet|dat is fout|dat vroeg ik niet|dat heb ik niet gevraagd|dat is \
                   niet wat ik vroeg|dat is niet mijn vraag|dat was niet mijn vraag|dat bedoel ik niet|dat bedoelde \
                   ik niet|dat is geen antwoord op mijn vraag|je begrijpt me niet|je begrijpt het niet|je snapt het \
                   niet|ik begrijp het niet|ik snap het niet|heb ik al geprobeerd|dat heb ik al geprobeerd|niet echt|\
                   dat heeft mij niet geholpen|dat heeft me niet geholpen|dat hielp me niet",
        yes: "ja|jaa|ja graag|graag|ja alsjeblieft|ja alstublieft|alsjeblieft|alstublieft|aub|ajb|ja hoor|jazeker|\
              zeker|zeker weten|natuurlijk|tuurlijk|doe maar|doe dat maar|ja doe maar|jep|jup|yep|ja dat wil ik|dat \
              wil ik|dat zou fijn zijn|zou fijn zijn|dat zou mooi zijn|dat zou geweldig zijn|dat zou ik graag willen|\
              waarom niet|precies|inderdaad|juist|als dat kan|indien mogelijk|ga je gang|absoluut",
        no: "nee|neen|nee bedankt|nee dank je|nee dankje|nee dank u|nee hoor|nu niet|niet nu|nog niet|later|misschien \
             later|een andere keer|niet nodig|hoeft niet|hoeft niet hoor|is niet nodig|dat hoeft niet|liever niet|\
             absoluut niet|het is goed zo|is goed zo|laat maar|laat maar zitten|ik red me wel|ik zoek het zelf wel|\
             geen behoefte|stop",
        cancel: "annuleren",
        doubt: "wat|waarom|echt|echt waar|serieus|weet je het zeker|weet u het zeker|weet je dat zeker|wat bedoel je|\
                wat bedoelt u|kun je dat herhalen|kunt u dat herhalen",
        filler: "heel|erg|veel|zeer|echt|nog|ook|dan|nu|maar|en|ja|oh|ah|nou|haha|lol|even|toch|weer|gewoon|alvast|zo|\
                 hoor|super|goed|wel|alleen|aub|ajb|hmm|ok",
        addition: "voor je hulp|voor uw hulp|voor de hulp|voor jullie hulp|voor het helpen|voor de info|voor de informatie|\
                   voor het antwoord|voor je antwoord|voor uw antwoord|voor het snelle antwoord|voor de snelle reactie|voor \
                   de reactie|voor de moeite|voor uw tijd|voor je tijd|voor alles|voor de uitleg|jij ook|u ook|jullie ook|\
                   insgelijks|allemaal|iedereen|mensen|team|meneer|mevrouw|vriend|bot|bij voorbaat",
        ambiguous: "dag|top|super|mooi|best|beste|kut|fijn|lekker|help|later|stop|slecht",
    },
    human: HumanRequestPhrases {
        who: "mens|mensen|medewerker|medewerkster|echt persoon|echte persoon|echt mens|agent|klantenservice|\
              klantendienst|adviseur|consulent|supportmedewerker|operator|leidinggevende|manager|vertegenwoordiger",
        some: "iemand|persoon|collega|support|team|technicus|monteur|manager|leidinggevende|verkoop|verkoopafdeling|\
               administratie",
        mentions: "bel|bellen|terugbellen|gebeld|teruggebeld|bot|robot",
        a: "een|de|het|echte|echt|menselijke|andere|jullie|uw|je|van|levend|levende|iemand",
        phrases: &[
            "met <a>{0,4} <who> <other>{0,3} (spreken|praten|chatten|bellen|praat|verbinden|verbonden|doorverbonden|\
             contact)",
            "met <a>{0,4} <some> <other>{0,2} (spreken|praten|chatten|bellen|verbinden|doorverbonden)",
            "(spreken|praten|chatten|spreek|praat) met <a>{0,4} (<who>|<some>) <end>",
            "(verbind|verbindt|verbinden|doorverbinden|schakel) (u|me|mij|mij|door|alstublieft|alsjeblieft|aub|\
             even){0,4} (met|door|naar) <a>{0,4} (<who>|<some>)",
            "(wil|wens|zoek|heb|graag) (graag|nu|een)? <a>{0,4} <who> (nodig|spreken)? <end>",
            "(geef|stuur) (me|mij) <a>{0,4} <who> <end>",
            "(is|zijn) (er|daar|hier) <a>{0,4} (iemand|mensen|een mens|echte mensen|medewerker) (daar|hier|aanwezig|\
             online|bereikbaar)? <end>",
            "iemand (daar|aanwezig|online|hier) <end>",
            "(kan|kunt|zou|wil) iemand (mij|me|ons|even|alstublieft|aub|hier|hiermee){0,4} (helpen|bellen|terugbellen|\
             antwoorden|te woord staan)",
            "(bel|belt u) (me|mij) (terug|op|even|aub|alstublieft)? <end>",
            "(kunt u|kan je|kun je|kan u|wilt u|willen jullie|kunnen jullie) (mij|me) (even|alstublieft|aub)? (bellen|\
             terugbellen|opbellen)",
            "(wil|word|graag) (graag)? (teruggebeld|gebeld) (worden)? <end>",
            "niet (met)? (een|de) (bot|robot) (praten|spreken|chatten)",
        ],
        alone: "graag|nu|alstublieft|alsjeblieft|aub|hallo|hoi|ik|wil|bedankt|met|een|spreken|direct|goedemiddag",
        whole: &[
            "(een|echt|echte){0,2} (persoon|mens) (aub|alstublieft|alsjeblieft){0,1}",
            "geen (bot|robot) (aub|alstublieft|alsjeblieft){0,1}",
        ],
        leads_on: "graag|nu|alstublieft|alsjeblieft|aub|over|die|voor|want|en|of|spreken|praten|hier|direct|bedankt|in|van|\
                   niet|omdat|nodig",
        not: "niet|geen|nooit|zonder|niemand",
        whether: "moet ik|moeten we|is het nodig|praat ik|spreek ik",
        not_after: "niet|nee",
        links: "wil|hoef|hoeft|nodig|graag|ik|met|een|te|mij|me|zin|om|echt|meer|meteen",
        others: "klanten|gebruikers|bezoekers|zij",
        not_followed: "rechten|portaal|account|rol|app",
    },
    sentences: Sentences {
        greeting: "Hallo! Waarmee kan ik u helpen?",
        thanks: "Graag gedaan!",
        farewell: "Tot ziens en een fijne dag!",
        acknowledgement: "Goed. Schrijf mij gerust als u nog een vraag hebt.",
        about_us: "Ik ben een automatische assistent. Ik antwoord op basis van onze hulpartikelen, en u kunt altijd om een \
                   medewerker vragen.",
        no_problem: "Geen probleem. Wat kan ik voor u doen?",
        praised: "Dank u, dat hoor ik graag. Schrijf mij gerust als u nog een vraag hebt.",
        unclear: "Het spijt me dat dit onduidelijk was. Wat wilt u precies weten? U kunt ook naar een medewerker \
                  vragen.",
        apology: "Dat spijt me. Wilt u met een medewerker spreken?",
        no_answer: "Daarop heb ik in onze hulpartikelen geen antwoord gevonden. Wilt u met een medewerker spreken?",
        handover: "Ik verbind u door met een medewerker van ons team. Die leest wat u hebt geschreven en antwoordt u hier.",
        failure: "Ik kan nu niet antwoorden. Ik geef uw vraag door aan een medewerker.",
        away: Away {
            back: "Ons team is {day} om {time} uur{zone} weer aanwezig.",
            nobody: "Er is nu niemand van ons team aanwezig.",
            later: "Het team leest wat u hebt geschreven en antwoordt u hier.",
            today: "vandaag",
            days: ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"],
        },
        human_later: "Ik kan nog niet opnieuw een medewerker van ons team roepen. Over {minutes} minuten kunt u er \
                      weer om vragen.",
        notice: "U praat met een automatische assistent.",
        too_many: "Ik beantwoord hoogstens drie vragen tegelijk. Stel dit alstublieft nog een keer: {questions}",
    },
};
