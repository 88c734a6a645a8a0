"""A service with tokens: the browser asks for a password, which is a token."""

from __future__ import annotations

from typing import Any

TOKEN = "a-token-that-nobody-guesses"


def test_a_browser_opens_the_page_with_a_token_as_the_password(browser: Any, served: Any) -> None:
    with served(TOKEN) as address:
        stranger = browser.new_context(http_credentials={"username": "", "password": "a-token-of-another-service"})
        assert stranger.new_page().goto(address).status == 401
        reader = browser.new_context(http_credentials={"username": "reader", "password": TOKEN})
        page = reader.new_page()
        assert page.goto(address).status == 200
        page.fill("textarea[name=text]", "The ferry leaves at noon. The keeper counts the passengers.")
        page.click(".primary")
        page.wait_for_selector(".summary .sentence", timeout=60_000)
        with page.expect_download() as download:
            page.click('button[name="format"][value="markdown"]')
        assert download.value.suggested_filename == "summary.md"
        stranger.close()
        reader.close()
