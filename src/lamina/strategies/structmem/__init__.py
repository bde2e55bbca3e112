"""StructMem: events in two perspectives, consolidated across time (arXiv 2604.21748).

`bind` reads each message twice: what it says (facts) and how people and events hang together
(relations). `consolidate` puts what is new beside what is near to it in the history, and keeps
a summary that names what it covers. `prompted` asks a language model; `extractive` selects from
what was said and asks nobody. Both have the same signature.
"""
