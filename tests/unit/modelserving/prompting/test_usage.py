from modelserving.run_context import Answer, Usage, in_money, price, usage_of


def test_calls_add_up_with_their_price_and_what_is_not_whole():
    usage = Usage().with_call(Answer("a", "a", "stop", 1000, 100), price((1000, 100), (2.0, 10.0)))
    usage = usage.with_call(Answer("b", "a", "length", 3000, 50), price((3000, 50), (2.0, 10.0)))
    usage = usage.with_models(["a", "", "a"])
    assert (usage.calls, usage.input, usage.output, usage.cut) == (2, 4000, 150, 1)
    assert abs(usage.cost - 0.0095) < 1e-12
    assert abs(usage.dearest - 0.0065) < 1e-12
    assert str(usage) == "2 calls, 4,000 tokens in, 150 tokens out, cost 0.0095"
    assert usage.warning == "Of the answers 1 ended at the most tokens."
    usage = usage.with_left_out(["seed", "temperature"]).with_refused("unusable")
    assert usage.warning.endswith(
        "1 text was answered with no rewrite. The endpoint takes no seed and no temperature; calls went without."
    )
    assert usage_of(usage.plain()) == usage
    assert usage_of({}) == Usage()


def test_sums_have_digits_that_say_something():
    assert [in_money(sum_) for sum_ in (0.0, 0.00000123, 0.0123, 1.5, 1234.567)] == [
        "0.00", "1.2e-06", "0.0123", "1.50", "1,234.57",
    ]  # fmt: skip
