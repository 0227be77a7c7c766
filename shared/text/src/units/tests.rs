//! Which units a text has, and which needs which.

use super::*;

/// Each unit as its kind, its text, and the text of what it needs.
fn read(text: &str) -> Vec<(UnitKind, String, String)> {
    let all = units(text);
    let needed =
        |unit: &Unit<'_>| unit.needs.map_or(String::new(), |at| all[at].text.lines().next().unwrap().to_owned());
    all.iter().map(|unit| (unit.kind, unit.text.to_string(), needed(unit))).collect()
}

fn unit(kind: UnitKind, text: &str, needs: &str) -> (UnitKind, String, String) {
    (kind, text.to_owned(), needs.to_owned())
}

#[test]
fn sentences_need_their_heading_and_items_what_introduces_them() {
    use UnitKind::{Heading, Item, Sentence};
    assert_eq!(
        read(
            "Hello. You.\n\n## Fees ##\n\nWe *charge* once. Per payment:\n\n- Giro: 1 euro\n- Card: 2\n  euro\n\nMore"
        ),
        [
            unit(Sentence, "Hello.", ""),
            unit(Sentence, "You.", ""),
            unit(Heading, "Fees", ""),
            unit(Sentence, "We *charge* once.", "Fees"),
            unit(Sentence, "Per payment:", "Fees"),
            unit(Item, "- Giro: 1 euro", "Per payment:"),
            unit(Item, "- Card: 2\neuro", "Per payment:"),
            unit(Sentence, "More", "Fees"),
        ]
    );
}

#[test]
fn a_step_keeps_its_number_and_its_code() {
    use UnitKind::{Code, Sentence, Step};
    let text = "Do this.\n\n3. Run this:\n\n   ```bash\n   a --b\n     c\n   ```\n\n4. Wait.\n\n   Then stop.";
    assert_eq!(
        read(text),
        [
            unit(Sentence, "Do this.", ""),
            unit(Step, "3. Run this:", ""),
            unit(Code, "```bash\na --b\n  c\n```", "3. Run this:"),
            unit(Step, "4. Wait.", ""),
            unit(Sentence, "Then stop.", "4. Wait."),
        ]
    );
    let all = units(text);
    assert_eq!((all[2].indent, all[4].indent), (3, 3));
    assert!(all[1].introduces && !all[3].introduces);
}

#[test]
fn steps_have_the_numbers_of_their_list_whatever_their_marks_say() {
    let texts: Vec<String> = units("2. a\n2. b\n   1. c\n   1. d\n7) e").iter().map(|u| u.text.to_string()).collect();
    assert_eq!(texts, ["2. a", "3. b", "1. c", "2. d", "7) e"]);
}

#[test]
fn a_short_line_that_ends_in_a_colon_introduces_what_comes_next() {
    use UnitKind::Sentence;
    let text = "You have two options:\n\nCall us. Write to us.\n\nEither way:";
    assert_eq!(
        read(text),
        [
            unit(Sentence, "You have two options:", ""),
            unit(Sentence, "Call us.", "You have two options:"),
            unit(Sentence, "Write to us.", ""),
            unit(Sentence, "Either way:", ""),
        ]
    );
    let all = units(text);
    assert!(all[0].is_context() && !all[1].is_context() && all[3].is_context());
}

#[test]
fn a_label_introduces_what_comes_next_and_an_answer_in_bold_is_none() {
    use UnitKind::{Item, Sentence};
    let text = "**Note**\n\nBring gloves.\n\nCome early.\n\n**Is the workshop free of charge?**\n\n- Yes.\n\n\
        **Hotline**\n\n**0800 123**\n\nDaily.";
    assert_eq!(
        read(text),
        [
            unit(Sentence, "**Note**", ""),
            unit(Sentence, "Bring gloves.", "**Note**"),
            unit(Sentence, "Come early.", ""),
            unit(Sentence, "**Is the workshop free of charge?**", ""),
            unit(Item, "- Yes.", "**Is the workshop free of charge?**"),
            unit(Sentence, "**Hotline**", ""),
            unit(Sentence, "**0800 123**", "**Hotline**"),
            unit(Sentence, "Daily.", ""),
        ]
    );
    assert_eq!(units(text).iter().filter(|unit| unit.is_context()).count(), 3);
    for answer in
        ["**a@b.c**", "**€ 5**", "**We are closed.**", "**We do not ship there**", "**Note** **b**", "****", "a"]
    {
        let text = format!("{answer}\n\nCall us.");
        assert!(units(&text).iter().all(|unit| !unit.is_context() && unit.needs.is_none()), "{answer}");
    }
    let list = "**One**\n\n**Two**\n\n**Three**\n\nCall us.";
    assert_eq!(units(list).iter().map(|unit| unit.needs).collect::<Vec<_>>(), [None, None, None, Some(2)]);
}

#[test]
fn an_item_of_a_list_in_a_list_needs_the_item_around_it() {
    use UnitKind::Item;
    let text = "- Fruit\n  - Apple\n    - Red\n- Nut";
    assert_eq!(
        read(text),
        [
            unit(Item, "- Fruit", ""),
            unit(Item, "- Apple", "- Fruit"),
            unit(Item, "- Red", "- Apple"),
            unit(Item, "- Nut", ""),
        ]
    );
    assert_eq!(units(text).iter().map(|unit| unit.indent).collect::<Vec<_>>(), [0, 2, 4, 0]);
}

#[test]
fn a_row_needs_the_head_of_its_table() {
    use UnitKind::{Row, Sentence, TableHead};
    let text =
        "Prices:\n\n| Zone | To 60 cm |\n|:---|---:|\n| A: Ireland | €5.90 |\n|  | free |\n| - | `a\\|b` |\n\nEnd";
    assert_eq!(
        read(text),
        [
            unit(Sentence, "Prices:", ""),
            unit(TableHead, "Zone | To 60 cm\n---|---", "Prices:"),
            unit(Row, "A: Ireland | €5.90", "Zone | To 60 cm"),
            unit(Row, "|  | free |", "Zone | To 60 cm"),
            unit(Row, "| - | `a\\|b` |", "Zone | To 60 cm"),
            unit(Sentence, "End", ""),
        ]
    );
}

#[test]
fn quotations_other_bullets_and_html_are_sentences_and_items() {
    use UnitKind::{Code, Heading, Item, Sentence};
    assert_eq!(
        read("> One\n> two. Three.\n\nYou need:\n• a box\n• tape\n\n<b>Bold\nmove</b>\n\nTitle\n=====\n\n    code"),
        [
            unit(Sentence, "One\ntwo.", ""),
            unit(Sentence, "Three.", ""),
            unit(Sentence, "You need:", ""),
            unit(Item, "• a box", "You need:"),
            unit(Item, "• tape", "You need:"),
            unit(Sentence, "<b>Bold\nmove</b>", ""),
            unit(Heading, "Title", ""),
            unit(Code, "```\ncode\n```", "Title"),
        ]
    );
    assert_eq!(read(" \n- \n\n> \n\n***\n\n```\n```\n"), []);
}

#[test]
fn units_need_no_more_than_a_few_others() {
    let deep: String = (0..60).map(|level| format!("{}- item {level}\n", "  ".repeat(level))).collect();
    let all = units(&deep);
    for at in 0..all.len() {
        let chain = std::iter::successors(Some(at), |at| all[*at].needs).count();
        assert!(chain <= MAX_DEPTH + 1, "{chain}");
    }
    assert!(all.iter().all(|unit| unit.indent <= 2 * MAX_DEPTH));
}

#[test]
fn reading_units_is_linear() {
    let own = [
        "# a\n\n",
        "card. ",
        "card\n\n",
        "1. ",
        "\n- ",
        "- ",
        "> ",
        "|a",
        "|a|b|\n|-|-|\n",
        "\n|-",
        "```\n",
        "  - a\n",
        "- a:\n\n  b\n",
        "a:\n\n- b\n\n",
        "**a**\n\n",
        "**a**\n\n- b\n",
        "<b>\n",
        "[a][",
        "    a\n",
        "*a ",
        "\n> - ",
    ];
    growth::linear("units", 60_000, growth::UNITS.into_iter().chain(own), |text| {
        std::hint::black_box(units(text));
    });
}
