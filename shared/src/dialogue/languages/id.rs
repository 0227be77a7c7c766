//! Indonesian.

use super::super::human_request::Tables;
use super::Phrasebook;

pub(super) const PHRASEBOOK: Phrasebook = Phrasebook {
    human: Tables {
        who: "manusia|orang asli|orang sungguhan|orang beneran|orang nyata|agen|operator|cs|customer service|petugas|\
               admin|staf|perwakilan|layanan pelanggan|supervisor",
        some: "orang|seseorang",
        mentions: "",
        a: "seorang|yang|asli|salah|satu|nyata|sungguhan|tim|bagian",
        phrases: &[
            "(bicara|berbicara|ngobrol|chat|berkomunikasi|ngomong|bercakap) (langsung)? (dengan|sama|ke|dgn) <a>{0,4} \
             <who>",
            "(bicara|berbicara|ngobrol|ngomong) (langsung)? (dengan|sama|dgn) <a>{0,4} <some> <end>",
            "(sambungkan|hubungkan|alihkan|transfer|teruskan|pindahkan|disambungkan|dihubungkan|dialihkan) (saya|aku|\
             kami|chat|ini){0,4} (ke|dengan|pada|kepada) <a>{0,4} (<who>|<some>)",
            "(mau|ingin|butuh|perlu|minta|pengen) (bantuan)? <a>{0,4} <who> <end>",
        ],
        alone: "tolong|sekarang|dong|ya|saja|halo|hai|saya|mau|minta|kak|min|mohon|dengan",
        leads_on: "tolong|sekarang|dong|ya|saja|aja|langsung|untuk|tentang|yang|segera|kak|min|mohon|bukan|karena|soal",
        not: "tidak|gak|nggak|ngga|ga|enggak|tak|jangan|tanpa|bukan",
        whether: "apakah saya harus",
        not_after: "",
        links: "mau|ingin|perlu|usah|butuh|harus|untuk|pengen",
        others: "pelanggan|pengguna|mereka",
        not_followed: "properti|virtual|ai",
    },
    handover: "Saya teruskan Anda ke seseorang di tim kami. Ia akan membaca pesan Anda dan menjawab di sini.",
};
