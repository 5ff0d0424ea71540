"""The arithmetic behind `make bench`, and what its annotators make of the server's answers."""

import json
import math
import os
import subprocess
import sys
from random import Random
from urllib.parse import parse_qs

import pytest

from foundation.errors import UserError
from tools.bench.annotation_load import Load, Run, percentile, together
from tools.bench.annotator_process import Browser, NoItemError, csrf_cookie, fill_in, header, parse_response, rate
from tools.bench.clock import TICKS, parse_stat, seconds_of
from tools.bench.table import laid_out, load_rows

DRAWN = Random(1)  # noqa: S311
PAGE = b"""<form><input type="hidden" name="slot" value="7"><input type="hidden" name="key" value="k">
<input type="radio" name="rating-0-fluency" value="1" data-key="1">
<input type="radio" name="rating-0-fluency" value="2">
<input type="radio" name="rating-0-meaning" value="-3"></form>"""


@pytest.mark.parametrize(("share", "value"), [(0.5, 50), (0.95, 95), (0.99, 99), (1, 100), (0, 1)])
def test_a_percentile_is_the_smallest_value_that_the_share_does_not_exceed(share, value):
    assert percentile(list(range(100, 0, -1)), share) == value


def test_the_percentile_of_one_value_is_that_value_and_of_none_is_undefined():
    assert percentile([3.5], 0.95) == 3.5
    assert math.isnan(percentile([], 0.5))


def test_the_times_of_a_process_with_brackets_in_its_name():
    fields = ["S", "42", *["0"] * 9, "100", "20", "3", "1", *["9"] * 20]
    assert parse_stat(f"7 (a) (b) c) {' '.join(fields)}") == (42, 124 / TICKS)


def test_processor_time_includes_that_of_children():
    before = seconds_of(os.getpid())
    subprocess.run([sys.executable, "-c", "sum(i * i for i in range(3_000_000))"], check=True)
    assert seconds_of(os.getpid()) - before >= 0.05


def test_a_response_is_whole_when_its_body_is():
    whole = b"HTTP/1.1 422 Unprocessable\r\nContent-Length: 4\r\n\r\nbody"
    assert parse_response(bytearray(whole[:-1])) is None
    assert parse_response(bytearray(whole[:30])) is None
    response = parse_response(bytearray(whole))
    assert (response.status, response.body) == (422, b"body")
    assert header(response.head, b"content-length") == b"4"
    assert header(response.head, b"location") == b""


def test_the_form_is_filled_in_with_a_level_for_each_scale():
    filled = parse_qs(fill_in(PAGE, DRAWN).decode())
    assert filled["slot"] == ["7"]
    assert filled["rating-0-meaning"] == ["-3"]
    assert filled["rating-0-fluency"][0] in {"1", "2"}


def test_a_page_without_an_item_is_no_form():
    with pytest.raises(NoItemError):
        fill_in(b"<p>All items are done</p>", DRAWN)


def test_the_json_answer_rates_every_criterion():
    criteria = [{"name": "fluency", "levels": [{"value": 4}]}, {"name": "meaning", "levels": [{"value": 6}]}]
    work = {"slot": 7, "lease": "l", "item": {"groups": [{"criteria": criteria[:1]}, {"criteria": criteria[1:]}]}}
    said = json.loads(rate(json.dumps({"work": work}).encode(), DRAWN))
    assert said["content"] == {"ratings": [{"fluency": 4, "meaning": 6}]}
    with pytest.raises(NoItemError):
        rate(b'{"work": null}', DRAWN)


def test_a_browser_sends_the_cookie_it_was_given():
    browser = Browser("127.0.0.1:1", "/work/", "s", DRAWN)
    head = b"HTTP/1.1 200 OK\r\nset-cookie:  csrftoken=abc; Path=/\r\nx: y"
    assert csrf_cookie(head) == "csrftoken=abc"
    browser.asked(head)
    sent = browser.submitting(PAGE)
    assert b"Cookie: sessionid=s; csrftoken=abc\r\n" in sent
    assert b"X-CSRFToken: abc\r\n" in sent
    assert int(header(sent, b"content-length")) == len(sent.partition(b"\r\n\r\n")[2])


def test_the_table_adds_up_the_servers_and_stands_in_columns():
    load = Load(220.4, (1.0, 2.0), (3.0, 40.0), web=4.0, database=1.5, cache=0.5, rows=9.0, page=2e4, answer=1e4)
    rows = load_rows({"8 people": load})
    assert rows == [["8 people", "220/s", "1 ms", "2 ms", "3 ms", "40 ms", "6 ms", "4 ms", "1.5 ms", "0.5 ms"]]
    assert laid_out([["a", "10"], ["long", "5"]]) == "a     10\nlong   5"


def test_a_run_in_which_nobody_answered_is_told_in_a_sentence():
    with pytest.raises(UserError, match="take a larger size"):
        together([Run(1.0, [(0.1, 9)], [], {"web": 0.1}, 0)])
