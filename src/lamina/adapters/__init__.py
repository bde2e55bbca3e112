"""What implements the ports: the only modules that import a driver or an SDK."""
