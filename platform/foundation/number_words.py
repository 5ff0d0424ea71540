"""A number as people read it in a sentence."""

from decimal import Decimal

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALL = Decimal("0.0001")  # below it zeros have to be counted


def number_in_words(value: float) -> str:
    """'16,384', '0.001', '10⁻⁸', '5 × 10⁻⁵': all digits, with commas; a power of ten where it is very small."""
    exact = Decimal(repr(value))
    if exact == 0 or abs(exact) >= SMALL:
        whole = exact == exact.to_integral_value()
        return f"{exact.to_integral_value() if whole else exact.normalize():,f}"
    power = exact.adjusted()
    digits = exact.scaleb(-power).normalize()
    ten = f"10{str(power).translate(SUPERSCRIPTS)}"
    return ten if digits == 1 else f"{digits:f} × {ten}"
