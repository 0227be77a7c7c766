//! The function words of the languages with Latin letters.

use crate::CustomerLanguage as L;

/// Articles, pronouns, prepositions, question words and the commonest verbs of questions. A list has the words of another
/// language that are also words of its own, so that they count for both.
pub(crate) const LISTS: &[(L, &str)] = &[
    (
        L::English,
        "a about after all also am an and any are art as at be because been before but by can cant cancel cost could dear \
         did die do does doesnt dont for from get give had has hat have he her here hi his how hello i if im in into is isnt it \
         its just know long made man me mine most much must my no not now of on one only or our out over per place she \
         should so some still sure tell than that the their them then there they this to under until up us very want war \
         was we were what when where which while who why will with without would you your",
    ),
    (
        L::German,
        "aber alle als am an auch auf aus bei bekomme bekommen bin bis brauche da damit dann das dass dauert dem den denn \
         der des dich die dies diese diesen dir du ein eine einem einen einer er es euch euer eure finde finden fur gibt \
         gibts habe haben habt hat hatte heisst ich ihr ihre im in ist ja jetzt kann kannst kein keine keinen konnen konnte \
         kostet kosten lange man meine meinem meinen meiner mein mehr mich mir mit mochte muss nach nicht noch nur ob oder \
         ohne sein seine sich sie sind so soll uber um und uns unser unsere von vor wann war warum was welche welchen \
         welcher welches wenn wer werden wie wieder wieso wieviel will wir wird wo woher wohin zu zum zur",
    ),
    (
        L::Spanish,
        "a al algo alguien ano antes como con cual cuales cuando cuanta cuantas cuanto cuantos cuesta cuestan de del desde \
         dinero donde durante el ella en entre es esa ese eso esta estan estar este esto estos estoy funciona ha hace hacer \
         hago hasta hay he la las le les lo los mas me mi mis muy nada ni no nos o os para pero por porque puede puedo que \
         quien quiero se ser si sin sobre son su sus tambien tarda tengo tiene tienen todo tu un una uno unos usted ustedes \
         y ya yo",
    ),
    (
        L::French,
        "a ai apres au aucun aussi autre aux avant ci deux fois hier jour jours mois trois avec avez avoir avons ca ce ces cet cette chez combien comment cela \
         coute dans de depuis des dois dois donc dont du elle en encore entre es est et etes etre fait faire faut il ils \
         je jusqu la le les leur lui ma mais me mes moi mon ne nos notre nous on ont ou par parler pas peu peut peux plus pour \
         pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se ses svp si son sont sur ta temps toi ton tout \
         toute tres trouve tu un une va veux vos votre voudrais vous y",
    ),
    (
        L::Portuguese,
        "a ainda ao aos as ate com como da das de demora depois do dos e ela ele em entre era essa esse esta estao este eu \
         faco fazer foi ha isso isto ja mais mas me meu meus minha minhas muito na nao nas nem no nos o onde os ou para pela \
         pelo pode posso por porque quais qual quando quanta quantas quanto quantos que quem quero sao se sem ser seu sua \
         sobre so tambem tem temos tenho um uma voce voces custa custam",
    ),
    (
        L::Italian,
        "a ad agli ai al alla alle anche ancora avete che chi ci come con cosa costa costano da dal dalla degli dei del \
         della delle di dopo dove e ed fare faccio fra fino gli ha hanno ho i il in io la le lei lo loro ma mi mia mie \
         miei mio molto ne nel nella nelle no non nostro o ogni per perche piu posso possono puo qual quale quali quando \
         quanta quanto quanti quante questa questo qui se sei senza si siete sono sua sul sulla suo sua tempo tra tu un una \
         uno va vi voglio voi vorrei vostra vostro",
    ),
    (
        L::Dutch,
        "aan al als bij dan dat de deze die dit doe door duurt een en er ga gaat geen had heb hebben hebt heeft het hier hij \
         hoe hoelang hoeveel hun ik in is ja je jij jullie kan kost kosten krijg kun kunnen kunt lang maar meer met mij mijn \
         moet na naar niet niets nog nu of om ons onze ook op over per te terug tot u uit uw van veel vind voor waar waarom \
         wanneer waren was wat we welke wie wij wil word worden wordt ze zelf zich zij zijn zonder",
    ),
    (
        L::Danish,
        "af alle at blev bliver da de deg dem den denne der deres dere det dig din dit du efter eller en er et far finder for \
         fra fordi gor han har havde hende her hos hun hvad hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornar \
         i ikke ind ja jeg jer jeres kan koster lang laenge længe man mange med meget men mig min mine mit mod må nar nej \
         noget nogen nogle nu når og også om op os over på se sig skal skulle som så tager tid til ud under uden være var ved vi vil \
         vores",
    ),
    (
        L::Swedish,
        "alla allt att av bli blir da dar de dem den denna det detta dig din ditt du efter ej eller en er era ett far finns \
         finner for fran gor ha han har hej henne hon hos hur hör i ingen inte ja jag kan kostar lang lange lång man med mellan \
         men mer mig min mina mitt mot mycket maste nar nagon nagot ni nu och om oss pa sa sig sin sitt ska skulle som tar tid till \
         under ut utan vad var vara varfor vem vi vid vilka vilken vilket vill",
    ),
    (
        L::Norwegian,
        "alle at av ble blir da de deg dem den denne der dere deres det dette din ditt du eller en er et etter ett fa far \
         finner for fordi fra gjor ha han har henne her hos hun hva hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor i \
         ikke inn ja jeg kan koster lang lenge man mange med meg mellom men mer min mine mitt mot må nar nei noe noen nå når \
         og også om opp oss over på se seg skal skulle som så tar tid til ut uten være var ved vi vil vår våre",
    ),
    (
        L::Finnish,
        "ei eivat ela emme en enka ette he hanen ja jos joka jotka kanssa kauan kestaa kestää koska kuin kuinka kun kuka \
         lahtien maksaa me mika mikä miksi milloin mina minä minulla minun missa missä mista mistä miten mitka mitä mita mihin \
         mutta myos myös nama niin nyt ole olen olla on onko ovat paljonko saada saako saan se sen sina sinun sitten tai tama \
         tämä te tassa vai vain voi voiko voin voinko voitte",
    ),
    (
        L::Hungarian,
        "a akkor amely ami az azt be csak de egy el en es és ez ezt fel ha hogy hogyan hol honnan hova ha igen is itt ki \
         kell kerul kerül ket le lehet lesz magyar meddig meg melyik mennyi mennyibe mert mi miert miért mikor milyen mit \
         mind most nagyon nekem nem nincs nincsen on ön ot s sem szamla szeretnem szeretnék ti tudok tudom tud van vannak \
         vagy vagyok volt",
    ),
    (
        L::Romanian,
        "a acest aceasta ai al ale am are as au avea aveti ca cand cat cata cate catre ce cei cel cele cine costa cu cum da \
         dar de deci din doar dupa e ea el este eu exista fac face fara fi fie fost gasesc la le lui ma mai mea mei mele meu \
         mi mult nostru nu o ori pana pe pentru pot poate prin putea sa sau se si spre sunt sub te trebuie tu un una unde va \
         vreau",
    ),
    (
        L::Turkish,
        "acaba ama bana bu bir bunu cok da daha de degil diye en gibi hangi hem icin ile iade kac kadar ki kim mi mu \
         musunuz misiniz nasil ne neden nerede nereden nereye niye niçin olan olarak oldu olur once onu sonra su surer \
         ücret var ve veya ya yok yapabilirim ben benim biz sen siz sizin",
    ),
    (
        L::Indonesian,
        "ada adalah agar akan aku anda apa apakah atau bagaimana bagi bahwa banyak beberapa belum berapa biaya bisa boleh \
         cara dalam dan dapat dari dengan di dimana gimana hanya harga harus ini itu jika juga kalau kami kamu kapan karena ke \
         kenapa kita lagi lama mana masih mau melalui mengapa mereka oleh pada punya saja sampai sangat saya sebelum sebuah \
         secara sekarang seperti setelah siapa sudah tanpa tentang tetapi tidak untuk yang",
    ),
];
