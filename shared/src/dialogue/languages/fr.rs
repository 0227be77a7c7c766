//! French.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "humain|humaine|humains|etre humain|conseiller|conseillere|conseillers|agent|agents|operateur|operatrice|\
               representant|representante|teleconseiller|superviseur|service client|personne reelle|vraie personne|\
               personne physique|personne humaine|responsable",
        some: "quelqu un|une personne|votre equipe|le support|technicien",
        mentions: "",
        a: "un|une|l|le|la|les|d|de|du|des|vrai|vraie|autre|votre|vos|veritable|etre|au|aux|service|equipe",
        phrases: &[
            "(parler|parle|discuter|echanger|communiquer|dialoguer|chatter|tchatter|entretenir) (a|avec|au|aux) \
             <a>{0,4} <who>",
            "(parler|parle|discuter|echanger|communiquer|dialoguer|chatter) (a|avec) <a>{0,4} <some> <end>",
            "(mettez|mettre|met|passez|passer|transferez|transferer|transfere|connectez|connecter|redirigez|rediriger|\
             orientez|basculez) (moi|me|nous)? (en)? (relation|contact|ligne)? (avec|a|vers|au)? <a>{0,4} (<who>|\
             <some>)",
            "(joindre|contacter|avoir) (un|une|d|l|vrai|vraie){0,4} (humain|etre humain|conseiller|conseillere|vraie \
             personne|personne reelle|operateur)",
            "(veux|voudrais|souhaite|aimerais|besoin|prefere|demande|exige) (avoir)? <a>{0,4} <who> <end>",
            "y a (quelqu un|un humain|une personne) <end>",
        ],
        alone: "s|il|vous|te|plait|svp|stp|bonjour|maintenant|je|veux|voudrais|avec|merci|besoin|a",
        leads_on: "s|svp|stp|maintenant|ici|pour|qui|au|de|par|et|merci|rapidement|directement|tout|en|sur|car|concernant|\
                   ou|reel|reelle|pas|non",
        not: "pas|jamais|sans|plus|ni|aucun",
        whether: "dois je|faut il",
        not_after: "",
        links: "a|de|d|envie|besoin|du|tout|vraiment|forcement|necessaire|obligatoirement|vouloir|avec|un",
        others: "clients|utilisateurs|ils|visiteurs|client veut|utilisateur veut",
        not_followed: "virtuel|virtuelle|immobilier|ia|automatique|conversationnel",
    },
    handover: "Je vous mets en relation avec une personne de notre équipe. Elle lira vos messages et vous répondra ici.",
};
