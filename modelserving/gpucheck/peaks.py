"""What chips can do at most: bfloat16 products with float32 sums, without sparsity, by their makers' data sheets."""

PEAKS = {  # a part of the device's name, lower case: teraflops a second; the longest name that fits counts
    "h20": 148, "h100 pcie": 756, "h100 nvl": 835, "h100": 989, "h200": 989, "h200 nvl": 835, "h800": 989,
    "gh200": 989, "b200": 2250, "gb200": 2500, "b100": 1750, "a100": 312, "a800": 312, "a30": 165, "a40": 149.7,
    "a10": 125, "a10g": 70, "l4": 121, "l40": 181, "l40s": 362, "rtx a6000": 154.8, "rtx 6000 ada": 364.2,
    "rtx 3090": 71, "rtx 4090": 165.2, "rtx 5090": 209.5,
}  # fmt: skip


def peak_of(device_name: str) -> float | None:
    """Floating-point operations a second; None of a chip that is not in the table."""
    words = f" {' '.join(device_name.lower().replace('-', ' ').split())} "
    fitting = [name for name in PEAKS if f" {name} " in words]
    return PEAKS[max(fitting, key=len)] * 1e12 if fitting else None
