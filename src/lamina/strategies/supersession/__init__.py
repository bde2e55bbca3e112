"""Supersession: a new fact beside the old ones about the same thing.

`supersede` compares the facts that one operation wrote with what is near to them in the scope. Of
two that cannot both hold, the earlier is marked as superseded, from when on; where the order or
the meaning is in doubt both stay, linked as contradicting; a fact said again gains a source.
`prompted` asks a language model; `extractive` reads, by rules in English and Chinese, statements
that have one value at a time. Both have the same signature, and both end in the same state in
whatever order the facts arrive.
"""
