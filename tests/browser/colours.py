"""Colours as eyes see them: contrast, colour blindness, and the distance between two."""

from __future__ import annotations

import math

Rgb = tuple[float, float, float]
Matrix = tuple[Rgb, Rgb, Rgb]

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SIGHT: dict[str, Matrix] = {
    "full colour vision": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

# sRGB to CIE XYZ, divided by the white point D65.
_XYZ: Matrix = (
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)


def linear(text: str) -> Rgb:
    """Read #rrggbb into linear RGB, each part 0 to 1."""
    parts = [int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def seen(colour: Rgb, sight: Matrix) -> Rgb:
    """Return the linear RGB that shows full colour vision what another sight makes of a colour."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(sight, colour))
    return red, green, blue


def lab(colour: Rgb) -> Rgb:
    """Return CIE L*a*b* under D65."""
    x, y, z = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in _times(_XYZ, colour)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: Rgb, other: Rgb) -> float:
    """Return CIEDE2000 between two L*a*b* colours (Sharma, Wu and Dalal 2005)."""
    light_1, a_1, b_1 = one
    light_2, a_2, b_2 = other
    mean_c7 = ((math.hypot(a_1, b_1) + math.hypot(a_2, b_2)) / 2) ** 7
    stretch = 1.5 - 0.5 * math.sqrt(mean_c7 / (mean_c7 + 25**7))
    a_1, a_2 = a_1 * stretch, a_2 * stretch
    c_1, c_2 = math.hypot(a_1, b_1), math.hypot(a_2, b_2)
    h_1, h_2 = math.degrees(math.atan2(b_1, a_1)) % 360, math.degrees(math.atan2(b_2, a_2)) % 360
    turn = (h_2 - h_1 + 180) % 360 - 180 if c_1 * c_2 else 0.0
    d_h = 2 * math.sqrt(c_1 * c_2) * math.sin(math.radians(turn) / 2)
    light, c = (light_1 + light_2) / 2, (c_1 + c_2) / 2
    h = (h_1 + turn / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(h - 30))
        + 0.24 * math.cos(math.radians(2 * h))
        + 0.32 * math.cos(math.radians(3 * h + 6))
        - 0.20 * math.cos(math.radians(4 * h - 63))
    )
    s_l = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c, 1 + 0.015 * c * t
    twist = -2 * math.sqrt(c**7 / (c**7 + 25**7))
    twist *= math.sin(math.radians(60 * math.exp(-(((h - 275) / 25) ** 2))))
    lights, chromas, hues = (light_2 - light_1) / s_l, (c_2 - c_1) / s_c, d_h / s_h
    return math.sqrt(lights**2 + chromas**2 + hues**2 + twist * chromas * hues)


def contrast(one: Rgb, other: Rgb) -> float:
    """Return WCAG's contrast ratio, 1 to 21, of two linear RGB colours."""
    dark, bright = sorted(_times(_XYZ, colour)[1] for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def _times(matrix: Matrix, colour: Rgb) -> Rgb:
    first, second, third = (
        sum(weight * part for weight, part in zip(row, colour, strict=True)) for row in matrix
    )
    return first, second, third
