//! Indonesian.

use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Away, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    language: CustomerLanguage::Indonesian,
    small_talk: SmallTalkPhrases {
        greeting: "halo|hai|hallo|helo|hei|selamat pagi|selamat siang|selamat sore|selamat malam|pagi|siang|sore|malam|met \
                   pagi|assalamualaikum|assalamu alaikum|permisi|apa kabar|gimana kabarnya|hai kak|halo kak|halo min|pagi \
                   kak|siang kak|hi|hey|hello",
        opening: "saya punya pertanyaan|ada pertanyaan|mau tanya|mau nanya|saya mau tanya|saya mau bertanya|ingin bertanya|\
                  numpang tanya|boleh tanya|bisa bantu|bisa bantu saya|bisa tolong bantu|tolong bantu|tolong bantu saya|\
                  tolong|butuh bantuan|saya butuh bantuan|bantu saya|kamu di sana",
        thanks: "terima kasih|terimakasih|makasih|makasi|makasii|mksh|trims|tq|thank you|terima kasih banyak|makasih \
                 banyak|makasih ya|makasih kak|makasih min|trimakasih|tengkyu|matur nuwun|terima kasih atas bantuannya|\
                 makasih bantuannya|thx|thanks|ty",
        farewell: "dadah|dah|sampai jumpa|sampai nanti|sampai ketemu lagi|selamat tinggal|bye|selamat tidur|selamat \
                   beristirahat|semoga harimu menyenangkan|salam|hormat saya",
        okay: "oke|okey|okeh|ok deh|oke deh|baik|baiklah|sip|siap|mantap|bagus|bagus sekali|keren|iya oke|setuju|\
               sempurna|good|noted|hebat|ok|okay|oki",
        acknowledgement: "mengerti|saya mengerti|paham|saya paham|ngerti|oh begitu|oh gitu|begitu ya|sudah bisa|udah \
                          bisa|berhasil|sudah berhasil|sudah beres|beres|selesai|masalah selesai|itu saja|cukup|cukup \
                          itu|tidak ada lagi|gak ada lagi|membantu|sangat membantu|bermanfaat|berguna|ketemu|sudah \
                          ketemu|luar biasa|kerja bagus|jawaban bagus|pelayanan bagus|kamu hebat|tidak masalah|gak \
                          masalah|gak apa apa|tidak apa apa|gapapa|lupakan|sudahlah|saya coba|akan saya coba|coba \
                          dulu|sebentar|tunggu|tunggu sebentar|maaf|sori|sama sama|haha|wkwk|wkwkwk|menarik|wow|lol|\
                          hmm|omg",
        about_us: "siapa kamu|kamu siapa|siapa anda|anda siapa|ini siapa|siapa ini|dengan siapa saya bicara|saya bicara \
                   dengan siapa|kamu apa|apa kamu robot|apakah kamu robot|apakah anda robot|kamu robot|kamu bot|apa kamu \
                   bot|apakah kamu bot|apakah anda bot|apakah kamu manusia|apakah anda manusia|kamu manusia|kamu manusia \
                   atau robot|apa ini bot|ini bot|ini robot|apakah ini bot|apakah ini robot|apakah saya bicara dengan \
                   manusia|apakah saya bicara dengan robot|siapa namamu|nama kamu siapa|kamu bisa apa|apa yang bisa kamu \
                   lakukan",
        anger: "sial|sialan|anjing|bangsat|bodoh|bot bodoh|goblok|tolol|payah|payah banget|tidak berguna|gak berguna|\
                gak guna|parah|parah banget|jelek|jelek sekali|pelayanan buruk|pelayanan jelek|buruk|buruk sekali|\
                mengecewakan|sangat mengecewakan|kecewa|saya kecewa|saya marah|konyol|tidak masuk akal|penipu|\
                penipuan|buang buang waktu|menyebalkan|nyebelin|diam|benci bot|malu maluin|wtf",
        unhelped: "tidak membantu|gak membantu|nggak membantu|itu tidak membantu|tidak bisa|gak bisa|masih tidak bisa|\
                   masih gak bisa|tidak berhasil|gak berhasil|tidak berfungsi|jawaban salah|salah|itu salah|bukan itu|\
                   bukan itu maksud saya|bukan itu yang saya tanya|bukan itu pertanyaan saya|tidak menjawab \
                   pertanyaan saya|kamu tidak mengerti|kamu gak ngerti|saya tidak mengerti|tidak mengerti|gak ngerti|\
                   tidak paham|gak paham|sudah saya coba|sudah dicoba",
        yes: "ya|iya|yaa|iyaa|ya tolong|iya tolong|tolong|ya mau|mau|iya mau|boleh|ya boleh|boleh deh|tentu|tentu saja|\
              pasti|silakan|silahkan|ya silakan|ya betul|betul|benar|oke mau|kenapa tidak|kalau bisa|lanjut",
        no: "tidak|gak|nggak|enggak|ngga|ga|tidak terima kasih|gak makasih|tidak usah|gak usah|nggak usah|ga usah|\
             nanti|nanti saja|nanti aja|mungkin nanti|belum|jangan|tidak perlu|gak perlu|ga perlu|tidak sekarang|lain \
             kali|tidak mau|gak mau|saya baik baik saja|sudah cukup",
        cancel: "batal",
        doubt: "apa|kenapa|mengapa|serius|masa|apa kamu yakin|apakah anda yakin|maksudnya apa|bisa diulang",
        filler: "sekali|banget|banyak|ya|iya|kok|dong|deh|sih|nih|juga|lagi|sekarang|dan|tapi|oh|ah|wah|haha|wkwk|kalau \
                 begitu|saja|aja|sangat|tolong|lol|hmm|ok",
        addition: "atas bantuannya|untuk bantuannya|bantuannya|atas jawabannya|jawabannya|atas informasinya|infonya|\
                   informasinya|atas waktunya|untuk semuanya|penjelasannya|kak|kakak|min|mimin|gan|bro|sis|pak|bu|bapak|ibu|\
                   mas|mbak|semua|semuanya|teman|sebelumnya|bot",
        ambiguous: "malam|pagi|siang|sore|mau|salam|dah|ya|bu|min|mas",
    },
    human: HumanRequestPhrases {
        who: "manusia|orang asli|orang sungguhan|orang beneran|orang nyata|agen|operator|cs|customer service|petugas|\
              admin|staf|perwakilan|layanan pelanggan|supervisor",
        some: "orang|seseorang|teknisi|manajer|supervisor|atasan",
        mentions: "telepon|hubungi|telpon|siapa|ada",
        a: "seorang|yang|asli|salah|satu|nyata|sungguhan|tim|bagian",
        phrases: &[
            "(bicara|berbicara|ngobrol|chat|berkomunikasi|ngomong|bercakap) (langsung)? (dengan|sama|ke|dgn) <a>{0,4} \
             <who>",
            "(bicara|berbicara|ngobrol|ngomong) (langsung)? (dengan|sama|dgn) <a>{0,4} <some> <end>",
            "(sambungkan|hubungkan|alihkan|transfer|teruskan|pindahkan|disambungkan|dihubungkan|dialihkan) (saya|aku|\
             kami|chat|ini){0,4} (ke|dengan|pada|kepada) <a>{0,4} (<who>|<some>)",
            "(mau|ingin|butuh|perlu|minta|pengen) (bantuan)? <a>{0,4} <who> <end>",
            "(telepon|telpon|hubungi) (saya|aku|kami|balik)",
            "(bisa|bisakah|tolong|mohon) (telepon|telpon|hubungi) (saya|aku|kami)",
            "ada (orang|seseorang) (di sana|di sini|disana|disini|gak|nggak|tidak|yang bisa bantu|yang bisa \
             membantu)? <end>",
            "(bisakah|bisa|adakah|ada) (seseorang|orang) (yang)? (bisa)? (bantu|membantu|menolong|menelepon|\
             menghubungi)",
        ],
        alone: "tolong|sekarang|dong|ya|saja|halo|hai|saya|mau|minta|kak|min|mohon|dengan",
        whole: &[],
        leads_on: "tolong|sekarang|dong|ya|saja|aja|langsung|untuk|tentang|yang|segera|kak|min|mohon|bukan|karena|soal",
        not: "tidak|gak|nggak|ngga|ga|enggak|tak|jangan|tanpa|bukan",
        whether: "apakah saya harus|apakah saya bicara|apakah saya berbicara",
        not_after: "",
        links: "mau|ingin|perlu|usah|butuh|harus|untuk|pengen",
        others: "pelanggan|pengguna|mereka",
        not_followed: "properti|virtual|ai",
    },
    sentences: Sentences {
        greeting: "Halo! Ada yang bisa saya bantu?",
        thanks: "Sama-sama!",
        farewell: "Sampai jumpa, semoga hari Anda menyenangkan!",
        acknowledgement: "Baik. Silakan tulis kepada saya jika ada pertanyaan lain.",
        about_us: "Saya asisten otomatis. Saya menjawab dari artikel bantuan kami, dan Anda dapat meminta bicara dengan \
                   seseorang kapan saja.",
        no_problem: "Tidak masalah. Apa yang bisa saya bantu?",
        praised: "Terima kasih, saya senang mendengarnya. Tulis kepada saya jika ada pertanyaan lain.",
        unclear: "Maaf jika itu kurang jelas. Apa tepatnya yang ingin Anda ketahui? Anda juga bisa meminta berbicara \
                  dengan orang.",
        apology: "Mohon maaf. Apakah Anda ingin berbicara dengan seseorang dari tim kami?",
        no_answer: "Saya tidak menemukan jawabannya di artikel bantuan kami. Apakah Anda ingin berbicara dengan seseorang \
                    dari tim kami?",
        handover: "Saya teruskan Anda ke seseorang di tim kami. Ia akan membaca pesan Anda dan menjawab di sini.",
        failure: "Saya tidak dapat menjawab sekarang. Saya meneruskan pertanyaan Anda ke seseorang di tim kami.",
        away: Away {
            back: "Tim kami kembali {day} pukul {time}{zone}.",
            nobody: "Saat ini tidak ada anggota tim kami di sini.",
            later: "Tim akan membaca pesan Anda dan menjawab di sini.",
            today: "hari ini",
            days: ["hari Senin", "hari Selasa", "hari Rabu", "hari Kamis", "hari Jumat", "hari Sabtu", "hari Minggu"],
        },
        human_later: "Saya belum dapat memanggil seseorang dari tim kami lagi. Anda dapat memintanya lagi dalam \
                      {minutes} menit.",
        notice: "Anda sedang berbicara dengan asisten otomatis.",
        too_many: "Saya menjawab paling banyak tiga pertanyaan sekaligus. Silakan tanyakan lagi: {questions}",
    },
};
