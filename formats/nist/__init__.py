"""NIST's text formats: ctm, stm, trn, plain text, rttm, uem."""
