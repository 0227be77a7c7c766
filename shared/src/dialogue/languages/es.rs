//! Spanish.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "humano|humana|ser humano|agente|agentes|asesor|asesora|operador|operadora|representante|ejecutivo|\
               ejecutiva|teleoperador|persona real|persona fisica|persona humana|persona de verdad|atencion al cliente|\
               servicio al cliente|supervisor|supervisora|encargado|encargada|gerente|atencion humana|ayuda humana|\
               soporte humano",
        some: "persona|alguien|personal|soporte",
        mentions: "",
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
        ],
        alone: "por|favor|porfa|porfavor|ya|ahora|hola|con|a|quiero|necesito|me|gracias|si|buenas|buenos|dias|urgente",
        leads_on: "por|porfavor|porfa|ahora|ya|aqui|sobre|que|para|de|en|y|gracias|urgente|urgentemente|inmediatamente|\
                   directamente|hoy|real|humano|humana|verdadera|fisica|o|mas|no|porque",
        not: "no|nunca|sin|tampoco|ni",
        whether: "",
        not_after: "",
        links: "quiero|necesito|deseo|me|hace|falta|que|gustaria|quisiera|prefiero|querer|tener|tengo|voy|a|hay|\
                necesidad|de|es|necesario|volver|mas|con",
        others: "clientes|usuarios|ellos|visitantes|cliente quiere|usuario quiere|cliente puede",
        not_followed: "inmobiliario|inmobiliaria|secreto|ia|virtual|artificial|automatico|economico|economica",
    },
    handover: "Le paso con una persona de nuestro equipo. Leerá lo que ha escrito y le responderá aquí.",
};
