//! Italian.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Italian,
    small_talk: SmallTalkPhrases {
        greeting: "ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|buondì|ehi|ehilà|come va|come \
                   stai|come sta|come state|tutto bene|come butta|piacere|hi|hey|hello",
        opening: "ho una domanda|avrei una domanda|una domanda|posso fare una domanda|ho bisogno di aiuto|ho bisogno di \
                  una mano|aiuto|aiutami|mi aiuti|mi può aiutare|mi puoi aiutare|puoi aiutarmi|può aiutarmi|ci sei|c è \
                  qualcuno lì|ci siete",
        thanks: "grazie|grazie mille|grazie tante|tante grazie|molte grazie|mille grazie|grazie infinite|grz|graziee|ti \
                 ringrazio|la ringrazio|vi ringrazio|molto gentile|gentilissimo|gentilissima|volevo solo ringraziare|\
                 volevo dire grazie|thx|thanks|ty",
        farewell: "arrivederci|arrivederla|addio|a presto|a dopo|a domani|alla prossima|ci vediamo|ci sentiamo|buona \
                   giornata|buona serata|buona notte|buonanotte|buon fine settimana|buon weekend|buon proseguimento|stammi \
                   bene|saluti|cordiali saluti|distinti saluti|un saluto|bye",
        okay: "va bene|vabbè|bene|molto bene|benissimo|perfetto|ottimo|d accordo|certo|giusto|capito|fatto|bello|bella|\
               fantastico|eccellente|super|figo|apposto|a posto|tutto ok|tutto a posto|ok|okay|oke|oki",
        acknowledgement: "ho capito|capisco|adesso capisco|ora ho capito|tutto chiaro|è chiaro|chiaro|funziona|ora \
                          funziona|ha funzionato|risolto|problema risolto|è tutto|è tutto grazie|nient altro|niente \
                          altro|basta così|mi è stato utile|molto utile|utile|mi ha aiutato|mi hai aiutato|proprio \
                          quello che cercavo|quello che cercavo|trovato|l ho trovato|ho trovato|magnifico|\
                          meraviglioso|incredibile|bravo|brava|bravissimo|complimenti|ottimo lavoro|buona risposta|\
                          ottimo servizio|sei grande|sei il migliore|siete i migliori|siete grandi|ti amo|mi piace|\
                          non importa|non fa niente|nessun problema|non c è problema|lascia stare|lasci stare|lascia \
                          perdere|fa niente|tranquillo|provo|ci provo|proverò|un momento|un attimo|aspetta|scusa|\
                          scusi|scusate|mi dispiace|prego|di niente|figurati|ahah|ahahah|interessante|buono a sapersi|\
                          wow|lol|haha|hmm|omg|questo ha risolto|ha risolto il problema|ho risolto|ho risolto da solo|\
                          ho risolto il problema|questo ha funzionato",
        about_us: "chi sei|chi è lei|chi siete|con chi parlo|con chi sto parlando|cosa sei|che cosa sei|come ti chiami|come \
                   si chiama|qual è il tuo nome|sei un bot|sei un robot|sei bot|sei una macchina|sei un ia|sei un \
                   intelligenza artificiale|sei umano|sei un umano|sei una persona|sei una persona vera|sei una persona \
                   reale|sei reale|sei vero|sei un robot o una persona|sei una persona o un robot|sei un bot o una persona|\
                   è un bot|è un robot|è una persona|è lei un robot|questo è un bot|sto parlando con un bot|sto parlando \
                   con un robot|sto parlando con una persona|sto parlando con un umano|parlo con un robot|parlo con un bot|\
                   parlo con una persona|cosa puoi fare|cosa sai fare|che cosa puoi fare|come puoi aiutarmi|come mi puoi \
                   aiutare|chi ti ha creato|parli italiano|da dove vieni",
        anger: "merda|che merda|cazzo|che cazzo|vaffanculo|inutile|sei inutile|bot inutile|non servi a niente|non \
                serve a niente|stupido|bot stupido|sei stupido|idiota|cretino|imbecille|scemo|fai schifo|fate schifo|\
                che schifo|schifo|fa schifo|pessimo|pessimo servizio|servizio pessimo|terribile|orribile|vergogna|che \
                vergogna|vergognoso|è vergognoso|vergognatevi|ridicolo|è ridicolo|assurdo|è assurdo|truffa|truffatori|\
                ladri|sono arrabbiato|sono arrabbiata|sono stufo|sono deluso|delusione|che delusione|deludente|\
                inaccettabile|è inaccettabile|perdita di tempo|che perdita di tempo|mi prendi in giro|mi prendete in \
                giro|stai zitto|ti odio|mai più|wtf",
        unhelped: "non mi aiuta|non mi ha aiutato|non aiuta|questo non mi aiuta|non è utile|non è stato utile|non mi \
                   è utile|non mi serve|non funziona|non ha funzionato|ancora non funziona|non funziona ancora|\
                   risposta sbagliata|è sbagliato|sbagliato|non è quello che ho chiesto|non è quello che chiedevo|non \
                   ho chiesto questo|non era la mia domanda|non è la mia domanda|non è questo|non intendevo questo|\
                   non risponde alla mia domanda|non rispondi alla mia domanda|non hai capito|non capisci|non capisco|\
                   non ho capito|già provato|ho già provato|questo non mi ha aiutato|non mi è stato d aiuto",
        yes: "sì|si|sii|sì grazie|si grazie|sì per favore|si per favore|per favore|per piacere|certo|certamente|certo \
              che sì|volentieri|magari|assolutamente|assolutamente sì|sicuro|ovvio|ovviamente|mi piacerebbe|vorrei|sì \
              vorrei|lo vorrei|sarebbe bello|sarebbe ottimo|sarebbe perfetto|perché no|procedi|procedere|vai|fallo|\
              esatto|esattamente|giusto|se possibile|dai",
        no: "no|no grazie|non ora|adesso no|per ora no|non adesso|non ancora|più tardi|magari dopo|magari più tardi|\
             un altra volta|non serve|non è necessario|non c è bisogno|non occorre|non voglio|preferisco di no|meglio \
             di no|assolutamente no|va bene così|sto bene così|sono a posto|niente|lascia stare|lascia perdere|faccio \
             da solo|per niente",
        cancel: "annulla",
        doubt: "cosa|che cosa|perché|davvero|veramente|sul serio|sei sicuro|sei sicura|è sicuro|è sicura|cosa intendi|\
                cosa intende|cosa vuol dire|puoi ripetere|può ripetere",
        filler: "molto|tanto|davvero|proprio|ancora|anche|ora|adesso|allora|quindi|e|ma|ah|oh|eh|beh|ahah|haha|tutto|così|\
                 per ora|bene|si|sì|no grazie|solo|di nuovo|per favore|lol|hmm|ok",
        addition: "per l aiuto|per il tuo aiuto|per il suo aiuto|per il vostro aiuto|dell aiuto|per avermi aiutato|per l \
                   informazione|per le informazioni|delle informazioni|per la risposta|della risposta|per la risposta \
                   rapida|per la disponibilità|per il tempo|per tutto|di tutto|per niente|per la spiegazione|a te|a lei|a \
                   voi|anche a te|anche a lei|a tutti|ragazzi|amico|amica|signore|signora|in anticipo|bot",
        ambiguous: "fine|vai|bello|bella|dai|fatto|niente|tutto|solo|prego|super|salve",
    },
    human: HumanRequestPhrases {
        who: "umano|umana|essere umano|operatore|operatrice|operatori|persona reale|persona vera|persona in carne e \
              ossa|consulente|rappresentante|addetto|assistenza clienti|servizio clienti|supporto umano|assistente \
              umano|responsabile",
        some: "qualcuno|persona|supporto|collega|dipendente|tecnico|direttore|supervisore|commerciale|manager|\
               amministrazione|ufficio vendite",
        mentions: "chiamare|chiamatemi|richiamatemi|chiamami|richiamare|bot|robot|chiamarmi|richiamarmi|aiutarmi|\
                   macchina",
        a: "un|una|uno|il|l|lo|la|con|vero|vera|altro|altra|vostro|vostra|del|dell|servizio|team",
        phrases: &[
            "(parlare|parla|parlo|parliamo|chattare|comunicare|discutere|parlarne) (direttamente)? (con|a) <a>{0,4} <who>",
            "(parlare|parla|parlo|parliamo|chattare|comunicare|parlarne) (direttamente)? (con|a) <a>{0,4} <some> <end>",
            "(passami|mi passi|mi passa|passatemi|mettimi|mettermi|mi metta|trasferiscimi|trasferirmi|mi trasferisca|\
             collegami|collegatemi|mi colleghi) (in contatto|in comunicazione|con|a|ad|un|una|il|l){0,4} (<who>|\
             <some>)",
            "(voglio|vorrei|desidero|preferisco|cerco|mi serve|ho bisogno di|serve) <a>{0,4} <who> <end>",
            "(contattare|sentire|avere) <a>{0,4} <who> <end>",
            "(c è|ci sono|esiste) <a>{0,4} (qualcuno|operatore|persona vera|persona reale|umano) (qui|lì|li|\
             disponibile|online|con cui parlare)? <end>",
            "(può|puoi|potrebbe|potete) (qualcuno|per favore)? (chiamarmi|richiamarmi|aiutarmi qualcuno|chiamare \
             qualcuno)",
            "qualcuno (può|puo|mi può|mi puo|potrebbe|mi potrebbe|di voi può)? (aiutarmi|aiutare|chiamarmi|chiamare|\
             rispondere|rispondermi)",
            "(mi può|mi puo|può|puo) (aiutare|aiutarmi|chiamare|rispondere) qualcuno",
            "(chiamatemi|richiamatemi|chiamami|mi chiami|mi chiamate|mi richiami|mi richiamate|mi richiamate voi)",
            "non (voglio|vorrei) (parlare)? (con)? (un)? (bot|robot)",
        ],
        alone: "per|favore|subito|ora|adesso|ciao|salve|buongiorno|vorrei|voglio|con|parlare|un|una|grazie|si",
        whole: &[
            "(una){0,1} persona (reale|vera){0,1} (per favore){0,1}",
            "non (un|una){0,1} (bot|robot|macchina)",
            "(un|una){0,1} (tecnico|direttore|supervisore) per favore",
        ],
        leads_on: "per|subito|ora|adesso|che|riguardo|grazie|direttamente|e|o|del|della|qui|al|in|vero|vera|reale|non|\
                   perché|piuttosto|di",
        not: "non|senza|mai|nessun|nessuno|inutile",
        whether: "devo|dobbiamo|bisogna|sto parlando|se devo",
        not_after: "",
        links: "voglio|vorrei|ho|bisogno|di|serve|mi|è|necessario|desidero|parlare|devo|con|un|una|che|deve",
        others: "clienti|utenti|visitatori|loro",
        not_followed: "immobiliare|virtuale|ia|artificiale|automatico|logico|telefonico|mobile",
    },
    sentences: Sentences {
        greeting: "Buongiorno! Come posso aiutarla?",
        thanks: "Prego!",
        farewell: "Arrivederci e buona giornata!",
        acknowledgement: "Va bene. Mi scriva quando ha un’altra domanda.",
        about_us: "Sono un assistente automatico. Rispondo in base ai nostri articoli di aiuto, e può chiedere di una \
                   persona in qualsiasi momento.",
        no_problem: "Nessun problema. Che cosa posso fare per Lei?",
        praised: "Grazie, mi fa piacere. Mi scriva quando ha un’altra domanda.",
        unclear: "Mi dispiace che non fosse chiaro. Che cosa vorrebbe sapere esattamente? Può anche chiedere di \
                  parlare con una persona.",
        apology: "Mi dispiace. Vuole parlare con una persona del nostro team?",
        no_answer: "Non ho trovato una risposta a questa domanda nei nostri articoli di aiuto. Vuole parlare con una persona \
                    del nostro team?",
        handover: "La metto in contatto con una persona del nostro team. Leggerà ciò che ha scritto e le risponderà qui.",
        failure: "In questo momento non posso rispondere. Passo la sua domanda a una persona del nostro team.",
        away: Away {
            back: "Il nostro team torna {day} alle {time}{zone}.",
            nobody: "In questo momento non c'è nessuno del nostro team.",
            later: "Il team leggerà ciò che ha scritto e le risponderà qui.",
            today: "oggi",
            days: ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
        },
        human_later: "Non posso ancora chiamare di nuovo una persona del nostro team. Potrà chiederlo di nuovo tra \
                      {minutes} minuti.",
        notice: "Sta parlando con un assistente automatico.",
        too_many: "Rispondo al massimo a tre domande alla volta. La prego di chiedere di nuovo: {questions}",
    },
};
