"""XML files of keyword search: ECF (audio), KWList (keywords), KWSList (detections).

`read_ecf`, `read_kwlist` and `read_kwslist` give typed objects with everything the files say;
the modules' `read` gives segments, for conversions.
"""
