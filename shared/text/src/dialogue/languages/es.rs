//! Spanish.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Spanish,
    small_talk: SmallTalkPhrases {
        greeting: "hola|ola|holaa|holi|buenas|buenos días|buen día|buenas tardes|buenas noches|muy buenas|muy buenos días|\
                   hola buenas|hola buenos días|hola buenas tardes|saludos|hey|hi|qué tal|qué tal estás|cómo estás|cómo \
                   está|cómo estas|cómo va|cómo te va|cómo andas|qué hay|qué pasa|qué onda|cómo va todo|hello",
        opening: "tengo una pregunta|tengo una duda|una pregunta|una duda|una consulta|tengo una consulta|puedo hacer una \
                  pregunta|te puedo hacer una pregunta|necesito ayuda|ayuda|ayúdame|ayúdeme|me puedes ayudar|me puede \
                  ayudar|puedes ayudarme|puede ayudarme|me ayudas|estás ahí|sigues ahí|está ahí|estimados|estimados \
                  señores|feliz año|feliz navidad|encantado|encantada|mucho gusto",
        thanks: "gracias|muchas gracias|muchísimas gracias|mil gracias|grax|grasias|gracia|graciass|gracias por todo|te \
                 lo agradezco|se lo agradezco|lo agradezco|muy agradecido|muy agradecida|agradecido|agradecida|le \
                 agradezco|thanks|thx|thank you|solo quería dar las gracias|quería dar las gracias|muy amable|qué amable|\
                 ty",
        farewell: "adiós|adios|chao|chau|ciao|hasta luego|hasta pronto|hasta mañana|hasta la vista|hasta la próxima|nos \
                   vemos|bye|que tengas un buen día|que tenga un buen día|que tengas buen día|que tenga buen día|buen fin \
                   de semana|feliz fin de semana|buen finde|que pases buen día|que le vaya bien|que te vaya bien|cuídate|\
                   cuídese|un saludo|saludos cordiales|un abrazo|feliz día|feliz tarde|feliz noche|que descanses",
        okay: "ok|okay|okey|oki|vale|vale vale|bien|muy bien|bueno|de acuerdo|está bien|perfecto|genial|estupendo|\
               fenomenal|guay|dale|listo|claro|entiendo|correcto|va|órale|sale|súper|super|excelente|cool|oke",
        acknowledgement: "entendido|ya entiendo|ya entendí|ya veo|lo tengo|ya está|ya lo tengo|ya quedó|funciona|ya \
                          funciona|funcionó|ha funcionado|me ha funcionado|me funcionó|resuelto|solucionado|problema \
                          resuelto|eso es todo|eso es todo gracias|es todo|nada más|eso era todo|con eso me basta|me \
                          sirve|me ha servido|me sirvió|me ha ayudado|me ayudó|muy útil|útil|qué útil|eso ayuda|justo \
                          lo que necesitaba|justo lo que buscaba|es lo que necesitaba|lo que necesitaba|lo encontré|\
                          ya lo encontré|maravilloso|fantástico|increíble|bravo|buen trabajo|buena respuesta|buen bot|\
                          buen servicio|excelente servicio|eres genial|eres el mejor|eres la mejor|eres increíble|\
                          sois los mejores|son los mejores|te quiero|me encanta|qué bien|qué bueno|qué rápido|no pasa \
                          nada|no hay problema|sin problema|no te preocupes|no se preocupe|olvídalo|da igual|\
                          tranquilo|no importa|lo probaré|voy a probar|voy a intentarlo|lo intentaré|un momento|un \
                          segundo|espera|espere|perdón|perdona|perdone|disculpa|disculpe|lo siento|de nada|jaja|\
                          jajaja|jeje|lol|wow|interesante|bueno saberlo|ah ya|mmm|hmm|es una prueba|solo estoy \
                          probando|ninguna más|no tengo más preguntas|haha|omg|eso lo resolvió|lo resolví|lo resolví \
                          yo mismo|ya lo resolví|ya lo solucioné|lo solucioné|eso solucionó mi problema|eso solucionó \
                          el problema|eso funcionó",
        about_us: "quién eres|quien eres tú|quién es usted|quién es|con quién hablo|con quién estoy hablando|qué eres|qué \
                   es usted|cómo te llamas|cuál es tu nombre|cómo se llama usted|eres un bot|eres bot|eres un robot|eres \
                   robot|eres una máquina|eres una ia|eres ia|eres humano|eres un humano|eres humana|eres real|eres una \
                   persona|eres una persona real|eres una persona de verdad|eres de verdad|eres persona o robot|eres un \
                   robot o una persona|eres una persona o un robot|eres una persona o un bot|eres un bot o una persona|eres \
                   humano o robot|es un bot|es un robot|es usted un robot|es usted un bot|es usted una persona|es usted \
                   humano|es usted una persona real|esto es un bot|esto es un robot|estoy hablando con un bot|estoy \
                   hablando con un robot|estoy hablando con una máquina|estoy hablando con una persona|estoy hablando con \
                   un humano|estoy hablando con una persona real|hablo con un bot|hablo con un robot|hablo con una máquina|\
                   hablo con una persona|hablo con un humano|hablo con una persona real|qué puedes hacer|qué sabes hacer|\
                   qué haces|en qué puedes ayudarme|en qué me puedes ayudar|cómo me puedes ayudar|quién te creó|quién te \
                   hizo|de dónde eres|cuántos años tienes|hablas español",
        anger: "mierda|joder|coño|carajo|vete a la mierda|vaya mierda|qué mierda|esto es una mierda|puta madre|inútil|\
                eres inútil|eres un inútil|bot inútil|inútiles|no sirves|no sirves para nada|no sirve para nada|esto \
                no sirve|esto no sirve para nada|tonto|estúpido|bot estúpido|idiota|imbécil|qué asco|qué asco de \
                servicio|pésimo|pésimo servicio|mal servicio|muy mal servicio|malísimo|fatal|horrible|terrible|\
                vergüenza|qué vergüenza|es una vergüenza|esto es una vergüenza|ridículo|esto es ridículo|es ridículo|\
                una estafa|estafadores|ladrones|qué fastidio|qué rabia|estoy enfadado|estoy enfadada|estoy enojado|\
                estoy harto|estoy harta|decepcionante|qué decepción|estoy decepcionado|inaceptable|es inaceptable|\
                esto es inaceptable|pérdida de tiempo|qué pérdida de tiempo|menuda pérdida de tiempo|es una broma|me \
                estás tomando el pelo|cállate|wtf|te odio|odio los bots|malo|muy malo|estoy muy enojado|estoy muy \
                enojada|estoy muy enfadado|estoy muy enfadada|su servicio es pésimo|vuestro servicio es pésimo",
        unhelped: "no me ayuda|no me ha ayudado|no me ayudó|eso no me ayuda|eso no ayuda|no ayuda|esto no me ayuda|no \
                   me sirve|eso no me sirve|no me sirvió|no me ha servido|no es útil|no fue útil|no funciona|eso no \
                   funciona|no funcionó|no me funciona|no ha funcionado|sigue sin funcionar|todavía no funciona|no es \
                   lo que pregunté|eso no es lo que pregunté|no es lo que he preguntado|no he preguntado eso|no \
                   pregunté eso|no era mi pregunta|esa no era mi pregunta|esa no es mi pregunta|no es eso|no me \
                   refiero a eso|no me entiendes|no me entiende|no entiendes|no entiendes nada|no entiendo|no lo \
                   entiendo|no entendí|no responde a mi pregunta|no responde mi pregunta|no respondes a mi pregunta|\
                   respuesta incorrecta|respuesta equivocada|está mal|eso está mal|es incorrecto|eso es incorrecto|\
                   incorrecto|eso no es correcto|ya lo he probado|ya lo probé|ya lo intenté|eso no me ayudó|esto no \
                   me ayudó|eso no ayudó|eso no me ha ayudado",
        yes: "sí|si|sii|sip|sep|sí por favor|si por favor|por favor|porfa|porfavor|sí claro|claro|claro que sí|por \
              supuesto|desde luego|cómo no|adelante|hazlo|hágalo|dale|venga|vale|sí gracias|me gustaría|sí me gustaría|\
              sí quiero|quiero|sería genial|estaría bien|eso estaría bien|sería perfecto|me encantaría|con gusto|\
              encantado|exacto|correcto|eso es|así es|pásame|conéctame|si es posible|obvio|simón",
        no: "no|nop|no gracias|no muchas gracias|ahora no|por ahora no|todavía no|aún no|más tarde|luego|quizás más \
             tarde|quizá luego|tal vez luego|en otro momento|otro día|no hace falta|no es necesario|no necesito|no lo \
             necesito|no quiero|prefiero que no|mejor no|para nada|de ninguna manera|está bien así|así está bien|\
             estoy bien|todo bien|no te molestes|no se moleste|déjalo|olvídalo|ni hablar|qué va",
        cancel: "cancelar",
        doubt: "qué|por qué|cómo|de verdad|en serio|estás seguro|estás segura|está seguro|está segura|seguro que sí|\
                qué quieres decir|qué quiere decir|puedes repetir|puedes repetirlo|puede repetir|puede repetirlo|cómo \
                dice",
        filler: "muy|mucho|muchas|de nuevo|otra vez|también|igualmente|pues|bueno|ya|ahora|entonces|y|pero|oh|ah|ay|jaja|\
                 jajaja|jeje|lol|realmente|de verdad|en serio|solo|todo|hmm|mmm|súper|super|tan|bien|por favor|porfa|eh|\
                 oye|hola|haha|ok",
        addition: "por tu ayuda|por su ayuda|por la ayuda|por ayudarme|por tu tiempo|por su tiempo|por la información|por \
                   la info|por la respuesta|por tu respuesta|por su respuesta|por la rápida respuesta|por responder|por \
                   todo|por nada|por la atención|por su atención|por la aclaración|a ti|a usted|a todos|a vosotros|equipo|\
                   amigo|amiga|chicos|señor|señora|de antemano|bot|todos|robot|tío",
        ambiguous: "va|sale|solo|todo|sip|sep",
    },
    human: HumanRequestPhrases {
        who: "humano|humana|ser humano|agente|agentes|asesor|asesora|operador|operadora|representante|ejecutivo|\
              ejecutiva|teleoperador|persona real|persona fisica|persona humana|persona de verdad|atencion al cliente|\
              servicio al cliente|supervisor|supervisora|encargado|encargada|gerente|atencion humana|ayuda humana|\
              soporte humano",
        some: "persona|alguien|personal|soporte|técnico|técnica|gerente|supervisor|supervisora|jefe|encargado|\
               encargada|ventas|facturación|responsable",
        mentions: "llamame|llameme|llamenme|llamarme|llamen|llame|llamar|llamada|alguien|companero|companera|bot|\
                   robot|máquina",
        a: "un|una|el|la|al|los|algun|alguna|otro|otra|de|su|tu|vuestro|real|verdadero|verdadera|ser|persona",
        phrases: &[
            "(hablar|hable|hablo|chatear|conversar|platicar|comunicarme|comunicarnos|comunicar|charlar) (con|a) \
             <a>{0,4} <who>",
            "(hablar|hable|chatear|conversar|platicar|comunicarme|charlar) (con|a) <a>{0,4} <some> <end>",
            "(pasame|paseme|pasarme|pasenme|comuniqueme|comunicame|comuniquenme|conectame|conecteme|conectarme|\
             transfiereme|transfierame|transferirme|ponme|pongame|ponerme|derivame|deriveme|derivarme|pasar|conectar|\
             transferir|derivar) (con|a|al) <a>{0,4} (<who>|<some>)",
            "(quiero|necesito|quisiera|prefiero|deseo|dame|deme|busco|solicito|exijo) (a)? <a>{0,4} <who> <end>",
            "(quiero|necesito|prefiero) una persona <end>",
            "hay (algun|alguna|alguien|un|una) <a>{0,4} (<who>|ahi|real) <end>",
            "(me)? (atienda|atiende|ayude|llame) <a>{0,4} <who>",
            "(llámame|llámeme|llámenme|llamadme|que me llamen|que me llame alguien|que alguien me llame)",
            "(puede|puedes|pueden|podría|podrías|podrían|podéis|alguien) (alguien|por favor|me){0,3} (llamarme|llamar)",
            "(puede|puedes|podría|pueden|podría) alguien (por favor|de verdad|real|de su equipo|del equipo|me)? \
             (ayudarme|ayudar|atenderme|contestarme|responderme|llamarme|explicarme)",
            "(me)? (puede|podría|puedes) (ayudar|atender|llamar|contestar) alguien",
            "alguien (me)? (puede|podría) (ayudarme|ayudar|atenderme|atender|llamarme|llamar|contestar|responder)",
            "hay alguien (ahí|aquí|ahi|que|disponible|en línea|al otro lado)",
            "hay alguien <end>",
            "alguien (ahí|por ahí|está ahí) <end>",
            "(hablar|hable|chatear|comunicarme|comunicar) con (un|una|su|tu|otro|otra|algún|alguna) (compañero|\
             compañera|colega)",
        ],
        alone: "por|favor|porfa|porfavor|ya|ahora|hola|con|a|quiero|necesito|me|gracias|si|buenas|buenos|dias|urgente",
        whole: &[
            "(una){0,1} persona (real|de verdad){0,1} (por favor){0,1}",
            "no (un|una|otro){0,1} (bot|robot|máquina)",
            "(un|una){0,1} (técnico|gerente|supervisor|encargado) por favor",
        ],
        leads_on: "por|porfavor|porfa|ahora|ya|aqui|sobre|que|para|de|en|y|gracias|urgente|urgentemente|inmediatamente|\
                   directamente|hoy|real|humano|humana|verdadera|fisica|o|mas|no|porque",
        not: "no|nunca|sin|tampoco|ni",
        whether: "estoy",
        not_after: "",
        links: "quiero|necesito|deseo|me|hace|falta|que|gustaria|quisiera|prefiero|querer|tener|tengo|voy|a|hay|\
                necesidad|de|es|necesario|volver|mas|con",
        others: "clientes|usuarios|ellos|visitantes|cliente quiere|usuario quiere|cliente puede",
        not_followed: "inmobiliario|inmobiliaria|secreto|ia|virtual|artificial|automatico|economico|economica",
    },
    sentences: Sentences {
        greeting: "¡Hola! ¿En qué puedo ayudarle?",
        thanks: "¡De nada!",
        farewell: "¡Hasta luego! Que tenga un buen día.",
        acknowledgement: "De acuerdo. Escríbame cuando tenga otra pregunta.",
        about_us: "Soy un asistente automático. Respondo con nuestros artículos de ayuda, y puede pedir hablar con una \
                   persona en cualquier momento.",
        no_problem: "No pasa nada. ¿En qué puedo ayudarle?",
        praised: "Gracias, me alegra saberlo. Escríbame cuando tenga otra pregunta.",
        unclear: "Siento que no haya quedado claro. ¿Qué le gustaría saber exactamente? También puede pedir hablar con \
                  una persona.",
        apology: "Lo siento. ¿Quiere hablar con una persona de nuestro equipo?",
        no_answer: "No he encontrado una respuesta a esa pregunta en nuestros artículos de ayuda. ¿Quiere hablar con una \
                    persona de nuestro equipo?",
        handover: "Le paso con una persona de nuestro equipo. Leerá lo que ha escrito y le responderá aquí.",
        failure: "Ahora mismo no puedo responder. Paso su pregunta a una persona de nuestro equipo.",
        away: Away {
            back: "Nuestro equipo vuelve {day} a las {time}{zone}.",
            nobody: "Ahora mismo no hay nadie de nuestro equipo.",
            later: "El equipo leerá lo que ha escrito y le responderá aquí.",
            today: "hoy",
            days: ["el lunes", "el martes", "el miércoles", "el jueves", "el viernes", "el sábado", "el domingo"],
        },
        human_later: "Todavía no puedo volver a llamar a una persona de nuestro equipo. Puede pedirlo de nuevo dentro \
                      de {minutes} minutos.",
        notice: "Está hablando con un asistente automático.",
        too_many: "Respondo como máximo a tres preguntas a la vez. Por favor, vuelva a preguntar esto: {questions}",
    },
};
