//! Hindi.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "इंसान|इंसानों|व्यक्ति|मानव|आदमी|एजेंट|एजेन्ट|प्रतिनिधि|ऑपरेटर|अधिकारी|कर्मचारी|कस्टमर केयर|कस्टमर सर्विस|\
               ग्राहक सेवा|सुपरवाइज़र|मैनेजर|ह्यूमन|स्टाफ|insaan|insan|aadmi",
        some: "किसी|kisi|agent|human|customer care|executive|representative|manager",
        mentions: "",
        a: "किसी|एक|असली|सच्चे|वास्तविक|आपके|जीवित|kisi|ek|asli|real",
        phrases: &[
            "<a>{0,4} (<who>|<some>) (से|के साथ|se|ke saath|ke sath) <other>{0,2} (बात|चैट|संपर्क|baat|bat|chat) \
             <other>{0,1} (कर\\w*|हो\\w*|चाह\\w*|करा\\w*|kar\\w*|ho|chah\\w*)",
            "(<who>|agent|human|customer care) (से|को|के साथ|se|ko) <other>{0,1} (जोड़\\w*|कनेक्ट|मिला\\w*|ट्रांसफर|\
             connect|jod\\w*|mila\\w*|transfer)",
            "(<who>|agent|human) (चाहिए|चाहिये|chahiye|chahie)",
            "<who> को बुला\\w*",
        ],
        alone: "कृपया|मुझे|से|प्लीज़|नमस्ते|अभी|चाहिए|please|mujhe",
        leads_on: "",
        not: "नहीं|नही|मत|ना|न|nahi|nahin|mat|na|बिना",
        whether: "",
        not_after: "नहीं|नही|मत|ना|न|nahi|nahin|mat",
        links: "चाहता|चाहती|चाहते|चाहिए|करना|करनी|करने|है|की|ज़रूरत|hai|chahta|chahti|karna|karni",
        others: "ग्राहक|ग्राहकों|उपयोगकर्ता|वे",
        not_followed: "संसाधन|अधिकार",
    },
    handover: "मैं आपको हमारी टीम के एक व्यक्ति से जोड़ रहा हूँ। वे आपकी बात पढ़ेंगे और यहीं जवाब देंगे।",
};
