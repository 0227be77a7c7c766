//! Portuguese.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "humano|humana|ser humano|atendente|atendentes|agente|operador|operadora|representante|supervisor|\
               supervisora|pessoa real|pessoa de verdade|pessoa humana|atendimento humano|atendimento ao cliente|\
               suporte humano|consultor|consultora|funcionario|funcionaria|gerente",
        some: "pessoa|alguem|gente|suporte|responsavel",
        mentions: "",
        a: "um|uma|o|a|os|algum|alguma|outro|outra|de|do|da|seu|sua|real|ser|verdadeiro|verdadeira",
        phrases: &[
            "(falar|conversar|falo|fala|teclar|comunicar|bater papo) (com|c) <a>{0,4} <who>",
            "(falar|conversar|teclar|bater papo) (com|c) <a>{0,4} <some> <end>",
            "(passa|passe|passar|transfere|transfira|transferir|conecta|conecte|conectar|coloca|coloque|colocar|\
             encaminha|encaminhe|encaminhar|direciona|direcione) (me|esta|a|conversa){0,4} (para|pra|com|ao|pro) \
             <a>{0,4} (<who>|<some>)",
            "(quero|preciso|gostaria|queria|prefiro|desejo|solicito|exijo) (de)? <a>{0,4} <who> <end>",
            "(tem|ha) (algum|alguma|alguem|um) <a>{0,4} (<who>|ai|real) <end>",
        ],
        alone: "por|favor|pf|pfv|agora|ja|oi|ola|com|quero|preciso|me|obrigado|obrigada|sim|bom|dia|urgente|falar",
        leads_on: "por|favor|agora|ja|aqui|sobre|que|para|pra|de|do|em|e|obrigado|obrigada|urgente|pf|pfv|hoje|real|humano|\
                   humana|verdade|nao|porque",
        not: "nao|nunca|sem|nem",
        whether: "",
        not_after: "",
        links: "quero|preciso|de|gostaria|desejo|queria|tenho|que|querer|precisar|mais|vou|estou|a|fim|com",
        others: "clientes|usuarios|eles|visitantes|cliente quer|usuario quer",
        not_followed: "virtual|ia|artificial|imobiliario|automatico",
    },
    handover: "Vou passar você para uma pessoa da nossa equipe. Ela vai ler o que você escreveu e responder aqui.",
};
