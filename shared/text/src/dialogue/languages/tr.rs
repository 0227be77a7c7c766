//! Turkish.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Turkish,
    small_talk: SmallTalkPhrases {
        greeting: "merhaba|merhabalar|mrb|mrhb|slm|selam|selamlar|selamün aleyküm|selamun aleykum|günaydın|iyi günler|iyi \
                   akşamlar|iyi geceler herkese|tünaydın|hoş bulduk|alo|nasılsın|nasılsınız|naber|ne haber|hi|hey|hello",
        opening: "bir sorum var|sorum var|soru|bir şey sorabilir miyim|soru sorabilir miyim|yardıma ihtiyacım var|yardım|\
                  yardım edin|yardım eder misin|yardım eder misiniz|yardımcı olur musunuz|yardımcı olabilir misiniz|bana \
                  yardım edebilir misiniz|orada mısın|orada mısınız",
        thanks: "teşekkürler|teşekkür ederim|teşekkür ederiz|çok teşekkürler|çok teşekkür ederim|tşk|tşkler|teşekkür|\
                 sağol|sağ ol|sağolun|sağ olun|eyvallah|çok sağol|minnettarım|binlerce teşekkür|yardımınız için \
                 teşekkürler|yardımın için teşekkürler|şimdiden teşekkürler|allah razı olsun|thx|thanks|ty",
        farewell: "hoşça kal|hoşçakal|hoşçakalın|hoşça kalın|güle güle|görüşürüz|görüşmek üzere|iyi günler dilerim|iyi \
                   akşamlar dilerim|iyi geceler|iyi hafta sonları|kendine iyi bak|kendinize iyi bakın|bay bay|bye|\
                   saygılarımla|iyi çalışmalar|kolay gelsin",
        okay: "tamam|tamamdır|tmm|peki|olur|iyi|çok iyi|güzel|harika|süper|mükemmel|anlaşıldı|anladım|oldu|tabii|pekala|\
               aynen|şahane|ok|okay|oke|oki",
        acknowledgement: "anlıyorum|şimdi anladım|hıı|çalışıyor|şimdi çalışıyor|çalıştı|oldu şimdi|çözüldü|sorun \
                          çözüldü|hallettim|hallolda|bu kadar|hepsi bu|başka sorum yok|başka bir şey yok|yardımcı \
                          oldu|işe yaradı|faydalı|çok faydalı|tam aradığım şey|buldum|bulundu|muhteşem|olağanüstü|\
                          bravo|aferin|iyi iş|güzel cevap|iyi hizmet|harikasın|harikasınız|sen en iyisin|sorun değil|\
                          önemli değil|boşver|boş ver|unut gitsin|deneyeceğim|denerim|bir dakika|bir saniye|bekle|\
                          bekleyin|pardon|özür dilerim|kusura bakma|kusura bakmayın|rica ederim|bir şey değil|haha|\
                          ilginç|wow|lol|hmm|omg",
        about_us: "kimsin|kimsiniz|sen kimsin|siz kimsiniz|kim bu|kiminle konuşuyorum|kimle konuşuyorum|nesin|sen nesin|\
                   adın ne|adınız ne|ismin ne|bot musun|robot musun|sen bot musun|sen robot musun|robot musunuz|bot musunuz|\
                   insan mısın|insan mısınız|sen insan mısın|gerçek misin|gerçek bir insan mısın|gerçek kişi misin|yapay \
                   zeka mısın|makine misin|insan mısın robot musun|robot musun insan mısın|bu bir bot mu|bu bir robot mu|bu \
                   robot mu|bir botla mı konuşuyorum|bir robotla mı konuşuyorum|robotla mı konuşuyorum|bir insanla mı \
                   konuşuyorum|insanla mı konuşuyorum|ne yapabilirsin|neler yapabilirsin|nasıl yardımcı olabilirsin|seni \
                   kim yaptı",
        anger: "lanet olsun|lanet|kahretsin|siktir|saçmalık|saçma|bu ne saçmalık|aptal|aptal bot|salak|salak bot|\
                gerizekalı|geri zekalı|mal|işe yaramaz|işe yaramazsın|beş para etmez|berbat|çok berbat|berbat hizmet|\
                kötü hizmet|çok kötü|kötü|rezalet|rezillik|bu bir rezalet|rezil|utanmıyor musunuz|yazıklar olsun|\
                komik|dalga mı geçiyorsun|dalga mı geçiyorsunuz|kabul edilemez|dolandırıcı|dolandırıcılar|\
                dolandırıcılık|sinirliyim|çok kızgınım|hayal kırıklığı|hayal kırıklığına uğradım|sinir bozucu|zaman \
                kaybı|vakit kaybı|kes sesini|botlardan nefret ediyorum|bir daha asla|wtf",
        unhelped: "yardımcı olmadı|bu yardımcı olmadı|işe yaramadı|işe yaramıyor|bu işe yaramıyor|faydası olmadı|\
                   faydalı değil|çalışmıyor|çalışmadı|hala çalışmıyor|olmuyor|olmadı|yanlış cevap|yanlış|bu yanlış|\
                   doğru değil|bunu sormadım|sorduğum bu değil|sorum bu değildi|sorum bu değil|onu demek istemedim|\
                   soruma cevap vermedin|soruma cevap vermediniz|bu soruma cevap değil|anlamıyorsun|beni anlamıyorsun|\
                   anlamadın|anlamadım|anlamıyorum|bunu zaten denedim|denedim zaten",
        yes: "evet|evet lütfen|lütfen|evet isterim|isterim|evet istiyorum|istiyorum|tabii ki|tabi|tabi ki|elbette|\
              kesinlikle|olur evet|iyi olur|çok iyi olur|harika olur|süper olur|evet iyi olur|neden olmasın|niye \
              olmasın|aynen|doğru|mümkünse|bağlayın|bağla|evet bağlayın|hay hay|he|ha evet",
        no: "hayır|yok|hayır teşekkürler|yok teşekkürler|hayır teşekkür ederim|yok sağol|hayır sağol|şimdi değil|şu \
             an değil|şimdilik değil|şimdilik hayır|henüz değil|sonra|belki sonra|daha sonra|başka zaman|gerek yok|\
             gerekmez|ihtiyacım yok|istemiyorum|istemem|asla|böyle iyi|ben iyiyim|her şey yolunda|vazgeçtim|dur",
        cancel: "iptal",
        doubt: "ne|neden|gerçekten mi|cidden mi|emin misin|emin misiniz|ne demek istiyorsun|tekrar eder misin|tekrar \
                eder misiniz",
        filler: "çok|gerçekten|şimdi|şimdilik|da|de|ve|ama|ya|oh|ah|aa|haha|hehe|o zaman|peki|tekrar|yine|sadece|artık|\
                 işte|evet|lütfen|lol|hmm|ok",
        addition: "yardım için|yardımınız için|yardımın için|yardımlarınız için|cevap için|cevabınız için|hızlı cevap için|\
                   bilgi için|bilgiler için|zaman ayırdığınız için|her şey için|açıklama için|size|sana|size de|sana da|\
                   herkese|arkadaşlar|hocam|kanka|abi|abla|beyefendi|hanımefendi|şimdiden|bot|ekip",
        ambiguous: "mal|dur|tabi|alo|he|soru",
    },
    human: HumanRequestPhrases {
        who: "insan|insanla|insana|insanlar|temsilci|temsilciyle|temsilciye|temsilcisi|temsilcisiyle|temsilcisine|\
              müşteri temsilcisi|müşteri temsilcisiyle|müşteri temsilcisine|müşteri hizmetleri|müşteri hizmetleriyle|\
              müşteri hizmetlerine|operatör|operatörle|operatöre|yetkili|yetkiliyle|yetkiliye|danışman|danışmanla|\
              gerçek kişi|gerçek kişiyle|çalışan|çalışanla|yönetici|yöneticiyle|görevli|görevliyle|canlı destek|canlı \
              desteğe",
        some: "biri|biriyle|birine|birisi|birisiyle|kimse|kişiyle|destek|teknisyen|teknisyenle|yönetici|yöneticiyle|\
               müdür|müdürle",
        mentions: "arayın|arar|ara|beni|bot\\w*|robot\\w*",
        a: "bir|gerçek|canlı|başka|sizden|ekibinizden|müşteri|hizmetleri",
        phrases: &[
            "<a>{0,4} (<who>|<some>) (ile|la)? <other>{0,2} (konuşmak|konuşabilir|görüşmek|görüşebilir|görüşmek|\
             yazışmak|konuşayım|görüşeyim|konuşacağım)",
            "(beni|bizi|lütfen)? <a>{0,4} (<who>|<some>) (ile)? (bağla\\w*|aktar\\w*|yönlendir\\w*)",
            "<a>{0,4} <who> (istiyorum|lazım|istiyoruz|rica|isterim|lütfen) <end>",
            "(orada|burada) (kimse|biri|birisi|gerçek biri) (var mı|var|yok mu) <end>",
            "kimse (var mı|yok mu) (orada|burada)? <end>",
            "(biri|birisi|birileri) (bana|beni|lütfen)? (yardım|yardımcı|arayabilir|arasın|cevap)",
            "(beni|bizi) (geri)? (arayın|arayınız|arar|ara|arayabilir)",
            "(botla|robotla|makineyle) (konuşmak|görüşmek) istemiyorum",
        ],
        alone: "lütfen|şimdi|merhaba|istiyorum|bir|hemen|gerçek|selam|ile|görüşmek|konuşmak|bağlan",
        whole: &[],
        leads_on: "lütfen|şimdi|hemen|çünkü|ve|veya|teşekkürler|hakkında|için|ile|var",
        not: "asla|hiç",
        whether: "gerekir mi|zorunda mıyım|konuşuyorum",
        not_after: "istemiyorum|istemem|gerek yok|gerekmez|zorunda mıyım|gerekiyor mu|gerekli mi|ihtiyacım yok|istemiyoruz|\
                    mı konuşuyorum",
        links: "ile|konuşmak|görüşmek|konuşmaya|görüşmeye|istemeye|bağlanmak|için|artık|bir",
        others: "müşteriler|kullanıcılar|ziyaretçiler|müşterilerim",
        not_followed: "kaynakları|hakları|rolü|hesabı",
    },
    sentences: Sentences {
        greeting: "Merhaba! Size nasıl yardımcı olabilirim?",
        thanks: "Rica ederim!",
        farewell: "Hoşça kalın, iyi günler!",
        acknowledgement: "Tamam. Başka bir sorunuz olduğunda bana yazın.",
        about_us: "Ben otomatik bir asistanım. Yardım makalelerimize göre yanıt veririm; istediğiniz zaman ekibimizden \
                   birini isteyebilirsiniz.",
        no_problem: "Hiç sorun değil. Size nasıl yardımcı olabilirim?",
        praised: "Teşekkür ederim, bunu duyduğuma sevindim. Başka bir sorunuz olursa bana yazın.",
        unclear: "Anlaşılır olmadığı için üzgünüm. Tam olarak neyi öğrenmek istersiniz? Bir insanla görüşmeyi de \
                  isteyebilirsiniz.",
        apology: "Üzgünüm. Ekibimizden biriyle görüşmek ister misiniz?",
        no_answer: "Yardım makalelerimizde bu soruya bir yanıt bulamadım. Ekibimizden biriyle görüşmek ister misiniz?",
        handover: "Sizi ekibimizden birine aktarıyorum. Yazdıklarınızı okuyup size buradan yanıt verecek.",
        failure: "Şu anda yanıt veremiyorum. Sorunuzu ekibimizden birine iletiyorum.",
        away: Away {
            back: "Ekibimiz {day} saat {time} itibarıyla{zone} yeniden burada.",
            nobody: "Şu anda ekibimizden kimse burada değil.",
            later: "Ekibimiz yazdıklarınızı okuyup size buradan yanıt verecek.",
            today: "bugün",
            days: [
                "pazartesi günü",
                "salı günü",
                "çarşamba günü",
                "perşembe günü",
                "cuma günü",
                "cumartesi günü",
                "pazar günü",
            ],
        },
        human_later: "Ekibimizden birini şu anda yeniden çağıramıyorum. {minutes} dakika sonra yeniden \
                      isteyebilirsiniz.",
        notice: "Otomatik bir asistanla yazışıyorsunuz.",
        too_many: "Bir seferde en fazla üç soruyu yanıtlıyorum. Lütfen şunu yeniden sorun: {questions}",
    },
};
