//! English.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "human|humans|human being|real person|live person|actual person|real human|representative|representatives|\
               rep|operator|agent|agents|customer service|customer support|customer care|support team|support staff|\
               staff member|team member|supervisor|csr|advisor|adviser|human support|human help|human assistance|live \
               support|live chat|real help",
        some: "person|someone|somebody|anyone|anybody|staff|team|manager|specialist|support|employee",
        mentions: "bot|robot|machine|chatbot|ai|computer|escalate",
        a: "a|an|the|any|another|some|your|one|of|real|live|actual|proper|different|other|human|support|customer|\
               service|care|sales|billing|technical|tech|senior|competent",
        phrases: &[
            "(talk|speak|chat|talking|speaking|chatting|conversation) (to|with) <a>{0,4} <who>",
            "(talk|speak|chat|talking|speaking|chatting) (to|with) <a>{0,4} <some> (else)? <end>",
            "(speak|talk) <who> <end>",
            "(connect|transfer|put|pass|redirect|forward|switch|hand|route|escalate|direct|refer) (me|us|this|it|over|\
             through|chat|conversation|call|the|my|case){0,4} (to|with) <a>{0,4} <who>",
            "(connect|transfer|put|pass|redirect|forward|switch|route|escalate|direct) (me|us|this|it|over|\
             through){0,4} (to|with) <a>{0,4} <some> <end>",
            "(get|give|find|send|bring|let) (me|us) (have)? <a>{0,4} <who> <end>",
            "(get|give|find|bring) (me|us) <a>{0,4} <some> <end>",
            "(want|need|wants|prefer|request|requesting|require|demand) (to)? (have)? <a>{0,4} <who> <end>",
            "(would|d) (like|love|prefer|rather) (to)? (have)? <a>{0,4} <who> <end>",
            "(want|need|prefer) (a|real|actual|live) person <end>",
            "(is|are) (there|any|a|an|some){0,4} <a>{0,4} <who> <end>",
            "(is|are) (there)? (anyone|anybody|someone|somebody) (real|human|live) <end>",
            "(can|could|may|will|would|have|let|want|need) <a>{0,4} <who> (to)? (help|assist|call|contact|answer|\
             reply|respond|talk|speak|join)",
            "(reach|contact|call|get) (a|an|the|real|live|actual){0,4} (human|humans|human being|real person|live \
             person|live agent|human agent|representative|operator) <end>",
            "(don|dont|not|never|stop) (t)? (want|like|wish)? (to)? (talk|speak|chat|talking|speaking|chatting) (to|\
             with) (a|an|this|the|another|you){0,4} (bot|robot|machine|chatbot|ai|computer)",
            "(help|answer|assistance|support|reply) from <a>{0,4} (<who>|person|someone) <end>",
            "escalate (this|my) (case|issue|ticket|request|problem|complaint|chat)? <end>",
        ],
        alone: "please|pls|plz|now|hi|hello|hey|i|me|us|want|need|to|with|would|like|d|m|thanks|thank|you|just|only|can|\
                get|ok|okay|yes|asap|here|is|right|for|and|immediately",
        leads_on: "please|pls|plz|now|here|asap|today|about|regarding|who|that|instead|at|on|over|by|from|right|immediately|\
                   because|for|and|thanks|thank|directly|first|then|or|if|as|available|again|urgently|quickly|not|to|i|with|\
                   live|online|soon|tomorrow|but|so|rather|ok|okay|there",
        not: "don|dont|not|never|no|without|no need",
        whether: "do i need|do i have|do we need|do we have|should i|must i",
        not_after: "",
        links: "t|really|want|wanna|need|wish|like|to|have|a|ever|even|just|actually|prefer|care|wanting|going|be|would|\
                trying|try|looking|asking|necessary|in|reason|the|point|of|feel",
        others: "customers|users|visitors|clients|they|customer wants|user wants|visitor wants|client wants|customer asks|\
                 user asks|visitor asks|customer can|user can",
        not_followed: "resources|resource|rights|readable|error|errors|s|fee|fees|id|ids|key|keys|role|roles|app|portal|\
                       dashboard|api|commission|license|licence|name|names|seat|seats|account|accounts|mode|software|console|\
                       version|training|workflow|workspace",
    },
    handover: "I am passing you on to a person of our team. They will read what you wrote and answer here.",
};
