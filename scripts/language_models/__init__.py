"""Programs for language models: `text_match` plays, `puzzles` writes questions with exact answers."""
