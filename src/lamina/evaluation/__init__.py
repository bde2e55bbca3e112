"""Measures Lamina on published data: honest figures, with the protocol beside them."""
