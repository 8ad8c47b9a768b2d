"""Other formats become a `Source`: markdown text that knows where it came from."""
