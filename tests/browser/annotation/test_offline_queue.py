"""Without a network the work goes on: answers wait in the browser, are sent once, and leave nothing behind."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, stage_items
from support import campaigns as make
from support.demo_site import fill_in_sign_in, sign_in, sign_in_by_form
from support.items_ahead import ANSWERS, open_with_items_ahead
from support.processes import wait_until

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer, Assignment, Campaign

FIELD = "textarea[name=text]"
WAITING = "#waiting [data-count]"
NOTHING_LEFT = "No more items are available without a network"
KINDS = ["rewrite", "rate", "rank", "best_worst", "label"]
RADIOS = """(() => {
  const form = document.querySelector("form[data-work]");
  const isOpen = (one) => one.type === "radio" && one.parentElement.checkVisibility();
  const isChosen = (name) => [...form.elements].some((one) => one.name === name && one.checked);
  return [...new Set([...form.elements].filter(isOpen).map((one) => one.name))].filter((name) => !isChosen(name));
})()"""


@pytest.fixture
def study(web_server):
    return make.study(items=8)


@pytest.fixture
def campaign(study):
    return make.campaign(study, prefetch=3)


@pytest.fixture
def who(study):
    return make.person(study=study)


@pytest.fixture
def worker(page, campaign, who, web_server):
    sign_in(page, who, web_server.url)
    open_work(page, campaign)
    return page


def open_work(page, campaign):
    """The work page, with the items that it fetches ahead."""
    open_with_items_ahead(page, reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))


def item(page, number):
    expect(page.locator("#work")).to_have_attribute("data-say", f"Item {number}")


def answer(page, text):
    page.locator(FIELD).fill(text)
    page.locator(FIELD).press("Control+Enter")


def waits(page, count):
    one = "1 answer waits for the network"
    expect(page.locator(WAITING)).to_have_text(one if count == 1 else f"{count} answers wait for the network")


def come_back(page):
    """The network is there again, and all has been sent."""
    page.context.set_offline(False)
    expect(page.locator(WAITING)).to_have_text("")


def texts():
    return list(Answer.objects.order_by("item__number").values_list("content__text", flat=True))


def test_the_work_goes_on_offline_and_all_is_sent_in_order(worker):
    worker.context.set_offline(True)
    for number in range(1, 5):
        item(worker, number)
        answer(worker, f"Typed in a tunnel: {number}")
        waits(worker, number)
    expect(worker.get_by_role("heading", name=NOTHING_LEFT)).to_be_focused()
    assert axe.faults(worker) == []
    lost = []

    def lose(route):
        lost.append(route.request.url)
        route.abort()

    worker.route("**/work/", lose, times=2)
    come_back(worker)
    item(worker, 5)  # the page without items asked again, each time that its request was lost
    assert len(lost) == 2
    made = Answer.objects.order_by("pk")
    assert [(one.content["text"][-1], one.late, one.item.number) for one in made] == [
        (str(number), False, number) for number in range(1, 5)
    ]
    assert worker.evaluate(ANSWERS) == 0


def test_what_waits_is_undone_in_the_browser_and_sent_as_it_was_changed(worker):
    worker.context.set_offline(True)
    answer(worker, "First")
    item(worker, 2)
    answer(worker, "Second")
    item(worker, 3)
    worker.get_by_role("button", name="Undo last").click()
    item(worker, 2)
    expect(worker.locator(FIELD)).to_have_value("Second")
    waits(worker, 1)
    answer(worker, "Second, changed")
    item(worker, 3)
    expect(worker.locator("#work-progress li").first).to_have_text("0 done")
    come_back(worker)
    expect(worker.locator("#work-progress li").first).to_have_text("2 done")
    expect(worker.locator("#work-progress li").nth(1)).to_have_text("6 left")
    assert texts() == ["First", "Second, changed"]
    worker.get_by_role("button", name="Undo last").click()  # what was sent is the server's to take back
    expect(worker.get_by_role("heading", name="Change your answer to item 2")).to_be_visible()


@pytest.mark.soak
def test_twenty_items_with_and_without_a_network_by_turns(page, who, study, web_server):
    study = make.study(items=20)
    campaign, who = make.campaign(study, prefetch=4), make.person(study=study)
    sign_in(page, who, web_server.url)
    open_work(page, campaign)
    for number in range(1, 21):
        item(page, number)
        page.context.set_offline(number % 5 in (2, 3))
        answer(page, f"Number {number}")
        if number % 5 == 4:
            expect(page.locator(WAITING)).to_have_text("")
    expect(page.locator("[data-reason]")).to_be_visible()
    expect(page.locator(WAITING)).to_have_text("")
    assert texts() == [f"Number {number}" for number in range(1, 21)]
    assert not Answer.objects.filter(late=True).exists()


def test_an_acknowledgement_that_is_lost_doubles_nothing(worker):
    def stored_and_not_told(route):
        route.fetch()
        route.abort()

    worker.route("**/work/submit/", stored_and_not_told, times=1)
    answer(worker, "Sent twice")
    item(worker, 2)
    expect(worker.locator(WAITING)).to_have_text("")
    assert texts() == ["Sent twice"]


def test_a_slow_line_is_not_waited_for_and_gets_what_was_seen(worker):
    """Nothing is typed into a form that is under way."""
    held = []
    worker.route("**/work/submit/", lambda route: held.append(route), times=1)
    worker.locator(FIELD).fill("Sent as it is seen")
    worker.locator(FIELD).press("Control+Enter")
    worker.keyboard.type(", and more")
    expect(worker.locator("#work")).to_have_attribute("inert", "")
    item(worker, 2)
    expect(worker.locator(WAITING)).to_have_text("")
    assert len(held) == 1
    wait_until(texts, "The answer was not sent.")  # the line is empty before it is sent, too
    assert texts() == ["Sent as it is seen"]


def test_where_answers_take_long_the_next_item_waits_for_none_of_them(worker):
    """The way there and back is 400 ms: two answers are waited for, and the third is under way behind the next item."""

    under_way = []
    worker.route("**/submit/", lambda route: under_way.append(route))
    for number in (1, 2):
        item(worker, number)
        answer(worker, f"Answer {number}")
        wait_until(lambda: under_way or worker.wait_for_timeout(50), "The answer was not sent.")
        worker.wait_for_timeout(400)
        under_way.pop().continue_()
    item(worker, 3)
    worker.wait_for_function("() => window.itemsAhead > 0")
    worker.route("**/send/", lambda route: under_way.append(route))
    answer(worker, "Answer 3")
    item(worker, 4)
    wait_until(lambda: under_way or worker.wait_for_timeout(50), "The third answer was not sent.")
    assert texts() == ["Answer 1", "Answer 2"]
    expect(worker.locator(WAITING)).to_have_text("")  # it is on its way
    under_way[0].continue_()
    wait_until(lambda: len(texts()) == 3 or worker.wait_for_timeout(50), "The third answer did not come.")
    assert texts()[2] == "Answer 3"
    wait_until(lambda: not worker.evaluate(ANSWERS), "The answer stayed in the browser.")


def test_what_is_taken_back_and_changed_before_its_acknowledgement_came_is_what_stands(worker):
    def stored_and_not_told(route):
        route.fetch()
        route.abort()

    worker.route("**/work/submit/", stored_and_not_told, times=1)
    worker.route("**/work/send/", stored_and_not_told)
    answer(worker, "Entered first")
    item(worker, 2)
    waits(worker, 1)
    worker.get_by_role("button", name="Undo last").click()
    item(worker, 1)
    expect(worker.locator(FIELD)).to_have_value("Entered first")
    worker.unroute("**/work/send/")
    answer(worker, "Entered last")
    item(worker, 2)
    expect(worker.locator(WAITING)).to_have_text("")
    standing = Answer.objects.order_by("revision").last()
    assert standing.content == {"text": "Entered last"}
    expect(worker.locator("#waiting section")).to_have_count(0)


@pytest.mark.soak
def test_a_server_that_is_killed_in_the_middle_gets_each_answer_once(worker, web_server):
    answer(worker, "Before")
    item(worker, 2)
    web_server.kill("web")
    try:
        answer(worker, "While it was away")
        item(worker, 3)
        waits(worker, 1)
    finally:
        web_server.ensure_up()
    expect(worker.locator(WAITING)).to_have_text("")
    answer(worker, "After")
    item(worker, 4)
    assert texts() == ["Before", "While it was away", "After"]


def test_what_waits_outlives_the_tab_and_is_sent_from_any_page(worker):
    worker.context.set_offline(True)
    answer(worker, "Kept over the night")
    waits(worker, 1)
    context = worker.context
    worker.close()
    context.set_offline(False)
    page = context.new_page()
    with page.expect_response("**/work/send/"):
        page.goto("/work/")
    expect(page.locator(WAITING)).to_have_text("")
    assert texts() == ["Kept over the night"]


def test_another_person_in_the_browser_neither_sees_nor_sends_it(worker, study, web_server):
    worker.route("**/work/send/", lambda route: route.abort())
    worker.route("**/work/submit/", lambda route: route.abort())
    answer(worker, "Mine alone")
    waits(worker, 1)
    worker.context.clear_cookies()
    other = make.person(study=study)
    sign_in(worker, other, web_server.url)
    sent = []
    worker.on("request", lambda request: sent.append(request.url) if request.url.endswith("/send/") else None)
    worker.goto("/work/")
    worker.evaluate("navigator.locks.request('restyle-queue', () => {})")  # ours once the page is through with its own
    expect(worker.locator(WAITING)).to_have_text("")
    assert sent == []
    assert worker.evaluate(ANSWERS) == 1
    assert not Answer.objects.exists()


def test_an_answer_that_comes_too_late_is_kept_for_a_reviewer(worker, campaign, study, who):
    worker.context.set_offline(True)
    answer(worker, "Too late")
    answer_of_another = make.person(study=study)
    campaign.assignments.filter(annotator=who).update(lease_expires_at="2020-01-01T00:00Z")
    Assignment.objects.filter(annotator=who).update(state=0, annotator=None)
    make.hand_in(campaign, answer_of_another, make.held(campaign, answer_of_another))
    worker.context.set_offline(False)
    expect(worker.locator("#toast")).to_contain_text("A reviewer gets your work")
    assert Answer.objects.get(person=who).late


def test_a_refused_answer_is_shown_until_it_is_put_away_or_sent_again(worker):
    worker.context.set_offline(True)
    answer(worker, "gotta see number 1 , u know")  # the source itself: the server says no
    waits(worker, 1)
    worker.context.set_offline(False)
    refused = worker.locator("#waiting section")
    expect(refused).to_contain_text("Item 1")
    expect(refused).to_contain_text("gotta see number 1 , u know")
    assert axe.faults(worker) == []
    worker.get_by_role("button", name="Delete this text").click()
    expect(refused).to_have_count(0)
    assert not Answer.objects.exists()
    assert worker.evaluate(ANSWERS) == 0

    worker.context.grant_permissions(["clipboard-read", "clipboard-write"])
    worker.context.set_offline(True)
    answer(worker, "Refused, and then not")
    waits(worker, 1)
    no = {"status": 422, "headers": {"X-Restyle": "1"}, "json": {"detail": "Not today."}}
    worker.route("**/work/send/", lambda route: route.fulfill(**no))
    worker.context.set_offline(False)
    refused.get_by_role("button", name="Copy the text").click()
    expect(worker.locator("#toast")).to_have_text("Copied")
    assert worker.evaluate("navigator.clipboard.readText()") == "Refused, and then not"
    worker.unroute("**/work/send/")
    refused.get_by_role("button", name="Try again").click()
    expect(refused).to_have_count(0)
    assert texts() == ["Refused, and then not"]
    assert worker.evaluate(ANSWERS) == 0


@pytest.fixture
def shown_again(worker):
    """The page shows item 1 once more, whose answer is being sent; and the request that sends it, which is held."""
    held = []

    def hold_the_first(route):
        held.append(route)
        if len(held) > 1:
            route.abort()

    worker.context.set_offline(True)
    for number in range(1, 4):
        item(worker, number)
        answer(worker, f"Typed in a tunnel: {number}")
    item(worker, 4)
    waits(worker, 3)
    worker.route("**/work/ahead/", lambda route: route.abort())
    worker.route("**/work/send/", hold_the_first)
    worker.context.set_offline(False)
    answer(worker, "Handed in at once")
    item(worker, 1)
    wait_until(lambda: held or worker.evaluate("0"), what="the first answer to be sent")
    return held[0]


def newest(number):
    return Answer.objects.filter(item__number=number).order_by("revision").last().content["text"]


def test_what_is_taken_back_while_an_older_answer_is_under_way_stays_in_its_form(worker, shown_again):
    answer(worker, "Entered later")
    expect(worker.get_by_role("heading", name=NOTHING_LEFT)).to_be_visible()
    asked = []
    worker.on("request", lambda request: asked.append(request.url) if request.method == "GET" else None)
    worker.get_by_role("button", name="Undo last").click()
    expect(worker.locator("#work")).to_have_attribute("inert", "")  # a second press would take back one more
    shown_again.continue_()
    item(worker, 1)
    expect(worker.locator(FIELD)).to_have_value("Entered later")
    waits(worker, 2)
    assert not [url for url in asked if url.endswith("/work/")]  # nothing else takes its place
    answer(worker, "Entered last")
    worker.unroute("**/work/send/")
    come_back(worker)
    wait_until(lambda: newest(1) == "Entered last", what="the last text to be stored")


def test_what_is_typed_into_an_item_that_was_sent_meanwhile_stays(worker, shown_again):
    lost = []

    def lose(route):
        lost.append(route.request.url)
        route.abort()

    worker.clock.install()
    worker.route("**/work/", lose)
    shown_again.continue_()
    wait_until(lambda: worker.evaluate("1") and lost, what="what follows to be asked for")
    worker.locator(FIELD).fill("Entered last")
    worker.clock.fast_forward(2500)  # it is asked for again after two seconds
    expect(worker.locator(FIELD)).to_have_value("Entered last")
    worker.unroute("**/work/send/")
    answer(worker, "Entered last")
    wait_until(lambda: worker.evaluate("1") and newest(1) == "Entered last", what="the last text to be stored")
    assert len(lost) == 1


def test_what_waited_through_a_new_sign_in_is_sent(worker, who):
    worker.context.set_offline(True)
    answer(worker, "Typed before the session ended")
    waits(worker, 1)
    worker.context.clear_cookies()
    worker.context.set_offline(False)
    expect(worker.locator(WAITING)).to_contain_text("You are signed out.")
    assert axe.faults(worker) == []
    worker.locator("#waiting").get_by_role("link", name="Sign in").click()
    with worker.expect_response("**/work/send/"):
        fill_in_sign_in(worker, who.email)
    expect(worker.locator(WAITING)).to_have_text("")
    assert texts() == ["Typed before the session ended"]
    expect(worker.locator("#waiting section")).to_have_count(0)


def test_somebody_else_who_signed_in_in_another_tab_is_named_as_the_reason(worker, study):
    worker.context.set_offline(True)
    answer(worker, "Mine")
    waits(worker, 1)
    worker.context.clear_cookies()
    worker.context.set_offline(False)
    sign_in_by_form(worker.context.new_page(), make.person(study=study).email)
    expect(worker.locator(WAITING)).to_contain_text("Somebody else is signed in here.")
    assert not Answer.objects.exists()


def a_portal_answers(page, status):
    """A hotel's network answers in the place of the server; what it was asked for."""
    asked = []

    def portal(route):
        asked.append(route.request.url)
        route.fulfill(status=status, content_type="text/html", body="<h1>Welcome to the hotel</h1>")

    page.route("**/work/**", portal)
    return asked


def test_what_a_network_answers_in_the_place_of_the_server_is_no_answer(worker):
    for number, status in enumerate((200, 403, 511), 1):
        asked = a_portal_answers(worker, status)
        item(worker, number)
        worker.locator(FIELD).fill(f"Typed in hotel {number}")
        expect(worker.locator("#work [data-state=offline]"), f"status {status}").to_be_visible()
        worker.locator(FIELD).press("Control+Enter")
        item(worker, number + 1)
        waits(worker, 1)
        assert {url.split("/")[-2] for url in asked} >= {"draft", "submit"}, status
        worker.unroute("**/work/**")
        expect(worker.locator(WAITING), f"status {status}").to_have_text("")
        assert texts()[-1] == f"Typed in hotel {number}"
        expect(worker.get_by_text("Welcome to the hotel")).to_have_count(0)
    assert len(texts()) == 3


def test_what_was_typed_right_before_signing_out_leaves_nothing(worker):
    worker.locator(FIELD).fill("Typed in the last moment")
    worker.get_by_text("Signed in as").locator("xpath=..").click()
    worker.get_by_role("button", name="Sign out", exact=True).click()
    worker.wait_for_url(lambda url: "/work/" not in url)
    assert "last moment" not in worker.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def test_signing_out_says_what_is_not_sent_and_leaves_nothing(worker):
    """Without a network it deletes nothing."""
    menu = worker.get_by_text("Signed in as").locator("xpath=..")
    worker.context.set_offline(True)
    answer(worker, "Kept all the same")
    waits(worker, 1)
    menu.click()
    worker.get_by_role("button", name="Sign out").click()
    worker.get_by_role("button", name="Sign out and delete").click()
    expect(worker.locator("#toast")).to_contain_text("The server cannot be reached.")
    assert worker.evaluate(ANSWERS) == 1
    come_back(worker)
    assert texts() == ["Kept all the same"]

    worker.route("**/work/send/", lambda route: route.abort())
    worker.route("**/work/submit/", lambda route: route.abort())
    answer(worker, "Not sent")
    waits(worker, 1)
    menu.click()
    worker.get_by_role("button", name="Sign out").click()
    dialog = worker.get_by_role("dialog")
    expect(dialog).to_contain_text("1 answer is not sent yet")
    dialog.get_by_role("button", name="Cancel").click()
    waits(worker, 1)
    menu.click()
    worker.get_by_role("button", name="Sign out", exact=True).click()
    worker.get_by_role("button", name="Sign out and delete").click()
    worker.wait_for_url(lambda url: "/work/" not in url)
    assert worker.evaluate(ANSWERS) == 0
    left = worker.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "Not sent" not in left
    assert worker.evaluate("caches.keys()") == []
    assert texts() == ["Kept all the same"]


def test_two_tabs_send_once_and_one_of_them_has_the_items_ahead(worker, campaign):
    other = worker.context.new_page()
    asked = []
    drafts = []  # of a page that nobody typed in
    other.on("request", lambda request: asked.append(request.url) if request.url.endswith("/ahead/") else None)
    other.on("request", lambda request: drafts.append(request.url) if request.url.endswith("/draft/") else None)
    other.goto(worker.url)
    item(other, 1)
    worker.bring_to_front()
    sent = []
    worker.context.on("request", lambda request: sent.append(request.url) if request.url.endswith("/send/") else None)
    worker.context.set_offline(True)
    answer(worker, "From the first tab")
    item(worker, 2)
    waits(worker, 1)
    sent.clear()
    worker.context.set_offline(False)
    expect(worker.locator(WAITING)).to_have_text("")
    assert asked == []
    assert drafts == []
    assert texts() == ["From the first tab"]


def test_items_that_were_not_reached_go_back_when_the_page_is_left(worker, campaign):
    assert campaign.assignments.filter(state=1, ahead=True).count() == 3
    worker.goto("/work/")
    given_back = campaign.assignments.filter(state=1)
    wait_until(lambda: given_back.count() == 1, lambda: f"{given_back.count()} are still leased")


def test_each_kind_of_work_goes_on_offline(page, web_server):
    study = make.study(items=2, systems=3, references=1)
    who = make.person("expert_annotator", study)
    sign_in(page, who, web_server.url)
    for task_type in KINDS:
        if task_type == "label":
            content = {"source": "gotta go", "text": "I have to go."}
            campaign = stage_items.campaign_of(study, task_type, [content] * 2, labels=["Paraphrase"])
            Campaign.objects.filter(pk=campaign.pk).update(prefetch=2)
        else:
            campaign = make.campaign(study, task_type, prefetch=2)
        read_guideline(campaign=campaign, person=who, version=1)
        open_work(page, campaign)
        page.context.set_offline(True)
        item(page, 1)
        fill(page)
        page.keyboard.press("Control+Enter")
        waits(page, 1)
        item(page, 2)
        come_back(page)
        assert Answer.objects.filter(campaign=campaign, late=False).count() == 1, task_type
        expect(page.locator("#waiting section"), task_type).to_have_count(0)


def fill(page):
    """An answer of whatever kind: in each group another choice, also of those that open after others."""
    for field in page.locator("#work textarea:visible").all():
        field.fill("The patient has to go, and is short of breath.")
    chosen = 0
    while names := page.evaluate(RADIOS):
        options = page.locator(f"form[data-work] input[type=radio][name='{names[0]}']")
        options.nth(chosen % options.count()).check(force=True)
        chosen += 1
    for box in page.locator("form[data-work] fieldset input[type=checkbox]:visible").all()[:1]:
        box.check(force=True)
