"""Settings: read from DECODER_* variables; an unknown name or a bad value is an error in words."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from decoder.errors import SettingsError
from decoder.settings import Settings, documented, files

FIELDS = dataclasses.fields(Settings)
NUMBERS = [one for one in FIELDS if one.type == "int"]
SWITCHES = [one for one in FIELDS if one.type == "bool"]
PACKAGE = Path(__file__).parents[2] / "decoder"


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({}) == Settings()


def test_variables_of_others_are_left_alone() -> None:
    assert Settings.from_environment({"PATH": "/bin", "XDECODER_HTTPS": "1"}) == Settings()


@pytest.mark.parametrize("setting", FIELDS, ids=lambda one: one.name)
def test_every_setting_is_read_from_its_variable(setting: dataclasses.Field[object]) -> None:
    texts = {"int": "12345", "bool": "yes", "str": "something"}
    values = {"int": 12345, "bool": True, "str": "something"}
    kind = str(setting.type)
    read = Settings.from_environment({f"DECODER_{setting.name.upper()}": texts[kind]})
    assert getattr(read, setting.name) == values[kind]
    assert dataclasses.replace(read, **{setting.name: setting.default}) == Settings()


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("DECODER_VALKY_URL", "DECODER_VALKEY_URL"),
        ("DECODER_WORKER", "DECODER_WORKERS"),
        ("DECODER_SECRETS", "DECODER_SECRET"),
    ],
)
def test_a_misspelled_name_is_an_error_that_names_the_right_one(wrong: str, meant: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({wrong: "1"})
    assert wrong in caught.value.sentence
    assert meant in caught.value.sentence


def test_a_name_like_no_other_is_an_error_all_the_same() -> None:
    with pytest.raises(SettingsError, match="DECODER_QQQQQQ is not a setting"):
        Settings.from_environment({"DECODER_QQQQQQ": ""})


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda one: one.name)
@pytest.mark.parametrize("text", ["", "many", "1.5", "0x10", "1e3", "nan"])
def test_what_is_no_whole_number_is_an_error_that_repeats_it(
    setting: dataclasses.Field[object], text: str
) -> None:
    variable = f"DECODER_{setting.name.upper()}"
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({variable: text})
    assert variable in caught.value.sentence
    assert repr(text) in caught.value.sentence


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda one: one.name)
def test_a_number_below_the_least_is_an_error_that_names_the_least(
    setting: dataclasses.Field[object],
) -> None:
    least = setting.metadata["at_least"]
    assert least is not None, "a number without a least value"
    variable = f"DECODER_{setting.name.upper()}"
    assert getattr(Settings.from_environment({variable: str(least)}), setting.name) == least
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({variable: str(least - 1)})
    assert str(least) in caught.value.sentence
    assert caught.value.limit == least


@pytest.mark.parametrize(
    ("text", "on"),
    [
        *[(text, True) for text in ("1", "true", "TRUE", "yes", "on")],
        *[(text, False) for text in ("0", "false", "no", "off", "")],
    ],
)
def test_a_switch_is_read_in_several_words(text: str, on: bool) -> None:
    for setting in SWITCHES:
        read = Settings.from_environment({f"DECODER_{setting.name.upper()}": text})
        assert getattr(read, setting.name) is on


def test_a_switch_with_another_word_is_an_error() -> None:
    for setting in SWITCHES:
        with pytest.raises(SettingsError):
            Settings.from_environment({f"DECODER_{setting.name.upper()}": "perhaps"})


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().workers = 5  # type: ignore[misc]


def test_every_setting_is_documented_with_its_default() -> None:
    rows = documented()
    assert [row[0] for row in rows] == [f"DECODER_{one.name.upper()}" for one in FIELDS]
    assert [row[1] for row in rows] == [str(one.default) for one in FIELDS]
    assert all(says.strip() for _, _, says in rows)


@pytest.mark.parametrize("setting", FIELDS, ids=lambda one: one.name)
def test_every_setting_is_used_by_the_code(setting: dataclasses.Field[object]) -> None:
    texts = [path.read_text() for path in PACKAGE.rglob("*.py") if path.name != "settings.py"]
    assert any(re.search(rf"settings\.{setting.name}\b", text) for text in texts)


@pytest.mark.parametrize("name", ["templates", "static", "lua", "content"])
def test_the_files_of_a_checkout_are_found(name: str) -> None:
    assert files(name).is_dir()
    assert any(files(name).rglob("*.*"))
