"""A transcript as a dive writes it: commands, replies, remarks, and what may vary."""

from __future__ import annotations

import pytest

from decoder.errors import TranscriptFault
from decoder.transcripts import block
from decoder.transcripts.block import Exchange

VALKEY, REDIS = "Valkey 9.1.2", "Redis 7.0.15"

WHOLE = """\
> ZADD delayed_queue 1706649000 "task:abc 123"
(integer) 1

# What is due is read
# by its score.
> ZRANGEBYSCORE delayed_queue -inf 1706648500 LIMIT 0 10
(empty array)
$ valkey-cli --eval lua/packed/add_prioritized.lua emq:{orders}:pc emq:{orders}:p , 2 JOB0
"8589934593"
> TIME
#: varies
1) "1780226888"
2) "123456"
> ZADD marks 0x10 a
(error) ERR value is not a valid float
#: on Redis 7
(integer) 1
"""


def one(reply: str, command: str = "> GET k") -> Exchange:
    (exchange,) = block.read(f"{command}\n{reply}\n")
    return exchange


def fault(text: str, first_line: int = 1) -> tuple[int, str]:
    with pytest.raises(TranscriptFault) as caught:
        block.read(text, first_line)
    return caught.value.line, caught.value.sentence


def test_a_whole_transcript_is_read() -> None:
    added, read, called, clock, marks = block.read(WHOLE, 10)
    assert added.words == ["ZADD", "delayed_queue", "1706649000", "task:abc 123"]
    assert added.typed == 'ZADD delayed_queue 1706649000 "task:abc 123"'
    assert (added.prompt, added.remark, added.reply) == ("> ", "", "(integer) 1")
    assert read.remark == "What is due is read by its score."
    assert (called.script, called.keys, called.prompt) == ("packed/add_prioritized", 2, "$ ")
    assert called.words == ["emq:{orders}:pc", "emq:{orders}:p", "2", "JOB0"]
    assert clock.varies
    assert clock.reply == '1) "1780226888"\n2) "123456"'
    assert marks.others == [("Redis 7", "(integer) 1")]
    lines = WHOLE.split("\n")
    for exchange in (added, read, called, clock, marks):
        assert lines[exchange.line - 10] == exchange.prompt + exchange.typed


@pytest.mark.parametrize(
    ("server", "reply"),
    [(VALKEY, "a"), ("Valkey 9.10.0", "a"), ("Redis 7.0.15", "b"), ("Redis 70.1", "a"),
     ("Redis 7", "b"), ("Valkey 8.1.4", "c"), ("Redis 6.2", "a")],
)  # fmt: skip
def test_another_server_has_its_own_reply(server: str, reply: str) -> None:
    exchange = one("a\n#: on Redis 7\nb\n#: on Valkey 8.1\nc")
    assert exchange.expected(server) == reply
    assert exchange.agrees(reply, server)
    assert not exchange.agrees("z", server)


def test_a_reply_must_be_the_recorded_one() -> None:
    exchange = one('1) "a"\n2) "b"')
    assert exchange.agrees('1) "a"\n2) "b"', VALKEY)
    for other in ('1) "b"\n2) "a"', '1) "a"', '1) "a"\n2) "b"\n3) "c"', "(empty array)", ""):
        assert not exchange.agrees(other, VALKEY)


@pytest.mark.parametrize(
    ("recorded", "answered", "agrees"),
    [
        ("(integer) 17", "(integer) 4", True),
        ("(integer) 17", "(nil)", False),
        ("(integer) 17", '"4"', False),
        ('"1780226888"', '"x \\" y"', True),
        ('"a"', "(nil)", False),
        ('1) "1"\n2) "2"', '1) "33"\n2) "4"', True),
        ('1) "1"\n2) "2"', '1) "33"', False),
        ('1) "1"\n2) "2"', '1) "33"\n2) (nil)', False),
        ("OK", "OK", True),
        ("OK", "QUEUED", False),
        ("(error) ERR a", "(error) ERR b", False),
    ],
)
def test_of_a_reply_that_varies_only_the_shape_must_agree(
    recorded: str, answered: str, agrees: bool
) -> None:
    exchange = one(f"#: varies\n{recorded}")
    assert exchange.varies
    assert exchange.agrees(answered, VALKEY) == agrees


def test_an_unordered_reply_may_come_in_any_order_but_nothing_else() -> None:
    exchange = one('#: unordered\n1) "a"\n2) "b"\n3) "b"')
    assert exchange.unordered
    assert exchange.agrees('1) "b"\n2) "a"\n3) "b"', VALKEY)
    for other in ('1) "b"\n2) "a"\n3) "a"', '1) "a"\n2) "b"', '1) "a"\n2) "b"\n3) "c"'):
        assert not exchange.agrees(other, VALKEY)
    long = one("#: unordered\n" + "\n".join([f'{n:>2}) "{n}"' for n in range(1, 11)]))
    assert long.agrees("\n".join([f'{11 - n:>2}) "{n}"' for n in range(10, 0, -1)]), VALKEY)


def test_declarations_may_stand_before_or_after_the_reply() -> None:
    assert one("#: varies\n(integer) 1").varies
    after = one("(integer) 1\n#: varies\n#: unordered")
    assert (after.varies, after.unordered, after.reply) == (True, True, "(integer) 1")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("GET k\n(nil)\n", 1, "“GET k” is no command: begin it with “> ”"),
        ("\n\nGET k\n", 3, "is no command"),
        (">GET k\n(nil)\n", 1, "is no command"),
        ("(nil)\n", 1, "is no command"),
        ("#: varies\n> GET k\n(nil)\n", 1, "is no command"),
        ("> GET k\n", 1, "no reply below this line"),
        ("> GET k\n#: varies\n", 1, "no reply below this line"),
        ("> GET k\n\n> GET k\n(nil)\n", 1, "no reply below this line"),
        ("> GET k\n(nil)\n\n> GET l\n", 4, "no reply below this line"),
        ("> GET k\n(nil)\n#: on Redis 7\n", 3, "no reply below this line"),
        ("> GET k\n(nil)\n\n\n#: vary\n", 5, "“vary” cannot be declared"),
        ("> GET k\n# between\n(nil)\n#: onRedis 7\nx\n", 4, "“onRedis 7” cannot be declared"),
        ("> GET k\n(nil)\n#: on Reddis 7\nx\n", 3, "“on Reddis 7” cannot be declared"),
        ("> GET k\n(nil)\n#: on\nx\n", 3, "“on” cannot be declared"),
        ("> GET k\n(nil)\n# The end.\n", 4, "a remark stands above the command"),
        ("> \n(nil)\n", 1, "no command behind the prompt"),
        ('> GET "k\n(nil)\n', 1, "a quote in this line does not close"),
        ('> GET "k"l\n(nil)\n', 1, "a quote in this line does not close"),
        ("$ ls\nx\n", 1, "only this can be run: valkey-cli --eval"),
        ("$ valkey-cli --eval ../x.lua k\nx\n", 1, "only this can be run"),
        ("$ valkey-cli --eval lua/../x.lua k\nx\n", 1, "only this can be run"),
        ("$ valkey-cli --eval lua/a/b.luak\nx\n", 1, "only this can be run"),
    ],
)
def test_each_fault_is_told_on_its_line(text: str, line: int, says: str) -> None:
    found, sentence = fault(text)
    assert (found, says in sentence) == (line, True), (found, sentence)
    assert fault(text, 101)[0] == line + 100


def test_no_text_at_all_is_a_transcript_without_commands() -> None:
    assert block.read("") == []
    assert block.read("\n \n") == []


def test_a_script_may_have_no_keys_or_no_arguments() -> None:
    assert one("(nil)", "$ valkey-cli --eval lua/a/b.lua").words == []
    keys = one("(nil)", "$ valkey-cli --eval lua/a/b.lua k l")
    assert (keys.words, keys.keys) == (["k", "l"], 2)
    arguments = one("(nil)", "$ valkey-cli --eval lua/a/b.lua , x ,")
    assert (arguments.words, arguments.keys) == (["x", ","], 0)
