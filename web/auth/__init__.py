"""Controls who may do what: paired devices, pairing codes, and answers that are given once."""
