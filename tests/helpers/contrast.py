"""How well one colour stands out from another, as WCAG 2 measures it."""

import numpy as np


def luminance(colour):
    """Of (red, green, blue) below 256."""
    parts = np.array(colour) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    """From 1 to 21; level AA asks for 4.5 between words and what they stand on."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
