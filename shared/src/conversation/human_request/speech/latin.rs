//! English, Spanish, French, Portuguese, Indonesian.

use super::Speech;

pub(super) const ENGLISH: Speech = Speech {
    who: "human|humans|human_being|real_person|live_person|actual_person|real_human|representative|representatives|rep|\
          operator|agent|agents|customer_service|customer_support|customer_care|support_team|support_staff|\
          staff_member|team_member|supervisor|csr|advisor|adviser|human_support|human_help|human_assistance|\
          live_support|live_chat|real_help",
    some: "person|someone|somebody|anyone|anybody|staff|team|manager|specialist|support|employee",
    other_words: "bot|robot|machine|chatbot|ai|computer|escalate",
    a: "a|an|the|any|another|some|your|one|of|real|live|actual|proper|different|other|human|support|customer|service|\
        care|sales|billing|technical|tech|senior|competent",
    phrases: &[
        "talk|speak|chat|talking|speaking|chatting|conversation to|with <a>* <who>",
        "talk|speak|chat|talking|speaking|chatting to|with <a>* <some> else? $",
        "speak|talk <who> $",
        "connect|transfer|put|pass|redirect|forward|switch|hand|route|escalate|direct|refer \
         me|us|this|it|over|through|chat|conversation|call|the|my|case* to|with <a>* <who>",
        "connect|transfer|put|pass|redirect|forward|switch|route|escalate|direct me|us|this|it|over|through* to|with \
         <a>* <some> $",
        "get|give|find|send|bring|let me|us have? <a>* <who> $",
        "get|give|find|bring me|us <a>* <some> $",
        "want|need|wants|prefer|request|requesting|require|demand to? have? <a>* <who> $",
        "would|d like|love|prefer|rather to? have? <a>* <who> $",
        "want|need|prefer a|real|actual|live person $",
        "is|are there|any|a|an|some* <a>* <who> $",
        "is|are there? anyone|anybody|someone|somebody real|human|live $",
        "can|could|may|will|would|have|let|want|need <a>* <who> to? \
         help|assist|call|contact|answer|reply|respond|talk|speak|join",
        "reach|contact|call|get a|an|the|real|live|actual* human|humans|human_being|real_person|live_person|live_agent|\
         human_agent|representative|operator $",
        "don|dont|not|never|stop t? want|like|wish? to? talk|speak|chat|talking|speaking|chatting to|with \
         a|an|this|the|another|you* bot|robot|machine|chatbot|ai|computer",
        "help|answer|assistance|support|reply from <a>* <who>|person|someone $",
        "escalate this|my case|issue|ticket|request|problem|complaint|chat? $",
    ],
    alone: "please|pls|plz|now|hi|hello|hey|i|me|us|want|need|to|with|would|like|d|m|thanks|thank|you|just|only|can|get|\
            ok|okay|yes|asap|here|is|right|for|and|immediately",
    leads_on: "please|pls|plz|now|here|asap|today|about|regarding|who|that|instead|at|on|over|by|from|right|immediately|\
               because|for|and|thanks|thank|directly|first|then|or|if|as|available|again|urgently|quickly|not|to|i|\
               with|live|online|soon|tomorrow|but|so|rather|ok|okay|there",
    not: "don|dont|not|never|no|without|no_need|do_i_need|do_i_have|do_we_need|do_we_have|should_i|must_i",
    not_after: "",
    links: "t|really|want|wanna|need|wish|like|to|have|a|ever|even|just|actually|prefer|care|wanting|going|be|would|\
            trying|try|looking|asking|necessary|in|reason|the|point|of|feel",
    others: "customers|users|visitors|clients|they|customer_wants|user_wants|visitor_wants|client_wants|customer_asks|\
             user_asks|visitor_asks|customer_can|user_can",
    not_followed: "resources|resource|rights|readable|error|errors|s|fee|fees|id|ids|key|keys|role|roles|app|portal|\
                   dashboard|api|commission|license|licence|name|names|seat|seats|account|accounts|mode|software|\
                   console|version|training|workflow|workspace",
    reply: "I am passing you on to a person of our team. They will read what you wrote and answer here.",
};

pub(super) const SPANISH: Speech = Speech {
    who: "humano|humana|ser_humano|agente|agentes|asesor|asesora|operador|operadora|representante|ejecutivo|ejecutiva|\
          teleoperador|persona_real|persona_fisica|persona_humana|persona_de_verdad|atencion_al_cliente|\
          servicio_al_cliente|supervisor|supervisora|encargado|encargada|gerente|atencion_humana|ayuda_humana|\
          soporte_humano",
    some: "persona|alguien|personal|soporte",
    other_words: "",
    a: "un|una|el|la|al|los|algun|alguna|otro|otra|de|su|tu|vuestro|real|verdadero|verdadera|ser|persona",
    phrases: &[
        "hablar|hable|hablo|chatear|conversar|platicar|comunicarme|comunicarnos|comunicar|charlar con|a <a>* <who>",
        "hablar|hable|chatear|conversar|platicar|comunicarme|charlar con|a <a>* <some> $",
        "pasame|paseme|pasarme|pasenme|comuniqueme|comunicame|comuniquenme|conectame|conecteme|conectarme|transfiereme|\
         transfierame|transferirme|ponme|pongame|ponerme|derivame|deriveme|derivarme|pasar|conectar|transferir|derivar \
         con|a|al <a>* <who>|<some>",
        "quiero|necesito|quisiera|prefiero|deseo|dame|deme|busco|solicito|exijo a? <a>* <who> $",
        "quiero|necesito|prefiero una persona $",
        "hay algun|alguna|alguien|un|una <a>* <who>|ahi|real $",
        "me? atienda|atiende|ayude|llame <a>* <who>",
    ],
    alone: "por|favor|porfa|porfavor|ya|ahora|hola|con|a|quiero|necesito|me|gracias|si|buenas|buenos|dias|urgente",
    leads_on: "por|porfavor|porfa|ahora|ya|aqui|sobre|que|para|de|en|y|gracias|urgente|urgentemente|inmediatamente|\
               directamente|hoy|real|humano|humana|verdadera|fisica|o|mas|no|porque",
    not: "no|nunca|sin|tampoco|ni",
    not_after: "",
    links: "quiero|necesito|deseo|me|hace|falta|que|gustaria|quisiera|prefiero|querer|tener|tengo|voy|a|hay|necesidad|\
            de|es|necesario|volver|mas|con",
    others: "clientes|usuarios|ellos|visitantes|cliente_quiere|usuario_quiere|cliente_puede",
    not_followed: "inmobiliario|inmobiliaria|secreto|ia|virtual|artificial|automatico|economico|economica",
    reply: "Le paso con una persona de nuestro equipo. Leerá lo que ha escrito y le responderá aquí.",
};

pub(super) const FRENCH: Speech = Speech {
    who: "humain|humaine|humains|etre_humain|conseiller|conseillere|conseillers|agent|agents|operateur|operatrice|\
          representant|representante|teleconseiller|superviseur|service_client|personne_reelle|vraie_personne|\
          personne_physique|personne_humaine|responsable",
    some: "quelqu_un|une_personne|votre_equipe|le_support|technicien",
    other_words: "",
    a: "un|une|l|le|la|les|d|de|du|des|vrai|vraie|autre|votre|vos|veritable|etre|au|aux|service|equipe",
    phrases: &[
        "parler|parle|discuter|echanger|communiquer|dialoguer|chatter|tchatter|entretenir a|avec|au|aux <a>* <who>",
        "parler|parle|discuter|echanger|communiquer|dialoguer|chatter a|avec <a>* <some> $",
        "mettez|mettre|met|passez|passer|transferez|transferer|transfere|connectez|connecter|redirigez|rediriger|\
         orientez|basculez moi|me|nous? en? relation|contact|ligne? avec|a|vers|au? <a>* <who>|<some>",
        "joindre|contacter|avoir un|une|d|l|vrai|vraie* humain|etre_humain|conseiller|conseillere|vraie_personne|\
         personne_reelle|operateur",
        "veux|voudrais|souhaite|aimerais|besoin|prefere|demande|exige avoir? <a>* <who> $",
        "y_a quelqu_un|un_humain|une_personne $",
    ],
    alone: "s|il|vous|te|plait|svp|stp|bonjour|maintenant|je|veux|voudrais|avec|merci|besoin|a",
    leads_on: "s|svp|stp|maintenant|ici|pour|qui|au|de|par|et|merci|rapidement|directement|tout|en|sur|car|concernant|\
               ou|reel|reelle|pas|non",
    not: "pas|jamais|sans|plus|ni|dois_je|faut_il|aucun",
    not_after: "",
    links: "a|de|d|envie|besoin|du|tout|vraiment|forcement|necessaire|obligatoirement|vouloir|avec|un",
    others: "clients|utilisateurs|ils|visiteurs|client_veut|utilisateur_veut",
    not_followed: "virtuel|virtuelle|immobilier|ia|automatique|conversationnel",
    reply: "Je vous mets en relation avec une personne de notre équipe. Elle lira vos messages et vous répondra ici.",
};

pub(super) const PORTUGUESE: Speech = Speech {
    who: "humano|humana|ser_humano|atendente|atendentes|agente|operador|operadora|representante|supervisor|supervisora|\
          pessoa_real|pessoa_de_verdade|pessoa_humana|atendimento_humano|atendimento_ao_cliente|suporte_humano|\
          consultor|consultora|funcionario|funcionaria|gerente",
    some: "pessoa|alguem|gente|suporte|responsavel",
    other_words: "",
    a: "um|uma|o|a|os|algum|alguma|outro|outra|de|do|da|seu|sua|real|ser|verdadeiro|verdadeira",
    phrases: &[
        "falar|conversar|falo|fala|teclar|comunicar|bater_papo com|c <a>* <who>",
        "falar|conversar|teclar|bater_papo com|c <a>* <some> $",
        "passa|passe|passar|transfere|transfira|transferir|conecta|conecte|conectar|coloca|coloque|colocar|encaminha|\
         encaminhe|encaminhar|direciona|direcione me|esta|a|conversa* para|pra|com|ao|pro <a>* <who>|<some>",
        "quero|preciso|gostaria|queria|prefiro|desejo|solicito|exijo de? <a>* <who> $",
        "tem|ha algum|alguma|alguem|um <a>* <who>|ai|real $",
    ],
    alone: "por|favor|pf|pfv|agora|ja|oi|ola|com|quero|preciso|me|obrigado|obrigada|sim|bom|dia|urgente|falar",
    leads_on: "por|favor|agora|ja|aqui|sobre|que|para|pra|de|do|em|e|obrigado|obrigada|urgente|pf|pfv|hoje|real|humano|\
               humana|verdade|nao|porque",
    not: "nao|nunca|sem|nem",
    not_after: "",
    links: "quero|preciso|de|gostaria|desejo|queria|tenho|que|querer|precisar|mais|vou|estou|a|fim|com",
    others: "clientes|usuarios|eles|visitantes|cliente_quer|usuario_quer",
    not_followed: "virtual|ia|artificial|imobiliario|automatico",
    reply: "Vou passar você para uma pessoa da nossa equipe. Ela vai ler o que você escreveu e responder aqui.",
};

pub(super) const INDONESIAN: Speech = Speech {
    who: "manusia|orang_asli|orang_sungguhan|orang_beneran|orang_nyata|agen|operator|cs|customer_service|petugas|admin|\
          staf|perwakilan|layanan_pelanggan|supervisor",
    some: "orang|seseorang",
    other_words: "",
    a: "seorang|yang|asli|salah|satu|nyata|sungguhan|tim|bagian",
    phrases: &[
        "bicara|berbicara|ngobrol|chat|berkomunikasi|ngomong|bercakap langsung? dengan|sama|ke|dgn <a>* <who>",
        "bicara|berbicara|ngobrol|ngomong langsung? dengan|sama|dgn <a>* <some> $",
        "sambungkan|hubungkan|alihkan|transfer|teruskan|pindahkan|disambungkan|dihubungkan|dialihkan saya|aku|kami|chat|\
         ini* ke|dengan|pada|kepada <a>* <who>|<some>",
        "mau|ingin|butuh|perlu|minta|pengen bantuan? <a>* <who> $",
    ],
    alone: "tolong|sekarang|dong|ya|saja|halo|hai|saya|mau|minta|kak|min|mohon|dengan",
    leads_on: "tolong|sekarang|dong|ya|saja|aja|langsung|untuk|tentang|yang|segera|kak|min|mohon|bukan|karena|soal",
    not: "tidak|gak|nggak|ngga|ga|enggak|tak|jangan|tanpa|bukan|apakah_saya_harus",
    not_after: "",
    links: "mau|ingin|perlu|usah|butuh|harus|untuk|pengen",
    others: "pelanggan|pengguna|mereka",
    not_followed: "properti|virtual|ai",
    reply: "Saya teruskan Anda ke seseorang di tim kami. Ia akan membaca pesan Anda dan menjawab di sini.",
};
