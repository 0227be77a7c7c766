//! Romanian.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Romanian,
    small_talk: SmallTalkPhrases {
        greeting: "bună|buna|salut|salutare|servus|alo|bună ziua|buna ziua|bună dimineața|bună seara|neața|noroc|hei|ce mai \
                   faci|ce mai faceți|ce faci|hi|hey|hello",
        opening: "am o întrebare|o întrebare|pot să întreb ceva|am nevoie de ajutor|ajutor|ajută mă|ajutați mă|mă puteți \
                  ajuta|mă poți ajuta|poți să mă ajuți|ești acolo",
        thanks: "mulțumesc|multumesc|mulțumim|mersi|merci|ms|mulțumesc mult|multumesc mult|mulțumesc frumos|multumesc \
                 frumos|mersi mult|mersi frumos|mii de mulțumiri|vă mulțumesc|îți mulțumesc|mulțumesc pentru ajutor|\
                 mulțumesc anticipat|foarte amabil|thx|thanks|ty",
        farewell: "la revedere|pa|pa pa|papa|pe curând|pe mâine|pe data viitoare|o zi bună|o zi frumoasă|să aveți o zi bună|\
                   o seară bună|o seară frumoasă|noapte bună|weekend plăcut|un weekend plăcut|numai bine|toate cele bune|cu \
                   stimă|cu respect|bye",
        okay: "bine|foarte bine|perfect|super|grozav|în regulă|de acord|excelent|minunat|tare|sigur|am înțeles|înțeles|\
               mișto|ok bine|ok|okay|oke|oki",
        acknowledgement: "înțeleg|acum înțeleg|e clar|clar|aha|funcționează|merge|acum merge|a mers|a funcționat|\
                          rezolvat|s a rezolvat|am rezolvat|asta e tot|atât|nimic altceva|nu mai am întrebări|m a \
                          ajutat|a ajutat|mă ajută|foarte util|util|exact ce căutam|exact ce aveam nevoie|am găsit|\
                          fantastic|bravo|bună treabă|bun răspuns|servicii bune|ești cel mai bun|sunteți cei mai buni|\
                          nicio problemă|nu i nimic|nu contează|las o|lăsați|uită|încerc|o să încerc|o clipă|un \
                          moment|așteaptă|scuze|îmi pare rău|pardon|cu plăcere|n aveți pentru ce|interesant|bine de \
                          știut|wow|lol|haha|hmm|omg",
        about_us: "cine ești|cine ești tu|cine sunteți|cine e|cu cine vorbesc|ce ești|ce ești tu|cum te cheamă|care e \
                   numele tău|ești robot|ești un robot|ești bot|ești un bot|ești om|ești un om|ești o persoană|ești o \
                   persoană reală|ești real|ești o mașină|ești inteligență artificială|ești om sau robot|ești robot sau om|\
                   sunteți robot|sunteți un robot|sunteți om|e un robot|este un robot|vorbesc cu un robot|vorbesc cu un bot|\
                   vorbesc cu un om|vorbesc cu o persoană|vorbesc cu o persoană reală|ce poți face|ce știi să faci|cum mă \
                   poți ajuta|cu ce mă poți ajuta",
        anger: "la naiba|naiba|rahat|căcat|dracu|du te dracu|prost|ești prost|bot prost|idiot|idioților|inutil|ești \
                inutil|e inutil|degeaba|groaznic|oribil|îngrozitor|nașpa|servicii proaste|serviciu prost|foarte prost|\
                rușine|rușine să vă fie|e o rușine|ridicol|e ridicol|inacceptabil|bătaie de joc|e bătaie de joc|\
                înșelătorie|hoților|hoți|sunt nervos|sunt supărat|sunt dezamăgit|dezamăgitor|enervant|pierdere de \
                timp|taci|urăsc boții|niciodată|wtf",
        unhelped: "nu m a ajutat|nu ajută|asta nu ajută|nu mă ajută|asta nu mă ajută|nu e util|nu a fost util|nu \
                   funcționează|nu merge|tot nu merge|nu a mers|nu a funcționat|răspuns greșit|e greșit|greșit|nu \
                   asta am întrebat|nu asta era întrebarea|nu e ce am întrebat|nu la asta mă refeream|nu răspunde la \
                   întrebarea mea|nu ai răspuns la întrebare|nu înțelegi|nu mă înțelegi|nu înțeleg|n am înțeles|nu am \
                   înțeles|am încercat deja",
        yes: "da|da vă rog|da te rog|vă rog|te rog|da sigur|sigur|sigur că da|desigur|bineînțeles|normal|cu plăcere|da \
              mulțumesc|aș vrea|da aș vrea|vreau|da vreau|ar fi bine|ar fi grozav|ar fi perfect|de ce nu|exact|corect|\
              absolut|dacă se poate|hai|fă asta",
        no: "nu|nu mulțumesc|nu mersi|nu acum|acum nu|încă nu|mai târziu|poate mai târziu|altă dată|nu e nevoie|nu \
             este nevoie|nu e necesar|nu am nevoie|nu vreau|mai bine nu|nici vorbă|e bine așa|sunt bine|las o|lasă|\
             renunț",
        cancel: "anulează",
        doubt: "ce|de ce|serios|chiar așa|ești sigur|sunteți sigur|ce vrei să spui|poți repeta|puteți repeta",
        filler: "foarte|mult|chiar|acum|și|dar|oh|ah|haha|hehe|bine|atunci|deci|păi|încă|doar|tot|din nou|da|super|te rog|\
                 vă rog|lol|hmm|ok",
        addition: "pentru ajutor|pentru ajutorul dvs|pentru ajutorul acordat|pentru informație|pentru informații|pentru \
                   răspuns|pentru răspunsul rapid|pentru timp|pentru tot|pentru explicație|pentru nimic|ție|dumneavoastră|\
                   și ție|și dumneavoastră|la fel|asemenea|tuturor|anticipat|bot|frumos|domnule|doamnă",
        ambiguous: "pa|ms|tare|alo|normal|atât|real|merge|super|bine",
    },
    human: HumanRequestPhrases {
        who: "om|oameni|uman|ființă umană|operator|operatorul|operatori|agent|agentul|persoană reală|persoană \
              adevărată|consultant|consilier|reprezentant|angajat|serviciul clienți|relații clienți|asistență umană|\
              suport uman|manager|șef",
        some: "cineva|persoană|coleg|colegă|suport",
        mentions: "suna|sunati|sunați|suna ma|bot|robot|ajute|ajuta",
        a: "un|o|unui|unei|real|reală|alt|altă|din|echipă|dvs|vostru|al|cu",
        phrases: &[
            "(vorbi|vorbesc|discuta|discut|comunica|vorbim) (direct)? cu <a>{0,4} <who>",
            "(vorbi|vorbesc|discuta|discut|comunica) (direct)? cu <a>{0,4} <some> <end>",
            "(faceți|fă|dați|dă|conectați|conectează|transferați|transferă|puneți|pune) (mi|mă|îmi|legătura|vă|\
             rog){0,4} (cu|la|către|în legătură cu) <a>{0,4} (<who>|<some>)",
            "(vreau|doresc|aș vrea|aș dori|am nevoie de|cer|solicit|prefer) <a>{0,4} <who> <end>",
            "(contacta|contactez) <a>{0,4} <who> <end>",
            "(este|e|există) (cineva|vreun om|o persoană reală|un om) (acolo|aici|disponibil|online)? <end>",
            "cineva (acolo|aici) <end>",
            "(poate|ar putea) cineva (să)? (mă|îmi)? (ajute|ajuta|sune|suna|răspundă|răspunde|contacteze)",
            "(mă)? (poate|ar putea) (ajuta|suna|contacta) cineva",
            "cineva (poate|ar putea)? (să)? (mă|îmi)? (ajute|ajuta|sune)",
            "(sunați|sună) mă",
            "(puteți|poți|ați putea) (să)? (mă) (suna|sunați|suni)",
            "nu vreau (să vorbesc)? (cu)? (un)? (bot|robot)",
        ],
        alone: "te|vă|rog|acum|bună|vreau|cu|un|o|imediat|mulțumesc|salut|ziua|da",
        whole: &[],
        leads_on: "te|vă|rog|acum|care|despre|pentru|și|sau|imediat|de|din|mulțumesc|aici|în|real|reală|nu|ca|direct",
        not: "nu|fără|nici|niciodată|nimeni",
        whether: "trebuie să|e nevoie să|este nevoie să|vorbesc eu",
        not_after: "",
        links: "vreau|doresc|am|nevoie|de|să|cu|mai|mă|îmi|trebuie|aș|vrea|este|e|un|o|vorbesc",
        others: "clienții|utilizatorii|ei|vizitatorii",
        not_followed: "imobiliar|virtual|automat|ai|de știință",
    },
    sentences: Sentences {
        greeting: "Bună ziua! Cu ce vă pot ajuta?",
        thanks: "Cu plăcere!",
        farewell: "La revedere și o zi frumoasă!",
        acknowledgement: "În regulă. Scrieți-mi când aveți o altă întrebare.",
        about_us: "Sunt un asistent automat. Răspund pe baza articolelor noastre de ajutor și puteți cere oricând o \
                   persoană.",
        no_problem: "Nicio problemă. Cu ce vă pot ajuta?",
        praised: "Mulțumesc, mă bucur să aud asta. Scrieți-mi când aveți altă întrebare.",
        unclear: "Îmi pare rău că nu a fost clar. Ce anume doriți să știți? Puteți cere și o persoană.",
        apology: "Îmi pare rău. Doriți să vorbiți cu o persoană din echipa noastră?",
        no_answer: "Nu am găsit un răspuns la această întrebare în articolele noastre de ajutor. Doriți să vorbiți cu o \
                    persoană din echipa noastră?",
        handover: "Vă pun în legătură cu o persoană din echipa noastră. Va citi ce ați scris și vă va răspunde aici.",
        failure: "Nu pot răspunde acum. Transmit întrebarea dumneavoastră unei persoane din echipa noastră.",
        away: Away {
            back: "Echipa noastră revine {day} la ora {time}{zone}.",
            nobody: "Momentan nu este nimeni din echipa noastră aici.",
            later: "Echipa va citi ce ați scris și vă va răspunde aici.",
            today: "astăzi",
            days: ["luni", "marți", "miercuri", "joi", "vineri", "sâmbătă", "duminică"],
        },
        human_later: "Încă nu pot chema din nou o persoană din echipa noastră. Puteți cere din nou peste {minutes} \
                      minute.",
        notice: "Vorbiți cu un asistent automat.",
        too_many: "Răspund la cel mult trei întrebări odată. Vă rog să întrebați din nou: {questions}",
    },
};
