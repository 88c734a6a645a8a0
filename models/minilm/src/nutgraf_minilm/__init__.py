"""Networks for nutgraf that began with a MiniLM, one in each folder; nutgraf finds them by the name of this package."""
