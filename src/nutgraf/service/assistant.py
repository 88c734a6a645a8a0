"""The tools of the service for assistants, by the Model Context Protocol on stdin and stdout.

The protocol's own SDK speaks it; the work is that of the engine, with the same limits.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from nutgraf.errors import NutgrafError
from nutgraf.runtime.workers import Pieces
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.limits import Limits
from nutgraf.service.lines import Lines
from nutgraf.service.presenting import as_message, dumped, found_json
from nutgraf.service.progress import Progress
from nutgraf.service.requests import (
    DEFAULT_SYSTEM,
    Finding,
    FindRequest,
    PhrasesRequest,
    Scored,
    ScoreRequest,
    SummaryRequest,
    Text,
)
from nutgraf.service.schemas import Listed, Name
from nutgraf.systems import System
from nutgraf.text.divisions import By
from nutgraf.text.outline import Made
from nutgraf.text.request import Request
from nutgraf.version import __version__

INSTRUCTIONS = """
Summaries that copy sentences say where each of them stands. Cite them by the titles and characters in `citations`.
"""


class Tools:
    """The tools; their docstrings and arguments are what an assistant reads about them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def summarize(
        self,
        documents: Listed[str],
        context: Context,
        titles: Listed[Name] | None = None,
        words: int | None = None,
        sentences: int | None = None,
        share: Name | None = None,
        highlights: Listed[str] | None = None,
        query: str = "",
        system: Name = DEFAULT_SYSTEM,
        language: Name | None = None,
        whole_sentences: bool = False,
        edit: bool = False,
        prose: bool = True,
        by: By | None = None,
        depth: int | None = None,
    ) -> dict[str, Any]:
        """Summarize one or several texts as one input, with the origin of every sentence.

        Give at most one length: words, sentences, or a share of the input such as "1/8". Highlights are phrases to see
        more of, as "phrase" or "phrase:weight". The query is a question that the summary should answer. Titles name the
        documents, in their order. With whole_sentences no "However," is left out at the beginning of a sentence. With
        edit, pieces of sentences that grammar lets go are left out, such as asides and relative clauses.
        Headings, captions, notices and the like are left out unless prose is false. With by, each section, speaker,
        message, document or page has sentences of its own, in an outline; depth is its deepest level.
        """
        with _told():
            request = SummaryRequest(
                _texts(documents, titles),
                system,
                Request.of(
                    words=words,
                    sentences=sentences,
                    share=share,
                    highlights=highlights,
                    query=query,
                    language=language,
                    whole_sentences=whole_sentences,
                    edit=edit,
                    prose=prose,
                    by=by,
                    depth=depth,
                ),
            )
            await self._engine.ready()
            return _read(await self._engine.summarize(request, _message, progress=_listener(context)))

    async def minutes(
        self,
        documents: Listed[str],
        context: Context,
        titles: Listed[Name] | None = None,
        language: Name | None = None,
    ) -> dict[str, Any]:
        """Find the decisions, the actions (who, what, by when) and the open questions of a meeting.

        A document is a transcript, a chat, or minutes that somebody wrote. Every item is a sentence as it was said,
        with its speaker, its time and its origins; a list is empty where nothing was found.
        """
        return await self._find(context, "minutes", _texts(documents, titles), language)

    async def agreement(
        self,
        documents: Listed[str],
        context: Context,
        titles: Listed[Name] | None = None,
        language: Name | None = None,
    ) -> dict[str, Any]:
        """Compare two or more texts: what several say, what only one says, where numbers and dates may differ."""
        return await self._find(context, "agreement", _texts(documents, titles), language)

    async def changes(self, old: str, new: str, context: Context, language: Name | None = None) -> dict[str, Any]:
        """Find what changed between two versions of a text, sentence by sentence: added, dropped, moved, changed."""
        return await self._find(context, "changes", (Text(old), Text(new)), language)

    async def answer(
        self,
        question: str,
        documents: Listed[str],
        context: Context,
        titles: Listed[Name] | None = None,
        language: Name | None = None,
    ) -> dict[str, Any]:
        """Answer a question with a sentence of the texts; `answered` is false where none of them seems to answer it."""
        return await self._find(context, "answer", _texts(documents, titles), language, question)

    async def _find(
        self, context: Context, kind: Finding, documents: tuple[Text, ...], language: str | None, question: str = ""
    ) -> dict[str, Any]:
        with _told():
            request = FindRequest(kind, documents, question, language)
            await self._engine.ready()
            return _read(await self._engine.find(request, found_json, progress=_listener(context)))

    async def phrases(
        self, documents: Listed[str], context: Context, top: int = 10, language: Name | None = None
    ) -> dict[str, Any]:
        """Find the key phrases of one or several texts, with all places where they stand."""
        with _told():
            request = PhrasesRequest(tuple(map(Text, documents)), top=top, language=language)
            await self._engine.ready()
            return _read(await self._engine.phrases(request, dumped, progress=_listener(context)))

    async def score(
        self,
        summary: str,
        context: Context,
        references: Listed[str] | None = None,
        source: str | None = None,
        metrics: Listed[Name] | None = None,
    ) -> dict[str, Any]:
        """Score a summary against summaries that people wrote, or against its source.

        Metrics are rouge, which needs references, and others, such as novelty and coherence, which need the source.
        """
        with _told():
            example = Scored(summary, tuple(references or ()), source)
            request = ScoreRequest((example,), tuple(metrics or ("rouge",)))
            await self._engine.ready()
            return _read(await self._engine.score(request, dumped, progress=_listener(context)))


class Assistant(MCPServer[Any]):
    """A server whose clients also hear of lines that are no message."""

    async def serve_lines(self, lines: Lines) -> None:
        """Serve lines, with answers on stdout, until they end."""
        async with stdio_server(stdin=lines) as (read, write):  # type: ignore[arg-type]
            lines.begin(lambda error: write.send(SessionMessage(error)))
            await self._lowlevel_server.run(read, write, self._lowlevel_server.create_initialization_options())


def assistant(engine: Engine) -> Assistant:
    """Return a server with the tools."""

    @asynccontextmanager
    async def life(server: MCPServer[Any]) -> AsyncIterator[None]:
        async with engine:
            yield

    server = Assistant(
        "nutgraf", instructions=INSTRUCTIONS.strip(), version=__version__, log_level="WARNING", lifespan=life
    )
    tools = Tools(engine)
    for tool in (
        tools.summarize,
        tools.minutes,
        tools.answer,
        tools.agreement,
        tools.changes,
        tools.phrases,
        tools.score,
    ):
        server.add_tool(tool)
    return server


def serve_assistant(
    folders: Mapping[str, str], workers: int | None, limits: Limits, device: str, fetch: bool = False
) -> None:
    """Serve an assistant on stdin and stdout until stdin ends.

    Args:
        folders: Model folders by the names that requests use.
        workers: Number of worker processes; None for one per core.
        limits: Limits of a request and of the queue.
        device: Device of networks.
        fetch: Fetch the page where a document is nothing but a web address.
    """
    server = assistant(Engine(folders, workers, limits, device, fetch))

    async def serve() -> None:
        await server.serve_lines(Lines.of_stdin(limits.bytes))

    asyncio.run(serve())


@contextmanager
def _told() -> Iterator[None]:
    """Tell an assistant the sentence of an error, so that it can do better."""
    try:
        yield
    except NutgrafError as error:
        raise ToolError(str(error)) from None


def _texts(documents: list[str], titles: list[str] | None) -> tuple[Text, ...]:
    names = [*(titles or []), *[""] * len(documents)]
    return tuple(Text(text, name) for text, name in zip(documents, names, strict=False))


def _message(summary: Made, system: System) -> bytes:
    made = as_message(summary)
    return dumped(
        {
            "text": "".join(made["parts"]),
            "citations": made["citations"],
            "notices": made["summary"]["notices"],
            "system": made["summary"]["signature"],
        }
    )


def _read(answer: bytes | Pieces) -> dict[str, Any]:
    """Return the values of an answer, which a worker process has limited."""
    found: dict[str, Any] = json.loads(bytes(answer))
    return found


def _listener(context: Context) -> Listener:
    """Return what tells the assistant of the progress; tasks are kept until they end."""
    loop, telling = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def heard(progress: Progress) -> None:
        task = loop.create_task(context.report_progress(progress.share, 1.0, progress.stage))
        telling.add(task)
        task.add_done_callback(telling.discard)

    return heard
