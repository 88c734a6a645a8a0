"""A deprecated function works, and tells its caller what to use instead."""

import warnings

from nutgraf.deprecation import deprecated


@deprecated(since="0.3.0", removed_in="0.5.0", instead="triple")
def double(number: int) -> int:
    """Return twice the number."""
    return 2 * number


def test_it_warns_at_the_line_of_the_caller():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert double(3) == 6
    (warning,) = caught
    assert warning.category is DeprecationWarning
    assert warning.filename == __file__
    assert str(warning.message) == (
        "double is deprecated since nutgraf 0.3.0 and will be removed in 0.5.0; use triple instead."
    )


def test_it_keeps_its_name_and_docstring():
    assert double.__name__ == "double"
    assert double.__doc__ == "Return twice the number."
