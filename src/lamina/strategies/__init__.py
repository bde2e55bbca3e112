"""How memory is formed: one package a method. Strategies do not know each other."""
