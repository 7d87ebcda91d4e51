"""A run in the browser, while it is live and after: a page on this machine alone, that reads and never writes.

`server` answers, `api` says what, `page` holds the page itself. Every answer under `/api/` is the twin that a reading
verb prints under `--json`, made by the same function of `selfplay.views`.
"""
