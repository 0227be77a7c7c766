//! What asks for a human and what only sounds like it, by language; read and agreed on line by line.

use super::judge;
use crate::dialogue::{Act, Reading, Setting, languages};
use crate::models::CustomerLanguage;

/// The request for a human that a message holds.
fn read(text: &str) -> Option<Reading> {
    let reading = crate::dialogue::read(text, &Setting::default());
    (reading.act == Act::HumanRequest).then_some(reading)
}

/// For the languages that are not in the lists below: what asks, and what does not.
const OTHER_LANGUAGES: &[(&str, [&str; 3], [&str; 2])] = &[
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
const ASKS_FOR_ANYBODY: &[&str] = &[
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
const ASKS_FOR_NOBODY: &[&str] = &[
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

const ASKS: &[(&str, &[&str])] = &[
    (
        "English",
        &[
            "can I talk to a human?",
            "Can I talk to a human being please",
            "I want to speak to a real person",
            "agent",
            "Human please!",
            "Hi, I'd like to talk to someone about my bill.",
            "Connect me with a representative",
            "transfer me to customer service",
            "I need an agent right now",
            "Let me speak with your manager",
            "is there a real person here?",
            "Can a human help me?",
            "why can't I just talk to a person?",
            "How do I reach a human?",
            "I don't want to talk to a bot",
            "I don’t understand this can I chat with an agent",
            "escalate this to a supervisor",
            "put me through to an operator",
            "I want live support",
            "My order is broken and I have waited for weeks. Get me a human.",
            "No more bots, I want a human",
            "I would rather have a human",
            "I need help from a real person",
            "Is it possible to get a live person?",
            "customer service please",
        ],
    ),
    (
        "Chinese",
        &[
            "转人工",
            "我要人工客服",
            "请帮我转接真人客服",
            "我想和真人聊",
            "找客服",
            "能不能跟人工客服说话？",
            "人工客服",
            "有真人吗",
            "我想跟你们的客服人员沟通一下",
            "我要找人工",
            "請幫我轉接真人客服",
        ],
    ),
    (
        "Hindi",
        &[
            "मुझे इंसान से बात करनी है",
            "क्या मैं किसी व्यक्ति से बात कर सकता हूँ?",
            "मुझे एजेंट चाहिए",
            "कृपया मुझे कस्टमर केयर से जोड़ें",
            "किसी से बात करा दो",
            "एजेंट से कनेक्ट करो",
            "mujhe agent se baat karni hai",
            "kisi insaan se baat karao",
        ],
    ),
    (
        "Spanish",
        &[
            "¿Puedo hablar con una persona?",
            "Quiero hablar con un agente",
            "Necesito un humano, por favor",
            "Pásame con un asesor",
            "¿Me puede comunicar con un representante?",
            "agente",
            "quisiera hablar con alguien",
            "quiero un agente ya",
            "¿No puedo hablar con un humano?",
            "prefiero hablar con un ser humano",
        ],
    ),
    (
        "French",
        &[
            "Je veux parler à un humain",
            "Puis-je parler à quelqu’un ?",
            "Je voudrais parler avec un conseiller s'il vous plaît",
            "Mettez-moi en relation avec un agent",
            "Passez-moi un conseiller",
            "un humain svp",
            "J'ai besoin d'un conseiller",
            "Est-ce que je peux discuter avec une vraie personne ?",
            "transférez-moi à un opérateur",
        ],
    ),
    (
        "Arabic",
        &[
            "أريد التحدث مع موظف",
            "اريد ان اتكلم مع شخص حقيقي",
            "هل يمكنني التحدث إلى إنسان؟",
            "حولني إلى موظف خدمة العملاء",
            "ابغى اكلم موظف",
            "عايز اكلم حد",
            "موظف لو سمحت",
            "أحتاج موظف الآن",
        ],
    ),
    (
        "Bengali",
        &[
            "আমি একজন মানুষের সাথে কথা বলতে চাই",
            "আমাকে এজেন্টের সাথে সংযোগ করুন",
            "একজন প্রতিনিধি দরকার",
            "কারো সাথে কথা বলতে পারি?",
            "আমি কি কাস্টমার কেয়ারের সঙ্গে কথা বলতে পারি?",
            "একজন মানুষ চাই",
        ],
    ),
    (
        "Portuguese",
        &[
            "Quero falar com um atendente",
            "Posso falar com uma pessoa?",
            "falar com humano",
            "Me transfere para um atendente, por favor",
            "preciso de um atendente",
            "atendente",
            "Gostaria de falar com alguém",
            "tem alguém aí?",
        ],
    ),
    (
        "Russian",
        &[
            "Хочу поговорить с человеком",
            "оператор",
            "Соедините меня с оператором",
            "Позовите оператора!",
            "можно поговорить с живым человеком?",
            "Мне нужен оператор",
            "Переведите на сотрудника, пожалуйста",
            "свяжите меня со службой поддержки",
            "Могу ли я с кем-нибудь поговорить? Хочу говорить с кем-нибудь.",
        ],
    ),
    (
        "Urdu",
        &[
            "مجھے انسان سے بات کرنی ہے",
            "کیا میں کسی نمائندے سے بات کر سکتا ہوں؟",
            "مجھے ایجنٹ چاہیے",
            "براہ کرم مجھے کسٹمر سروس سے ملائیں",
            "کسی سے بات کرا دیں",
            "مجھے کسی انسان سے رابطہ کرنا ہے",
        ],
    ),
    (
        "German",
        &[
            "Ich möchte mit einem Menschen sprechen",
            "Kann ich mit jemandem reden?",
            "Mitarbeiter bitte",
            "Verbinden Sie mich bitte mit einem Mitarbeiter",
            "Ich will einen echten Menschen!",
            "Kann ich mit dem Kundenservice chatten?",
            "Bitte leiten Sie mich an einen Berater weiter",
            "ich brauche einen Menschen",
            "Ich will nicht mit einem Bot reden, ich will mit einem Menschen sprechen",
        ],
    ),
    (
        "Indonesian",
        &[
            "Saya mau bicara dengan manusia",
            "tolong sambungkan ke agen",
            "bisa bicara dengan cs?",
            "Saya ingin berbicara dengan orang",
            "minta operator dong",
            "admin tolong",
        ],
    ),
    (
        "Japanese",
        &[
            "人と話したい",
            "オペレーターにつないでください",
            "担当者をお願いします",
            "人間と話せますか？",
            "スタッフに代わってください",
            "有人チャットに切り替えて",
            "オペレーターお願いします",
            "担当の方と話したいです",
        ],
    ),
];

const ASKS_NOT: &[(&str, &[&str])] = &[
    (
        "English",
        &[
            "human resources policy?",
            "I don't want to talk to an agent",
            "I’d rather not speak with a person.",
            "Do I need to talk to an agent to cancel my plan?",
            "How do I add an agent to my team?",
            "What does an agent see in the inbox?",
            "Can I transfer my account to another person?",
            "How do I give someone access?",
            "I need a person's name on the invoice",
            "Can I export the data as a human readable file?",
            "no need to speak to a representative",
            "How can my customers talk to a human in the widget?",
            "Where do I find the agent key?",
            "I talked to a human yesterday and they said the refund is on its way",
            "How do I contact you?",
            "What are the agent fees?",
            "The label says \"talk to a human\" but it is grey",
            "I need support for two languages",
            "Can I chat with my colleagues in the app?",
            "Is a human reviewing my documents?",
            "Talk to you later",
            "Does the text sound like a human?",
            "Can I give my team access to the reports?",
            "I want to change the agent name",
            "How many people can use one account?",
            "Who is the manager of a workspace?",
            "",
        ],
    ),
    (
        "Chinese",
        &[
            "人工智能是什么？",
            "我不想和人工客服说话",
            "不用转人工",
            "人工客服的工作时间是几点？",
            "客服电话是多少？",
            "如何给客户开发票",
            "人工费怎么算",
            "用户怎么找人工客服？",
            "我要退款",
        ],
    ),
    (
        "Hindi",
        &[
            "मानव संसाधन नीति क्या है?",
            "मुझे एजेंट से बात नहीं करनी",
            "मैं किसी इंसान से बात करना नहीं चाहता",
            "रिफंड में कितना समय लगता है?",
            "एजेंट की फीस क्या है?",
        ],
    ),
    (
        "Spanish",
        &[
            "No quiero hablar con un agente",
            "¿Cuál es la política de recursos humanos?",
            "¿Cómo añado un agente a mi equipo?",
            "No hace falta hablar con una persona",
            "¿Puedo pasar mi cuenta a otra persona?",
            "¿Cuánto cobra un agente inmobiliario?",
            "Quiero una factura",
        ],
    ),
    (
        "French",
        &[
            "Je ne veux pas parler à un agent",
            "Quelle est la politique des ressources humaines ?",
            "Comment ajouter un agent à mon équipe ?",
            "Pas besoin de parler à un conseiller",
            "Comment donner l'accès à une autre personne ?",
            "Je veux parler de ma facture",
        ],
    ),
    (
        "Arabic",
        &[
            "لا أريد التحدث مع موظف",
            "ما هي سياسة الموارد البشرية؟",
            "كم تستغرق عملية الاسترداد؟",
            "كيف أضيف موظفا إلى الفريق؟",
            "ما هي ساعات خدمة العملاء؟",
        ],
    ),
    (
        "Bengali",
        &["আমি এজেন্টের সাথে কথা বলতে চাই না", "মানব সম্পদ নীতি কী?", "রিফান্ড পেতে কতদিন লাগে?", "মানুষের সাথে কথা বলার দরকার নেই"],
    ),
    (
        "Portuguese",
        &[
            "Não quero falar com um atendente",
            "Qual é a política de recursos humanos?",
            "Como adiciono um agente à equipe?",
            "Posso transferir minha conta para outra empresa?",
            "Não preciso de um atendente",
            "Preciso de uma fatura",
        ],
    ),
    (
        "Russian",
        &[
            "Я не хочу говорить с оператором",
            "Что входит в отдел кадров?",
            "Как добавить сотрудника в команду?",
            "Сколько человек может пользоваться аккаунтом?",
            "Какой у вас менеджер паролей?",
            "Мне не нужен оператор",
        ],
    ),
    (
        "Urdu",
        &[
            "مجھے ایجنٹ سے بات نہیں کرنی",
            "انسانی وسائل کی پالیسی کیا ہے؟",
            "ریفنڈ میں کتنا وقت لگتا ہے؟",
            "میں کسی سے بات کرنا نہیں چاہتا",
        ],
    ),
    (
        "German",
        &[
            "Ich möchte nicht mit einem Menschen sprechen",
            "Muss ich dafür mit einem Mitarbeiter sprechen?",
            "Wie füge ich einen Mitarbeiter hinzu?",
            "Wie lauten die Menschenrechte?",
            "Wo finde ich das Mitarbeiterportal?",
            "Mit wie vielen Personen kann ich das Konto teilen?",
            "Ich brauche keinen Mitarbeiter",
        ],
    ),
    (
        "Indonesian",
        &[
            "Saya tidak mau bicara dengan agen",
            "Bagaimana cara menambah agen?",
            "Apa itu sumber daya manusia?",
            "Berapa lama pengembalian dana?",
            "tidak perlu bicara dengan cs",
        ],
    ),
    (
        "Japanese",
        &[
            "オペレーターとは話したくない",
            "担当者の連絡先を変更したい",
            "スタッフを追加する方法は？",
            "人工知能とは何ですか",
            "返金にはどのくらいかかりますか",
            "担当者と話す必要はない",
        ],
    ),
];

#[test]
fn who_asks_for_a_human_in_one_of_thirteen_languages_is_understood() {
    let missed = ASKS.iter().flat_map(|(language, texts)| texts.iter().map(move |text| (language, text)));
    let missed: Vec<_> = missed.filter(|(_, text)| read(text).is_none()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_human_is_asked_for_in_the_other_languages_and_by_other_words_too() {
    let asks = OTHER_LANGUAGES.iter().flat_map(|(_, asks, _)| asks).chain(ASKS_FOR_ANYBODY);
    let missed: Vec<_> = asks.filter(|text| read(text).is_none()).collect();
    let others = OTHER_LANGUAGES.iter().flat_map(|(_, _, others)| others).chain(ASKS_FOR_NOBODY);
    let wrong: Vec<_> = others.filter(|text| read(text).is_some()).collect();
    assert!(missed.is_empty() && wrong.is_empty(), "missed {missed:#?}, wrong {wrong:#?}");
    assert_eq!(ASKS.len() + OTHER_LANGUAGES.len(), CustomerLanguage::ALL.len(), "every language has examples");
}

#[test]
fn what_only_sounds_like_it_is_left_alone() {
    let wrong = ASKS_NOT.iter().flat_map(|(language, texts)| texts.iter().map(move |text| (language, text)));
    let wrong: Vec<_> = wrong.filter(|(_, text)| read(text).is_some()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_language_is_that_of_the_request_and_what_else_was_asked_is_kept() {
    let german = read("Mitarbeiter bitte").unwrap();
    assert_eq!((german.language, german.question.as_str()), (Some(CustomerLanguage::German), ""));
    let mixed = read("Hello there! How long does a refund take? I'd like to talk to a human.").unwrap();
    assert_eq!(mixed.question, "How long does a refund take?");
    assert_eq!(read("Hi! I want a human. Thanks!").unwrap().question, "", "a greeting is no question");
}

#[test]
fn a_clause_that_only_refuses_a_human_is_told_from_a_question_about_one() {
    use super::Judgement::{Neither, Refuses};
    assert_eq!(judge("I don't need a human, just tell me the price"), Refuses(vec![0]));
    assert_eq!(judge("Nobody needs to call me"), Refuses(vec![0]));
    assert_eq!(judge("Ich möchte nicht mit einem Menschen sprechen"), Refuses(vec![0]));
    assert_eq!(judge("Do I need to talk to an agent to cancel my plan"), Neither);
    assert_eq!(judge("Can I cancel when I do not want to talk to an agent about it before I do?"), Neither);
}

#[test]
fn every_table_compiles() {
    for book in languages::ALL {
        assert_eq!(super::reader::Reader::new(book).tables_that_do_not_compile(), 0, "{}", book.language);
    }
}

/// Runs on a thread with 512 KiB of stack, which a recursion by word would overflow.
fn with_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap()
}

#[test]
fn messages_that_repeat_one_word_need_little_stack() {
    with_a_small_stack(|| {
        assert_eq!(read(&format!("get {}human s", "a ".repeat(3_900))), None);
        assert_eq!(read(&format!("转{}人工智能", "一".repeat(3_500))), None);
        assert_eq!(read(&"আসল ".repeat(1_990)), None);
        assert!(read(&format!("{}get me a human", "a ".repeat(3_900))).is_some(), "the end is read too");
    });
}

/// How often the work of a message is measured, so that what else the machine does counts for nothing.
const ROUNDS: usize = 50;

/// Whether four times the message is less than nine times the work: three times for each doubling.
fn grows_slowly(unit: &str) -> bool {
    let sizes = [2_000, 8_000].map(|chars| unit.repeat(chars / unit.chars().count()));
    let mut fastest = [std::time::Duration::MAX; 2];
    (0..ROUNDS).any(|_| {
        for (text, fastest) in sizes.iter().zip(&mut fastest) {
            let started = std::time::Instant::now();
            std::hint::black_box(read(text));
            *fastest = started.elapsed().min(*fastest);
        }
        fastest[1] < fastest[0] * 9
    })
}

#[test]
fn twice_the_message_is_less_than_three_times_the_work() {
    const UNITS: &[&str] = &[
        "a ",
        "9 ",
        "一",
        "আসল ",
        "human ",
        "not ",
        "talk to a human s ",
        "转人工智",
        "人工",
        "get a a a ",
        "たくない人",
        "9.9.9 ",
    ];
    let slow = with_a_small_stack(|| UNITS.iter().filter(|unit| !grows_slowly(unit)).collect::<Vec<_>>());
    assert!(slow.is_empty(), "{slow:?}");
}

#[test]
fn the_longest_message_is_read() {
    let long = "I want to know whether the agent of my customers can see what a person writes to the team, ".repeat(88);
    assert!(long.len() > 7_900);
    assert_eq!(read(&long), None, "says nothing about wanting one");
}
