"""Games kept as a ledger: acts are declared, and cameras may see what lies on a mat."""
