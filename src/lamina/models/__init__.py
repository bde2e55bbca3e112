"""What surrounds a model call: replies by schema, budget, ledger, cache, roles."""
