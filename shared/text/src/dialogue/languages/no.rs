//! Norwegian.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Norwegian,
    small_talk: SmallTalkPhrases {
        greeting: "hei|heisann|hei hei|heihei|hallo|halla|god dag|goddag|god morgen|morn|god kveld|god ettermiddag|hei der|\
                   hvordan går det|hvordan har du det|åssen går det|står til|skjer|hi|hey|hello",
        opening: "jeg har et spørsmål|et spørsmål|kan jeg spørre om noe|jeg trenger hjelp|trenger hjelp|hjelp|hjelp meg|\
                  kan du hjelpe meg|kan dere hjelpe meg|er du der",
        thanks: "takk|tusen takk|mange takk|takk skal du ha|takk skal dere ha|takk for hjelpen|takk for det|hjertelig \
                 takk|takker|jeg takker|på forhånd takk|ville bare si takk|thx|thanks|ty",
        farewell: "ha det|ha det bra|hadet|hade|adjø|vi snakkes|vi ses|snakkes|sees|på gjensyn|ha en fin dag|ha en god dag|\
                   fortsatt fin dag|god helg|ha en fin helg|god natt|natta|ha en fin kveld|mvh|med vennlig hilsen|vennlig \
                   hilsen|hilsen|bye",
        okay: "okei|greit|fint|bra|veldig bra|flott|supert|super|perfekt|kult|i orden|det er greit|det er fint|høres \
               bra ut|forstått|mottatt|topp|herlig|klart|ok|okay|oke|oki",
        acknowledgement: "jeg forstår|forstår|skjønner|jeg skjønner|aha|det gir mening|det fungerer|fungerer|det \
                          funker|funker|det virker|det gikk|løst|problemet er løst|det var alt|det er alt|det var det|\
                          ikke noe mer|ingen flere spørsmål|det hjalp|hjalp|det hjelper|veldig nyttig|nyttig|akkurat \
                          det jeg trengte|akkurat det jeg lette etter|fant det|jeg fant det|fantastisk|utmerket|\
                          nydelig|bra jobba|godt jobbet|bra svar|god service|du er best|dere er best|du er flink|ikke \
                          noe problem|ingen problem|ingen fare|det går bra|det gjør ikke noe|glem det|samme det|jeg \
                          prøver|jeg prøver det|skal prøve|et øyeblikk|vent|vent litt|unnskyld|beklager|vær så god|\
                          bare hyggelig|interessant|godt å vite|wow|lol|haha|hmm|omg",
        about_us: "hvem er du|hvem er dere|hvem snakker jeg med|hvem prater jeg med|hva er du|hva heter du|er du en bot|er \
                   du en robot|er du robot|er du et menneske|er du menneske|er du en ai|er du en ekte person|er du et ekte \
                   menneske|er du ekte|er du en bot eller et menneske|er du et menneske eller en bot|er du en robot eller \
                   et menneske|er det en bot|er dette en bot|snakker jeg med en bot|snakker jeg med en robot|snakker jeg \
                   med et menneske|snakker jeg med en ekte person|prater jeg med en robot|hva kan du|hva kan du gjøre|hva \
                   kan du hjelpe med|hvordan kan du hjelpe meg|hvem har laget deg|snakker du norsk",
        anger: "faen|jævla|dritt|drit|helvete|satan|dårlig|veldig dårlig|dårlig service|elendig|elendig service|\
                ubrukelig|du er ubrukelig|det er ubrukelig|helt ubrukelig|dum|du er dum|dumme bot|idiot|idioter|\
                latterlig|dette er latterlig|skandale|pinlig|uakseptabelt|katastrofe|svindel|svindlere|jeg er sint|\
                jeg er skuffet|skuffet|skuffende|irriterende|frustrerende|bortkastet tid|hold kjeft|jeg hater boter|\
                aldri mer|dette er for dårlig|wtf",
        unhelped: "det hjalp ikke|hjalp ikke|det hjelper ikke|hjelper ikke|det hjelper meg ikke|ikke nyttig|det \
                   fungerer ikke|fungerer ikke|funker ikke|det funker ikke|virker ikke|det virker ikke|det fungerte \
                   ikke|funker fortsatt ikke|feil svar|det er feil|feil|det stemmer ikke|det var ikke det jeg spurte \
                   om|det er ikke det jeg spurte om|det spurte jeg ikke om|det var ikke spørsmålet mitt|det mente jeg \
                   ikke|det svarer ikke på spørsmålet mitt|du svarer ikke på spørsmålet mitt|du forstår ikke|du \
                   forstår meg ikke|jeg forstår ikke|skjønner ikke|jeg skjønner ikke|det har jeg prøvd|har allerede \
                   prøvd|ikke helt",
        yes: "ja|jo|jepp|japp|ja takk|ja gjerne|gjerne|veldig gjerne|ja selvfølgelig|selvfølgelig|selvsagt|naturligvis|\
              klart det|helt klart|absolutt|gjør det|ja gjør det|det vil jeg gjerne|det vil jeg|ja det vil jeg|det \
              hadde vært fint|det hadde vært bra|det hadde vært supert|hvorfor ikke|akkurat|nettopp|hvis mulig|vær så \
              snill",
        no: "nei|niks|nei takk|ikke nå|ikke akkurat nå|ikke ennå|senere|kanskje senere|en annen gang|ikke nødvendig|\
             det er ikke nødvendig|trengs ikke|det trengs ikke|helst ikke|jeg vil ikke|absolutt ikke|det går fint|det \
             går bra|det er greit|det er ok|jeg klarer meg|jeg finner ut av det|glem det|stopp",
        cancel: "avbryt",
        doubt: "hva|hvorfor|virkelig|seriøst|er du sikker|hva mener du|kan du gjenta det",
        filler: "så|veldig|virkelig|også|nå|da|og|men|ja|åh|nei men|oh|ah|haha|hehe|lol|bare|igjen|litt|super|bra|mye|\
                 kjempe|hmm|ok",
        addition: "for hjelpen|for din hjelp|for all hjelp|for svaret|for svar|for raskt svar|for det raske svaret|for info|\
                   for informasjonen|for tiden din|for alt|for forklaringen|i like måte|deg|dere|alle|alle sammen|på \
                   forhånd|bot|til deg|selv",
        ambiguous: "bra|takk|topp|drit|faen|skjer|feil|stopp|super|klart|dum|idiot|flott",
    },
    human: HumanRequestPhrases {
        who: "menneske|mennesker|ekte person|ekte menneske|levende person|medarbeider|kundeservice|kundebehandler|\
              kundestøtte|agent|operatør|rådgiver|supportmedarbeider|konsulent|leder|sjef|saksbehandler",
        some: "noen|person|kollega|support|supporten|tekniker|sjef|sjefen|leder|selger|salg|salgsavdelingen",
        mentions: "ring|ringe|bot|robot",
        a: "en|et|den|det|ekte|levende|menneskelig|annen|deres|din|fra|av|i",
        phrases: &[
            "(snakke|prate|chatte|snakker|prater) (direkte)? med <a>{0,4} <who>",
            "(snakke|prate|chatte) (direkte)? med <a>{0,4} <some> <end>",
            "(sett|sette|koble|send|overfør|viderekoble) (meg|oss|videre|over|vennligst|det){0,4} (til|med) <a>{0,4} \
             (<who>|<some>)",
            "(vil ha|vil gjerne ha|trenger|ønsker|krever|gi meg|vil gjerne snakke med) <a>{0,4} <who> <end>",
            "(kontakte|få tak i|nå) <a>{0,4} <who> <end>",
            "er (det|der) (noen|en ekte person|et menneske|ekte mennesker) (der|her|hjemme|til stede)? <end>",
            "noen (der|her) <end>",
            "(kan|kunne|vil|ville) noen (vennligst|der|fra dere){0,2} (hjelpe|ringe|svare|kontakte)",
            "ring (til)? (meg|oss) (opp|tilbake|takk)? <end>",
            "(kan|kunne|vil) (dere|du|noen) (vennligst)? ringe (til)? (meg|oss)",
            "ikke (snakke|prate|chatte) med en (bot|robot|maskin)",
        ],
        alone: "takk|nå|hei|jeg|vil|gjerne|ha|med|en|snakke|straks|vennligst",
        whole: &["(en){0,1} (ekte){0,1} person (takk){0,1}", "ikke en (bot|robot)"],
        leads_on: "takk|nå|om|som|her|direkte|straks|for|på|og|eller|angående|i|stedet|ikke|heller|fra|der",
        not: "ikke|ingen|aldri|uten|slippe",
        whether: "må jeg|trenger jeg|må man|snakker jeg|prater jeg",
        not_after: "ikke",
        links: "vil|trenger|å|jeg|med|en|noen|gjerne|må|ønsker|ringe",
        others: "kunder|brukere|besøkende|de",
        not_followed: "ressurser|rettigheter|konto|rolle|portal",
    },
    sentences: Sentences {
        greeting: "Hei! Hva kan jeg hjelpe deg med?",
        thanks: "Bare hyggelig!",
        farewell: "Ha det bra, og ha en fin dag!",
        acknowledgement: "Greit. Skriv til meg når du har et nytt spørsmål.",
        about_us: "Jeg er en automatisk assistent. Jeg svarer ut fra hjelpeartiklene våre, og du kan når som helst be om en \
                   person.",
        no_problem: "Det er helt i orden. Hva kan jeg gjøre for deg?",
        praised: "Takk, det var hyggelig å høre. Skriv til meg når du har et nytt spørsmål.",
        unclear: "Beklager at det var uklart. Hva vil du vite helt nøyaktig? Du kan også be om et menneske.",
        apology: "Det beklager jeg. Vil du snakke med en person i teamet vårt?",
        no_answer: "Jeg fant ikke noe svar på det i hjelpeartiklene våre. Vil du snakke med en person i teamet vårt?",
        handover: "Jeg setter deg over til en person i teamet vårt. De leser det du har skrevet, og svarer deg her.",
        failure: "Jeg kan ikke svare akkurat nå. Jeg gir spørsmålet ditt videre til en person.",
        away: Away {
            back: "Teamet vårt er tilbake {day} kl. {time}{zone}.",
            nobody: "Ingen fra teamet vårt er her akkurat nå.",
            later: "Teamet leser det du har skrevet, og svarer deg her.",
            today: "i dag",
            days: ["på mandag", "på tirsdag", "på onsdag", "på torsdag", "på fredag", "på lørdag", "på søndag"],
        },
        human_later: "Jeg kan ikke tilkalle en person fra teamet vårt igjen ennå. Du kan be om det igjen om {minutes} \
                      minutter.",
        notice: "Du skriver med en automatisk assistent.",
        too_many: "Jeg svarer på høyst tre spørsmål om gangen. Spør gjerne om dette igjen: {questions}",
    },
};
