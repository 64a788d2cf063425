"""A consumer of oEmbed, as other sites use one, reads ours over the network."""

from __future__ import annotations

from pathlib import Path

import lxml.html
import micawber
import pytest

from tests.support.program import Program


def test_a_consumer_finds_the_frame_of_a_page_and_of_its_state(tmp_path: Path) -> None:
    with Program(tmp_path) as site:
        registry = micawber.ProviderRegistry()
        provider = micawber.Provider(f"{site.address}/oembed", timeout=10.0)
        registry.register(f"{site.address}/.*", provider)
        page = f"{site.address}/figures/composite?tier=3&arrival=17"
        answer = registry.request(page, maxwidth=500)
        assert answer["type"] == "rich"
        (frame,) = lxml.html.fragments_fromstring(answer["html"])
        assert frame.get("src") == f"{site.address}/embed/composite?tier=3&arrival=17"
        assert (frame.get("width"), answer["width"]) == ("500", 500)
        text = micawber.parse_text(page, registry)
        assert '<iframe src="' in text
        with pytest.raises(micawber.exceptions.ProviderException):
            registry.request(f"{site.address}/glossary")
