//! Portuguese.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Portuguese,
    small_talk: SmallTalkPhrases {
        greeting: "olá|oi|oie|oii|ola|bom dia|boa tarde|boa noite|boas|e aí|eai|alô|opa|saudações|tudo bem|tudo bom|tudo \
                   certo|como vai|como está|como estás|como você está|oi tudo bem|olá tudo bem|hi|hey|hello",
        opening: "tenho uma pergunta|tenho uma dúvida|uma dúvida|uma pergunta|posso fazer uma pergunta|preciso de ajuda|\
                  ajuda|me ajuda|me ajude|ajude me|pode me ajudar|você pode me ajudar|podes ajudar me|pode ajudar|está aí|\
                  você está aí",
        thanks: "obrigado|obrigada|muito obrigado|muito obrigada|obg|obgd|obrigadão|obrigadinho|brigado|brigada|vlw|valeu|\
                 valeuu|agradecido|agradecida|agradeço|grato|grata|muito grato|muito grata|mil obrigados|só queria \
                 agradecer|queria agradecer|thx|thanks|ty",
        farewell: "tchau|xau|tchauzinho|adeus|até logo|até mais|até breve|até amanhã|até já|até a próxima|fui|bom dia para \
                   você|tenha um bom dia|tenha uma boa tarde|tenha uma boa noite|bom fim de semana|bom final de semana|um \
                   abraço|abraço|abraços|cumprimentos|atenciosamente|fica bem|bom descanso|bye",
        okay: "está bem|tá bom|ta bom|tá|tudo bem|certo|beleza|blz|perfeito|ótimo|otimo|excelente|legal|bacana|show|\
               fixe|bom|muito bom|maravilha|combinado|claro|tranquilo|joia|ok|okay|oke|oki",
        acknowledgement: "entendi|entendido|percebi|compreendi|ah entendi|já entendi|funcionou|funciona|deu certo|\
                          resolvido|resolveu|problema resolvido|era só isso|é só isso|só isso|é tudo|era tudo|isso é \
                          tudo|nada mais|era isso|ajudou|me ajudou|ajudou muito|muito útil|útil|achei|encontrei|já \
                          encontrei|fantástico|incrível|maravilhoso|parabéns|bom trabalho|boa resposta|ótimo \
                          atendimento|ótimo serviço|você é demais|você é o melhor|vocês são os melhores|adorei|amei|\
                          gostei|que bom|que legal|sem problema|sem problemas|não faz mal|deixa pra lá|esquece|tanto \
                          faz|vou tentar|vou testar|vou ver|um momento|um minuto|espera|desculpa|desculpe|perdão|de \
                          nada|kkk|kkkk|rsrs|haha|interessante|bom saber|imagina|wow|lol|hmm|omg|isso resolveu|isso \
                          resolveu meu problema|já resolvi|consegui resolver|eu mesmo resolvi|isso funcionou",
        about_us: "quem é você|quem és tu|quem é|com quem falo|com quem estou falando|com quem eu falo|o que é você|o que \
                   você é|qual é o seu nome|qual o seu nome|como você se chama|como te chamas|você é um robô|você é robô|\
                   você é um bot|você é bot|você é uma máquina|você é uma ia|você é humano|você é um humano|você é real|\
                   você é uma pessoa|você é uma pessoa real|você é uma pessoa de verdade|você é um robô ou uma pessoa|é um \
                   robô|és um robô|és um bot|és humano|és uma pessoa|isso é um robô|isto é um bot|estou falando com um robô|\
                   estou falando com um bot|estou falando com uma pessoa|estou falando com um humano|estou a falar com um \
                   robô|estou a falar com uma pessoa|o que você faz|o que você pode fazer|como você pode me ajudar|no que \
                   você pode ajudar|quem te criou|de onde você é|fala português|você fala português",
        anger: "merda|que merda|porra|caralho|puta que pariu|pqp|inútil|você é inútil|bot inútil|não serve pra nada|\
                não serve para nada|burro|você é burro|bot burro|idiota|imbecil|que lixo|lixo|um lixo|isso é um lixo|\
                péssimo|péssimo atendimento|péssimo serviço|horrível|terrível|que vergonha|vergonha|uma vergonha|\
                ridículo|isso é ridículo|absurdo|que absurdo|isso é um absurdo|palhaçada|que palhaçada|golpe|ladrões|\
                estou com raiva|estou irritado|estou irritada|estou decepcionado|decepcionante|que decepção|\
                inaceitável|perda de tempo|que perda de tempo|cala a boca|vai se foder|te odeio|odeio bots|muito ruim|\
                ruim|wtf|estou muito irritado|estou muito irritada|o serviço de vocês é péssimo",
        unhelped: "não ajudou|isso não ajudou|não me ajudou|não ajuda|isso não ajuda|não foi útil|não é útil|não \
                   funciona|não funcionou|isso não funciona|não deu certo|ainda não funciona|não adiantou|resposta \
                   errada|está errado|errado|não foi isso que perguntei|não foi o que perguntei|não é isso que \
                   perguntei|não era isso|não é isso|não é essa a minha pergunta|não respondeu minha pergunta|não \
                   responde à minha pergunta|você não entendeu|você não entende|não entendi|não entendi nada|não \
                   percebi|já tentei|já tentei isso|isso não me ajudou",
        yes: "sim|sim por favor|por favor|pf|pfv|claro|claro que sim|com certeza|pode ser|pode|quero|quero sim|sim \
              quero|gostaria|gostaria sim|eu gostaria|seria ótimo|seria bom|pode passar|por que não|isso|isso mesmo|\
              exato|exatamente|ok sim|bora|vamos|aceito|uhum|aham|s",
        no: "não|nao|não obrigado|não obrigada|nao obrigado|agora não|por enquanto não|ainda não|mais tarde|depois|\
             talvez depois|talvez mais tarde|outra hora|não precisa|não é preciso|não preciso|não é necessário|não \
             quero|prefiro não|melhor não|de jeito nenhum|deixa|deixa pra lá|tá tudo bem|está tudo bem|estou bem|tô \
             bem|n|nem",
        cancel: "cancelar",
        doubt: "o quê|quê|por quê|sério|a sério|mesmo|tem certeza|tens a certeza|você tem certeza|como assim|pode \
                repetir|podes repetir|o que quer dizer",
        filler: "muito|muita|mesmo|demais|já|agora|então|e|mas|ah|oh|é|haha|kkk|rs|também|só|tudo|bem|de novo|novamente|\
                 sim|por favor|ufa|lol|hmm|ok",
        addition: "pela ajuda|pela sua ajuda|por ajudar|por me ajudar|pela atenção|pela informação|pelas informações|pela \
                   resposta|pela resposta rápida|por responder|por tudo|por nada|pelo seu tempo|pela explicação|a você|pra \
                   você|para você também|você também|a todos|pessoal|gente|amigo|amiga|equipe|senhor|senhora|desde já|bot",
        ambiguous: "legal|show|bom|pode|isso|bora|depois|tudo|só",
    },
    human: HumanRequestPhrases {
        who: "humano|humana|ser humano|atendente|atendentes|agente|operador|operadora|representante|supervisor|\
              supervisora|pessoa real|pessoa de verdade|pessoa humana|atendimento humano|atendimento ao cliente|\
              suporte humano|consultor|consultora|funcionario|funcionaria|gerente",
        some: "pessoa|alguem|gente|suporte|responsavel|técnico|gerente|supervisor|vendas|financeiro|comercial",
        mentions: "alguem|ligue|liguem|liga|ligar|ligacao|bot|robô|máquina",
        a: "um|uma|o|a|os|algum|alguma|outro|outra|de|do|da|seu|sua|real|ser|verdadeiro|verdadeira",
        phrases: &[
            "(falar|conversar|falo|fala|teclar|comunicar|bater papo) (com|c) <a>{0,4} <who>",
            "(falar|conversar|teclar|bater papo) (com|c) <a>{0,4} <some> <end>",
            "(passa|passe|passar|transfere|transfira|transferir|conecta|conecte|conectar|coloca|coloque|colocar|\
             encaminha|encaminhe|encaminhar|direciona|direcione) (me|esta|a|conversa){0,4} (para|pra|com|ao|pro) \
             <a>{0,4} (<who>|<some>)",
            "(quero|preciso|gostaria|queria|prefiro|desejo|solicito|exijo) (de)? <a>{0,4} <who> <end>",
            "(tem|ha) (algum|alguma|alguem|um) <a>{0,4} (<who>|ai|real) <end>",
            "(me)? (liga|ligue|liguem) (me|pra mim|para mim|de volta)",
            "me (liga|ligue|liguem) <end>",
            "(pode|podem|poderia|poderiam|alguém) (alguém|me|por favor){0,3} ligar",
            "(alguém|pode alguém|poderia alguém) (pode|poderia|aqui|aí)? (me)? (ajudar|atender|responder) (me)? <end>",
            "(tem|há|ha|existe) alguém (aí|aqui|ai|online|disponível)",
            "alguém (aí|ai|aqui) <end>",
        ],
        alone: "por|favor|pf|pfv|agora|ja|oi|ola|com|quero|preciso|me|obrigado|obrigada|sim|bom|dia|urgente|falar",
        whole: &[
            "(uma){0,1} pessoa (real|de verdade){0,1} (por favor){0,1}",
            "não (um|uma){0,1} (bot|robô|máquina)",
            "(um|uma){0,1} (técnico|gerente|supervisor) por favor",
        ],
        leads_on: "por|favor|agora|ja|aqui|sobre|que|para|pra|de|do|em|e|obrigado|obrigada|urgente|pf|pfv|hoje|real|humano|\
                   humana|verdade|nao|porque",
        not: "nao|nunca|sem|nem",
        whether: "",
        not_after: "",
        links: "quero|preciso|de|gostaria|desejo|queria|tenho|que|querer|precisar|mais|vou|estou|a|fim|com",
        others: "clientes|usuarios|eles|visitantes|cliente quer|usuario quer",
        not_followed: "virtual|ia|artificial|imobiliario|automatico",
    },
    sentences: Sentences {
        greeting: "Olá! Como posso ajudar?",
        thanks: "De nada!",
        farewell: "Até logo, e tenha um bom dia!",
        acknowledgement: "Tudo bem. Escreva-me quando tiver outra pergunta.",
        about_us: "Sou um assistente automático. Respondo com base nos nossos artigos de ajuda, e você pode pedir uma \
                   pessoa a qualquer momento.",
        no_problem: "Não tem problema. Em que posso ajudar?",
        praised: "Obrigado, fico contente em saber. Escreva-me quando tiver outra pergunta.",
        unclear: "Lamento que não tenha ficado claro. O que gostaria de saber exatamente? Também pode pedir para falar \
                  com uma pessoa.",
        apology: "Sinto muito. Gostaria de falar com uma pessoa da nossa equipe?",
        no_answer: "Não encontrei uma resposta a essa pergunta nos nossos artigos de ajuda. Gostaria de falar com uma pessoa \
                    da nossa equipe?",
        handover: "Vou passar você para uma pessoa da nossa equipe. Ela vai ler o que você escreveu e responder aqui.",
        failure: "Não consigo responder agora. Vou encaminhar a sua pergunta a uma pessoa da nossa equipe.",
        away: Away {
            back: "Nossa equipe volta {day} às {time}{zone}.",
            nobody: "No momento não há ninguém da nossa equipe.",
            later: "A equipe vai ler o que você escreveu e responder aqui.",
            today: "hoje",
            days: [
                "na segunda-feira",
                "na terça-feira",
                "na quarta-feira",
                "na quinta-feira",
                "na sexta-feira",
                "no sábado",
                "no domingo",
            ],
        },
        human_later: "Ainda não posso chamar novamente uma pessoa da nossa equipe. Você pode pedir de novo em \
                      {minutes} minutos.",
        notice: "Você está falando com um assistente automático.",
        too_many: "Respondo a no máximo três perguntas por vez. Por favor, pergunte de novo: {questions}",
    },
};
