"""The composite figure as a visitor meets it: how to touch it, and what it shows."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.support.program import Program

START = "8589934609"
"""The score of tier 2, arrival 17, where every fresh page begins."""


class Row(NamedTuple):
    """One job of the ladder, as shown."""

    rank: int
    member: str
    name: str
    tier: int
    arrival: int
    mine: bool


def open_home(page: Page, site: Program, query: str = "") -> None:
    """Open the home page and wait until its figure is alive."""
    answer = page.goto(f"{site.address}/{query}")
    assert answer
    assert answer.status == 200
    page.wait_for_function(
        "['live-figure', 'copy-button'].every((name) => customElements.get(name))"
    )


def tier(page: Page) -> Locator:
    return page.get_by_role("slider", name="Priority tier")


def arrival(page: Page) -> Locator:
    return page.get_by_role("slider", name="Arrival number")


def tier_field(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="Priority tier")


def arrival_field(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="Arrival number")


def full_range(page: Page) -> Locator:
    return page.get_by_role("checkbox", name="full range")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def guess(page: Page, member: str) -> Locator:
    return page.locator(f"#job_{member} input[type=radio]")


def sentence(page: Page) -> Locator:
    return page.locator("#composite_sentence")


def failure(page: Page) -> Locator:
    return page.locator("#composite_failure")


def notices(page: Page) -> Locator:
    return page.locator("#composite_notices")


def badge(page: Page) -> Locator:
    return page.locator("#composite_badge")


def number(page: Page) -> Locator:
    return page.locator("#composite_score .number")


def my_row(page: Page) -> Locator:
    return page.locator("#composite_order .mine")


def job_rows(page: Page) -> Locator:
    return page.locator("#composite_order .job")


def commands(page: Page) -> list[str]:
    """Return the text of every command that is shown."""
    return page.locator("#composite_steps kbd").all_text_contents()


def rows(page: Page) -> list[Row]:
    """Return the ladder as it is shown, top to bottom."""
    shown = page.locator("#composite_order .job").evaluate_all(
        """rows => rows.map((row) => [row.id.replace("job_", ""), row.classList.contains("mine"),
          ...["b", "code", ".fact-tier", ".fact-arrival"]
            .map((part) => row.querySelector(part).textContent.trim())])"""
    )
    return [
        Row(
            int(rank),
            member,
            name,
            int(at_tier.removeprefix("tier ")),
            int(at_arrival.removeprefix("no. ")),
            mine,
        )
        for member, mine, rank, name, at_tier, at_arrival in shown
    ]


def replied_order(page: Page) -> list[str]:
    """Return the members in the last ZRANGE reply that is shown, in the server's order."""
    step = page.locator("#composite_steps > li:not(.by)", has_text=re.compile("^ZRANGE ")).last
    return re.findall(r'"(JOB\w+)"', step.locator("samp").text_content() or "")


def expect_place(page: Page, at_tier: int, at_arrival: int, rank: int, of: int) -> None:
    """Wait until the visitor's job stands there, and everything on the page agrees about it."""
    expect(my_row(page)).to_have_text(f"{rank} your job tier {at_tier} no. {at_arrival}")
    expect(sentence(page)).to_contain_text(re.compile(rf"\b{rank}(st|nd|rd|th) of {of}\b"))
    score = str(at_tier * 2**32 + at_arrival)
    expect(number(page).locator("data")).to_have_attribute("value", score)
    expect(badge(page)).to_have_text("stored = computed")
    assert replied_order(page) == [row.member for row in rows(page)]


def expect_controls(page: Page, at_tier: int, at_arrival: int) -> None:
    """Wait until sliders and number fields show these values."""
    for slider, field, value in (
        (tier(page), tier_field(page), at_tier),
        (arrival(page), arrival_field(page), at_arrival),
    ):
        expect(slider).to_have_value(str(value))
        expect(field).to_have_value(str(value))


def expect_address(page: Page, site: Program, query: str) -> None:
    """Wait until the address bar shows the home page with this query."""
    expect(page).to_have_url(f"{site.address}/{query}")


def actions_in_address(page: Page) -> list[str]:
    """Return what the address lists after `then=`."""
    return parse_qs(urlsplit(page.url).query).get("then", [""])[0].split(",")


def spot(slider: Locator, value: int) -> tuple[float, float]:
    """Return where on the screen the middle of the thumb is when the slider shows `value`."""
    box = slider.bounding_box()
    assert box
    least, most = (int(slider.get_attribute(name) or 0) for name in ("min", "max"))
    thumb = float(
        slider.evaluate(
            "el => 1.4 * parseFloat(getComputedStyle(document.documentElement).fontSize)"
        )
    )
    along = (value - least) / (most - least)
    return box["x"] + thumb / 2 + along * (box["width"] - thumb), box["y"] + box["height"] / 2


def take_hold(page: Page, slider: Locator) -> None:
    """Press the mouse down on the slider's thumb."""
    slider.scroll_into_view_if_needed()
    page.mouse.move(*spot(slider, int(slider.input_value())))
    page.mouse.down()


def drag_to(page: Page, slider: Locator, value: int) -> None:
    """Move a thumb that is held to a value, over the places between."""
    page.mouse.move(*spot(slider, value), steps=6)


def watch_slider(slider: Locator) -> None:
    """Note each value that a script writes into the slider which it did not show already."""
    slider.evaluate(
        """slider => {
          const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
          window.disturbed = [];
          window.watched = slider;
          Object.defineProperty(slider, "value", {
            get() { return get.call(this); },
            set(value) {
              const shown = get.call(this);
              if (String(value) !== shown) window.disturbed.push(`${shown} became ${value}`);
              set.call(this, value);
            },
          });
        }"""
    )


def expect_undisturbed(page: Page) -> None:
    """Check that the watched slider was never replaced, and moved by the visitor alone."""
    assert page.evaluate("window.disturbed") == []
    assert page.evaluate("window.watched.isConnected")
