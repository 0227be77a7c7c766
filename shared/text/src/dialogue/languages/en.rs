//! English.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::English,
    small_talk: SmallTalkPhrases {
        greeting: "hi|hello|hey|helo|hullo|hiya|heya|hi there|hello there|hey there|hi all|hello all|hi team|hi everyone|hi \
                   guys|hey guys|hi folks|good morning|good afternoon|good evening|good day|gm|mornin|greetings|howdy|yo|\
                   sup|whats up|wassup|wazzup|gday|how are you|how are you doing|how are u|how r u|how ru|hru|how do you do|\
                   hows it going|how is it going|hows things|how are things|hows your day|how is your day|hows your day \
                   going|how is your day going|how have you been|hope you are well|hope youre well|hope you are doing well|\
                   hope youre doing well|nice to meet you|pleased to meet you|good to see you|long time no see|happy new \
                   year|merry christmas|dear support|dear team|dear sir|dear sir or madam",
        opening: "can i ask a question|can i ask something|can i ask you something|i have a question|i have a quick \
                  question|i got a question|quick question|i need help|i need some help|help|help me|please help|please \
                  help me|can you help me|can you help|could you help me|could you help|need help|hope you can help|hope \
                  you can help me|are you there|you there|u there|r u there|still there|are you still there|are you online|\
                  morning|afternoon|evening",
        thanks: "thanks|thank you|thank u|thanku|thx|thks|tks|tnx|tx|ty|tysm|tyvm|thnx|thanx|thnks|thaks|thanq|thank|ta|\
                 cheers|thanks a lot|thanks a bunch|thanks a million|thanks a ton|many thanks|much appreciated|\
                 appreciated|appreciate it|i appreciate it|i appreciate that|i appreciate your help|appreciate your help|\
                 really appreciate it|much obliged|bless you|god bless|god bless you|lifesaver|you are a lifesaver|youre \
                 a lifesaver|you saved me|you saved my day|you made my day|im grateful|i am grateful|kudos|wanted to say \
                 thanks|wanted to say thank you|want to say thanks|want to say thank you|wanted to thank you|want to \
                 thank you",
        farewell: "bye|bye bye|by by|goodbye|cya|see ya|see you|see u|see you later|see you soon|see you around|see you \
                   tomorrow|later|laters|catch you later|ttyl|talk to you later|talk later|talk soon|take care|have a nice \
                   day|have a good day|have a great day|have a good one|have a great one|have a nice one|have a lovely day|\
                   have a lovely evening|have a wonderful evening|have a great night|have a great afternoon|have a good \
                   afternoon|have a nice afternoon|have a nice time|have a wonderful day|have a nice weekend|have a good \
                   weekend|have a great weekend|have a lovely weekend|have a nice evening|have a good evening|have a great \
                   evening|have a good night|have a good rest of your day|enjoy your day|enjoy your weekend|enjoy your \
                   evening|nice weekend|happy weekend|good night|gn|night|nite|so long|farewell|until next time|till next \
                   time|peace|peace out|im off|i have to go|i need to go|gotta go|got to go|i gotta go|g2g|gtg|all the best|\
                   best wishes|best regards|kind regards|regards|cheerio|ta ta|signing off",
        okay: "ok|okay|okey|oki|okie|okie dokie|okey dokey|kk|k|oke|okido|alright|allright|alrighty|all right|right|\
               fine|cool|sounds good|fair enough|good|great|gr8|perfect|perfekt|nice|noted|understood|roger|roger that|\
               copy that|very well|works for me|that works|deal|done",
        acknowledgement: "got it|gotcha|i got it|got that|i see|makes sense|that makes sense|it makes sense|all clear|\
                          thats clear|clear now|crystal clear|i understand|i understand now|now i understand|i get it|\
                          now i get it|that worked|it worked|works|it works|worked|working now|its working|that fixed \
                          it|fixed|fixed it|its fixed|solved|problem solved|issue solved|resolved|sorted|all sorted|\
                          that did it|that did the trick|did the trick|that helped|that helps|this helps|this helped|\
                          it helped|helpful|that was helpful|that was quick|that was fast|that was easy|super helpful|\
                          thats all|thats all i needed|that is all i needed|all i needed|thats all i need|thats what \
                          i needed|that is what i needed|exactly what i needed|just what i needed|thats what i was \
                          looking for|exactly what i was looking for|what i was looking for|thats all i wanted to \
                          know|that is all|thats everything|thats it|that is it|that will be all|thatll be all|\
                          nothing else|no more questions|no further questions|no other questions|all good|never mind|\
                          nevermind|nvm|nm|forget it|forget about it|dont worry|dont worry about it|no worries|no \
                          problem|np|no prob|no probs|no biggie|figured it out|i figured it out|found it|i found it|\
                          got it working|i got it working|i will try|ill try|i will try that|ill try that|ill try it|\
                          let me try|let me try that|ill check|i will check|let me check|ill have a look|i will have \
                          a look|ill take a look|ill do that|i will do that|will do|ill give it a try|one moment|one \
                          sec|just a sec|just a moment|wait|hold on|hang on|brb|im back|i am back|interesting|good to \
                          know|good to hear|glad to hear|glad to hear that|awesome|amazing|brilliant|excellent|\
                          fantastic|wonderful|super|superb|splendid|lovely|sweet|neat|terrific|outstanding|impressive|\
                          very nice|bravo|well done|good job|great job|nice job|nice work|great work|good work|good \
                          bot|good answer|great answer|nice answer|nice one|good one|you are great|youre great|you \
                          are awesome|youre awesome|you are amazing|youre amazing|you are the best|youre the best|you \
                          rock|u rock|you guys rock|you guys are great|you guys are awesome|you guys are the best|\
                          best bot|best bot ever|best support|best support ever|best service|best service ever|great \
                          service|great support|excellent service|excellent support|amazing service|amazing support|i \
                          love you|love you|love you guys|i love it|love it|i love this|love this|i like you|i like \
                          it|like it|like this|you are smart|youre smart|clever bot|smart bot|you are helpful|youre \
                          helpful|you were helpful|you have been helpful|you are very helpful|youre very helpful|you \
                          were very helpful|you have been very helpful|youve been very helpful|youve been a great \
                          help|you have been a great help|great help|big help|you are so kind|you are very kind|youre \
                          so kind|you are so nice|youre so nice|thats great|that is great|thats awesome|that is \
                          awesome|thats amazing|thats perfect|that is perfect|thats good|thats nice|thats cool|that \
                          was great|great that worked|im happy|so happy|yay|woohoo|hooray|phew|welcome|you are \
                          welcome|youre welcome|yw|sorry|im sorry|i am sorry|my bad|my mistake|apologies|sry|oops|\
                          whoops|excuse me|pardon|just kidding|jk|kidding|testing|test test|looking around|just \
                          looking|just browsing|ignore that|wrong window|wrong chat|im bored|wow|omg|lol|haha|hehe|\
                          lmao|rofl|xd|hmm|hm|that solved it|this solved it|it solved it|that solved my problem|that \
                          solved the problem|that fixed my problem|that fixed the problem|i solved it|i have solved \
                          it|i solved it myself|solved it myself|i fixed it|i fixed it myself|fixed it myself|i found \
                          it myself|i found the answer|i found the answer myself|i figured it out myself|figured it \
                          out myself|my problem is solved|the problem is solved|problem is solved|its solved|it is \
                          solved|it is fixed|problem fixed|it works now|works now|now it works|that works now|that \
                          answers my question|that answered my question|this answers my question|this answered my \
                          question|you answered my question|question answered|that was it|that was all|that was all i \
                          needed|that was exactly what i needed",
        about_us: "who are you|who r u|who are u|who is this|whos this|who am i talking to|who am i talking with|who am i \
                   speaking to|who am i speaking with|who am i chatting with|who is there|what are you|what r u|what are u|\
                   whats your name|what is your name|your name|do you have a name|are you a bot|are you bot|r u a bot|are u \
                   a bot|r u bot|are you a robot|are you robot|r u a robot|are you an ai|are you ai|r u ai|r u an ai|are \
                   you chatgpt|are you gpt|is this chatgpt|are you a machine|are you a computer|are you a program|are you a \
                   chatbot|are you human|r u human|are you a human|r u a human|are you a person|are you a real person|r u a \
                   real person|are you real|r u real|are you a real human|are you an actual person|are you an actual human|\
                   are you a human being|are you alive|are you a human or a bot|are you a bot or a human|are you a human or \
                   a robot|are you a robot or a human|are you a person or a bot|are you a bot or a person|are you a real \
                   person or a bot|are you a bot or a real person|are you human or bot|are you human or a bot|are you a bot \
                   or human|bot or human|human or bot|is this a bot|is this a robot|is this an ai|is this ai|is this a \
                   human|is this a person|is this a real person|is this a machine|is it a bot|is this automated|is this \
                   chat automated|am i talking to a bot|am i talking to a robot|am i talking to a machine|am i talking to \
                   an ai|am i talking to a human|am i talking to a person|am i talking to a real person|am i talking with a \
                   bot|am i talking with a human|am i speaking to a bot|am i speaking to a human|am i speaking with a human|\
                   am i speaking with a bot|am i speaking to a robot|am i speaking to a person|am i speaking to a real \
                   person|am i chatting with a bot|am i chatting with a robot|am i chatting with a human|am i chatting with \
                   a person|am i chatting with a real person|you are a bot|youre a bot|you are a robot|youre a robot|you \
                   are a machine|what can you do|what can u do|what do you do|what can i ask you|how can you help|how can \
                   you help me|what can you help me with|what can you help with|what do you know|how do you work|who made \
                   you|who built you|who created you|tell me about yourself|introduce yourself|where are you from|where do \
                   you live|how old are you|do you speak english|do you sleep|do you have feelings|are you a he or a she|\
                   are you a man or a woman",
        anger: "wtf|wth|ffs|smh|what the hell|what the heck|what the fuck|fuck|fuck you|fuck off|fuck this|fucking \
                bot|shit|bullshit|crap|this is crap|this is shit|this is bullshit|damn|dammit|damn it|goddamn|you \
                suck|u suck|you all suck|you guys suck|you people suck|this sucks|it sucks|that sucks|sucks|you are \
                useless|youre useless|you guys are useless|you are all useless|useless|useless bot|this is useless|\
                this bot is useless|this chat is useless|stupid|stupid bot|dumb|dumb bot|this bot is stupid|this bot \
                is dumb|you are stupid|youre stupid|you are dumb|youre dumb|idiot|you idiot|you are an idiot|idiots|\
                moron|rubbish|garbage|trash|this is garbage|this is rubbish|this is trash|terrible|terrible service|\
                terrible support|this is terrible|horrible|horrible service|this is horrible|awful|awful service|this \
                is awful|worst|worst service|worst service ever|worst support|worst support ever|worst bot|worst bot \
                ever|worst company|worst company ever|worst experience ever|bad|very bad|this is bad|bad bot|bad \
                service|bad support|poor service|shame on you|ridiculous|this is ridiculous|this is a joke|what a \
                joke|is this a joke|are you kidding|are you kidding me|you must be kidding|are you serious|seriously|\
                unbelievable|unacceptable|this is unacceptable|pathetic|disgusting|disappointing|this is \
                disappointing|disappointed|im disappointed|i am disappointed|frustrated|im frustrated|frustrating|\
                this is frustrating|annoying|you are annoying|youre annoying|this is annoying|im angry|i am angry|im \
                pissed|pissed off|im mad|i hate you|i hate this|hate this|hate it|i hate bots|hate you|i hate \
                chatbots|this is a scam|you are scammers|scammers|liars|nonsense|waste of time|what a waste of time|\
                this is a waste of time|screw you|shut up|go to hell|piss off|get lost|grr|argh|ugh|i give up|im so \
                done|you are wasting my time|youre wasting my time|i want to complain|never again|no one helps|nobody \
                helps|nobody cares|angry|i am so angry|im so angry|i am very angry|im very angry|i am really angry|so \
                angry|i am furious|im furious|i am so mad|im so mad|i am so frustrated|im so frustrated|i am very \
                disappointed|im very disappointed|i am so disappointed|im so disappointed|i am really disappointed|\
                your service sucks|your support sucks|your company sucks|your app sucks|your product sucks|your bot \
                sucks|your website sucks|your service is terrible|your service is awful|your service is bad|your \
                support is terrible|your support is awful|your support is bad|you are the worst|youre the worst|you \
                are terrible",
        unhelped: "that did not help|that didnt help|didnt help|did not help|doesnt help|does not help|that doesnt \
                   help|that does not help|this doesnt help|this does not help|this didnt help|this did not help|it \
                   didnt help|it did not help|it doesnt help|not helpful|that was not helpful|that wasnt helpful|this \
                   is not helpful|this isnt helpful|thats not helpful|that is not helpful|that isnt helpful|youre not \
                   helping|you are not helping|you didnt help|you did not help|that doesnt work|that didnt work|that \
                   does not work|that did not work|it didnt work|it did not work|didnt work|still doesnt work|still \
                   not working|still does not work|it still doesnt work|wrong answer|thats wrong|that is wrong|this \
                   is wrong|thats not right|that is not right|thats not what i asked|that is not what i asked|not \
                   what i asked|thats not what i meant|that is not what i meant|not what i meant|not what i wanted|\
                   thats not what i wanted|not what i need|thats not what i need|thats not my question|that is not my \
                   question|that was not my question|not my question|that doesnt answer my question|that does not \
                   answer my question|this doesnt answer my question|this does not answer my question|you didnt \
                   answer my question|you did not answer my question|you dont understand|you do not understand|you \
                   dont understand me|you didnt understand|you did not understand|you misunderstood|you dont get it|\
                   you are not answering my question|youre not listening|you are not listening|that makes no sense|\
                   makes no sense|doesnt make sense|that doesnt make sense|i dont understand|i do not understand|i \
                   dont get it|dont understand|i still dont understand|im confused|i am confused|that was no help|no \
                   help at all|that was useless|not really|not quite|it doesnt|it didnt|i already tried that|already \
                   tried that|i tried that already|tried that|that didnt help me|that did not help me|this didnt help \
                   me|this did not help me|it didnt help me|didnt help me|did not help me|that doesnt help me|that \
                   does not help me|this doesnt help me|doesnt help me|that doesnt help at all|that didnt help at all",
        yes: "yes|yeah|yea|yep|yup|yess|ya|yah|ye|y|please|please do|pls|plz|sure|sure thing|surely|of course|ofc|\
              definitely|absolutely|certainly|go ahead|go for it|go on|do it|do that|lets do it|lets do that|lets go|\
              why not|i would|id like that|i would like that|id love that|i would love to|i would love that|id love to|\
              id like to|i would like to|that would be great|that would be nice|that would be good|that would be \
              helpful|that would help|that would be awesome|that would be perfect|that would be lovely|that would be \
              fine|would be great|would be nice|sounds good to me|i do|connect me|transfer me|connect me please|put me \
              through|affirmative|correct|exactly|thats right|thats correct|if possible|if you can|if you could|if \
              thats possible|i want that|i want to|i guess|i guess so|i think so|might as well|gladly|aye|indeed|\
              totally|for sure|hell yes|hell yeah|very much so",
        no: "no|nope|nah|naw|n|no thanks|no thank you|no thx|no ty|not now|not right now|not yet|not today|not really|\
             not necessary|not needed|no need|its fine|it is fine|im fine|i am fine|im good|i am good|im ok|im okay|\
             its ok|its okay|it is ok|it is okay|its all good|thats ok|thats okay|thats fine|that is fine|thats \
             alright|its alright|all good|maybe later|later|maybe another time|another time|some other time|next time|\
             dont bother|dont|please dont|no way|negative|i dont want to|i dont want that|i do not want to|i dont \
             think so|i dont need that|i dont need it|i dont|id rather not|i would rather not|rather not|ill pass|\
             pass|skip|skip it|leave it|forget it|never mind|nevermind|nvm|ill figure it out|ill find it myself|ill \
             do it myself|i can do it myself|ill manage|ill look myself|ill wait|stop",
        cancel: "cancel",
        doubt: "really|what|why|how come|huh|eh|what do you mean|what does that mean|are you sure|are you sure about \
                that|are you really sure|r u sure|u sure|you sure|is that right|is that so|is that true|is that \
                correct|oh really|for real|can you repeat that|can you repeat|could you repeat that|please repeat|\
                please repeat that|repeat that|say that again|can you say that again|come again|pardon me",
        filler: "so|only|very|much|so much|very much|a lot|again|really|just|also|too|anyway|anyways|though|tho|then|now|\
                 for now|today|and|but|oh|ooh|ah|aha|uh|um|umm|well|wow|haha|ha|lol|lmao|rofl|xd|hehe|hmm|hm|omg|actually|\
                 absolutely|totally|pretty|quite|truly|super|please|pls|plz|i|ok",
        addition: "you|u|this is|that is|thats|you are|youre|to you|to you too|you too|u too|for your help|for the help|for \
                   all your help|for all the help|for your time|for helping|for helping me|for helping out|for the info|for \
                   the information|for the answer|for the quick answer|for the quick reply|for the quick response|for the \
                   fast reply|for your reply|for your answer|for that|for this|for everything|for your patience|for your \
                   support|for the support|for the explanation|for the clarification|for explaining|for clarifying|for \
                   letting me know|for getting back to me|for nothing|guys|team|everyone|everybody|all|mate|m8|buddy|bro|bruh|\
                   dude|man|friend|my friend|folks|sir|madam|ma am|maam|miss|dear|love|bot|robot|there|in advance|at all|\
                   people|ever",
        ambiguous: "ta|fine|so|bad|night|sweet|deal|peace|done|worst|pass|skip|nice",
    },
    human: HumanRequestPhrases {
        who: "human|humans|human being|real person|live person|actual person|real human|representative|representatives|\
              rep|operator|agent|agents|customer service|customer support|customer care|support team|support staff|\
              staff member|team member|supervisor|csr|advisor|adviser|human support|human help|human assistance|live \
              support|live chat|real help",
        some: "person|someone|somebody|anyone|anybody|staff|team|manager|specialist|support|employee",
        mentions: "bot|robot|machine|chatbot|ai|computer|escalate|call|phone|ring|anyone|anybody|somebody|someone|\
                   nobody|people|colleague|person|technician|engineer|boss|sales|billing|accounting|transfer|connect|\
                   put",
        a: "a|an|the|any|another|some|your|one|of|real|live|actual|proper|different|other|human|support|customer|\
            service|care|sales|billing|technical|tech|senior|competent",
        phrases: &[
            "(talk|speak|chat|talking|speaking|chatting|conversation) (to|with|2) <a>{0,4} <who>",
            "(talk|speak|chat|talking|speaking|chatting|complain) (to|with|2) <a>{0,4} (technician|engineer|boss|sales|billing|\
             accounting|manager) (department|dept|team|desk)? <end>",
            "(connect|transfer|put|pass|forward|switch|redirect|direct|route) (me|us) (over|through|on|back)? (to|with|2) \
             <a>{0,4} (technician|engineer|boss|sales|billing|accounting) (department|dept|team|desk)? <end>",
            "(get|give|find|send) (me|us) <a>{1,4} (technician|engineer|boss) <end>",
            "(get|have|reach) (me)? <a>{0,3} (someone|somebody|anyone|person|<who>) on (the)? (phone|line)",
            "(can|could|may|will|would) <a>{1,3} (human|person|representative|operator|supervisor) (please)? (look at|look into|\
             take a look at|check|review|handle) (my|this|the) (ticket|case|issue|problem|order|request|claim|complaint)",
            "(transfer|connect) (me|us) (please|pls|plz|now)? <end>",
            "put (me|us) through <end>",
            "(talk|speak|chat|talking|speaking|chatting) (to|with) <a>{0,4} <some> (else)? <end>",
            "(speak|talk) <who> <end>",
            "(connect|transfer|put|pass|redirect|forward|switch|hand|route|escalate|direct|refer) (me|us|this|it|over|\
             through|chat|conversation|call|the|my|case){0,4} (to|with|2) <a>{0,4} <who>",
            "(connect|transfer|put|pass|redirect|forward|switch|route|escalate|direct) (me|us|this|it|over|\
             through){0,4} (to|with) <a>{0,4} <some> <end>",
            "(get|give|find|send|bring|let) (me|us) (have)? <a>{0,4} <who> <end>",
            "(get|give|find|bring) (me|us) <a>{0,4} <some> <end>",
            "(want|need|wants|prefer|request|requesting|require|demand) (to)? (have)? <a>{0,4} <who> <end>",
            "(would|d) (like|love|prefer|rather) (to)? (have)? <a>{0,4} <who> <end>",
            "(want|need|prefer) (a|real|actual|live) person <end>",
            "is (there|any|a|an|some){0,4} <a>{0,4} <who> <end>",
            "are (there|any|some|your|the|real|live|actual|human){0,4} <who> <end>",
            "(is|are) (there)? (anyone|anybody|someone|somebody) (real|human|live) <end>",
            "(can|could|may|will|would|have|let|want|need) <a>{0,4} <who> (to)? (help|assist|call|contact|answer|\
             reply|respond|talk|speak|join)",
            "(reach|contact|call|get) (a|an|the|real|live|actual){0,4} (human|humans|human being|real person|live \
             person|live agent|human agent|representative|operator) <end>",
            "(don|dont|not|never|stop) (t)? (want|like|wish)? (to)? (talk|speak|chat|talking|speaking|chatting) (to|\
             with) (a|an|this|the|another|you){0,4} (bot|robot|machine|chatbot|ai|computer)",
            "(help|answer|assistance|support|reply) from <a>{0,4} (<who>|person|someone) <end>",
            "escalate (this|my) (case|issue|ticket|request|problem|complaint|chat)? <end>",
            "(is|are) (there)? (anyone|anybody|someone|somebody|people) (there|here|around|online|available|listening|\
             alive|home) <end>",
            "(anyone|anybody|someone|somebody) (there|here|online|home) <end>",
            "is there (anyone|anybody|someone|somebody) (i|we|to|who|that) (can|could)? (talk|speak|chat|help|ask|\
             call|contact|assist)",
            "(can|could|will|would|may|does|please|pls) (anyone|anybody|someone|somebody) (please|pls|at all|there|\
             here|real|from your team|from support|ever)? (help|assist|answer|call|contact|ring|phone|reply|respond|\
             talk to|speak to|speak with|talk with|get back to|look into|look at)",
            "(call|phone|ring) (me|us) (back|please|pls|now|asap|on|at|today|tomorrow)",
            "(call|phone|ring) (me|us) <end>",
            "(want|need|like|request|requesting|expect|get) (a|to get a|to have a)? (call|phone call|callback|call \
             back) (back)? (from|please|pls|asap|now|today)",
            "(want|need|request) a (callback|call back|phone call) <end>",
            "(want|like|need|wish|prefer|love) (a|one of your|one of the|your|some|another) (colleague|colleagues|\
             coworker|human colleague) (of yours)? (to)?",
            "(put|patch|pass|hand|transfer|forward|connect|send|switch) (me|us|this|it|over|through|on|back|along|\
             up){0,4} (to|with) <a>{0,4} (<who>|<some>|colleague|people)",
            "(get|give|find|bring|send|fetch) (me|us) <a>{0,4} (<some>|colleague|people) (who|from|that|with|to)",
            "(talk|speak|chat) (to|with) <a>{0,4} (<some>|colleague|people) (who|from|that|in|at|about|real|human|\
             instead|directly)",
        ],
        alone: "please|pls|plz|now|hi|hello|hey|i|me|us|want|need|to|with|would|like|d|m|thanks|thank|you|just|only|can|\
                get|ok|okay|yes|asap|here|is|right|for|and|immediately",
        whole: &[
            "(a|real|live|actual){0,2} person",
            "(a|an|one|real|live|actual|the){0,3} (person|someone|somebody) (please|pls|plz|now|asap|here){1,2}",
            "(not|no) (a|an|another|more){0,2} (bot|bots|robot|robots|machine|ai|chatbot) (please|pls|plz){0,1}",
            "(a|real){0,2} (someone|somebody|anyone|person) from <a>{0,2} (support|sales|billing|team|staff|support team|customer service) (please|pls|plz|now){0,2}",
            "(a|an|the|your|my){0,2} (manager|technician|engineer|boss|sales|billing|sales team) (please|pls|plz|now|asap){1,2}",
        ],
        leads_on: "please|pls|plz|now|here|asap|today|about|regarding|who|that|instead|at|on|over|by|from|right|immediately|\
                   because|for|and|thanks|thank|directly|first|then|or|if|as|available|again|urgently|quickly|not|to|i|with|\
                   live|online|soon|tomorrow|but|so|rather|ok|okay|there|anymore",
        not: "don|dont|not|never|no|without|no need|nobody|no one|noone|needn|neednt|nobody needs|rather not",
        whether: "do i need|do i have|do we need|do we have|should i|must i|am i|was i|have i been|do you|did you|will you|\
                  does anyone|do they|will they",
        not_after: "",
        links: "t|really|want|wanna|need|wish|like|to|have|a|ever|even|just|actually|prefer|care|wanting|going|be|would|\
                trying|try|looking|asking|necessary|in|reason|the|point|of|feel|needs|has",
        others: "customers|users|visitors|clients|they|customer wants|user wants|visitor wants|client wants|customer asks|\
                 user asks|visitor asks|customer can|user can",
        not_followed: "resources|resource|rights|readable|error|errors|s|fee|fees|id|ids|key|keys|role|roles|app|portal|\
                       dashboard|api|commission|license|licence|name|names|seat|seats|account|accounts|mode|software|console|\
                       version|training|workflow|workspace",
    },
    sentences: Sentences {
        greeting: "Hello! How can I help you?",
        thanks: "You are welcome!",
        farewell: "Goodbye, and have a nice day!",
        acknowledgement: "All right. Write to me whenever you have another question.",
        about_us: "I am an automatic assistant. I answer from our help articles, and you can ask for a person at any time.",
        no_problem: "No problem at all. What can I do for you?",
        praised: "Thank you, I am glad to hear that. Write to me whenever you have another question.",
        unclear: "I am sorry that this was unclear. What exactly would you like to know? You can also ask for a person.",
        apology: "I am sorry about that. Would you like to talk to a person?",
        no_answer: "I could not find an answer to that in our help articles. Would you like to talk to a person?",
        handover: "I am passing you on to a person of our team. They will read what you wrote and answer here.",
        failure: "I cannot answer right now. I am passing your question on to a person.",
        away: Away {
            back: "Our team is back {day} at {time}{zone}.",
            nobody: "Nobody of our team is here right now.",
            later: "The team will read what you wrote and answer here.",
            today: "today",
            days: ["on Monday", "on Tuesday", "on Wednesday", "on Thursday", "on Friday", "on Saturday", "on Sunday"],
        },
        human_later: "I cannot call a person of our team again yet. You can ask for one again in {minutes} minutes.",
        notice: "An automatic assistant answers you here.",
        too_many: "I answer at most three questions at a time. Please ask this again: {questions}",
    },
};
