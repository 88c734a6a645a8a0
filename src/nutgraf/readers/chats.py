"""Chats as JSON, as Slack, Discord, Google Chat, Telegram, Messenger and Element export them."""

from __future__ import annotations

from nutgraf.errors import InputError
from nutgraf.readers._decode import TextReader, decode, is_binary, sample
from nutgraf.readers._exports import EXPORTS, export_of, utterances, value_of
from nutgraf.text.document import Document
from nutgraf.text.turns import written_turns


class Chats(TextReader):
    """One Document with a turn for each message, in the order of their times."""

    suffixes = (".json",)

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize an export by its keys; see `Reader`."""
        return 0.97 if not is_binary(data) and export_of(sample(data)) else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        decoded = decode(data, name)
        export = export_of(decoded.text)
        if export is None:
            programs = ", ".join(one.program for one in EXPORTS)
            raise InputError(
                f"{name} is no chat in JSON that can be read here; those of these programs can: {programs}."
            )
        text, turns = written_turns(utterances(value_of(decoded.text, export, name), export))
        return [Document.of(text, name, turns=turns, language=language, notices=decoded.notices)]
