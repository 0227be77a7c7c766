//! French.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::French,
    small_talk: SmallTalkPhrases {
        greeting: "bonjour|bonsoir|salut|coucou|slt|bjr|bsr|cc|hello|hey|hi|re bonjour|rebonjour|bonjour à tous|bien le \
                   bonjour|ça va|comment ça va|comment allez vous|comment vas tu|comment tu vas|tu vas bien|vous allez bien|\
                   ca va|cv|quoi de neuf",
        opening: "j ai une question|j ai une petite question|j aurais une question|une question|petite question|puis je \
                  poser une question|je peux poser une question|j ai besoin d aide|j ai besoin d un coup de main|besoin d \
                  aide|aide|aidez moi|aide moi|à l aide|pouvez vous m aider|peux tu m aider|tu peux m aider|vous pouvez m \
                  aider|tu es là|vous êtes là|t es là|madame monsieur|bonne année|joyeux noël|enchanté",
        thanks: "merci|merci beaucoup|merci bcp|merci bien|mille mercis|mille merci|un grand merci|grand merci|merci \
                 infiniment|merciii|mrc|mci|je vous remercie|je te remercie|merci à vous|merci à toi|merci d avance|\
                 thanks|thx|c est gentil|c est très gentil|trop gentil|très aimable|je voulais juste dire merci|je \
                 voulais dire merci|ty",
        farewell: "au revoir|aurevoir|à bientôt|a bientot|à plus|à plus tard|a plus|à la prochaine|à demain|à tout à l \
                   heure|bonne journée|bonne soirée|bonne nuit|bon week end|bon weekend|bonne fin de journée|bonne fin de \
                   semaine|bonne continuation|bon après midi|bonne après midi|bye|ciao|tchao|tchuss|adieu|salutations|\
                   cordialement|bien cordialement|bien à vous|passez une bonne journée|passe une bonne journée|belle \
                   journée|belle soirée|a+|prenez soin de vous",
        okay: "ok|okay|oki|okey|d accord|dac|dacc|daccord|d acc|entendu|très bien|tres bien|bien|bon|parfait|super|\
               génial|nickel|impec|impeccable|cool|top|ça marche|ca marche|ça roule|c est bon|c est parfait|c est noté|\
               noté|voilà|excellent|nikel|oke",
        acknowledgement: "compris|j ai compris|je comprends|je vois|ah je vois|ah d accord|c est clair|ça fonctionne|\
                          ca fonctionne|ça a marché|ca a marche|ça marche maintenant|ça fonctionne maintenant|c est \
                          réglé|réglé|c est résolu|résolu|problème résolu|c est tout|c était tout|ce sera tout|rien d \
                          autre|plus de questions|je n ai plus de questions|c est tout ce que je voulais savoir|c est \
                          ce que je cherchais|c est ce qu il me fallait|exactement ce qu il me fallait|ça m aide|ça m \
                          a aidé|ca m aide|très utile|utile|c est utile|j ai trouvé|trouvé|je l ai trouvé|formidable|\
                          magnifique|merveilleux|fantastique|incroyable|bravo|bien joué|bon travail|bonne réponse|bon \
                          bot|bon service|excellent service|super service|tu es génial|tu es super|tu es le meilleur|\
                          t es génial|t es le meilleur|vous êtes génial|vous êtes super|vous êtes les meilleurs|je t \
                          aime|j adore|c est super|c est génial|c est cool|c est bien|c est rapide|rapide|trop bien|\
                          trop cool|chouette|pas de problème|pas de souci|pas de soucis|pas grave|c est pas grave|ce \
                          n est pas grave|tant pis|laisse tomber|laissez tomber|peu importe|je vais essayer|j essaie|\
                          j essaye|je vais voir|je vais vérifier|un instant|un moment|attends|attendez|désolé|désolée|\
                          pardon|excusez moi|excuse moi|je m excuse|de rien|je vous en prie|mdr|ptdr|lol|haha|hihi|\
                          wow|ouah|intéressant|bon à savoir|hmm|je teste|c est un test|omg|ça a fonctionné|cela a \
                          fonctionné|j ai résolu le problème|j ai résolu mon problème|mon problème est résolu|ça \
                          résout mon problème|ça répond à ma question",
        about_us: "qui es tu|qui êtes vous|tu es qui|t es qui|vous êtes qui|c est qui|qui est là|à qui je parle|à qui ai je \
                   affaire|à qui ai je l honneur|avec qui je parle|à qui est ce que je parle|tu es quoi|qu es tu|comment tu \
                   t appelles|comment t appelles tu|comment vous appelez vous|quel est ton nom|quel est votre nom|tu es un \
                   robot|t es un robot|tu es un bot|t es un bot|es tu un robot|es tu un bot|es tu une machine|es tu une ia|\
                   tu es une ia|tu es une machine|tu es un humain|es tu un humain|es tu humain|tu es humain|tu es réel|es \
                   tu réel|tu es une vraie personne|es tu une vraie personne|tu es une personne|êtes vous un robot|êtes \
                   vous un bot|êtes vous une ia|êtes vous une machine|êtes vous un humain|êtes vous humain|êtes vous une \
                   vraie personne|êtes vous une personne|êtes vous une personne réelle|êtes vous réel|vous êtes un robot|\
                   vous êtes un bot|vous êtes une ia|vous êtes une machine|vous êtes un humain|vous êtes une vraie personne|\
                   vous êtes humain|tu es un robot ou un humain|tu es un humain ou un robot|êtes vous un robot ou un humain|\
                   êtes vous un humain ou un robot|robot ou humain|humain ou robot|c est un robot|c est un bot|c est une ia|\
                   est ce un robot|est ce un bot|est ce que tu es un robot|est ce que tu es un bot|est ce que tu es humain|\
                   est ce que vous êtes un robot|est ce que vous êtes un bot|est ce que vous êtes humain|est ce que vous \
                   êtes une vraie personne|est ce que c est un robot|je parle à un robot|je parle à un bot|je parle à une \
                   machine|je parle à un humain|je parle avec un robot|je parle avec un humain|est ce que je parle à un \
                   robot|est ce que je parle à un humain|est ce que je parle à un bot|est ce que je parle à une vraie \
                   personne|suis je en train de parler à un robot|que peux tu faire|que sais tu faire|tu peux faire quoi|tu \
                   sais faire quoi|que pouvez vous faire|comment peux tu m aider|comment pouvez vous m aider|qui t a créé|d \
                   où viens tu|quel âge as tu|tu parles français|parlez vous français",
        anger: "merde|putain|bordel|fait chier|ça fait chier|fais chier|c est de la merde|de la merde|service de \
                merde|bot de merde|va te faire foutre|va te faire voir|nul|c est nul|t es nul|tu es nul|vous êtes \
                nuls|vous êtes nul|trop nul|inutile|tu es inutile|t es inutile|vous êtes inutile|c est inutile|ça \
                sert à rien|ca sert a rien|tu sers à rien|vous servez à rien|ne sert à rien|stupide|bot stupide|robot \
                stupide|idiot|imbécile|con|connard|c est n importe quoi|n importe quoi|ridicule|c est ridicule|\
                honteux|c est honteux|une honte|c est une honte|scandaleux|c est scandaleux|inadmissible|c est \
                inadmissible|inacceptable|c est inacceptable|lamentable|pitoyable|catastrophique|horrible|mauvais \
                service|service nul|service lamentable|arnaque|c est une arnaque|arnaqueurs|voleurs|escrocs|ça m \
                énerve|ca m enerve|énervant|vous m énervez|tu m énerves|je suis énervé|je suis furieux|je suis en \
                colère|je suis déçu|je suis déçue|décevant|c est décevant|déçu|perte de temps|quelle perte de temps|c \
                est une blague|vous vous moquez de moi|tu te moques de moi|vous vous fichez de moi|ta gueule|tais toi|\
                wtf|je te déteste|je déteste les bots|ras le bol|j en ai marre|marre|je suis très en colère|je suis \
                furieuse|votre service est nul",
        unhelped: "ça ne m aide pas|ça m aide pas|ca m aide pas|ca ne m aide pas|cela ne m aide pas|ça n aide pas|ça \
                   ne m a pas aidé|ça m a pas aidé|cela ne m a pas aidé|pas utile|ce n est pas utile|c est pas utile|\
                   pas très utile|ça ne marche pas|ça marche pas|ca marche pas|ca ne marche pas|cela ne marche pas|ça \
                   ne fonctionne pas|ça fonctionne pas|ça n a pas marché|ça a pas marché|ça ne marche toujours pas|\
                   toujours pas|mauvaise réponse|c est faux|faux|ce n est pas ça|c est pas ça|ce n est pas ma \
                   question|c est pas ma question|ce n était pas ma question|ce n est pas ce que j ai demandé|c est \
                   pas ce que j ai demandé|ce n est pas ce que je demande|c est pas ce que je demande|ça ne répond \
                   pas à ma question|ça répond pas à ma question|cela ne répond pas à ma question|vous ne répondez \
                   pas à ma question|tu ne réponds pas à ma question|tu ne comprends pas|tu comprends pas|vous ne \
                   comprenez pas|vous ne me comprenez pas|tu comprends rien|je ne comprends pas|je comprends pas|j ai \
                   pas compris|je n ai pas compris|j ai déjà essayé|déjà essayé|pas vraiment|ça n a pas aidé",
        yes: "oui|ouii|ouais|ouaip|oui svp|oui s il vous plaît|oui s il te plaît|oui stp|oui merci|oui volontiers|\
              volontiers|svp|stp|s il vous plaît|s il te plaît|avec plaisir|bien sûr|bien sur|bien entendu|évidemment|\
              certainement|absolument|tout à fait|carrément|allez y|vas y|allez|faites|je veux bien|oui je veux bien|\
              je voudrais bien|j aimerais bien|ce serait bien|ce serait super|ce serait parfait|ça serait bien|ça \
              serait super|pourquoi pas|exactement|exact|c est ça|si possible|oui je veux|ok oui|mettez moi en relation",
        no: "non|nan|nn|non merci|pas maintenant|pas pour le moment|pas pour l instant|pas tout de suite|pas encore|\
             plus tard|peut être plus tard|une autre fois|pas besoin|pas la peine|ce n est pas la peine|c est pas la \
             peine|ce n est pas nécessaire|pas nécessaire|inutile|ça ira|ca ira|ça va aller|ça va|c est bon|c est bon \
             merci|sans façon|je ne veux pas|je veux pas|non ça va|non c est bon|surtout pas|pas du tout|jamais de la \
             vie|laisse tomber|laissez tomber|stop|je me débrouille|je vais me débrouiller|je vais chercher",
        cancel: "annuler",
        doubt: "quoi|pourquoi|comment|vraiment|ah bon|sérieusement|tu es sûr|vous êtes sûr|êtes vous sûr|c est sûr|c \
                est à dire|que voulez vous dire|pouvez vous répéter|vous pouvez répéter|tu peux répéter|peux tu \
                répéter",
        filler: "très|trop|beaucoup|bcp|encore|vraiment|bien|bon|alors|donc|et|mais|oh|ah|eh|ben|bah|euh|haha|mdr|lol|\
                 aussi|également|pareillement|maintenant|là|juste|tout|si|hmm|super|quand même|oui|en tout cas|svp|stp|ok",
        addition: "pour votre aide|pour ton aide|pour l aide|pour votre réponse|pour ta réponse|pour la réponse|pour cette \
                   réponse|pour la réponse rapide|pour votre rapidité|pour l info|pour les infos|pour l information|pour \
                   ces informations|pour votre temps|pour tout|pour rien|pour votre patience|pour l explication|pour les \
                   précisions|de votre aide|de m aider|de m avoir aidé|de votre réponse|d avance|à vous|à toi|à vous aussi|\
                   à toi aussi|à tous|vous aussi|toi aussi|à l équipe|l équipe|l ami|mon ami|monsieur|madame|les amis|bot|\
                   robot|tout le monde",
        ambiguous: "bon|con|top|faux|nickel|aide|rapide|plus|cc|cv|nan",
    },
    human: HumanRequestPhrases {
        who: "humain|humaine|humains|etre humain|conseiller|conseillere|conseillers|agent|agents|operateur|operatrice|\
              representant|representante|teleconseiller|superviseur|service client|personne reelle|vraie personne|\
              personne physique|personne humaine|responsable",
        some: "quelqu un|une personne|votre equipe|le support|technicien|responsable|superviseur|gérant|manager|\
               commercial|service commercial|service technique",
        mentions: "appelez|appeler|appelle|rappelez|rappeler|rappelle|quelqu|collegue|collegues|joindre|bot|robot|\
                   machine",
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
            "(appelez|rappelez|appelle|rappelle) moi",
            "(pouvez|pourriez|peux|pourrais|peut|pourrait|peuvent) (vous|tu|quelqu un|on)? (quelqu un)? (de votre \
             équipe)? (s il vous plaît)? (me|m|nous) (appeler|rappeler|aider|répondre|contacter) (quelqu un)? <end>",
            "quelqu un (de votre équipe|de chez vous|de réel|en vrai)? (peut|pourrait|peut il|pourrait il) (il)? (me|\
             m|nous)? (aider|appeler|rappeler|répondre|contacter)",
            "(peut|pourrait) quelqu un <other>{0,3} (aider|appeler|rappeler|répondre|contacter)",
            "(être|etre) (rappelé|rappelée|appelé|appelée)",
            "y a (t il)? (il)? (quelqu un|une vraie personne|un humain|du monde)",
            "(il y a)? quelqu un (est là|là|ici|en ligne|de disponible) <end>",
            "(parler|discuter|échanger) (à|avec) (un|une|votre|un de vos|l un de vos|une de vos) (collègue|collègues)",
        ],
        alone: "s|il|vous|te|plait|svp|stp|bonjour|maintenant|je|veux|voudrais|avec|merci|besoin|a",
        whole: &[
            "(une|vraie){0,2} personne (svp|s il vous plait){0,1}",
            "pas (un|d un|de|une){0,1} (bot|robot|machine)",
            "(un|une){0,1} (technicien|responsable|superviseur) (svp|s il vous plait)",
        ],
        leads_on: "s|svp|stp|maintenant|ici|pour|qui|au|de|par|et|merci|rapidement|directement|tout|en|sur|car|concernant|\
                   ou|reel|reelle|pas|non",
        not: "pas|jamais|sans|plus|ni|aucun",
        whether: "dois je|faut il|est ce que je|suis je|je parle|en train de",
        not_after: "",
        links: "a|de|d|envie|besoin|du|tout|vraiment|forcement|necessaire|obligatoirement|vouloir|avec|un",
        others: "clients|utilisateurs|ils|visiteurs|client veut|utilisateur veut",
        not_followed: "virtuel|virtuelle|immobilier|ia|automatique|conversationnel",
    },
    sentences: Sentences {
        greeting: "Bonjour ! Comment puis-je vous aider ?",
        thanks: "Je vous en prie !",
        farewell: "Au revoir, et bonne journée !",
        acknowledgement: "Très bien. Écrivez-moi dès que vous avez une autre question.",
        about_us: "Je suis un assistant automatique. Je réponds à partir de nos articles d’aide, et vous pouvez demander \
                   une personne à tout moment.",
        no_problem: "Il n’y a pas de mal. Que puis-je faire pour vous ?",
        praised: "Merci, cela me fait plaisir. Écrivez-moi dès que vous avez une autre question.",
        unclear: "Je suis désolé que ce n’ait pas été clair. Que souhaitez-vous savoir exactement ? Vous pouvez aussi \
                  demander à parler à une personne.",
        apology: "J’en suis désolé. Souhaitez-vous parler à une personne de notre équipe ?",
        no_answer: "Je n’ai pas trouvé de réponse à cette question dans nos articles d’aide. Souhaitez-vous parler à une \
                    personne de notre équipe ?",
        handover: "Je vous mets en relation avec une personne de notre équipe. Elle lira vos messages et vous répondra ici.",
        failure: "Je ne peux pas répondre pour le moment. Je transmets votre question à une personne de notre équipe.",
        away: Away {
            back: "Notre équipe sera de retour {day} à {time}{zone}.",
            nobody: "Personne de notre équipe n'est disponible pour le moment.",
            later: "L'équipe lira vos messages et vous répondra ici.",
            today: "aujourd'hui",
            days: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        },
        human_later: "Je ne peux pas encore rappeler une personne de notre équipe. Vous pourrez le redemander dans \
                      {minutes} minutes.",
        notice: "Vous échangez avec un assistant automatique.",
        too_many: "Je réponds à trois questions au plus à la fois. Merci de redemander : {questions}",
    },
};
