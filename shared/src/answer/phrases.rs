//! What the service says when it cannot answer, in the wiki's language where we speak it, else in English.

use crate::models::Language;

/// The wiki holds no answer: says so and offers a human.
pub(super) const fn no_answer(language: Language) -> &'static str {
    match language {
        Language::German => {
            "Dazu habe ich in unseren Hilfeartikeln leider keine Antwort gefunden. Möchten Sie mit einem Menschen sprechen?"
        }
        Language::French => {
            "Je n’ai pas trouvé de réponse à cette question dans nos articles d’aide. Souhaitez-vous parler à une personne de notre équipe ?"
        }
        Language::Spanish => {
            "No he encontrado una respuesta a esa pregunta en nuestros artículos de ayuda. ¿Quiere hablar con una persona de nuestro equipo?"
        }
        Language::Portuguese => {
            "Não encontrei uma resposta a essa pergunta nos nossos artigos de ajuda. Gostaria de falar com uma pessoa da nossa equipe?"
        }
        Language::Italian => {
            "Non ho trovato una risposta a questa domanda nei nostri articoli di aiuto. Vuole parlare con una persona del nostro team?"
        }
        Language::Dutch => {
            "Daarop heb ik in onze hulpartikelen geen antwoord gevonden. Wilt u met een medewerker spreken?"
        }
        Language::Russian => "Я не нашёл ответа на этот вопрос в нашей базе знаний. Хотите поговорить с сотрудником?",
        Language::Turkish => {
            "Yardım makalelerimizde bu soruya bir yanıt bulamadım. Ekibimizden biriyle görüşmek ister misiniz?"
        }
        Language::Arabic => "لم أجد إجابة عن هذا السؤال في مقالات المساعدة لدينا. هل ترغب في التحدث مع أحد موظفينا؟",
        Language::Swedish => {
            "Jag hittade inget svar på det i våra hjälpartiklar. Vill du prata med en person i vårt team?"
        }
        _ => "I could not find an answer to that in our help articles. Would you like to talk to a person?",
    }
}

/// Something behind the service failed: says so and offers a human.
pub(super) const fn failure(language: Language) -> &'static str {
    match language {
        Language::German => "Ich kann gerade nicht antworten. Ich gebe Ihre Frage an einen Menschen weiter.",
        Language::French => {
            "Je ne peux pas répondre pour le moment. Je transmets votre question à une personne de notre équipe."
        }
        Language::Spanish => "Ahora mismo no puedo responder. Paso su pregunta a una persona de nuestro equipo.",
        Language::Portuguese => {
            "Não consigo responder agora. Vou encaminhar a sua pergunta a uma pessoa da nossa equipe."
        }
        Language::Italian => {
            "In questo momento non posso rispondere. Passo la sua domanda a una persona del nostro team."
        }
        Language::Dutch => "Ik kan nu niet antwoorden. Ik geef uw vraag door aan een medewerker.",
        Language::Russian => "Сейчас я не могу ответить. Я передам ваш вопрос сотруднику.",
        Language::Turkish => "Şu anda yanıt veremiyorum. Sorunuzu ekibimizden birine iletiyorum.",
        Language::Arabic => "لا أستطيع الإجابة الآن. سأحيل سؤالك إلى أحد موظفينا.",
        Language::Swedish => "Jag kan inte svara just nu. Jag lämnar din fråga vidare till en person i vårt team.",
        _ => "I cannot answer right now. I am passing your question on to a person.",
    }
}
