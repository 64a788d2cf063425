"""Pages that embed ours: how high the frame gets, what they hear, and what they can paste."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Frame, FrameLocator, Page, expect

from tests.browser import hosting, watching
from tests.browser.hosting import Host
from tests.support.program import Program

pytestmark = pytest.mark.sample

# What the platforms do with a message, in the words of each.
LTI = """
  addEventListener("message", ({ data }) => {
    if (data.subject === "lti.frameResize") frame.height = data.height;
  });
"""
H5P = """
  addEventListener("message", ({ data, source }) => {
    if (data.context !== "h5p") return;
    const answer = (action) => source.postMessage({ context: "h5p", action }, "*");
    if (data.action === "hello") answer("hello");
    if (data.action === "prepareResize") {
      const { scrollHeight, clientHeight } = data;
      if (frame.clientHeight === scrollHeight && scrollHeight === clientHeight) return;
      frame.style.height = `${clientHeight}px`;
      answer("resizePrepared");
    }
    if (data.action === "resize") frame.style.height = `${data.scrollHeight}px`;
  });
"""
WORDPRESS = """
  addEventListener("message", ({ data, source }) => {
    if (!data.secret || /[^a-zA-Z0-9]/.test(data.secret) || source !== frame.contentWindow) return;
    if (data.secret !== "s3cr3t" || data.message !== "height") return;
    frame.height = Math.min(1000, Math.max(200, data.value));
  });
"""
DIALECTS = {"lti": LTI, "h5p": H5P, "wordpress": WORDPRESS}
BROWSERS_OWN = ("Blocked script execution", "Cross-Origin-Opener-Policy header has been ignored")
"""What Chromium says where scripts are forbidden, and of a name without HTTPS."""
AS_HIGH_AS = """(pixels) => {
  const block = document.createElement("div");
  block.style.height = `${pixels}px`;
  document.body.style.padding = document.body.style.margin = 0;
  document.body.replaceChildren(block);
}"""


@pytest.fixture
def host(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    heard = watching.listen(page)
    yield page
    assert [line for line in heard if not any(one in line for one in BROWSERS_OWN)] == []
    assert page.context.cookies() == []
    page.close()


def opened(page: Page, server: Host, body: str) -> Frame:
    """Open a host's page and return its frame, in which our scripts run."""
    server.body = hosting.page(body)
    page.goto(server.address)
    inside = page.frames[-1]
    alive = "customElements.get('live-figure') !== undefined"
    watching.until(page, lambda: bool(inside.evaluate(alive)), "our scripts run")
    return inside


def script(source: str) -> str:
    return f"<script>const frame = document.querySelector('iframe'); {source}</script>"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_host_that_listens_gives_the_frame_the_height_of_its_content(
    host: Page, site: Program, server: Host, dialect: str
) -> None:
    src = hosting.address(site, "/embed/race") + "#?secret=s3cr3t"
    look = 'sandbox="allow-scripts" width=700 height=400 style="border:0"'
    frame = f'<iframe title=F {look} src="{src}"></iframe>'
    inside = opened(host, server, frame + script(DIALECTS[dialect]))
    for pixels in (300, 900, 200):
        inside.evaluate(AS_HIGH_AS, pixels)
        host.wait_for_function(f"Math.abs(frame.clientHeight - {pixels}) <= 1")


@pytest.mark.parametrize("more", ["", 'scrolling="no"'])
def test_where_nobody_listens_the_last_control_is_reached_by_wheel_and_by_tab(
    host: Page, site: Program, server: Host, more: str
) -> None:
    src = hosting.address(site, "/embed/composite")
    frame = (
        f'<iframe title=F sandbox="allow-scripts" {more} width=700 height=300 src="{src}"></iframe>'
    )
    inside = opened(host, server, frame)
    scrolls = "document.documentElement.classList.contains('scrolls')"
    watching.until(host, lambda: bool(inside.evaluate(scrolls)), "it scrolls inside")
    last = host.frame_locator("iframe").locator(".frame-foot a")
    seen = "(el) => el.getBoundingClientRect().bottom <= innerHeight + 1"
    assert not last.evaluate(seen)
    host.mouse.move(300, 200)
    for _ in range(12):
        host.mouse.wheel(0, 500)
        host.wait_for_timeout(50)
    watching.until(host, lambda: bool(last.evaluate(seen)), "the wheel reached the end")
    inside.evaluate("document.body.scrollTo(0, 0)")
    inside.locator("h1").click()
    for _ in range(80):
        host.keyboard.press("Tab")
        if last.evaluate("(el) => el === document.activeElement"):
            break
    assert last.evaluate("(el) => el === document.activeElement")
    watching.until(host, lambda: bool(last.evaluate(seen)), "Tab reached the end")


def test_messages_of_others_change_nothing(host: Page, site: Program, server: Host) -> None:
    src = hosting.address(site, "/embed/composite")
    inside = opened(host, server, f'<iframe title=F width=700 height=300 src="{src}"></iframe>')
    before = inside.locator("body").inner_html()
    for said in (
        {"context": "h5p", "action": "x" * 5000}, {"context": "h5p"}, None, 7, "text",
        {"context": "h5p", "action": "resizePrepared", "html": "<img src=x>"},
        {"source": "score-decoder", "type": "resize", "height": 1e9},
    ):  # fmt: skip
        host.evaluate("(said) => frames[0].postMessage(said, '*')", said)
    host.wait_for_timeout(200)
    assert inside.locator("body").inner_html() == before


def test_what_grows_later_is_reached_too_and_what_shrinks_is_told(
    host: Page, site: Program, server: Host
) -> None:
    src = hosting.address(site, "/embed/composite")
    told = """addEventListener("message", ({ data }) => {
      if (data.type === "resize") heard.push(data.height);
    });"""
    frame = f'<iframe title=F scrolling="no" width=700 height=6000 src="{src}"></iframe>'
    inside = opened(host, server, frame + script(f"window.heard = []; {told}"))
    fits = "!document.documentElement.classList.contains('scrolls')"
    host.wait_for_timeout(1300)
    assert inside.evaluate(fits)
    high = inside.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
    host.evaluate("(high) => { frame.height = high; }", high + 5)
    inside.get_by_text("The Lua that ran").click()
    watching.until(host, lambda: not inside.evaluate(fits), "it scrolls since it grew")
    host.evaluate("() => { heard.length = 0; }")
    inside.get_by_text("The Lua that ran").click()
    watching.until(host, lambda: bool(host.evaluate("heard.length")), "it told that it shrank")
    assert abs(host.evaluate("heard.at(-1)") - high) <= 1


def test_a_page_that_scrolls_inside_is_printed_whole_and_in_light(
    host: Page, site: Program, server: Host
) -> None:
    src = hosting.address(site, "/embed/composite?theme=dark")
    inside = opened(host, server, f'<iframe title=F width=700 height=300 src="{src}"></iframe>')
    scrolls = "document.documentElement.classList.contains('scrolls')"
    watching.until(host, lambda: bool(inside.evaluate(scrolls)), "it scrolls inside")
    host.emulate_media(media="print")
    assert inside.evaluate("getComputedStyle(document.body).overflowY") == "visible"
    assert inside.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert not inside.locator(".turn").first.is_visible()
    host.emulate_media(media="screen")


HEARD = """
  <script>
    window.heard = [];
    for (const type of ["ready", "resize", "step", "complete"]) {
      addEventListener(type, ({ target, detail }) => {
        if (target.localName === "score-decoder") heard.push([type, detail]);
      });
    }
  </script>
"""


def test_the_element_fits_its_height_and_tells_what_is_done(
    host: Page, site: Program, server: Host
) -> None:
    page = hosting.address(site, "/figures/composite")
    element = (
        f'<script type="module" src="{hosting.address(site, "/embed.js")}"></script>'
        '<score-decoder figure="composite" state="tier=3&amp;arrival=17" theme="dark">'
        f'<a href="{page}">The composite decoder</a></score-decoder>'
    )
    inside = opened(host, server, HEARD + element)
    frame = host.frame_locator("iframe")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.locator("#composite_tier")).to_have_value("3")
    expect(host.get_by_role("link")).to_have_count(0)
    host.wait_for_function("heard.some(([type]) => type === 'resize')")
    high = inside.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
    host.wait_for_function(
        f"Math.abs(document.querySelector('score-decoder').frame.clientHeight - {high}) <= 2"
    )
    frame.locator(".ladder input[type=radio]").first.check()
    frame.get_by_role("button", name="Serve next").click()
    host.wait_for_function("heard.some(([type]) => type === 'step')")
    (step,) = host.evaluate("heard.filter(([type]) => type === 'step').map(([, one]) => one)")
    assert step["figure"] == "composite"
    assert step["action"] == "serve"
    assert "then=serve" in step["address"]
    assert host.evaluate("heard[0][0]") in ("ready", "resize")
    host.evaluate("document.querySelector('score-decoder').setAttribute('figure', 'bits')")
    expect(frame.locator("#bits")).to_be_visible()


def test_an_answer_to_a_question_is_the_end_of_it(host: Page, site: Program, server: Host) -> None:
    element = (
        f'<script type="module" src="{hosting.address(site, "/embed.js")}"></script>'
        '<score-decoder figure="race" ask><a href="#x">Race</a></score-decoder>'
    )
    opened(host, server, HEARD + element)
    frame = host.frame_locator("iframe")
    expect(frame.locator(".frame-ask")).to_be_visible()
    expect(frame.locator(".outcome")).to_be_hidden()
    frame.locator(".answers a").first.click()
    host.wait_for_function("heard.some(([type]) => type === 'complete')")
    expect(frame.locator(".outcome")).to_be_visible()


def snippets(page: Page, site: Program, path: str) -> dict[str, str]:
    page.goto(hosting.address(site, f"/share{path}"))
    page.locator(".more > summary").click()
    return {
        str(one.get_attribute("id")).removeprefix("share_"): one.input_value()
        for one in page.locator("textarea").all()
    }


@pytest.mark.parametrize(
    "path",
    [
        "/figures/composite?tier=3&arrival=17&theme=dark&note=A+%26+%3Cb%3E",
        "/redis-patterns/time-delay-priority/score-as-meaning?title=Mine",
    ],
)
def test_each_snippet_pasted_into_a_page_shows_it(
    host: Page, site: Program, server: Host, path: str
) -> None:
    made = snippets(host, site, path)
    assert len(made) == 6
    whole = made["link"]
    myst = made["myst"].splitlines()[0].removeprefix(":::{iframe} ")
    pasted = {
        "iframe": made["iframe"],
        "jsx": made["jsx"],
        "myst": f'<iframe title=F src="{myst.replace("&", "&amp;")}"></iframe>',
        "element": made["element"],
    }
    for kind, code in pasted.items():
        opened(host, server, code)
        frame: FrameLocator = host.frame_locator("iframe")
        expect(frame.locator("live-figure").first, kind).to_be_visible()
        expect(frame.locator(".sentence").first).not_to_be_empty()
    for code in (made["markdown"], whole):
        links: list[Any] = MarkdownIt("commonmark").parse(code if "](" in code else f"<{code}>")
        (link,) = [one for one in links[1].children if one.type == "link_open"]
        there = link.attrs["href"].replace(hosting.address(site, ""), site.address)
        assert host.request.get(there).ok


def test_a_frame_with_four_attributes_alone_is_usable(
    host: Page, site: Program, server: Host
) -> None:
    src = hosting.address(site, "/embed/three-readings")
    inside = opened(
        host, server, f'<iframe src="{src}" width="700" height="500" title="F"></iframe>'
    )
    inside.get_by_role("link", name="Next", exact=True).click()
    expect(inside.locator("#three_readings_sentence")).to_contain_text("the score is")


@pytest.mark.parametrize("path", ["/", "/figures/composite", "/share/", "/glossary"])
def test_no_other_page_stands_in_a_frame(
    browser: Browser, site: Program, server: Host, path: str
) -> None:
    page = browser.new_page()
    server.body = hosting.page(f'<iframe src="{hosting.address(site, path)}"></iframe>')
    page.goto(server.address)
    page.wait_for_timeout(300)
    assert page.frames[-1].url.startswith("chrome-error:")
    page.close()


def test_a_theme_is_kept_whatever_the_system_says(host: Page, site: Program) -> None:
    colours = {}
    for theme in ("light", "dark"):
        for system in ("light", "dark"):
            host.emulate_media(color_scheme=system)  # type: ignore[arg-type]
            host.goto(hosting.address(site, f"/embed/bits?theme={theme}"))
            paint = "getComputedStyle(document.querySelector('.figure')).backgroundColor"
            colours[theme, system] = host.evaluate(paint)
    assert colours["light", "light"] == colours["light", "dark"]
    assert colours["dark", "light"] == colours["dark", "dark"]
    assert len(set(colours.values())) == 2
