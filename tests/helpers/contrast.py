"""Contrast of colours by the definition of WCAG 2."""

import numpy as np


def luminance(colour):
    """Return the relative luminance of a colour (red, green, blue), each 0..255."""
    parts = np.array(colour) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    """Return the contrast ratio of two colours, 1 to 21; level AA requires 4.5 between text and background."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
