"""Helpers of evalmate."""
