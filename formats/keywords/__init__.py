"""XML files of keyword search: ECF (audio), KWList (keywords) and KWSList (detections).

`read_ecf`, `read_kwlist` and `read_kwslist` return typed objects with the whole content of the
files. The `read` functions of the modules yield segments for conversions.
"""
