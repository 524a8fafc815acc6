"""Messages: whose turn it is, a breach, a dispute, the end, a camera lost, to a webhook or a phone by ntfy."""
