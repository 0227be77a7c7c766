//! German and Russian.

use super::Speech;

pub(super) const GERMAN: Speech = Speech {
    who: "mensch|menschen|mitarbeiter|mitarbeiterin|mitarbeitern|berater|beraterin|kundenberater|kundenberaterin|\
          kundenbetreuer|sachbearbeiter|agent|agenten|ansprechpartner|ansprechpartnerin|kundenservice|kundendienst|\
          kundensupport|vorgesetzten|supportmitarbeiter|servicemitarbeiter|echte_person|echten_person|reale_person|\
          realen_person|operator",
    some: "jemand|jemandem|jemanden|person|support|team",
    other_words: "",
    a: "ein|eine|einem|einen|einer|dem|den|der|das|die|echten|echte|echter|echtes|richtigen|richtige|richtiger|realen|\
        reale|lebenden|anderen|ihrem|eurem|ihren|euren|ihrer|eurer|wirklichen|menschlichen|menschlicher|zustandigen|\
        kompetenten|aus",
    phrases: &[
        "mit <a>* <who> ..3 sprechen|spreche|reden|rede|chatten|schreiben|telefonieren|verbinden|verbunden|verbinde|\
         kommunizieren|unterhalten",
        "mit <a>* <some> ..3 sprechen|reden|chatten|telefonieren|verbinden|verbunden",
        "sprechen|reden|chatten mit <a>* <who>|<some>",
        "verbinde|verbinden|verbindet sie|mich|mir|bitte|doch|uns* mit <a>* <who>|<some>",
        "an|zu <a>* <who> ..1 weiterleiten|weitergeleitet|durchstellen|ubergeben|weitergeben|weitergegeben|vermitteln",
        "leiten|leite|stellen|geben|vermitteln sie|mich|mir|bitte|das|uns* an|zu <a>* <who>",
        "will|mochte|brauche|benotige|hatte|wunsche|verlange gern|gerne|bitte|jetzt|doch|lieber* <a>* <who> $",
        "kann|konnte mir|mich|bitte* <a>* <who> ..2 helfen|anrufen|antworten",
        "ist da|hier|dort <a>* mensch|jemand|echte_person $",
    ],
    alone: "bitte|jetzt|ich|will|mochte|brauche|hallo|hi|danke|mit|sofort|guten|tag|sprechen",
    leads_on: "bitte|jetzt|hier|sofort|zum|wegen|uber|aus|der|die|das|und|danke|von|am|an|fur|vom|im|kein|keinen|statt|\
               sprechen|nicht",
    not: "nicht|kein|keine|keinen|keinem|keiner|nie|niemals|ohne|muss_ich|nein",
    not_after: "nicht|nein|nie",
    links: "unbedingt|mehr|wirklich|jetzt|erst|extra|gerne|gern|direkt|dafur|dazu|zwingend|mit|mochte|will|ich|brauche|\
            muss|zu",
    others: "kunden|nutzer|benutzer|besucher",
    not_followed: "rechte|ressourcen|portal|konto|rolle|app",
    reply: "Ich gebe Sie an einen Menschen aus unserem Team weiter. Er liest, was Sie geschrieben haben, und antwortet \
            Ihnen hier.",
};

pub(super) const RUSSIAN: Speech = Speech {
    who: "человек|человеком|человека|человеку|люди|людьми|оператор~|сотрудник~|менеджер|менеджером|менеджера|менеджеру|\
          консультант~|специалист~|представител~|агент|агентом|агента|агенту|поддержкой|службой_поддержки|саппортом|\
          администратор~|руководител~",
    some: "кем_нибудь|кем_то|кем_либо|кого_нибудь",
    other_words: "",
    a: "живым|живому|живого|живой|живые|реальным|реальному|реального|реальный|настоящим|настоящему|настоящего|\
        настоящий|вашим|вашей|любым|другим|службой|технической|техподдержки|поддержки",
    phrases: &[
        "поговорить|говорить|пообщаться|общаться|связаться|побеседовать|переговорить|соединиться|разговаривать|\
         поговорю|переписываться|связь с|со <a>* <who>|<some>",
        "соедините|соедини|соединить|переключите|переключи|переключить|свяжите|свяжи|связать|переведите|переведи|\
         перевести|передайте меня|мне|нас|чат|пожалуйста|разговор* с|со|на|к? <a>* <who>",
        "позовите|позови|позвать|пригласите|дайте|подключите|подключи мне|пожалуйста? <a>* <who>|<some>",
        "нужен|нужна|хочу|требуется|нужно|необходим|прошу мне|только? <a>* <who> $",
        "есть тут|здесь|там|ли|кто* живые|живой|<who> $",
    ],
    alone: "пожалуйста|мне|нужен|нужна|хочу|с|здравствуйте|привет|алло|срочно|сейчас|добрый|день",
    leads_on: "пожалуйста|сейчас|срочно|и|а|чтобы|по|для|который|здесь|тут|спасибо|немедленно|из|на|мне|не|люди|человек",
    not: "не|без|нужно_ли|надо_ли",
    not_after: "",
    links: "хочу|хотел|хотела|хотелось|надо|нужно|буду|желаю|бы|мне|собираюсь|стоит|обязательно|хотим|с|больше",
    others: "клиенты|пользователи|они|клиент_хочет|пользователь_хочет|посетители",
    not_followed: "паролей|задач|файлов|недвижимости",
    reply: "Передаю вас сотруднику нашей команды. Он прочитает, что вы написали, и ответит здесь.",
};
