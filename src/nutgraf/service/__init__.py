"""`nutgraf serve`: summaries over HTTP, made in processes that can be killed."""
