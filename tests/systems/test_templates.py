"""Templates for conversations: those in use are filled in, and one that cannot be ends in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("transformers")

from transformers.utils.chat_template_utils import render_jinja_template

from nutgraf.errors import InputError
from nutgraf.systems._prompt import around

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

SYSTEM, USER = {"role": "system", "content": " Be brief. "}, {"role": "user", "content": "Say it."}

USERS = "{{ messages[0].content }}"


TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


class Tokenizer:
    """What `around` needs of one."""

    def __init__(self, template: Any) -> None:
        self._template = template

    def apply_chat_template(self, messages: list[dict[str, str]], tokenize: bool, **options: Any) -> str:
        (found,), _ = render_jinja_template([messages], chat_template=self._template, **options, **TOKENS)
        return str(found)


def rendered(template: str, *messages: dict[str, str]) -> str:
    return Tokenizer(template).apply_chat_template(
        list(messages), False, add_generation_prompt=True, enable_thinking=False
    )


class TestTemplatesInUse:
    @pytest.mark.parametrize(
        ("template", "without", "with_"),
        [
            (
                HEADERS,
                "<s><|header|>system<|end_header|>\n\nA year has 4 digits.\n<|eot|><|header|>user<|end_header|>\n\n"
                "Say it.<|eot|><|header|>assistant<|end_header|>\n\n",
                "<s><|header|>system<|end_header|>\n\nA year has 4 digits.\nBe brief.<|eot|><|header|>user"
                "<|end_header|>\n\nSay it.<|eot|><|header|>assistant<|end_header|>\n\n",
            ),
            (
                THINKING,
                "<|start|>user\nSay it.<|end|>\n<|start|>assistant\n<think>\n\n</think>\n\n",
                "<|start|>system\n Be brief. <|end|>\n<|start|>user\nSay it.<|end|>\n<|start|>assistant\n<think>\n\n"
                "</think>\n\n",
            ),
            (BRACKETS, "<s> [INST] Say it. [/INST]", "<s> [INST]  Be brief. \n\nSay it. [/INST]"),
        ],
    )
    def test_are_filled_in_with_and_without_a_system_role(self, template, without, with_):
        assert rendered(template, USER) == without
        assert rendered(template, SYSTEM, USER) == with_

    def test_what_stands_around_a_text(self, tmp_path):
        assert around(Tokenizer(BRACKETS), tmp_path) == ("<s> [INST] ", " [/INST]")
        assert around(Tokenizer(TURNS), tmp_path) == ("<s><turn>user\n", "<end>\n<turn>model\n")


@pytest.mark.parametrize(
    "template",
    [
        "{% for %}",
        "{{ 1 / 0 }}",
        "{% macro f() %}{% for i in [1, 2] %}{{ f() }}{% endfor %}{% endmacro %}{{ f() }}",
        "{% for i in range(10 ** 6) %}{% endfor %}",
        "{{ ''.__class__.__mro__ }}",
        "{{ raise_exception('There is no user') }}",
        5,
        USERS * 2,
        "{{ messages[0].content | upper }}",
    ],
)
def test_one_that_cannot_be_filled_in_or_changes_what_the_user_says_is_refused(tmp_path, template):
    (tmp_path / "chat_template.jinja").touch()
    with pytest.raises(InputError, match=r"chat_template\.jinja"):
        around(Tokenizer(template), tmp_path)
