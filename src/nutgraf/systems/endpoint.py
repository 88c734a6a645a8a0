"""Language models behind a server as systems: `--system endpoint:URL --model NAME`.

Any server that speaks the chat-completions protocol will do: llama.cpp, vLLM, Ollama, `transformers serve`. None is
called unless it is named. The server writes; windows, lengths, origins and checks are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from nutgraf.errors import InputError, requires
from nutgraf.presets import Preset
from nutgraf.presets.ranges import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt
from nutgraf.runtime.hardware import Compute
from nutgraf.systems._prompt import INSTRUCTION, check_prompt, prompted, with_marks, without_marks, without_thoughts
from nutgraf.systems._windows import Window
from nutgraf.systems._writing import Asked, WritingConfig, WritingSystem, Written
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary

BYTES = 3
"""Bytes of a text for each token, at least, in most languages and tokenizers."""

EACH_WORD = 4
"""Tokens that a word of the summary may take."""

TOKEN = 8
"""Characters of an answer for each token that was asked for, at most, beside `MARGIN`; most tokens have fewer."""

MARGIN = 4096
"""Characters by which an answer may be longer."""


@dataclass(frozen=True)
class Server:
    """A server of language models."""

    url: str = ""
    """Address up to and with /v1; `--system endpoint:URL` sets it."""

    model: str = ""
    """Name of the model, as the server knows it; `--model` sets it."""

    prompt: str = INSTRUCTION
    """Words around the source, which stands in place of {text}; {length} and {highlights} say what is asked for."""

    temperature: NonNegativeFloat = 0.0
    """Above 0, words are drawn at random, the more freely the higher it is."""

    max_tokens: PositiveInt = 1024
    """Longest text that is written of a window, in tokens, where words are not limited."""

    timeout: PositiveFloat = 120.0
    """Seconds that an answer may take."""

    retries: NonNegativeInt = 3
    """Repetitions of a request that failed for want of a connection, or as the server was busy."""

    def __post_init__(self) -> None:
        check_prompt(self.prompt)
        try:
            parts = urlsplit(self.url)
            _ = parts.port
        except ValueError as error:
            raise ValueError(f"the address of a server, {self.url!r}, cannot be read: {error}.") from error
        if self.url and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError(f"the address of a server begins with http:// or https://, not as {self.url!r}.")
        if parts.password or parts.username:
            raise ValueError("an address holds no password; put the key into the variable NUTGRAF_ENDPOINT_KEY.")


@dataclass(frozen=True, kw_only=True)
class Config(WritingConfig):
    """A language model behind a server, which writes."""

    endpoint: Server
    """The server."""


class Endpoint(WritingSystem):
    """A preset with `system = "endpoint"`."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        self._server: Server = preset.config.endpoint
        with requires("endpoint", "A model behind a server needs"):
            from nutgraf.systems._chat import ChatClient

        server = self._server
        self._client = ChatClient(server.url, server.model, server.timeout, server.retries)

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return that no server or model is named, or that somebody else's file names them."""
        server: Server = preset.options("endpoint")
        if not server.url or not server.model:
            lacks = "model" if server.url else "server"
            return (
                f"The preset {preset.name!r} names no {lacks}: write --system endpoint:URL --model NAME, as in "
                "--system endpoint:http://localhost:8080/v1 --model qwen."
            )
        if preset.origin and not preset.trust:
            return f"{preset.origin} would send your documents to {server.url}; --trust lets it."
        return None

    def _computed(self) -> list[str]:
        return [f"model:{self._server.model}"]

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Summarize a document; see `System`."""
        summary = super().summarize(document, budget, steering)
        asked = Asked(document, budget.words_of(document), budget.sentences, steering)
        return replace(summary, prompt=self._prompted("{text}", asked, bool(steering.phrases)))

    def room(self, asked: Asked) -> int:
        """Return no limit: which one the server's model has, `reading.window` says."""
        return 1 << 30

    def count(self, text: str) -> int:
        """Return the greatest number of tokens that a text has in most tokenizers."""
        return -(-len(text.encode()) // BYTES)

    def write(self, window: Window, asked: Asked) -> list[Written]:
        """Return what the server's model writes about a window."""
        places = asked.places(window, asked.steering.phrases)
        most = self._server.max_tokens if asked.words is None else EACH_WORD * asked.words + EACH_WORD * EACH_WORD
        text, complete = self._client.complete(
            self._prompted(with_marks(window.text, places), asked, bool(places)),
            max_tokens=most,
            temperature=self._server.temperature,
            seed=self.preset.seed,
        )
        text = without_thoughts(text)
        if len(text) > TOKEN * most + MARGIN:
            raise InputError(
                f"{self._server.url} answers with {len(text):,} characters, where at most {most:,} tokens were asked "
                "for (max_tokens); an answer as long as that is no summary, and is not read."
            )
        return [Written(without_marks(text), complete)]

    def _prompted(self, text: str, asked: Asked, marked: bool) -> str:
        return prompted(self._server.prompt, text, asked.words, asked.sentences, marked).said
