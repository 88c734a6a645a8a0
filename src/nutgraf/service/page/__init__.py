"""The page of the service: a form, and the summary beside its sources. It is of use without JavaScript, too."""

from nutgraf.service.page.router import page_router

__all__ = ["page_router"]
