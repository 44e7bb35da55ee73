"""Lines, steps and jumps, shared by the oracles of games on points."""

DIRECTIONS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # north, north-east, ...


def lines_of(text):
    """Parse lines of points in the notation of the pages: "0 1 2, 3 4 5"."""
    return [[int(point) for point in line.split()] for line in text.split(",")]


def steps_and_jumps(places, lines):
    """Return the steps {(from, direction): to} and jumps {(from, direction): (over, to)} along lines."""
    steps, jumps = {}, {}
    for line in lines:
        for way in (line, line[::-1]):
            for i, start in enumerate(way[:-1]):
                (row, column), (to_row, to_column) = places[start], places[way[i + 1]]
                towards = tuple((b > a) - (b < a) for a, b in ((row, to_row), (column, to_column)))
                direction = DIRECTIONS.index(towards)
                steps[start, direction] = way[i + 1]
                if i + 2 < len(way):
                    jumps[start, direction] = (way[i + 1], way[i + 2])
    return steps, jumps


def forty_nine():
    """Return the places and lines of the board of 49 points."""
    rows = (
        (2, 4, 6), (3, 4, 5), (0, 2, 3, 4, 5, 6, 8), (1, 2, 3, 4, 5, 6, 7), tuple(range(9)),
        (1, 2, 3, 4, 5, 6, 7), (0, 2, 3, 4, 5, 6, 8), (3, 4, 5), (2, 4, 6),
    )  # fmt: skip
    places = [(row, column) for row, columns in enumerate(rows) for column in columns]
    lines = lines_of(
        "0 1 2, 3 4 5, 7 8 9 10 11, 14 15 16 17 18, 20 21 22 23 24 25 26 27 28, 30 31 32 33 34, 37 38 39 40 41,"
        "43 44 45, 46 47 48, 6 20 36, 13 21 29, 7 14 22 30 37, 8 15 23 31 38, 1 4 9 16 24 32 39 44 47, 10 17 25 33 40,"
        "11 18 26 34 41, 19 27 35, 12 28 42, 0 3 9 17 26 35 42, 7 15 24 33 41, 6 13 22 31 39 45 48, 2 5 9 15 22 29 36,"
        "11 17 24 31 37, 12 19 26 33 39 43 46"
    )
    return places, lines
