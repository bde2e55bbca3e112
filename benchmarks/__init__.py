"""Speed, as ratios measured side by side in one run. Run by hand: `make bench`."""
