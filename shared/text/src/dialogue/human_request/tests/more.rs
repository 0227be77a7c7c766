//! Examples of the other languages, and of other ways to ask.

/// For the languages that are not in the lists below: what asks, and what does not.
pub(super) const OTHER_LANGUAGES: &[(&str, [&str; 3], [&str; 2])] = &[
    (
        "Italian",
        ["Vorrei parlare con un operatore", "Posso parlare con una persona reale?", "C'è qualcuno?"],
        ["Non voglio parlare con un operatore", "Come aggiungo un operatore?"],
    ),
    (
        "Dutch",
        ["Ik wil met een medewerker spreken", "Kan iemand mij helpen?", "Is er iemand?"],
        ["Ik wil niet met een medewerker spreken", "Hoe voeg ik een medewerker toe?"],
    ),
    (
        "Swedish",
        ["Jag vill prata med en människa", "Kan någon ringa mig?", "Är det någon där?"],
        ["Jag vill inte prata med en människa", "Hur lägger jag till en agent?"],
    ),
    (
        "Danish",
        ["Jeg vil gerne tale med et menneske", "Kan nogen hjælpe mig?", "Er der nogen?"],
        ["Jeg vil ikke tale med en medarbejder", "Hvordan tilføjer jeg en agent?"],
    ),
    (
        "Norwegian",
        ["Jeg vil snakke med et menneske", "Kan noen hjelpe meg?", "Er det noen her?"],
        ["Jeg vil ikke snakke med en medarbeider", "Hvordan legger jeg til en agent?"],
    ),
    (
        "Finnish",
        ["Haluan puhua asiakaspalvelijan kanssa", "Voiko joku auttaa?", "Onko siellä ketään?"],
        ["En halua puhua asiakaspalvelijan kanssa", "Miten lisään agentin?"],
    ),
    (
        "Hungarian",
        ["Szeretnék egy ügyintézővel beszélni", "Tud valaki segíteni?", "Van ott valaki?"],
        ["Nem akarok ügyintézővel beszélni", "Hogyan adok hozzá munkatársat?"],
    ),
    (
        "Romanian",
        ["Vreau să vorbesc cu un operator", "Poate cineva să mă ajute?", "E cineva acolo?"],
        ["Nu vreau să vorbesc cu un operator", "Cum adaug un agent?"],
    ),
    (
        "Greek",
        ["Θέλω να μιλήσω με έναν άνθρωπο", "Μπορεί κάποιος να με βοηθήσει;", "Υπάρχει κανείς εκεί;"],
        ["Δεν θέλω να μιλήσω με άνθρωπο", "Πώς προσθέτω έναν συνεργάτη στην ομάδα;"],
    ),
    (
        "Turkish",
        ["Müşteri temsilcisiyle görüşmek istiyorum", "Biri bana yardım edebilir mi?", "Kimse var mı?"],
        ["Temsilciyle görüşmek istemiyorum", "Temsilci nasıl eklenir?"],
    ),
    (
        "Tamil",
        ["நான் ஒரு மனிதருடன் பேச வேண்டும்", "முகவர் வேண்டும்", "யாராவது இருக்கிறீர்களா?"],
        ["மனிதருடன் பேச வேண்டாம்", "முகவரை எப்படி சேர்ப்பது?"],
    ),
];

/// Other ways to ask for somebody, beyond "talk to a human".
pub(super) const ASKS_FOR_ANYBODY: &[&str] = &[
    "call me",
    "could someone call me back? it's complicated",
    "please call me",
    "is there anyone there?",
    "anyone there?",
    "can someone help me",
    "i did pay. i want a colleague of yours to look into this",
    "i'd rather not chat with a bot, is anyone there?",
    "please put me through to someone from your team",
    "this is useless, get me somebody who can think",
    "Rufen Sie mich bitte zurück",
    "Ist da jemand?",
    "Gibt's hier auch echte Menschen? Verbinden Sie mich bitte",
    "¿Hay alguien ahí?",
    "¿Alguien puede ayudarme?",
    "Il y a quelqu'un ?",
    "Est-ce que quelqu'un peut m'aider ?",
    "Pouvez-vous me rappeler ?",
];

/// And what only sounds like it.
pub(super) const ASKS_FOR_NOBODY: &[&str] = &[
    "nobody needs to call me",
    "don't call me",
    "do you call me if my payment fails",
    "can someone else use my account",
    "is there someone i can add to my team",
    "can I call you",
    "am i talking to a human?",
    "how do I call the API",
    "Rede ich mit einem Menschen?",
];
