//! Swedish.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Swedish,
    small_talk: SmallTalkPhrases {
        greeting: "hej|hejsan|hejhej|hej hej|hallå|tjena|tja|tjo|god morgon|godmorgon|god dag|god kväll|godkväll|god middag|\
                   morsning|hej på dig|hej där|hur mår du|hur är det|hur går det|läget|hur är läget|allt bra|hi|hey|hello",
        opening: "jag har en fråga|en fråga|kan jag fråga en sak|jag behöver hjälp|behöver hjälp|hjälp|hjälp mig|kan du \
                  hjälpa mig|kan ni hjälpa mig|är du där",
        thanks: "tack|tackar|tack så mycket|tackar så mycket|tusen tack|stort tack|tack tack|tack för hjälpen|tack ska du \
                 ha|tack snälla|hjärtligt tack|jag tackar|ville bara tacka|thx|thanks|ty",
        farewell: "hejdå|hej då|adjö|vi ses|vi hörs|ses|hörs|på återseende|ha det bra|ha det|ha det gott|ha en bra dag|ha \
                   en fin dag|ha en trevlig dag|trevlig helg|ha en trevlig helg|god natt|godnatt|trevlig kväll|ha en bra \
                   kväll|mvh|med vänlig hälsning|hälsningar|bye",
        okay: "okej|okey|bra|jättebra|mycket bra|fint|toppen|perfekt|super|kanon|grymt|najs|schysst|coolt|visst|absolut|\
               då så|låter bra|uppfattat|okidoki|ok|okay|oke|oki",
        acknowledgement: "jag förstår|förstår|förstått|jaha|jag fattar|fattar|då förstår jag|det fungerar|fungerar|\
                          funkar|det funkar|det funkar nu|det fungerar nu|det gick|det löste sig|löst|problemet löst|\
                          det var allt|det är allt|det var bara det|inget mer|inga fler frågor|det hjälpte|hjälpte|\
                          det hjälper|jättehjälpsamt|hjälpsamt|användbart|precis vad jag behövde|precis vad jag sökte|\
                          hittade det|jag hittade det|underbart|fantastiskt|utmärkt|härligt|bra jobbat|snyggt|bra \
                          svar|bra service|du är bäst|ni är bäst|du är grym|du är toppen|inga problem|ingen fara|det \
                          gör inget|det gör ingenting|strunt i det|glöm det|skit i det|jag testar|jag provar|ska \
                          testa|jag ska testa|ett ögonblick|vänta|förlåt|ursäkta|ursäkta mig|varsågod|ingen orsak|\
                          intressant|bra att veta|haha|hihi|wow|lol|hmm|omg",
        about_us: "vem är du|vem är ni|vem pratar jag med|vem talar jag med|vad är du|vad heter du|är du en bot|är du en \
                   robot|är du robot|är du en människa|är du människa|är du en ai|är du en riktig person|är du en riktig \
                   människa|är du på riktigt|är du en dator|är du en bot eller en människa|är du en människa eller en bot|\
                   är du en robot eller en människa|är det en bot|är det här en bot|är detta en bot|pratar jag med en bot|\
                   pratar jag med en robot|pratar jag med en människa|pratar jag med en riktig person|vad kan du|vad kan du \
                   göra|vad kan du hjälpa mig med|hur kan du hjälpa mig|vem har skapat dig|pratar du svenska",
        anger: "fan|fy fan|jävla|jävla skit|skit|skitbot|jävla bot|helvete|dålig|dåligt|så dåligt|mycket dåligt|dålig \
                service|värdelös|värdelöst|du är värdelös|ni är värdelösa|det är värdelöst|helt värdelöst|dum|du är \
                dum|dumma bot|idiot|idioter|korkad|löjligt|det här är löjligt|skandal|skamligt|pinsamt|oacceptabelt|\
                bedrövligt|katastrof|urdåligt|uselt|uselt bemötande|bedrägeri|bedragare|jag är arg|jag är besviken|\
                besviken|irriterande|frustrerande|slöseri med tid|håll käften|dra åt helvete|jag hatar botar|aldrig \
                mer|wtf",
        unhelped: "det hjälpte inte|hjälpte inte|det hjälper inte|hjälper inte|inte till hjälp|inte hjälpsamt|det \
                   fungerar inte|fungerar inte|funkar inte|det funkar inte|det fungerade inte|det funkade inte|funkar \
                   fortfarande inte|fungerar fortfarande inte|fel svar|det är fel|fel|det stämmer inte|det var inte \
                   det jag frågade|det var inte min fråga|det är inte min fråga|det var inte det jag menade|det är \
                   inte det jag frågade om|det svarar inte på min fråga|du svarar inte på min fråga|du förstår inte|\
                   du fattar inte|jag förstår inte|fattar inte|jag fattar inte|har redan provat|det har jag redan \
                   provat|jag har redan testat|inte riktigt",
        yes: "ja|japp|jepp|jajamän|ja tack|ja gärna|gärna|ja snälla|snälla|ja det vill jag|ja visst|visst|javisst|\
              självklart|såklart|absolut|givetvis|gör det|ja gör det|okej ja|det vore bra|det vore toppen|det vore \
              snällt|det skulle vara bra|jag vill det|varför inte|precis|exakt|om det går|kör på|kör",
        no: "nej|nej tack|nä|nä tack|nej då|inte nu|inte just nu|inte än|senare|kanske senare|en annan gång|behövs \
             inte|det behövs inte|inte nödvändigt|jag vill inte|helst inte|absolut inte|det är bra|det är bra så|det \
             är lugnt|det är okej|lugnt|strunt i det|jag klarar mig|jag löser det|stopp",
        cancel: "avbryt",
        doubt: "vad|varför|verkligen|seriöst|är du säker|vad menar du|kan du upprepa det",
        filler: "så|mycket|jätte|verkligen|också|nu|då|och|men|ja|oh|åh|ah|haha|hihi|lol|bara|igen|redan|allra|väldigt|\
                 super|bra|snälla|jaha|hmm|ok",
        addition: "för hjälpen|för all hjälp|för din hjälp|för er hjälp|för svaret|för snabbt svar|för det snabba svaret|\
                   för infon|för informationen|för din tid|för allt|för förklaringen|du med|dig med|detsamma|dig|er|alla|\
                   allihopa|gänget|på förhand|bot|själv",
        ambiguous: "bra|fan|tack|fint|tja|ses|kör|fel|stopp|visst|dum|kanon|toppen|super|idiot|fattar",
    },
    human: HumanRequestPhrases {
        who: "människa|människor|riktig person|verklig person|levande person|handläggare|kundtjänst|kundservice|\
              medarbetare|agent|operatör|rådgivare|supportpersonal|mänsklig|chef|handledare",
        some: "någon|person|kollega|supporten|personal|tekniker|chef|chefen|säljare|försäljning",
        mentions: "ring|ringa|ringer|bot|robot",
        a: "en|ett|den|det|riktig|levande|mänsklig|annan|er|din|från|på|i|av",
        phrases: &[
            "(prata|tala|chatta|snacka|pratar|talar) (direkt)? med <a>{0,4} <who>",
            "(prata|tala|chatta|snacka) (direkt)? med <a>{0,4} <some> <end>",
            "(koppla|kopplar|skicka|flytta|för|vidarekoppla) (mig|oss|vidare|över|snälla|detta|det){0,4} (till|med) \
             <a>{0,4} (<who>|<some>)",
            "(vill ha|behöver|vill|önskar|kräver|ge mig|vill nå|vill kontakta) <a>{0,4} <who> <end>",
            "(få|kontakta|nå|få kontakt med|få tala med|få prata med) <a>{0,4} <who> <end>",
            "(finns|är) (det)? (någon|nån|en riktig person|en människa|riktiga människor) (där|här|hemma|\
             tillgänglig)? <end>",
            "(någon|nån) (där|här) <end>",
            "(kan|skulle|kunde|vill) (någon|nån) (kunna|snälla|där|från er){0,2} (hjälpa|ringa|svara|kontakta|höra av \
             sig)",
            "(ring|ring upp) (mig|oss) (upp|tillbaka|snälla|tack)? <end>",
            "(kan|skulle|kunde|vill) (ni|du|någon) (kunna|snälla)? (ringa) (upp)? (mig|oss)",
            "(inte) (vill)? (prata|tala|chatta) med (en|den här)? (bot|robot|maskin)",
        ],
        alone: "tack|snälla|nu|hej|jag|vill|ha|med|en|prata|direkt|genast|behöver",
        whole: &["(en){0,1} (riktig){0,1} person (tack){0,1}", "inte en (bot|robot)"],
        leads_on: "tack|snälla|nu|om|som|här|direkt|genast|för|på|och|eller|angående|i|istället|inte|hellre|från",
        not: "inte|ingen|aldrig|utan|slippa",
        whether: "måste jag|behöver jag|måste man|pratar jag",
        not_after: "inte",
        links: "vill|behöver|ha|jag|att|med|en|någon|gärna|måste|ringa",
        others: "kunder|användare|besökare|de",
        not_followed: "resurser|rättigheter|konto|roll|portal",
    },
    sentences: Sentences {
        greeting: "Hej! Vad kan jag hjälpa dig med?",
        thanks: "Varsågod!",
        farewell: "Hej då, och ha en fin dag!",
        acknowledgement: "Okej. Skriv till mig när du har en ny fråga.",
        about_us: "Jag är en automatisk assistent. Jag svarar utifrån våra hjälpartiklar, och du kan när som helst be om en \
                   person.",
        no_problem: "Inga problem. Vad kan jag göra för dig?",
        praised: "Tack, det var roligt att höra. Skriv till mig när du har en ny fråga.",
        unclear: "Jag är ledsen att det var otydligt. Vad vill du veta exakt? Du kan också be om en människa.",
        apology: "Jag beklagar. Vill du prata med en person i vårt team?",
        no_answer: "Jag hittade inget svar på det i våra hjälpartiklar. Vill du prata med en person i vårt team?",
        handover: "Jag kopplar dig till en person i vårt team. De läser det du har skrivit och svarar dig här.",
        failure: "Jag kan inte svara just nu. Jag lämnar din fråga vidare till en person i vårt team.",
        away: Away {
            back: "Vårt team är tillbaka {day} kl. {time}{zone}.",
            nobody: "Ingen i vårt team är här just nu.",
            later: "Teamet läser det du har skrivit och svarar dig här.",
            today: "i dag",
            days: ["på måndag", "på tisdag", "på onsdag", "på torsdag", "på fredag", "på lördag", "på söndag"],
        },
        human_later: "Jag kan inte kalla på en person i vårt team igen ännu. Du kan be om det igen om {minutes} \
                      minuter.",
        notice: "Du skriver med en automatisk assistent.",
        too_many: "Jag svarar på högst tre frågor åt gången. Fråga gärna detta igen: {questions}",
    },
};
