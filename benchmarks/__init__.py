"""Speed and memory, as ratios against a reference in the same run; ``make bench`` writes BENCHMARKS.md."""
