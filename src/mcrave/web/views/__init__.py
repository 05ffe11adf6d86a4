"""The pages: play, learn, compare, results. Each says what it shows and what it does with a visitor's wish."""
