"""The page: play in the browser, see an engine think, learn how it does, compare two of them, look at results.

A thread for each tab draws HTML and SVG in Python and sends what changed over a websocket; the browser's part is one
small script without a build. `server.py` is the door, `session.py` a tab, `views/` the pages, `boards.py` and
`drawing.py` the boards of all games, `limits.py` and `security.py` what a visitor may do.
"""
