//! Danish.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Danish,
    small_talk: SmallTalkPhrases {
        greeting: "hej|hejsa|halløj|hallo|dav|davs|goddag|god dag|godmorgen|god morgen|godaften|god aften|hej med dig|hej \
                   med jer|hej der|hvordan går det|hvordan har du det|hvad så|alt vel|hi|hey|hello",
        opening: "jeg har et spørgsmål|et spørgsmål|må jeg spørge om noget|jeg har brug for hjælp|brug for hjælp|hjælp|\
                  hjælp mig|kan du hjælpe mig|kan i hjælpe mig|er du der",
        thanks: "tak|mange tak|tusind tak|tak skal du have|tak skal i have|tak for hjælpen|tak for det|takker|jeg takker|\
                 på forhånd tak|super tak|ville bare sige tak|thx|thanks|ty",
        farewell: "farvel|hej hej|vi ses|ses|vi snakkes|på gensyn|hav det godt|ha det|ha det godt|hav en god dag|fortsat \
                   god dag|ha en god dag|god weekend|hav en god weekend|godnat|god nat|god aften|mvh|med venlig hilsen|\
                   venlig hilsen|hilsen|bye",
        okay: "okay|fint|godt|meget godt|super|perfekt|fedt|cool|i orden|alt i orden|det er fint|det er i orden|lyder \
               godt|forstået|modtaget|dejligt|skønt|klart|ok|oke|oki",
        acknowledgement: "jeg forstår|forstår|aha|nå|nå okay|det giver mening|det virker|virker|det lykkedes|løst|\
                          problemet er løst|det var alt|det er alt|det var det|ikke mere|ingen flere spørgsmål|det \
                          hjalp|hjalp|det hjælper|meget hjælpsomt|brugbart|lige hvad jeg manglede|lige hvad jeg søgte|\
                          fandt det|jeg fandt det|fantastisk|vidunderligt|fremragende|herligt|godt gået|godt klaret|\
                          godt svar|god service|du er den bedste|i er de bedste|du er sej|du er super|intet problem|\
                          ingen problemer|det gør ikke noget|pyt|pyt med det|glem det|lige meget|jeg prøver|jeg \
                          prøver det|et øjeblik|vent|undskyld|beklager|velbekomme|selv tak|interessant|godt at vide|\
                          wow|lol|haha|hmm|omg",
        about_us: "hvem er du|hvem er i|hvem taler jeg med|hvem snakker jeg med|hvem skriver jeg med|hvad er du|hvad hedder \
                   du|er du en bot|er du en robot|er du robot|er du et menneske|er du menneske|er du en ai|er du en rigtig \
                   person|er du et rigtigt menneske|er du ægte|er du en bot eller et menneske|er du et menneske eller en \
                   bot|er du en robot eller et menneske|er det en bot|er det her en bot|er dette en bot|taler jeg med en \
                   bot|taler jeg med en robot|taler jeg med et menneske|snakker jeg med en robot|snakker jeg med et \
                   menneske|skriver jeg med en robot|hvad kan du|hvad kan du gøre|hvad kan du hjælpe med|hvordan kan du \
                   hjælpe mig|hvem har lavet dig|taler du dansk",
        anger: "lort|fandme|for fanden|pis|for helvede|satans|dårlig|dårligt|meget dårligt|dårlig service|elendig|\
                elendigt|elendig service|ubrugelig|ubrugeligt|du er ubrugelig|det er ubrugeligt|dum|du er dum|dumme \
                bot|dum bot|idiot|idioter|latterligt|det er latterligt|skandale|pinligt|uacceptabelt|katastrofe|\
                svindel|svindlere|jeg er vred|jeg er skuffet|skuffet|skuffende|irriterende|frustrerende|spild af tid|\
                hold kæft|skrid|jeg hader bots|aldrig mere|det er for dårligt|wtf",
        unhelped: "det hjalp ikke|hjalp ikke|det hjælper ikke|hjælper ikke|det hjælper mig ikke|ikke hjælpsomt|det \
                   virker ikke|virker ikke|det virkede ikke|virker stadig ikke|det virker stadig ikke|forkert svar|\
                   det er forkert|forkert|det passer ikke|det var ikke det jeg spurgte om|det er ikke det jeg spurgte \
                   om|det spurgte jeg ikke om|det var ikke mit spørgsmål|det er ikke mit spørgsmål|det mente jeg ikke|\
                   det svarer ikke på mit spørgsmål|du svarer ikke på mit spørgsmål|du forstår ikke|du forstår mig \
                   ikke|jeg forstår ikke|jeg forstår det ikke|det har jeg prøvet|har allerede prøvet|ikke rigtig",
        yes: "ja|jo|jep|jaja|ja tak|ja gerne|gerne|meget gerne|ja endelig|ja selvfølgelig|selvfølgelig|naturligvis|\
              klart|helt sikkert|gør det|ja gør det|det vil jeg gerne|ja det vil jeg gerne|det ville være godt|det \
              ville være dejligt|det ville være fint|hvorfor ikke|præcis|netop|hvis det er muligt|hvis muligt|vil jeg \
              gerne|venligst",
        no: "nej|næh|nej tak|ikke nu|ikke lige nu|ikke endnu|senere|måske senere|en anden gang|ikke nødvendigt|det er \
             ikke nødvendigt|det behøves ikke|behøves ikke|helst ikke|jeg vil ikke|absolut ikke|det er fint|det er \
             okay|det er ok|det går nok|jeg klarer mig|jeg finder selv ud af det|glem det|pyt|annuller|stop",
        cancel: "",
        doubt: "hvad|hvorfor|virkelig|seriøst|er du sikker|hvad mener du|kan du gentage det",
        filler: "så|meget|virkelig|også|nu|da|og|men|ja|åh|nå|oh|ah|haha|hihi|lol|bare|igen|lige|rigtig|super|godt|gange|\
                 endnu|hmm|ok",
        addition: "for hjælpen|for din hjælp|for jeres hjælp|for al hjælpen|for svaret|for dit svar|for det hurtige svar|\
                   for hurtigt svar|for info|for informationen|for din tid|for det hele|for alt|for forklaringen|i lige \
                   måde|lige over|dig|jer|alle|alle sammen|på forhånd|bot|til dig|selv",
        ambiguous: "tak|fint|fedt|godt|pis|dav|ses|super|lort|stop|skrid|forkert|dum|idiot|cool",
    },
    human: HumanRequestPhrases {
        who: "menneske|mennesker|rigtig person|rigtigt menneske|levende person|medarbejder|kundeservice|\
              kundeservicemedarbejder|agent|operatør|rådgiver|supportmedarbejder|konsulent|leder|chef",
        some: "nogen|person|kollega|support|supporten|personale|tekniker|chef|leder|sælger|salg|salgsafdelingen",
        mentions: "ring|ringe|ringes|bot|robot",
        a: "en|et|den|det|rigtig|rigtigt|levende|menneskelig|anden|jeres|din|fra|af|i",
        phrases: &[
            "(tale|snakke|chatte|taler|snakker) (direkte)? med <a>{0,4} <who>",
            "(tale|snakke|chatte) (direkte)? med <a>{0,4} <some> <end>",
            "(stil|stille|sæt|viderestil|viderestille|forbind|send) (mig|os|videre|om|over|venligst|det){0,4} (til|\
             med) <a>{0,4} (<who>|<some>)",
            "(vil have|vil gerne have|har brug for|ønsker|kræver|giv mig|vil gerne tale med) <a>{0,4} <who> <end>",
            "(kontakte|få fat i|fange|få fat på) <a>{0,4} <who> <end>",
            "er (der|her) (nogen|en rigtig person|et menneske|rigtige mennesker) (der|her|hjemme|til stede)? <end>",
            "(nogen) (der|her) <end>",
            "(kan|kunne|vil|ville) (nogen|en) (venligst|der|fra jer){0,2} (hjælpe|ringe|svare|kontakte)",
            "(ring) (til)? (mig|os) (op|tilbage|venligst|tak)? <end>",
            "(kan|kunne|vil) (i|du|nogen) (venligst)? ringe (til)? (mig|os)",
            "ikke (tale|snakke|chatte) med en (bot|robot|maskine)",
        ],
        alone: "tak|venligst|nu|hej|jeg|vil|gerne|have|med|en|tale|straks",
        whole: &["(en){0,1} person (tak){0,1}", "ikke en (bot|robot)"],
        leads_on: "tak|venligst|nu|om|som|her|direkte|straks|for|på|og|eller|angående|i|stedet|ikke|hellere|fra|der",
        not: "ikke|ingen|aldrig|uden|slippe",
        whether: "skal jeg|behøver jeg|skal man|taler jeg|snakker jeg",
        not_after: "ikke",
        links: "vil|har|brug|for|jeg|at|med|en|nogen|gerne|skal|ønsker|ringe",
        others: "kunder|brugere|besøgende|de",
        not_followed: "ressourcer|rettigheder|konto|rolle|portal",
    },
    sentences: Sentences {
        greeting: "Hej! Hvad kan jeg hjælpe med?",
        thanks: "Selv tak!",
        farewell: "Farvel, og hav en god dag!",
        acknowledgement: "Okay. Skriv til mig, når du har et nyt spørgsmål.",
        about_us: "Jeg er en automatisk assistent. Jeg svarer ud fra vores hjælpeartikler, og du kan når som helst bede om \
                   en person.",
        no_problem: "Det er helt i orden. Hvad kan jeg gøre for dig?",
        praised: "Tak, det er jeg glad for at høre. Skriv til mig, når du har et nyt spørgsmål.",
        unclear: "Beklager, at det var uklart. Hvad vil du helt præcist vide? Du kan også bede om et menneske.",
        apology: "Det beklager jeg. Vil du tale med en person fra vores team?",
        no_answer: "Jeg fandt ikke noget svar på det i vores hjælpeartikler. Vil du tale med en person fra vores team?",
        handover: "Jeg stiller dig videre til en person fra vores team. De læser det, du har skrevet, og svarer dig her.",
        failure: "Jeg kan ikke svare lige nu. Jeg giver dit spørgsmål videre til en person.",
        away: Away {
            back: "Vores team er tilbage {day} kl. {time}{zone}.",
            nobody: "Der er ingen fra vores team her lige nu.",
            later: "Teamet læser det, du har skrevet, og svarer dig her.",
            today: "i dag",
            days: ["på mandag", "på tirsdag", "på onsdag", "på torsdag", "på fredag", "på lørdag", "på søndag"],
        },
        human_later: "Jeg kan ikke tilkalde en person fra vores team igen endnu. Du kan bede om det igen om {minutes} \
                      minutter.",
        notice: "Du skriver med en automatisk assistent.",
        too_many: "Jeg svarer på højst tre spørgsmål ad gangen. Spørg gerne igen om dette: {questions}",
    },
};
