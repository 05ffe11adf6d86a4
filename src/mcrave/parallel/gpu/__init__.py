"""Thousands of complete games at once on one GPU, with the kernels that also run natively.

In the order in which data flows: `planning` (how many games fit), `rows` (the memory of many searches in one array a
field), `kernels` (what happens in one game), `engines` (who runs the kernels), `room` (games that are being played).
"""
