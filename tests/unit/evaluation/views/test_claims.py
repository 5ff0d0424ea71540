"""What a report claims in sentences: it says no more than the numbers do."""

from evaluation.views.claims import caveats, fooled, in_short, leading, trusted


def row(metric, value, group, low=None, high=None, n=300, undefined=""):
    return {"metric": metric, "value": value, "low": low, "high": high, "n": n, "undefined": undefined,
            "group": group, "p": None}  # fmt: skip


def found(*rows, judgements=1200, outputs=300, raters=6):
    return {"judgements": judgements, "outputs": outputs, "raters": raters, "sentence": rows, "system": rows}


def test_metrics_that_do_not_differ_are_named_together():
    rows = [row("chrf", 0.61, 1, 0.5, 0.7), row("bleu", 0.58, 1, 0.4, 0.7), row("ter", 0.2, 2, 0.1, 0.3)]
    assert trusted("meaning", found(*rows), "sentence") == (
        "For meaning, by sentence, chrF and BLEU agree best with people (r = 0.61 and 0.58; they do not differ "
        "significantly); on 1,200 judgements of 300 outputs by 6 people."
    )


def test_one_that_is_apart_has_its_interval_and_systems_are_counted():
    rows = [row("chrf", 0.91, 1, 0.5, 0.97, n=5), row("bleu", 0.58, 2, 0.4, 0.7, n=5)]
    assert trusted("meaning", found(*rows, raters=1), "system") == (
        "For meaning, by system, chrF agrees best with people (r = 0.91, 95% interval 0.50 to 0.97); on 1,200 "
        "judgements of 300 outputs of 5 systems by 1 person."
    )


def test_of_many_that_do_not_differ_the_first_is_named():
    names = ("chrf", "bleu", "rouge_1", "rouge_2", "rouge_l")
    rows = [row(name, 0.6 - at / 100, 1, 0.5, 0.7) for at, name in enumerate(names)] + [row("ter", None, None)]
    assert (
        "chrF agrees best with people (r = 0.60, 95% interval 0.50 to 0.70), and 4 other metrics do not differ "
        "significantly from it; on" in trusted("meaning", found(*rows), "sentence")
    )


def test_one_that_may_not_agree_at_all_is_not_named_beside_the_best():
    rows = [row("chrf", 0.3, 1, 0.1, 0.5), row("bleu", -0.1, 1, -0.4, 0.2)]
    assert "and 1 other metric does not differ significantly from it" in trusted("meaning", found(*rows), "sentence")


def test_an_interval_with_zero_shows_no_agreement():
    said = trusted("meaning", found(row("ter", 0.12, 1, -0.05, 0.28)), "sentence")
    assert "no metric is shown to agree with people: the best is TER (r = 0.12, 95% interval −0.05 to 0.28)" in said


def test_where_nothing_can_be_ranked_the_reason_stands():
    said = trusted("meaning", found(row("ter", None, None, undefined="All scores are the same.")), "sentence")
    assert "no metric can be ranked (All scores are the same); on" in said
    assert "there is no metric to rank; on" in trusted("meaning", found(), "sentence")


def test_by_system_an_incomplete_design_is_said():
    uneven = found(row("chrf", 0.6, 1, 0.5, 0.7, n=12), row("ter", 0.1, 2, 0, 0.2, n=12)) | {
        "uneven": {"shared": 12, "judged": 1000, "systems": 13, "compared": 12}
    }
    (said,) = caveats(uneven, "system")
    assert said.startswith(
        "Systems were judged on different texts: all of them on only 12 of 1,000. So 12 of 13 systems are compared by"
    )
    assert caveats(uneven, "sentence") == []


def test_what_weakens_a_claim_is_said():
    few = found(row("ter", 0.9, 1, n=3, undefined="Under 4 systems."), judgements=40, outputs=40, raters=2)
    small = "Few outputs were judged, so more judgements may change the order."
    assert caveats(few, "system") == ["This number rests on 3 systems: take it as a hint.", small, "Under 4 systems."]
    once = "Most outputs have one judgement, so one judge's mistakes lower every number."
    assert caveats(few, "sentence") == [small, once, "Under 4 systems."]
    unsigned = found(row("self_bleu", 0.6, 1, 0.5, 0.7), row("pinc", 0.1, 2, 0, 0.2))
    assert caveats(unsigned, "sentence") == [
        "Neither end of Self-BLEU is the better one, so the number keeps its sign."
    ]
    many = found(row("chrf", 0.6, 1, 0.5, 0.7), row("ter", 0.5, 1, 0.4, 0.6))
    assert caveats(many, "sentence") == [
        "No metric agrees significantly less than the first, so the order alone says little."
    ]
    assert caveats(found(row("chrf", 0.6, 1, 0.5, 0.7), row("ter", 0.1, 2, 0, 0.2)), "sentence") == []


def board(*rows):
    return {
        "better": True,
        "rows": [{"system": name, "value": value, "cluster": cluster} for name, value, cluster in rows],
    }


def test_who_leads_is_said_only_of_clusters():
    assert leading("fluency", board(("A", 4.5, 1), ("B", 4.0, 2), ("Source", 3.0, None))) == (
        "fluency: A (4.50) is best, ahead of every other system."
    )
    assert leading("fluency", board(("A", 4.5, 1), ("B", 4.0, 1), ("C", 1.0, 2))) == (
        "fluency: A (4.50) and B (4.00) lead, ahead of the rest."
    )
    assert "undecided between A (4.50) and B (4.00)" in leading("fluency", board(("A", 4.5, 1), ("B", 4, 1)))
    assert leading("fluency", board(("A", -0.5, 1))) == "fluency: only A (−0.50) was judged."
    assert leading("fluency", board(("A", None, None))) == ""


def apart(name, value, has="11 of 13"):
    return {"system": name, "value": value, "cluster": None, "role": "system", "unranked": f"not ranked: {has}"}


def test_none_is_best_where_one_that_is_not_compared_has_a_better_value():
    given = board(("C", 2.71, 1), ("B", 1.62, 2))
    given["rows"].append(apart("A", 4.77))
    assert leading("fluency", given) == (
        "fluency: no system is shown to be best: C (2.71) first among those judged on the same sentences, and A (4.77) "
        "on too few of them to be compared."
    )
    systems, one = short(place("C", 2.71, 1), place("B", 1.62, 2), apart("A", 4.77))
    assert systems == ["C", "B", "A"]
    assert (one.verdict, one.why) == ("none", "Judged on too few of the same sentences to be compared: A.")
    assert [of.lead for of in one.standings] == ["", "", ""]


def test_one_that_is_not_compared_and_worse_is_named_beside_the_best():
    given = board(("C", 2.71, 1), ("B", 1.62, 2))
    given["rows"].append(apart("A", 1.5))
    assert leading("fluency", given) == (
        "fluency: C (2.71) is best of those judged on the same sentences. Judged on too few of the same sentences to "
        "be compared: A (1.50)."
    )
    _, one = short(place("C", 2.71, 1), place("B", 1.62, 2), apart("A", 1.5))
    assert (one.verdict, one.why) == ("decided", "Judged on too few of the same sentences to be compared: A.")


def test_a_metric_is_fooled_where_a_foil_stands_above_half_of_the_systems():
    foil = {"metrics": {
        "ter": {"place": 5, "of": 6}, "bleu": {"place": 1, "of": 6}, "pinc": {"place": None, "of": None},
        "chrf": {"place": 3, "of": 6},
    }}  # fmt: skip
    assert fooled(foil) == ([("BLEU", "1st", 6), ("chrF", "3rd", 6)], ["TER"])


def place(system, value, cluster, role="system"):
    return {"system": system, "value": value, "cluster": cluster, "role": role}


def content(*rows, better=True, more=None, trust=None):
    board = {"rows": rows, "better": better, "more": more}
    boards = {"combined": {"human": None}, "joint": {}, "criteria": {"fluency": board}}
    return {"leaderboard": boards, "trust": {"criteria": {"fluency": trust} if trust else {}}}


def short(*rows, **given):
    systems, (one,) = in_short(content(*rows, **given))
    return systems, one


def test_in_short_the_one_best_system_is_decided():
    systems, one = short(place("A", 4.2, 1), place("B", 3.1, 2), place("Source", 1.0, None, role="source"))
    assert systems == ["A", "B"], "what is judged beside the systems is none"
    assert (one.label, one.verdict, one.more) == ("Fluency", "decided", "")
    assert [(of.text, of.lead) for of in one.standings] == [("4.20", "best"), ("3.10", "")]


def test_in_short_the_main_criterion_of_a_plan_comes_first_and_orders_the_systems():
    given = content(place("A", 4.2, 1), place("B", 3.1, 2))
    other = {"rows": [place("B", 5.0, 1), place("A", 2.0, 2)], "better": True, "more": None}
    given["leaderboard"]["criteria"]["meaning"] = other
    assert [one.label for one in in_short(given)[1]] == ["Fluency", "Meaning"]
    given["leaderboard"]["main"] = ["meaning"]
    systems, rows = in_short(given)
    assert (systems, [(one.label, one.is_main) for one in rows]) == (
        ["B", "A"], [("Meaning", True), ("Fluency", False)],
    )  # fmt: skip


def test_in_short_several_that_lead_are_marked_alike():
    _, one = short(place("A", 4.2, 1), place("B", 4.1, 1), place("C", 1.0, 2))
    assert one.verdict == "tied"
    assert [of.lead for of in one.standings] == ["tied", "tied", ""]


def test_in_short_what_is_undecided_says_how_many_more_it_needs():
    _, one = short(place("A", 4.2, 1), place("B", 4.1, 1), more=1300)
    assert (one.verdict, one.more) == ("undecided", "needs about 1,300 more judgements")
    assert [of.lead for of in one.standings] == ["", ""], "nobody leads"
    _, one = short(place("A", 4.2, 1), place("B", 4.1, 1))
    assert (one.verdict, one.more) == ("undecided", "")
    assert "cannot be estimated" in one.why


def test_in_short_where_nothing_is_decided_says_why():
    assert "neither end" in short(place("A", 4.2, 1), place("B", 4.1, 2), better=None)[1].why
    assert "fewer than two" in short(place("A", 4.2, 1), place("B", 4.1, None))[1].why
    assert in_short({}) == ([], [])
    assert in_short(content(place("A", None, None))) == ([], [])


def test_in_short_a_metric_that_may_not_agree_is_not_shown_to():
    rows = [row("chrf", 0.61, 1, 0.5, 0.7), row("bleu", 0.58, 1, 0.4, 0.7), row("ter", 0.2, 2, 0.1, 0.3)]
    _, one = short(place("A", 4.2, 1), trust=found(*rows))
    assert (one.metric, one.agreement, one.shown, one.others) == ("chrF", "0.61", True, 1)
    assert one.basis == "1,200 judgements of 300 outputs by 6 people"
    _, one = short(place("A", 4.2, 1), trust=found(row("chrf", 0.2, 1, -0.1, 0.5)))
    assert one.shown is False


def test_in_short_many_systems_are_cut():
    systems, one = short(*(place(f"S{n}", 5 - n / 10, n + 1) for n in range(12)))
    assert len(systems) == len(one.standings) == 8
