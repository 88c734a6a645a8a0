"""A command that refuses empty values, and says which option was given more than once, or with its opposite."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand, TyperOption

from nutgraf.cli._say import notice


class Command(TyperCommand):
    """A command whose arguments are looked at once more after typer has parsed them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments.

        Raises:
            typer.BadParameter: If one of them is empty.
        """
        typed = {*args}
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        rest = super().parse_args(ctx, args)
        parameters: list[Any] = list(self.params)
        for parameter in parameters:
            value = ctx.params.get(parameter.name)
            if "" in (value if isinstance(value, list | tuple) else [value]):
                said = "it is empty; if a variable of the shell stands there, it may not be set"
                raise typer.BadParameter(said, ctx=ctx, param=parameter)
        single = [one for one in given if isinstance(one, TyperOption) and not one.multiple and not one.is_flag]
        repeated = [option.opts[-1] for option, times in Counter(single).items() if times > 1]
        contrary = [
            f"{one.opts[-1]} and {one.secondary_opts[-1]} were given; the last one counts."
            for one in dict.fromkeys(given)
            if isinstance(one, TyperOption) and typed.intersection(one.opts) and typed.intersection(one.secondary_opts)
        ]
        quiet = bool(ctx.params.get("quiet"))
        notice([*(f"{name} was given more than once; the last value counts." for name in repeated), *contrary], quiet)
        return rest
