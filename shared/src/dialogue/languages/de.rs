//! German.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "mensch|menschen|mitarbeiter|mitarbeiterin|mitarbeitern|berater|beraterin|kundenberater|kundenberaterin|\
               kundenbetreuer|sachbearbeiter|agent|agenten|ansprechpartner|ansprechpartnerin|kundenservice|kundendienst|\
               kundensupport|vorgesetzten|supportmitarbeiter|servicemitarbeiter|echte person|echten person|reale person|\
               realen person|operator",
        some: "jemand|jemandem|jemanden|person|support|team",
        mentions: "",
        a: "ein|eine|einem|einen|einer|dem|den|der|das|die|echten|echte|echter|echtes|richtigen|richtige|richtiger|\
               realen|reale|lebenden|anderen|ihrem|eurem|ihren|euren|ihrer|eurer|wirklichen|menschlichen|menschlicher|\
               zustandigen|kompetenten|aus",
        phrases: &[
            "mit <a>{0,4} <who> <other>{0,3} (sprechen|spreche|reden|rede|chatten|schreiben|telefonieren|verbinden|\
             verbunden|verbinde|kommunizieren|unterhalten)",
            "mit <a>{0,4} <some> <other>{0,3} (sprechen|reden|chatten|telefonieren|verbinden|verbunden)",
            "(sprechen|reden|chatten) mit <a>{0,4} (<who>|<some>)",
            "(verbinde|verbinden|verbindet) (sie|mich|mir|bitte|doch|uns){0,4} mit <a>{0,4} (<who>|<some>)",
            "(an|zu) <a>{0,4} <who> <other>{0,1} (weiterleiten|weitergeleitet|durchstellen|ubergeben|weitergeben|\
             weitergegeben|vermitteln)",
            "(leiten|leite|stellen|geben|vermitteln) (sie|mich|mir|bitte|das|uns){0,4} (an|zu) <a>{0,4} <who>",
            "(will|mochte|brauche|benotige|hatte|wunsche|verlange) (gern|gerne|bitte|jetzt|doch|lieber){0,4} <a>{0,4} \
             <who> <end>",
            "(kann|konnte) (mir|mich|bitte){0,4} <a>{0,4} <who> <other>{0,2} (helfen|anrufen|antworten)",
            "ist (da|hier|dort) <a>{0,4} (mensch|jemand|echte person) <end>",
        ],
        alone: "bitte|jetzt|ich|will|mochte|brauche|hallo|hi|danke|mit|sofort|guten|tag|sprechen",
        leads_on: "bitte|jetzt|hier|sofort|zum|wegen|uber|aus|der|die|das|und|danke|von|am|an|fur|vom|im|kein|keinen|statt|\
                   sprechen|nicht",
        not: "nicht|kein|keine|keinen|keinem|keiner|nie|niemals|ohne|nein",
        whether: "muss ich",
        not_after: "nicht|nein|nie",
        links: "unbedingt|mehr|wirklich|jetzt|erst|extra|gerne|gern|direkt|dafur|dazu|zwingend|mit|mochte|will|ich|\
                brauche|muss|zu",
        others: "kunden|nutzer|benutzer|besucher",
        not_followed: "rechte|ressourcen|portal|konto|rolle|app",
    },
    handover: "Ich gebe Sie an einen Menschen aus unserem Team weiter. Er liest, was Sie geschrieben haben, und \
               antwortet Ihnen hier.",
};
