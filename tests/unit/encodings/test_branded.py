"""Branded ids: the published vectors, and byte order that is time order."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.encodings import branded
from decoder.encodings.branded import BrandedId
from decoder.errors import NotAnId, OutOfRange

FIRST_MS = 1704067200000
INSTANTS = st.integers(FIRST_MS, FIRST_MS + 2**41 - 1)
NODES = st.integers(0, 1023)
SEQUENCES = st.integers(0, 4095)
SPACES = st.from_regex(r"\A[A-Z]{3}\Z")

# Id, snowflake, mint instant, node and sequence, as EchoMQ published them.
VECTORS = [
    ("USR0KHTOWnGLuC", 274557032793636864, "2026-01-27T15:11:37.641+00:00", None, None),
    ("USR0NgWEfAEJfs", 320636799581945856, "2026-06-03T18:56:10.164+00:00", None, None),
    ("USR0NbWMtkosp8", 319545566822428714, None, 7, 42),
    ("TSK0NcxSaH8oE4", 319859313478729728, "2026-06-01T15:26:43.032+00:00", 0, 0),
    ("LSN0NbD94T0Qtu", 319477870755852290, "2026-05-31T14:11:00.000+00:00", 3, 2),
    ("JOB0Nb1VTbfnu4", 319436884017152000, "2026-05-31T11:28:08.000+00:00", 0, 0),
]


def snowflake(one: BrandedId) -> int:
    return (one.minted_ms - FIRST_MS) << 22 | one.node << 12 | one.sequence


@pytest.mark.parametrize(("text", "number", "instant", "node", "sequence"), VECTORS)
def test_the_published_vectors_are_read(
    text: str, number: int, instant: str | None, node: int | None, sequence: int | None
) -> None:
    one = branded.parse(text)
    assert one.namespace == text[:3]
    assert snowflake(one) == number
    if instant is not None:
        assert (
            datetime.fromtimestamp(one.minted_ms / 1000, UTC).isoformat(timespec="milliseconds")
            == instant
        )
    if node is not None:
        assert (one.node, one.sequence) == (node, sequence)


@pytest.mark.parametrize("text", [vector[0] for vector in VECTORS])
def test_the_published_vectors_are_minted(text: str) -> None:
    one = branded.parse(text)
    assert text == branded.mint(
        one.minted_ms, namespace=one.namespace, node=one.node, sequence=one.sequence
    )


def test_the_example_job_was_minted_at_t0() -> None:
    assert branded.parse("JOB0Nb1VTbfnu4").minted_ms == 1780226888000
    assert branded.mint(1780226888000) == "JOB0Nb1VTbfnu4"


def test_neighbours_a_second_apart_are_those_of_the_facts() -> None:
    minted = [branded.mint(1780226888000 + seconds * 1000) for seconds in range(-2, 3)]
    assert minted == [
        "JOB0Nb1VKRy3l2",
        "JOB0Nb1VP1ovpY",
        "JOB0Nb1VTbfnu4",
        "JOB0Nb1VYBWfya",
        "JOB0Nb1VclNY36",
    ]
    assert minted == sorted(minted, key=str.encode)


@given(ms=INSTANTS, space=SPACES, node=NODES, sequence=SEQUENCES)
def test_parsing_gives_back_what_was_minted(ms: int, space: str, node: int, sequence: int) -> None:
    text = branded.mint(ms, namespace=space, node=node, sequence=sequence)
    assert len(text.encode()) == 14
    assert branded.parse(text) == BrandedId(space, ms, node, sequence)


@given(
    one=st.tuples(INSTANTS, NODES, SEQUENCES),
    other=st.tuples(INSTANTS, NODES, SEQUENCES),
)
def test_byte_order_is_time_order(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    first, second = (branded.mint(ms, node=node, sequence=n) for ms, node, n in (one, other))
    assert (first.encode() < second.encode()) == (one < other)


def test_the_alphabet_is_in_the_order_of_its_bytes() -> None:
    assert len(set(branded.ALPHABET)) == 62
    assert list(branded.ALPHABET) == sorted(branded.ALPHABET, key=str.encode)


def test_the_largest_body_is_the_one_of_the_facts() -> None:
    last = branded.mint(FIRST_MS + 2**41 - 1, node=1023, sequence=4095)
    assert last == "JOBAzL8n0Y58m7"
    assert snowflake(branded.parse(last)) == 2**63 - 1


def test_a_body_past_63_bits_is_refused() -> None:
    for text in ("JOBAzL8n0Y58m8", "JOBzzzzzzzzzzz"):
        with pytest.raises(NotAnId, match="63 bits"):
            branded.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "JOB",
        "JOB0Nb1VTbfnu",
        "JOB0Nb1VTbfnu44",
        "job0Nb1VTbfnu4",
        "JO10Nb1VTbfnu4",
        "JOB0Nb1VTbfn-4",
        "JOB0Nb1VTbfnu4\n",
        " JOB0Nb1VTbfnu4",
        "JOB0Nb1VTbfnué",
        "ÄOB0Nb1VTbfnu4",
        "JOB0Nb1VTbfnu٤",
        "\x00" * 14,
        "JOB" + "0" * 10_000,
    ],
)
def test_what_has_not_the_shape_is_no_id(text: str) -> None:
    with pytest.raises(NotAnId) as caught:
        branded.parse(text)
    assert len(caught.value.sentence) < 200


@given(text=st.text(max_size=20) | st.from_regex(r"\A[A-Z]{3}[0-9A-Za-z]{11}\Z"))
def test_any_text_is_the_id_that_it_reads_as_or_no_id(text: str) -> None:
    try:
        one = branded.parse(text)
    except NotAnId:
        return
    assert text == branded.mint(
        one.minted_ms, namespace=one.namespace, node=one.node, sequence=one.sequence
    )


@pytest.mark.parametrize(
    ("ms", "node", "sequence", "limit"),
    [
        (FIRST_MS - 1, 0, 0, 2**41 - 1),
        (FIRST_MS + 2**41, 0, 0, 2**41 - 1),
        (FIRST_MS, 1024, 0, 1023),
        (FIRST_MS, -1, 0, 1023),
        (FIRST_MS, 0, 4096, 4095),
    ],
)
def test_a_field_with_too_few_bits_is_refused_with_its_limit(
    ms: int, node: int, sequence: int, limit: int
) -> None:
    with pytest.raises(OutOfRange) as caught:
        branded.mint(ms, node=node, sequence=sequence)
    assert caught.value.limit == limit


@given(ms=st.integers(FIRST_MS, FIRST_MS + 2**41 - 2))
def test_a_stem_makes_62_ids_of_its_instant_in_the_order_of_their_digits(ms: int) -> None:
    stem = branded.mint_stem(ms)
    ids = [stem + digit for digit in branded.ALPHABET]
    read = [branded.parse(text) for text in ids]
    assert {one.minted_ms for one in read} == {ms}
    assert {one.node for one in read} == {0}
    assert [one.sequence for one in read] == list(range(read[0].sequence, read[0].sequence + 62))
    assert ids == sorted(ids, key=str.encode)


def test_the_neighbours_of_the_example_job_are_those_of_the_facts() -> None:
    assert branded.neighbours("JOB0Nb1VTbfnu4") == ("JOB0Nb1VP1ovpY", "JOB0Nb1VYBWfya")
    assert branded.neighbours("JOB0Nb1VTbfnu4", 2000) == ("JOB0Nb1VKRy3l2", "JOB0Nb1VclNY36")


@given(
    ms=st.integers(FIRST_MS + 5000, FIRST_MS + 2**41 - 5001),
    space=SPACES,
    node=NODES,
    sequence=SEQUENCES,
    apart_ms=st.integers(1, 5000),
)
def test_neighbours_stand_on_either_side_so_many_milliseconds_away(
    ms: int, space: str, node: int, sequence: int, apart_ms: int
) -> None:
    text = branded.mint(ms, namespace=space, node=node, sequence=sequence)
    before, after = branded.neighbours(text, apart_ms)
    assert before.encode() < text.encode() < after.encode()
    for neighbour, way in ((before, -1), (after, 1)):
        one = branded.parse(neighbour)
        assert (one.namespace, one.node) == (space, node)
        assert one.minted_ms == ms + way * apart_ms


@pytest.mark.parametrize("ms", [FIRST_MS, FIRST_MS + 2**41 - 1])
def test_an_id_at_the_end_of_the_41_bits_has_no_neighbour_beyond(ms: int) -> None:
    with pytest.raises(OutOfRange):
        branded.neighbours(branded.mint(ms))


def test_what_is_no_id_has_no_neighbours() -> None:
    with pytest.raises(NotAnId):
        branded.neighbours("task:abc123")


@pytest.mark.parametrize("ms", [FIRST_MS - 1, FIRST_MS + 2**41, 0])
def test_an_instant_outside_the_41_bits_has_no_stem(ms: int) -> None:
    with pytest.raises(OutOfRange, match="mint time"):
        branded.mint_stem(ms)
