"""Templates for conversations: those in use are filled in, and whatever another one does, it ends in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers")

from nutgraf.errors import InputError
from nutgraf.systems._template import around

HEADERS = """{{- bos_token }}
{%- if not date_string is defined %}{% set date_string = strftime_now('%Y') %}{% endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set said = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set said = '' %}
{%- endif %}
{{- '<|header|>system<|end_header|>\n\n' }}{{ 'A year has ' ~ date_string | length ~ ' digits.\n' ~ said ~ '<|eot|>' }}
{%- for one in messages %}
    {{- '<|header|>' + one['role'] + '<|end_header|>\n\n' + one['content'] | trim + '<|eot|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|header|>assistant<|end_header|>\n\n' }}{%- endif %}"""
"""As Llama 3 has them: a block for each role, with a system role that may be empty."""

THINKING = """{%- if tools %}{{- tools | map('tojson') | join('\n') }}{%- endif %}
{%- set ns = namespace(last=true, place=messages | length - 1) %}
{%- for one in messages[::-1] %}
    {%- if ns.last and one.role == 'user' and one.content is string
           and not (one.content.startswith('<tool>') and one.content.endswith('</tool>')) %}
        {%- set ns.last = false %}{%- set ns.place = (messages | length - 1) - loop.index0 %}
    {%- endif %}
{%- endfor %}
{%- for one in messages %}
    {%- if one.role in ['system', 'user'] %}
        {{- '<|start|>' + one.role + '\n' + one.content + '<|end|>' + '\n' }}
    {%- elif one.role == 'assistant' and '</think>' in one.content %}
        {{- one.content.split('</think>')[-1].lstrip('\n') }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start|>assistant\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\n\n</think>\n\n' }}{%- endif %}
{%- endif %}"""
"""As Qwen 3 has them: what was asked last is looked for, and thinking can be switched off."""

TURNS = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('There is no system role') }}{% endif %}
{%- for one in messages %}
    {%- if (one['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles take turns') }}{% endif %}
    {%- set role = 'model' if one['role'] == 'assistant' else one['role'] %}
    {{- '<turn>' + role + '\n' + one['content'] | trim + '<end>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<turn>model\n' }}{% endif %}"""
"""As Gemma has them: no system role, and roles that take turns."""

BRACKETS = """{%- if messages[0].role == 'system' %}
    {%- set first = messages[0].content ~ '\n\n' %}{% set messages = messages[1:] %}
{%- else %}{% set first = '' %}{% endif %}
{{- bos_token }}
{%- for one in messages %}
    {%- if one.role == 'user' %}{{- ' [INST] ' ~ (first if loop.first else '') ~ one.content ~ ' [/INST]' }}
    {%- elif one.role == 'assistant' %}{% generation %}{{- ' ' ~ one.content ~ eos_token }}{% endgeneration %}
    {%- else %}{{- raise_exception('No role ' ~ one.role) }}{%- endif %}
{%- endfor %}"""
"""As Mistral has them: instructions in brackets, the first behind what the system says."""

USERS = "{{ messages[0].content }}"


def tokenizer(template: Any) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(WordLevel({"<s>": 0, "</s>": 1}, unk_token="<s>"))
    made = PreTrainedTokenizerFast(tokenizer_object=words, bos_token="<s>", eos_token="</s>")
    made.chat_template = template
    return made


@pytest.mark.parametrize(
    ("template", "before", "after"),
    [
        (
            HEADERS,
            "<s><|header|>system<|end_header|>\n\nA year has 4 digits.\n<|eot|><|header|>user<|end_header|>\n\n",
            "<|eot|><|header|>assistant<|end_header|>\n\n",
        ),
        (THINKING, "<|start|>user\n", "<|end|>\n<|start|>assistant\n<think>\n\n</think>\n\n"),
        (TURNS, "<s><turn>user\n", "<end>\n<turn>model\n"),
        (BRACKETS, "<s> [INST] ", " [/INST]"),
    ],
)
def test_those_in_use_are_filled_in(template: str, before: str, after: str, tmp_path: Path) -> None:
    assert around(tokenizer(template), tmp_path) == (before, after)


@pytest.mark.parametrize(
    ("template", "error"),
    [
        ("{% for %}", "TemplateSyntaxError"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{% macro f() %}{% for i in [1, 2] %}{{ f() }}{% endfor %}{% endmacro %}{{ f() }}", "RecursionError"),
        ("{% for i in range(10 ** 6) %}{% endfor %}", "OverflowError"),
        ("{{ ''.__class__.__mro__ }}", "SecurityError"),
        (5, "Error"),
    ],
)
def test_whatever_one_does_ends_in_a_sentence(template: Any, error: str, tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").touch()
    with pytest.raises(InputError) as caught:
        around(tokenizer(template), tmp_path)
    assert "chat_template.jinja" in str(caught.value)
    assert error in str(caught.value)


@pytest.mark.parametrize("template", [USERS * 2, "{{ messages[0].content | upper }}", ""])
def test_none_changes_what_the_user_says(template: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="tokenizer_config"):
        around(tokenizer(template), tmp_path)
