//! Detects complaints: something does not work, or still does not, in the languages of customers. What complains says more
//! than thanks do, and after a person's part it goes back to people.

use std::sync::LazyLock;

use regex::Regex;

use super::expression::{Vocabulary, compile};
use super::question_in_request::{asks, is_question_mark};
use super::small_talk::{Kind, Kinds};
use super::words::{clauses, words};
use crate::{paragraphs, sentences};

/// A greeting of more words is none that calls for somebody.
const MOST_WORDS_OF_A_CALL: usize = 2;

/// Words for what goes on, or came back. Lists are parted by `|`.
const STILL: &str = "still|again|yet|is back|are back|came back|keeps|immer noch|noch immer|schon wieder|wieder|\
                     weiterhin|nach wie vor|noch nicht|noch kein\\w*|noch nichts|toujours|encore|a nouveau|de nouveau|est revenu\\w*|\
                     todavia|aun|sigue|siguen|sigo|otra vez|de nuevo|nuevamente|ha vuelto|volvio|ainda|de novo|outra vez|\
                     novamente|continua|continuo|voltou|ancora|di nuovo|nuovamente|e tornato|nog steeds|nog altijd|nog niet|\
                     weer|opnieuw|stadig|fortsatt|fortfarande|endnu|enna|igjen|edelleen|vielakaan|vielakin|taas|まだ|また|再び|\
                     いまだ|相変わらず|还是|还没|还在|又|仍|再次|依然|還是|還沒|все еще|всё ещё|опять|снова|до сих пор|по прежнему|\
                     еще не|hala|halen|yine|ακομα|ακομη|παλι|ξανα|meg mindig|megint|ismet|inca|din nou|tot nu|iar nu|masih|\
                     ما زال|ما زالت|لا يزال|لا تزال|مرة أخرى|अभी भी|अब भी|फिर से|এখনও|এখনো|আবার|ابھی بھی|اب بھی|پھر سے|\
                     இன்னும்|மீண்டும்";
const NOT: &str = "not|no|never|nothing|nobody|none|without|dont|doesnt|didnt|isnt|wont|cant|cannot|havent|hasnt|don|doesn|didn|\
                   isn|won|can t|haven|hasn|nicht|nichts|kein\\w*|nie|niemand|pas|rien|jamais|aucun\\w*|plus|personne|nada|nunca|\
                   nadie|ningun\\w*|sin|nao|ninguem|sem|non|niente|mai|nessuno|senza|niet|niets|geen|nooit|ikke|intet|aldrig|\
                   aldri|inte|ingen|inget|ingenting|ei|eivat|ない|ません|なかった|ず|不|没|沒|未|无法|не|нет|ничего|никто|degil|\
                   yok|hic|δεν|δε|τιποτα|nem|nincs|semmi|nu|nimic|tidak|belum|gak|nggak|ga|لا|لم|لن|ليس|ما|नहीं|না|নেই|নি|\
                   نہیں|இல்லை";
/// Verbs for what a thing or a person does that is as it should be.
const WORK: &str = "work|works|working|worked|start|starts|open|opens|load|loads|solve\\w*|resolve\\w*|fixed|sorted|done|fit|fits|\
                    turn on|turns on|log in|respond\\w*|answer\\w*|arrive\\w*|come|came|happen\\w*|geht|ging|gehen|funktionier\\w*|\
                    klappt\\w*|geklappt|gelost|erledigt|behoben|angekommen|antwort\\w*|passiert\\w*|passt|marche\\w*|\
                    fonctionne\\w*|resolu\\w*|regle\\w*|arrive|repond\\w*|recu\\w*|funciona\\w*|funciono|resuelt\\w*|solucion\\w*|\
                    lleg\\w*|respond\\w*|resolv\\w*|chegou|chega|funziona\\w*|risolt\\w*|arrivat\\w*|werkt|werkte|opgelost|\
                    aangekomen|virker|virket|fungerer|fungerar|fungerade|lost|losts|kommet|kommit|toimi\\w*|ratkais\\w*|tullut|\
                    動|使え|でき|解決|直|届|つな|繋|用|行|好|解决|修|到|работа\\w*|решен\\w*|решил\\w*|приш\\w*|помог\\w*|calis\\w*|\
                    cozul\\w*|geldi|λειτουργ\\w*|λυθηκε|ηρθε|mukodik|mukodott|megoldod\\w*|jott|functionea\\w*|merge|mers|\
                    rezolvat\\w*|venit|berfungsi|bisa|selesai|datang|يعمل|تعمل|يشتغل|شغال\\w*|حل|تحل\\w*|وصل\\w*|काम|हल|কাজ|সমাধান|\
                    کام|حل|வேலை|தீர";
/// Work that is denied in one word.
const UNSOLVED: &str = "unsolved|unresolved|ungelost|calismiyor\\w*|calismadi\\w*|olmuyor|olmadi|cozulmedi|gelmedi|acilmiyor|\
                        funkar inte|வேலை செய்யவில்லை|செய்யவில்லை|வரவில்லை";
/// Words for what has failed.
const FAILED: &str = "broken|broke|stopped|stops|stuck|leaks|leaking|crash\\w*|fails|failed|failing|missing|damaged|faulty|kaputt|\
                      defekt\\w*|fehlt|fehlen|tropft|klemmt|stecken|abgesturzt|hangt|casse\\w*|en panne|bloque\\w*|manque\\w*|fuit|\
                      plante\\w*|roto|rota|averiad\\w*|bloquead\\w*|falta|faltan|gotea|estropead\\w*|quebrad\\w*|quebrou|parou|\
                      defeito\\w*|faltam|vaza|vazando|travou|travad\\w*|rotto|rotta|guasto|guasta|bloccat\\w*|manca|mancano|perde|\
                      kapot|stuk|ontbreekt|ontbreken|vastgelopen|lekt|odelagt|gatt i stykker|i stykker|trasig\\w*|sonder|rikki|\
                      壊|故障|止ま|漏れ|落ちる|足りな|坏|壞|卡住|漏|死机|停了|сломал\\w*|не хватает|завис\\w*|bozul\\w*|bozuk|\
                      eksik|kirik|χαλασε\\w*|χαλασμεν\\w*|κολλησε|elromlott|hianyzik|stricat\\w*|lipseste|rusak|macet|hilang|معطل\\w*|\
                      خراب\\w*|تعطل\\w*|टूट\\w*|खराब|ভেঙে|নষ্ট|ٹوٹ\\w*|خراب|பழுது\\w*";
/// Words for what may have been solved.
const PROBLEM: &str = "problem\\w*|error|errors|issue|issues|bug|fehler\\w*|storung\\w*|erreur\\w*|panne\\w*|error\\w*|fallo\\w*|\
                       averia\\w*|erro|erros|errore|errori|fout|fouten|storing|fejl|feil|fel|ongelma\\w*|virhe\\w*|エラー|問題|不具合|\
                       错误|问题|报错|故障|ошибк\\w*|проблем\\w*|sorun\\w*|hata\\w*|προβλημα\\w*|σφαλμα\\w*|hiba\\w*|eroare|erori|\
                       masalah|مشكله|خطا|समस्या|সমস্যা|مسئله|مسئلہ|பிரச்சனை|பிழை";
/// Verbs of waiting.
const WAITS: &str = "wait|waiting|waited|warte|warten|gewartet|attends|attendons|attendu|espero|esperando|aguardo|aguardando|aspetto|\
                     aspettando|wacht|wachten|venter|vantar|odotan|待っ|等|жду|bekliyorum|περιμενω|varok|astept|menunggu|انتظر|\
                     इंतजार|অপেক্ষা|انتظار";

/// The lists, ready to compare.
struct Lists {
    vocabulary: Vocabulary,
    still: Option<Regex>,
    not: Option<Regex>,
    work: Option<Regex>,
    failed: Option<Regex>,
    problem: Option<Regex>,
    waits: Option<Regex>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let failed = format!("{FAILED}|{UNSOLVED}");
    let vocabulary = Vocabulary::of([STILL, NOT, WORK, &failed, PROBLEM, WAITS].into_iter());
    let list = |alternatives: &str| vocabulary.list(alternatives).and_then(|list| compile(&list));
    let [still, not, work, failed, problem, waits] = [STILL, NOT, WORK, &failed, PROBLEM, WAITS].map(list);
    Lists { vocabulary, still, not, work, failed, problem, waits }
});

/// The statement of a sentence about something that should work.
struct Found {
    still: bool,
    not: bool,
    /// It failed, does not work, is a problem, or is waited for.
    fails: bool,
}

impl Found {
    fn of(sentence: &str) -> Self {
        let lists = &*LISTS;
        let text = lists.vocabulary.encode(&clauses(sentence));
        let has = |list: &Option<Regex>| list.as_ref().is_some_and(|list| list.is_match(&text));
        let (still, not, works) = (has(&lists.still), has(&lists.not), has(&lists.work));
        let is_problem = has(&lists.problem) && ((!not && !works) || still);
        let fails = has(&lists.failed) || is_problem || (not && works) || (still && has(&lists.waits));
        Self { still, not, fails }
    }
}

/// Whether a sentence says that something does not work.
pub(super) fn fails(sentence: &str) -> bool {
    let found = Found::of(sentence);
    found.fails || (found.still && found.not)
}

/// Whether a message that is no small talk complains: something still does not work or came back, or it does not work and
/// nothing is asked.
pub(super) fn complains(text: &str) -> bool {
    paragraphs(text).into_iter().flat_map(sentences).any(|sentence| {
        let found = Found::of(sentence);
        match found.still {
            true => found.fails || found.not || !asks(sentence),
            false => found.fails && !asks(sentence),
        }
    })
}

/// Whether a greeting asks whether somebody is there.
pub(super) fn calls(kinds: Kinds, text: &str) -> bool {
    let greets = kinds.is_only(&[Kind::Greeting, Kind::Opening, Kind::Filler, Kind::Addition, Kind::Yes]);
    let is_short = kinds.has(Kind::Opening) || words(text).len() <= MOST_WORDS_OF_A_CALL;
    (greets || kinds == Kinds::default()) && is_short && text.contains(is_question_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_work_complains_and_what_asks_or_thanks_does_not() {
        for text in [
            "it still does not work",
            "not solved",
            "It leaks again",
            "Why is it still not working?",
            "das geht immer noch nicht",
            "Das Problem ist wieder da",
            "nicht gelöst",
            "ça ne marche toujours pas",
            "ce n'est pas résolu",
            "sigue sin funcionar",
            "no está solucionado",
            "ainda não funciona",
            "o problema voltou",
            "non funziona ancora",
            "het werkt nog steeds niet",
            "det fungerar fortfarande inte",
            "det virker stadig ikke",
            "ei toimi vieläkään",
            "все еще не работает",
            "hâlâ çalışmıyor",
            "ακόμα δεν λειτουργεί",
            "még mindig nem működik",
            "tot nu funcționează",
            "masih tidak bisa",
            "لا يزال لا يعمل",
            "अभी भी काम नहीं कर रहा",
            "এখনও কাজ করছে না",
            "ابھی بھی کام نہیں کر رہا",
            "இன்னும் வேலை செய்யவில்லை",
            "まだ動きません",
            "还是不行",
        ] {
            assert!(complains(text), "{text}");
        }
        for text in [
            "What does Studio cost?",
            "How do I replace a broken zip?",
            "Can I pay without a card?",
            "thank you, that solved my problem",
            "no problem",
            "keine Fehler mehr",
            "Wie lange dauert die Lieferung?",
            "Où est mon colis ?",
            "¿Cuánto cuesta?",
            "quanto custa",
            "いくらですか",
            "多少钱",
        ] {
            assert!(!complains(text), "{text}");
        }
    }
}
