//! German.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::German,
    small_talk: SmallTalkPhrases {
        greeting: "hallo|hallöchen|halo|hi|hey|hej|moin|moin moin|servus|grüß gott|grüss gott|grüezi|grüß dich|grüße|guten \
                   tag|guten morgen|guten abend|gute morgen|schönen guten tag|schönen guten morgen|schönen guten abend|tach|\
                   hallo zusammen|hallo liebes team|liebes team|sehr geehrte damen und herren|wie geht es dir|wie geht es \
                   ihnen|wie gehts|wie gehts dir|wie gehts ihnen|wie geht es|alles klar bei dir|na|was geht|hello",
        opening: "ich habe eine frage|ich hätte eine frage|ich hab eine frage|ich hab ne frage|hab eine frage|hab mal eine \
                  frage|eine frage|kurze frage|kann ich etwas fragen|ich brauche hilfe|brauche hilfe|hilfe|kannst du mir \
                  helfen|können sie mir helfen|kannst du helfen|können sie helfen|bitte helfen sie mir|bist du da|sind sie \
                  da|bist du noch da|morgen|tag|frohes neues|frohe weihnachten",
        thanks: "danke|dankeschön|dankesehr|danke schön|danke sehr|danke dir|danke ihnen|danke euch|vielen dank|vielen \
                 lieben dank|besten dank|herzlichen dank|tausend dank|lieben dank|danke vielmals|ich danke dir|ich danke \
                 ihnen|merci|thx|thanks|dankee|dnke|1000 dank|dank dir|wollte nur danke sagen|wollte mich nur bedanken|\
                 ich wollte mich bedanken|ty",
        farewell: "tschüss|tschüß|tschüs|tschau|ciao|tschö|auf wiedersehen|aufwiedersehen|wiedersehen|auf wiederhören|bis \
                   dann|bis bald|bis später|bis morgen|bis zum nächsten mal|machs gut|machen sie es gut|schönen tag|schönen \
                   tag noch|einen schönen tag|einen schönen tag noch|schönen abend|schönen abend noch|einen schönen abend|\
                   schönes wochenende|ein schönes wochenende|schöne woche|gute nacht|schönen feierabend|bye|tschaui|mfg|mit \
                   freundlichen grüßen|viele grüße|liebe grüße|lg|vg",
        okay: "ok|okay|okey|oki|okidoki|alles klar|klar|in ordnung|gut|sehr gut|super|prima|toll|passt|geht klar|\
               einverstanden|perfekt|top|cool|schön|fein|läuft|jo|jap|gerne|gern|oke",
        acknowledgement: "verstanden|verstehe|ich verstehe|ach so|achso|aha|ach ja|stimmt|das wars|das war es|das war \
                          alles|das ist alles|mehr brauche ich nicht|das hat geholfen|hat geholfen|das hilft|das \
                          hilft mir|das hilft mir weiter|das hat mir geholfen|sehr hilfreich|hilfreich|hat geklappt|\
                          es hat geklappt|das hat geklappt|klappt|klappt jetzt|jetzt klappt es|funktioniert|\
                          funktioniert jetzt|jetzt funktioniert es|es funktioniert|geht jetzt|jetzt geht es|jetzt \
                          gehts|erledigt|hat sich erledigt|gelöst|problem gelöst|gefunden|habs gefunden|ich habs \
                          gefunden|ich habe es gefunden|hab ich gefunden|wunderbar|großartig|klasse|spitze|genial|\
                          hervorragend|ausgezeichnet|fantastisch|hammer|geil|mega|exzellent|bestens|genau das|genau \
                          das habe ich gesucht|genau was ich brauchte|du bist super|du bist toll|du bist der beste|du \
                          bist klasse|ihr seid super|ihr seid toll|ihr seid die besten|sie sind toll|gut gemacht|\
                          guter bot|gute arbeit|gute antwort|toller service|super service|guter service|das ist super|\
                          das ist toll|das ist gut|das war schnell|das ging schnell|das freut mich|freut mich|gut zu \
                          wissen|interessant|kein problem|macht nichts|egal|schon gut|vergiss es|vergessen sie es|\
                          nicht so wichtig|nicht schlimm|ich probiere es|ich probiere das|ich versuche es|ich schaue \
                          mal|ich schau mal|mal sehen|moment|einen moment|warte|sorry|entschuldigung|entschuldige|tut \
                          mir leid|verzeihung|bitte schön|bitteschön|gern geschehen|war nur ein test|nur ein test|\
                          keine weiteren fragen|keine fragen mehr|sonst nichts|wow|haha|lol|hmm|hm|juhu|hurra|yay|omg|\
                          das hat funktioniert|hat funktioniert|es hat funktioniert|das hat prima funktioniert|das \
                          hat super funktioniert|das hat mein problem gelöst|das hat das problem gelöst|mein problem \
                          ist gelöst|das problem ist gelöst|problem ist gelöst|ich habe es selbst gelöst|habe es \
                          selbst gelöst|ich habs selbst gelöst|habs selbst gelöst|selbst gelöst|ich habe es gelöst|es \
                          hat sich erledigt|hat sich geklärt|es hat sich geklärt|alles geklärt|das beantwortet meine \
                          frage|das hat meine frage beantwortet|frage beantwortet|jetzt hat es geklappt|jetzt hat es \
                          funktioniert",
        about_us: "wer bist du|wer sind sie|wer bist du denn|wer ist da|mit wem spreche ich|mit wem rede ich|mit wem \
                   schreibe ich|mit wem chatte ich|was bist du|was sind sie|wie heißt du|wie heisst du|wie heißen sie|wie \
                   ist dein name|wie ist ihr name|bist du ein bot|bist du bot|bist du ein roboter|bist du ein computer|bist \
                   du eine ki|bist du ki|bist du eine maschine|bist du ein mensch|bist du echt|bist du ein echter mensch|\
                   bist du eine echte person|bist du ein mensch oder ein bot|bist du ein bot oder ein mensch|bist du ein \
                   mensch oder eine maschine|bist du mensch oder maschine|mensch oder maschine|sind sie ein bot|sind sie \
                   ein roboter|sind sie ein mensch|sind sie ein echter mensch|sind sie eine ki|sind sie eine maschine|sind \
                   sie echt|sind sie ein mensch oder ein bot|ist das ein bot|ist das hier ein bot|ist das eine ki|ist das \
                   ein mensch|spreche ich mit einem bot|spreche ich mit einem menschen|rede ich mit einem bot|rede ich mit \
                   einem menschen|schreibe ich mit einem bot|schreibe ich mit einem menschen|chatte ich mit einem bot|\
                   spreche ich mit einem roboter|rede ich mit einem roboter|spreche ich mit einer maschine|rede ich mit \
                   einer maschine|spreche ich hier mit einem menschen|rede ich hier mit einem menschen|rede ich hier mit \
                   einem bot|spreche ich hier mit einem bot|was kannst du|was können sie|was kannst du alles|was machst du|\
                   wie kannst du mir helfen|wobei kannst du mir helfen|wer hat dich gemacht|wer hat dich programmiert|wie \
                   alt bist du|woher kommst du|sprichst du deutsch",
        anger: "scheiße|scheisse|verdammt|mist|so ein mist|so ein scheiß|wtf|du bist dumm|du bist doof|du bist blöd|\
                dummer bot|blöder bot|scheiß bot|scheißbot|nutzlos|nutzloser bot|du bist nutzlos|völlig nutzlos|\
                unbrauchbar|so ein quatsch|quatsch|unsinn|so ein unsinn|schwachsinn|blödsinn|das ist lächerlich|\
                lächerlich|eine frechheit|das ist eine frechheit|so eine frechheit|frechheit|unverschämt|\
                unverschämtheit|das ist unverschämt|eine zumutung|saftladen|so ein saftladen|ihr seid scheiße|ihr \
                seid unfähig|unfähig|idiot|idioten|vollidiot|arschloch|leck mich|fick dich|halt die klappe|schlechter \
                service|schlechter support|mieser service|miserabel|katastrophe|eine katastrophe|das ist eine \
                katastrophe|das nervt|nervig|du nervst|ihr nervt|ich bin sauer|ich bin enttäuscht|enttäuschend|sehr \
                enttäuschend|ich bin frustriert|zum kotzen|das kann doch nicht wahr sein|das darf doch nicht wahr \
                sein|willst du mich verarschen|zeitverschwendung|das ist zeitverschwendung|furchtbar|schrecklich|\
                schlecht|sehr schlecht|nie wieder|ich hasse bots|scheiß laden|scheißladen|scheiß verein|scheißverein|\
                scheiß service|scheiß support|scheiß firma|scheiß bank|scheißbank|scheiß app|scheiß chat|drecksladen|\
                mistladen|ich bin so sauer|ich bin sehr sauer|ich bin stinksauer|ich bin wütend|ich bin so wütend|ich \
                bin sehr enttäuscht|ich bin total enttäuscht|ich bin so enttäuscht|euer service ist scheiße|ihr \
                service ist schlecht|euer service ist schlecht|ihr seid das letzte",
        unhelped: "das hat nicht geholfen|hat nicht geholfen|das hilft nicht|das hilft mir nicht|das hilft mir nicht \
                   weiter|hilft nicht|hilft mir nicht|hilft mir nicht weiter|nicht hilfreich|das war nicht hilfreich|\
                   das ist nicht hilfreich|das bringt mir nichts|bringt nichts|das funktioniert nicht|funktioniert \
                   nicht|geht nicht|das geht nicht|klappt nicht|das klappt nicht|hat nicht geklappt|das hat nicht \
                   geklappt|hat nicht funktioniert|das hat nicht funktioniert|geht immer noch nicht|funktioniert \
                   immer noch nicht|falsche antwort|das ist falsch|falsch|das stimmt nicht|stimmt nicht|das war nicht \
                   meine frage|das ist nicht meine frage|das habe ich nicht gefragt|danach habe ich nicht gefragt|das \
                   meinte ich nicht|das meine ich nicht|das beantwortet meine frage nicht|du verstehst mich nicht|sie \
                   verstehen mich nicht|du verstehst nicht|du hast mich nicht verstanden|ich verstehe das nicht|ich \
                   verstehe nicht|verstehe ich nicht|versteh ich nicht|das habe ich schon versucht|habe ich schon \
                   probiert|das habe ich schon probiert|nicht wirklich|das hat mir nicht geholfen|hat mir nicht \
                   geholfen|das hat mir nicht weitergeholfen|hat mir nicht weitergeholfen|das hat mir leider nicht \
                   geholfen|das hat leider nicht geholfen|das hilft mir leider nicht|das hilft leider nicht|das hat \
                   nichts gebracht|hat nichts gebracht|das hat mir nichts gebracht",
        yes: "ja|jaa|ja bitte|ja gerne|ja gern|bitte|gerne|gern|sehr gerne|sehr gern|klar|na klar|natürlich|\
              selbstverständlich|auf jeden fall|unbedingt|sicher|jo|jup|jep|jawohl|jap|joa|bitte ja|ja klar|ja mach \
              das|mach das|machen sie das|mach|ja das wäre toll|das wäre toll|das wäre super|das wäre schön|das wäre \
              gut|das wäre nett|wäre toll|wäre super|wäre gut|von mir aus|warum nicht|ich bitte darum|bitte verbinden|\
              verbinden sie mich|verbinde mich|genau|richtig|stimmt|korrekt|ja will ich|ja möchte ich|möchte ich|würde \
              ich gern|würde ich gerne|ich würde gern|ich möchte|wenn das geht|wenn möglich",
        no: "nein|nee|ne|ich brauche keinen menschen|ich brauche keinen mitarbeiter|ich will keinen menschen|nö|nein \
             danke|nee danke|ne danke|nö danke|danke nein|nicht jetzt|jetzt nicht|im moment nicht|gerade nicht|noch \
             nicht|später|vielleicht später|ein andermal|nicht nötig|nicht notwendig|brauche ich nicht|brauch ich \
             nicht|muss nicht sein|lieber nicht|bitte nicht|auf keinen fall|passt schon|schon gut|schon ok|geht schon|\
             schon okay|alles gut|ist ok|ist okay|ist schon ok|ist schon gut|kein bedarf|kein interesse|möchte ich \
             nicht|will ich nicht|lass mal|lassen sie mal|lass gut sein|stopp|vergiss es|ich schaffe das|ich komme \
             klar|ich komme schon klar|ich suche selbst",
        cancel: "abbrechen",
        doubt: "wirklich|echt|was|wie bitte|hä|warum|wieso|weshalb|bist du sicher|sind sie sicher|bist du dir sicher|\
                sind sie sich sicher|ernsthaft|im ernst|ist das dein ernst|was meinst du|was meinst du damit|was \
                meinen sie|was meinen sie damit|kannst du das wiederholen|können sie das wiederholen|bitte \
                wiederholen|stimmt das|stimmt das wirklich",
        filler: "sehr|so|noch|noch mal|nochmal|nochmals|wirklich|echt|ja|ganz|total|aber|und|dann|jetzt|erstmal|erst mal|\
                 auch|oh|ach|ah|na|nun|also|gut|doch|haha|lol|hmm|hm|xd|hehe|einfach|nur|schon|mal|super|richtig|absolut|\
                 trotzdem|wow|bitte|ok",
        addition: "für die hilfe|für ihre hilfe|für deine hilfe|für eure hilfe|für die info|für die infos|für die \
                   information|für die auskunft|für die antwort|für die schnelle antwort|für die schnelle hilfe|für ihre \
                   zeit|für alles|für den support|für die erklärung|für ihre mühe|für deine mühe|im voraus|im vorraus|dir|\
                   ihnen|euch|dir auch|ihnen auch|ebenfalls|gleichfalls|zusammen|leute|team|liebes team|bot|an alle|schöne|\
                   schönen tag",
        ambiguous: "tag|morgen|top|fein|hammer|mist|mega|na|gut|dann|lg",
    },
    human: HumanRequestPhrases {
        who: "mensch|menschen|mitarbeiter|mitarbeiterin|mitarbeitern|berater|beraterin|kundenberater|kundenberaterin|\
              kundenbetreuer|sachbearbeiter|agent|agenten|ansprechpartner|ansprechpartnerin|kundenservice|kundendienst|\
              kundensupport|vorgesetzten|supportmitarbeiter|servicemitarbeiter|echte person|echten person|reale person|\
              realen person|operator",
        some: "jemand|jemandem|jemanden|person|support|team|techniker|technikerin|manager|managerin|chef|chefin|\
               vorgesetzter|vertrieb|verkauf|buchhaltung|abteilungsleiter|spezialisten|experten",
        mentions: "rufen|ruf|anrufen|ruckruf|zuruckrufen|jemand|verbinden|verbinde|kollege|kollegen|kollegin|bot|\
                   roboter|maschine|ki",
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
            "(rufen|ruf) (sie|mich|mir|uns|doch|bitte|mal){0,4} (an|zurück)",
            "(kann|könnte|können|könnten|kannst|könntest|mag|möge) (mich|mir|sie|ihr|du|bitte|mal|jemand|jemanden|uns|\
             vielleicht|da|hier|hierbei|dabei|bei|einer|von|euch|ihnen){0,6} (anrufen|zurückrufen)",
            "(kann|könnte|würde) (mir|mich|uns|bitte|mal|da|hier|dabei){0,3} jemand (mir|uns|bitte|mal|da|hier|dabei|\
             damit|anders|anderes|bei|davon){0,3} (helfen|weiterhelfen|antworten|anschauen)",
            "(bitte|um|einen) (um)? (einen)? rückruf <end>",
            "ist (da|hier|dort) (jemand|wer|irgendjemand|niemand|noch jemand|überhaupt jemand) (da)? <end>",
            "(jemand|irgendjemand|noch jemand|niemand) (da|hier) <end>",
            "(gibt|gibts) (s|es)? (hier|da|bei|euch|ihnen|auch|denn|noch|überhaupt|nur){0,4} (echte|richtige|lebende|\
             wirkliche|reale|echten)? (menschen|mitarbeiter|personen|ansprechpartner) <end>",
            "(verbinden|verbinde|verbindet) (sie)? mich (bitte|jetzt|sofort|endlich|doch){0,3} <end>",
            "(möchte|will|würde|wünsche) <other>{0,4} (kollege|kollegen|kollegin) <other>{0,3} (von ihnen|aus ihrem \
             team|sprechen|sieht|anschaut)",
            "mit <a>{0,4} (kollegen|kollegin|kollege|leuten) <other>{0,2} (sprechen|reden|verbinden|chatten|\
             telefonieren)",
        ],
        alone: "bitte|jetzt|ich|will|mochte|brauche|hallo|hi|danke|mit|sofort|guten|tag|sprechen",
        whole: &[
            "(eine|echte|reale){0,2} person (bitte|jetzt){0,2}",
            "(kein|keinen|nicht|keine) (noch|ein|einen|eine){0,2} (bot|roboter|maschine|ki) (bitte){0,1}",
            "(bitte){0,1} (jemand|jemanden) (vom|aus dem|von) (support|team|kundenservice|kundendienst|vertrieb) (bitte){0,1}",
            "(einen|eine|den|die|ihren){0,1} (manager|techniker|chef|vorgesetzten|vertrieb) bitte",
        ],
        leads_on: "bitte|jetzt|hier|sofort|zum|wegen|uber|aus|der|die|das|und|danke|von|am|an|fur|vom|im|kein|keinen|statt|\
                   sprechen|nicht",
        not: "nicht|kein|keine|keinen|keinem|keiner|nie|niemals|ohne|nein",
        whether: "muss ich|spreche ich|rede ich|schreibe ich|chatte ich",
        not_after: "nicht|nein|nie",
        links: "unbedingt|mehr|wirklich|jetzt|erst|extra|gerne|gern|direkt|dafur|dazu|zwingend|mit|mochte|will|ich|\
                brauche|muss|zu",
        others: "kunden|nutzer|benutzer|besucher",
        not_followed: "rechte|ressourcen|portal|konto|rolle|app",
    },
    sentences: Sentences {
        greeting: "Hallo! Wie kann ich Ihnen helfen?",
        thanks: "Gern geschehen!",
        farewell: "Auf Wiedersehen und einen schönen Tag!",
        acknowledgement: "In Ordnung. Schreiben Sie mir, wenn Sie noch eine Frage haben.",
        about_us: "Ich bin ein automatischer Assistent. Ich antworte aus unseren Hilfeartikeln, und Sie können jederzeit \
                   nach einem Menschen fragen.",
        no_problem: "Kein Problem. Was kann ich für Sie tun?",
        praised: "Danke, das freut mich. Schreiben Sie mir, wenn Sie noch eine Frage haben.",
        unclear: "Es tut mir leid, dass das unklar war. Was genau möchten Sie wissen? Sie können auch nach einem \
                  Menschen fragen.",
        apology: "Das tut mir leid. Möchten Sie mit einem Menschen sprechen?",
        no_answer: "Dazu habe ich in unseren Hilfeartikeln leider keine Antwort gefunden. Möchten Sie mit einem Menschen \
                    sprechen?",
        handover: "Ich gebe Sie an einen Menschen aus unserem Team weiter. Er liest, was Sie geschrieben haben, und \
                   antwortet Ihnen hier.",
        failure: "Ich kann gerade nicht antworten. Ich gebe Ihre Frage an einen Menschen weiter.",
        away: Away {
            back: "Unser Team ist {day} um {time} Uhr{zone} wieder da.",
            nobody: "Im Moment ist niemand aus unserem Team da.",
            later: "Das Team liest, was Sie geschrieben haben, und antwortet Ihnen hier.",
            today: "heute",
            days: [
                "am Montag",
                "am Dienstag",
                "am Mittwoch",
                "am Donnerstag",
                "am Freitag",
                "am Samstag",
                "am Sonntag",
            ],
        },
        human_later: "Ich kann noch nicht erneut jemanden aus unserem Team rufen. In {minutes} Minuten können Sie \
                      wieder darum bitten.",
        notice: "Sie schreiben mit einem automatischen Assistenten.",
        too_many: "Ich beantworte höchstens drei Fragen auf einmal. Bitte fragen Sie dies noch einmal: {questions}",
    },
};
