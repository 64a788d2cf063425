"""Nothing is kept in the browser, and nothing is fetched from anyone else."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser import figure
from tests.support.program import Program


def test_a_visit_leaves_no_cookie_and_no_storage(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    figure.tier(quiet).press("ArrowRight")
    figure.expect_place(quiet, 3, 17, 7, 10)
    figure.button(quiet, "Serve next").click()
    expect(figure.job_rows(quiet)).to_have_count(9)
    quiet.go_back()
    expect(figure.job_rows(quiet)).to_have_count(10)
    assert quiet.context.cookies() == []
    left = quiet.evaluate(
        """async () => ({
          cookie: document.cookie, local: localStorage.length, session: sessionStorage.length,
          databases: (await indexedDB.databases()).length,
          workers: (await navigator.serviceWorker?.getRegistrations() ?? []).length,
        })"""
    )
    assert left == {"cookie": "", "local": 0, "session": 0, "databases": 0, "workers": 0}


def test_every_request_goes_to_the_site_itself(quiet: Page, site: Program) -> None:
    hosts: set[str] = set()
    quiet.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    figure.open_home(quiet, site)
    figure.button(quiet, "Add another job").click()
    expect(figure.job_rows(quiet)).to_have_count(11)
    quiet.wait_for_load_state("networkidle")
    assert hosts == {urlsplit(site.address).netloc}


def test_the_page_holds_no_script_or_style_of_its_own(quiet: Page, site: Program) -> None:
    figure.open_home(quiet, site)
    expect(quiet.locator("script:not([src]), style")).to_have_count(0)
    answer = quiet.goto(site.address + "/")
    assert answer
    assert " style=" not in answer.text()
    assert " onclick=" not in answer.text()
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
